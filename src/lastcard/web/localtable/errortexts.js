/** Errors of texts and settings as phrases that name the word or the options at fault. */

import { NotationError, RulesError, UsageError } from "../bindings/errors.js";

/** @import { LastcardError } from "../bindings/errors.js" */
/** @import { Description } from "../bindings/kernel.js" */
/** @import { Phrase } from "./refusals.js" */

const DARE = /^\s*dare\s*:\s*/i;
const WORD = /[^\s;.]*/y;
const CARD_EXAMPLES = { dare: "dare: sing a song", effects: "draw 2; reverse" };
const RULESET_EXAMPLE = "classic+harsh+stacking=same";
const WEIGHTS = "wj_lever_weights";

/** @param {string} name @param {Record<string, Phrase>} [values] @returns {Phrase} */
const refused = (name, values = {}) => ({ text: `web.refused.${name}`, values });

/**
 * Returns the phrase for an error of settings or of a move; by default the error's own message.
 * @param {Description} description @param {LastcardError} error @returns {Phrase}
 */
export function errorText(description, error) {
  if (error instanceof NotationError) return misplaced(error);
  if (error instanceof RulesError && error.word !== null) return misnamed(description, error.word, error.option);
  const { pairs = [] } = /** @type {Partial<RulesError & UsageError>} */ (error);
  if (pairs.length === 0) return error.message;
  const game = error instanceof RulesError ? error.game : null;
  const option = { sentences: pairs.map(([name, value]) => optionLine(description, name, value, game)) };
  return game === null ? option : refused("not-in-game", { game: { text: `game.${game}`, values: {} }, option });
}

/**
 * Returns the phrase for an error in a rule card, with the permitted words; a dare's columns count from its own start.
 * @param {Description} description @param {NotationError} error @returns {Phrase}
 */
export function cardErrorText({ rule_cards: rules }, error) {
  const dare = DARE.exec(error.text);
  if (dare) {
    if (dare[0].length === error.text.length) return refused("no-dare");
    const n = Math.max(1, places(error.text, error.column) - places(error.text, dare[0].length) + 1);
    return refused("bad-dare", { n, most: rules.longest_dare });
  }
  const verbs = Object.values(rules.verbs).map(({ words, most, names }) =>
    [...words, most && "N", names && "WHO", most && `(1–${most})`].filter(Boolean).join(" "),
  );
  const values = { verbs: verbs.join(", "), who: Object.keys(rules.who).join(", "), ...CARD_EXAMPLES };
  return { sentences: [misplaced(error), { text: "prompt.write.how", values }] };
}

/** Returns the phrase for the position of an error in a text. @param {NotationError} error */
function misplaced({ text, column }) {
  WORD.lastIndex = column;
  const word = WORD.exec(text)?.[0];
  const n = places(text, column) + 1;
  return word ? refused("wrong-word", { word, n }) : refused("word-missing", { n });
}

/** Returns the number of characters before a column. @param {string} text @param {number} column */
const places = (text, column) => [...text.slice(0, column)].length;

/**
 * Returns the phrase for an unknown word, with the parts of a ruleset or the values of an option.
 * @param {Description} description @param {string} word @param {string | null} name
 */
function misnamed(description, word, name) {
  const option = description.options.find((each) => each.name === name);
  if (!option) {
    const [games, presets] = [description.games, description.presets].map((all) => Object.keys(all).join(", "));
    return refused("bad-ruleset", { word, games, presets, example: RULESET_EXAMPLE });
  }
  /** @type {Phrase[]} */
  const choices = option.choices.map(({ text }) => text);
  if (name === WEIGHTS) choices.push({ text: "rules.options.weights", values: {} });
  return refused("bad-value", {
    option: { text: `option.${option.written}`, values: {} },
    word,
    choices: { joined: choices, by: ", " },
  });
}

/**
 * Returns the phrase for an option and one of its values.
 * @param {Description} description @param {string} name @param {unknown} value @param {string | null} game @returns {Phrase}
 */
function optionLine({ options }, name, value, game) {
  const option = options.find((each) => each.name === name);
  const key = `option.${option?.written}`;
  const chosen = option?.choices.find((choice) => choice.value === value);
  /** @type {Phrase} */
  const choice = chosen
    ? { text: `${key}.${chosen.text}`, inGame: game, values: {}, begins: "small" }
    : { text: `${key}.custom`, values: { weights: /** @type {number[]} */ (value).join("/") }, begins: "small" };
  return { text: "rules.line", values: { about: { text: key, values: {} }, choice } };
}
