/** Rulesets by name, parsed as in `rulesets.py`: `classic+harsh+stacking=same+jump_in`; and as text. */

import { splitName, splitWord } from "../bindings/rulename.js";
import { need, onceEach } from "../ui/resources.js";
import { has, language, t, useTexts } from "../ui/texts.js";
import { get } from "../net/api.js";

need(useTexts("lobby"));

/**
 * @typedef {{name: string, label: string, about: string, house: boolean, clauses: string[], default: string,
 *   choices: {value: string, text: string}[]}} Option
 */
/** @typedef {{name: string, text: string, about: string, values: Record<string, string>}} Preset */
/** @typedef {{game: string, about: string, presets: Preset[], options: Option[]}} GameOptions */
/** @typedef {{game: string, preset: string, values: Record<string, string>}} Rules values beside the preset's */

/** The preset with the printed rules. */
const OFFICIAL = "official";

/** House rules that people know by a name, and the values of their option that turn them on, the usual one first. */
export const SWITCHES = /** @type {Readonly<Record<string, readonly string[]>>} */ ({
  stacking: ["same", "cross", "equal_or_higher"],
  seven_zero: ["true"],
  jump_in: ["true"],
  draw_mode: ["until_playable"],
  force_play: ["drawn", "always"],
  wd4_mode: ["strict", "free"],
  team_play: ["true"],
  wj_rules: ["written"],
});

/** @type {(path: string) => Promise<GameOptions>} */
const optionsAt = onceEach((path) => get(path));

/**
 * Returns the options of a game.
 * @param {string} game
 * @param {string} [wanted] a language; that of now
 */
export const optionsOf = (game, wanted = language()) => optionsAt(`/api/options/${game}?lang=${wanted}`);

/** @param {string} name a ruleset's canonical name @returns {Rules} */
export function parseRules(name) {
  const [game, ...words] = splitName(name);
  const rules = { game, preset: OFFICIAL, values: /** @type {Record<string, string>} */ ({}) };
  words.forEach((word, i) => {
    const [option, value] = splitWord(word);
    if (i === 0 && value === undefined && has(`preset.${option}`)) rules.preset = option;
    else rules.values[option] = value ?? "true";
  });
  return rules;
}

/** @param {Rules} rules @returns {string} a name that the server accepts; only the server can shorten it */
export function writeRules({ game, preset, values }) {
  const words = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  return [game, ...(preset === OFFICIAL ? [] : [preset]), ...words].join("+");
}

/**
 * Returns the value of an option at a table.
 * @param {Option} option @param {Rules} rules @param {GameOptions} options
 */
export function valueOf(option, rules, options) {
  const preset = options.presets.find(({ name }) => name === rules.preset);
  return rules.values[option.name] ?? preset?.values[option.name] ?? option.default;
}

/**
 * Returns the known names of the house rules that are on.
 * @param {Rules} rules @param {GameOptions} options
 */
export function switchedOn(rules, options) {
  const on = options.options.filter((option) => SWITCHES[option.name]?.includes(valueOf(option, rules, options)));
  return on.map(({ name }) => t(`web.switch.${name}`));
}

/**
 * Returns the texts of the options that differ from the printed rules.
 * @param {Rules} rules @param {GameOptions} options @returns {{name: string, label: string, text: string, clauses: string[]}[]}
 */
export function changesOf(rules, options) {
  const changed = options.options.filter((option) => valueOf(option, rules, options) !== option.default);
  return changed.map((option) => {
    const value = valueOf(option, rules, options);
    return { name: option.name, label: option.label, clauses: option.clauses, text: option.choices.find((choice) => choice.value === value)?.text ?? value };
  });
}
