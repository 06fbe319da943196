/** Rulesets by name, such as `classic+stacking=same+jump_in`, and their options. */

import { strip } from "./blanks.js";
import { RulesError } from "./errors.js";
import { splitName, splitWord } from "./rulename.js";

/** @import { Description, Option } from "./kernel.js" */

/** @typedef {boolean | number | string | readonly number[]} Value an option's value; six numbers are lever weights */

const WEIGHTS = "wj_lever_weights";
const UNIFORM = "uniform";

/** A game with its options. */
export class Rules {
  /**
   * @param {Description} description @param {string} game
   * @param {Record<string, Value>} options all of them, by name
   */
  constructor(description, game, options) {
    this.description = description;
    this.game = game;
    this.options = options;
    check(description, game, options);
  }

  /**
   * Returns the rules of a name.
   * @param {Description} description
   * @param {string} text a game, then presets and options joined by `+`
   * @param {Record<string, unknown>} [options] more options, by name
   */
  static parse(description, text, options = {}) {
    const [head, ...words] = splitName(text).map(strip);
    const game = head.toLowerCase().replace(/[_ ]/g, "-");
    const games = description.games;
    if (!Object.hasOwn(games, game))
      throw new RulesError(`there is no ruleset ${head}; one begins with ${Object.keys(games).join(", ")}`, { word: head });
    let result = defaults(description, game);
    /** @type {Map<string, Value>} */
    const seen = new Map();
    for (const word of words) {
      const preset = word.toLowerCase().replace(/_/g, "-");
      if (Object.hasOwn(description.presets, preset)) {
        result = overlay(description, seen.size ? result : defaults(description, game), game, preset);
        continue;
      }
      const [named, value] = splitWord(word);
      const option = findOption(description, named);
      if (!option) throw new RulesError(`${word} is neither a preset nor a rule option`, { word });
      const parsed = value === undefined ? parseBare(description, option) : parseValue(description, option, value);
      const before = seen.get(option.name);
      if (before !== undefined && valueText(before) !== valueText(parsed))
        throw new RulesError(`${option.written} is given twice`, {
          pairs: [
            [option.name, before],
            [option.name, parsed],
          ],
        });
      seen.set(option.name, parsed);
    }
    for (const [name, value] of seen) result[name] = value;
    for (const [name, value] of Object.entries(options)) {
      const option = findOption(description, name);
      if (!option) throw new RulesError(`there is no rule option ${name}`, { word: name });
      result[option.name] = parseValue(description, option, value);
    }
    return new Rules(description, game, result);
  }

  /**
   * Returns the rules of a stored name, which may be older than `jump_in_stack`: then a jump-in canceled a draw.
   * @param {Description} description @param {string} text
   */
  static stored(description, text) {
    const found = Rules.parse(description, text);
    if (text.includes("jump_in_stack") || !found.#jumpsOnDraws) return found;
    return new Rules(description, found.game, { ...found.options, jump_in_stack: "replace" });
  }

  /** Returns the shortest name of these rules. */
  toString() {
    const jump = this.options.jump_in_stack;
    const usual = /** @type {Option} */ (findOption(this.description, "jump_in_stack")).choices[0].value;
    return this.#shortest + (this.#jumpsOnDraws || jump !== usual ? `+jump_in_stack=${jump}` : "");
  }

  /** The name of these rules in a record. */
  get storedName() {
    return this.options.jump_in_stack === "replace" && this.#jumpsOnDraws ? this.#shortest : String(this);
  }

  /** Whether a jump-in can meet a pending draw. */
  get #jumpsOnDraws() {
    return Boolean(this.options.jump_in && (this.options.stacking !== "off" || this.options.deflect));
  }

  /** The shortest name, without `jump_in_stack`. */
  get #shortest() {
    const names = Object.keys(this.description.presets).map((preset) => this.#writtenFrom(preset));
    return names.reduce((best, name) =>
      name.length < best.length || (name.length === best.length && name < best) ? name : best,
    );
  }

  /** @param {string} preset */
  #writtenFrom(preset) {
    const start = overlay(this.description, defaults(this.description, this.game), this.game, preset);
    const parts = preset === "official" ? [this.game] : [this.game, preset];
    for (const { name, written } of this.description.options) {
      const value = this.options[name];
      if (valueText(value) === valueText(start[name]) || name === "jump_in_stack") continue;
      parts.push(value === true ? written : `${written}=${this.#text(name, value)}`);
    }
    return parts.join("+");
  }

  /** Returns a value as text. @param {string} name @param {Value} value */
  #text(name, value) {
    const option = /** @type {Option} */ (findOption(this.description, name));
    return option.choices.find((choice) => choice.value === value)?.text ?? valueText(value);
  }

  /** Returns the number of an option's value in a round state. @param {Option} option */
  number(option) {
    const value = this.options[option.name];
    return option.choices.find((choice) => choice.value === value)?.number ?? 0;
  }

  /** The odds of the lever's outcomes. @returns {readonly number[]} */
  get weights() {
    const weights = this.options[WEIGHTS];
    return typeof weights === "object" ? weights : this.description.outcomes.map(() => 1);
  }

  /** The cards that may be in the deck, as far as players know, sorted. @returns {number[]} */
  get deck() {
    const { decks } = this.description.games[this.game];
    const pile = decks[String(this.options.wj_number_distribution)] ?? Object.values(decks)[0];
    return pile.flatMap(([card, count]) => /** @type {number[]} */ (Array(count).fill(card)));
  }
}

/**
 * Returns the options of a game's official sheet.
 * @param {Description} description @param {string} game @returns {Record<string, Value>}
 */
function defaults(description, game) {
  const usual = Object.fromEntries(description.options.map(({ name, choices }) => [name, choices[0].value]));
  return { ...usual, ...description.games[game].defaults };
}

/**
 * Returns options under a preset, without those the game does not have.
 * @param {Description} description @param {Record<string, Value>} options @param {string} game @param {string} preset
 */
function overlay(description, options, game, preset) {
  const result = { ...options };
  for (const [name, value] of Object.entries(description.presets[preset])) {
    if (findOption(description, name)?.games.includes(game)) result[name] = value;
  }
  return result;
}

/** Returns the option of a name as a person may write it. @param {Description} description @param {string} text */
function findOption(description, text) {
  const name = strip(text).toLowerCase().replace(/-/g, "_");
  return description.options.find((option) => option.name === name || option.written === name);
}

/** @param {unknown} value @returns {string} */
const valueText = (value) => (Array.isArray(value) ? value.join("/") : String(value));

/** Returns a value as bare lower-case text. @param {unknown} value */
function plain(value) {
  const text = strip(valueText(value)).toLowerCase();
  const word = { yes: "true", on: "true", no: "false", "2 cards": "2", "2_cards": "2" }[text] ?? text;
  return word.replaceAll(" + ", "_").replace(/[ -]/g, "_");
}

/**
 * Returns the value of an option named without a value: a switch is on.
 * @param {Description} description @param {Option} option @returns {Value}
 */
function parseBare(description, { name, written, choices }) {
  if (typeof choices[0].value === "boolean") return true;
  if (name === WEIGHTS) return parseWeights(description, true); // throws an error that lists the outcomes
  const texts = choices.map(({ text }) => text);
  throw new RulesError(`${written} needs a value, such as ${written}=${texts[1]}; it can be ${texts.join(", ")}`, {
    word: "true",
    option: name,
  });
}

/** @param {Description} description @param {Option} option @param {unknown} value @returns {Value} */
function parseValue(description, option, value) {
  if (option.name === WEIGHTS && value !== UNIFORM) return parseWeights(description, value);
  const wanted = plain(value);
  const found = option.choices.find((choice) => plain(choice.value) === wanted || plain(choice.text) === wanted);
  if (found) return found.value;
  const word = valueText(value);
  throw new RulesError(
    `${option.written} cannot be ${word}; it can be ${option.choices.map(({ text }) => text).join(", ")}`,
    { word, option: option.name },
  );
}

/** @param {Description} description @param {unknown} value @returns {Value} */
function parseWeights(description, value) {
  const parts = typeof value === "string" ? value.split("/") : Array.isArray(value) ? value : [];
  const texts = parts.map((part) => strip(String(part)));
  const weights = texts.map(Number);
  if (
    texts.length !== description.outcomes.length ||
    !texts.every((text) => /^\d{1,2}$/.test(text)) ||
    !weights.some(Boolean)
  ) {
    throw new RulesError(
      `${WEIGHTS} is ${UNIFORM}, or six whole numbers 0-99, not all 0, for ${description.outcomes.join("/")}`,
      { word: valueText(value), option: WEIGHTS },
    );
  }
  return new Set(weights).size === 1 ? UNIFORM : weights;
}

/**
 * Refuses values that conflict with each other or with a game.
 * @param {Description} description @param {string} game @param {Record<string, Value>} options
 */
function check(description, game, options) {
  const base = defaults(description, game);
  for (const { name, games } of description.options) {
    if (!games.includes(game) && valueText(options[name]) !== valueText(base[name])) {
      throw new RulesError(
        `${name}=${valueText(options[name])} makes no sense in ${game}: the option is for ${games.join(" and ")}`,
        { pairs: [[name, options[name]]], game },
      );
    }
  }
  for (const [name, value] of description.games[game].never) {
    if (options[name] === value)
      throw new RulesError(`${name}=${value} makes no sense in ${game}`, { pairs: [[name, value]], game });
  }
  for (const { one, values, other, other_values: others, why } of description.conflicts) {
    if (values.includes(options[one]) && others.includes(options[other])) {
      throw new RulesError(`${one}=${options[one]} and ${other}=${options[other]} contradict each other: ${why}`, {
        pairs: [
          [one, options[one]],
          [other, options[other]],
        ],
      });
    }
  }
}
