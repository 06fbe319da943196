/** The rule cards of Wild Jackpot: a dare, or one to three effects, as text and as the numbers of a table. */

import { NotationError } from "./errors.js";

/** @import { Description } from "./kernel.js" */

/**
 * @typedef {object} RuleCard
 * @property {string} text canonical
 * @property {readonly number[]} effects as they stand in a table
 */

const DARE = /^\s*dare\s*:/i;
// Control, format (which the bidi marks are), lone surrogate, line and paragraph separator; what scripts and emoji need is not.
const HIDDEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * The card of a text: effects such as `draw 2; reverse`, `dare: …`, or `R1` … `R8` for a built-in one.
 * @param {Description} description @param {string} text
 * @returns {RuleCard}
 */
export function parseRuleCard(description, text) {
  const rules = description.rule_cards;
  const name = text.trim().toUpperCase();
  if (Object.hasOwn(rules.built_in, name)) return parseRuleCard(description, rules.built_in[name]);
  if (DARE.test(text)) return makeDare(description, text.replace(DARE, "").trim());
  const parts = text
    .split(/[;.]/)
    .map((part) => part.trim().split(/\s+/).filter(Boolean))
    .filter((words) => words.length > 0);
  if (parts.length < 1 || parts.length > rules.most_effects) {
    throw new NotationError(`${text}: a rule card has one to ${rules.most_effects} effects, or is a dare`);
  }
  const effects = parts.map((words) =>
    parseEffect(
      description,
      words.map((word) => word.toLowerCase()),
    ),
  );
  return { text: effects.map((effect) => effect.text).join("; "), effects: effects.map((effect) => effect.number) };
}

/** @param {Description} description @param {string} dare @returns {RuleCard} */
function makeDare({ rule_cards: rules }, dare) {
  if (!dare || [...dare].length > rules.longest_dare || HIDDEN.test(dare)) {
    throw new NotationError(`a dare is one line of plain text of 1 to ${rules.longest_dare} characters`);
  }
  return { text: `dare: ${dare}`, effects: [rules.dare] };
}

/** @param {Description} description @param {string[]} words */
function parseEffect({ rule_cards: { verbs, who: seats } }, words) {
  if (words[0] === "everyone" && words[1] === "draw") words[1] = "draws";
  // The longest way to write a verb wins: "draw until" beats "draw".
  const fitting = Object.values(verbs).filter((verb) => verb.words.every((word, i) => word === words[i]));
  const verb = fitting.sort((a, b) => b.words.length - a.words.length)[0];
  if (!verb) throw new NotationError(`${words.join(" ")} is no effect of a rule card`);
  const rest = words.slice(verb.words.length);
  const count = verb.most ? (rest.shift() ?? "") : "";
  if (verb.most && !(/^\d{1,4}$/.test(count) && Number(count) >= 1 && Number(count) <= verb.most)) {
    throw new NotationError(`${words.join(" ")}: expected a number from 1 to ${verb.most}`);
  }
  const who = verb.names ? (rest.shift() ?? "") : "";
  if (verb.names && !Object.hasOwn(seats, who))
    throw new NotationError(`${words.join(" ")}: expected ${Object.keys(seats).join(", ")}`);
  if (rest.length > 0) throw new NotationError(`${words.join(" ")}: ${rest[0]} is too much`);
  const text = [...verb.words, count && String(Number(count)), who].filter(Boolean).join(" ");
  return { text, number: verb.number | (Number(count) << 8) | ((seats[who] ?? 0) << 16) };
}

/**
 * The cards of a table whose players wrote none.
 * @param {Description} description @param {unknown} choice the value of `wj_rules`
 * @returns {RuleCard[]}
 */
export function defaultRuleCards(description, choice) {
  const cards = Object.values(description.rule_cards.built_in).map((text) => parseRuleCard(description, text));
  return choice === "social_only" ? cards.filter((card) => card.text.startsWith("dare:")) : cards;
}
