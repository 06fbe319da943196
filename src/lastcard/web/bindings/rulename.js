/** How the name of a ruleset is written, such as `classic+harsh+stacking=same+jump_in`; `rules.js` knows what it means. */

/** The game, presets and options. @param {string} name */
export const splitName = (name) => name.split("+");

/** A preset or an option, and the value if there is one. @param {string} word @returns {[name: string, value: string | undefined]} */
export const splitWord = (word) => /** @type {[string, string | undefined]} */ (word.split(/=(.*)/s, 2));

/** The game of a ruleset. @param {string} name */
export const gameOf = (name) => splitName(name)[0];

/** The value of an option that a canonical name contains; `true` if it is written without one. @param {string} name @param {string} option */
export function valueIn(name, option) {
  const found = splitName(name).map(splitWord).find(([word]) => word === option);
  return found && (found[1] ?? "true");
}
