/** The syntax of ruleset names such as `classic+harsh+stacking=same+jump_in`; `rules.js` gives their meaning. */

/** Splits a name into game, presets and options. @param {string} name */
export const splitName = (name) => name.split("+");

/**
 * Splits a word into the preset or option, and its value if any.
 * @param {string} word @returns {[name: string, value: string | undefined]}
 */
export const splitWord = (word) => /** @type {[string, string | undefined]} */ (word.split(/=(.*)/s, 2));

/** Returns the game of a ruleset. @param {string} name */
export const gameOf = (name) => splitName(name)[0];

/**
 * Returns the value of an option in a canonical name; `true` if it is written without one.
 * @param {string} name @param {string} option
 */
export function valueIn(name, option) {
  const found = splitName(name).map(splitWord).find(([word]) => word === option);
  return found && (found[1] ?? "true");
}
