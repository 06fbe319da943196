/** Wild Jackpot's rule cards: a dare, or one to three effects, as text and as the numbers of a round state. */

import { blankPattern, strip } from "./blanks.js";
import { NotationError } from "./errors.js";

/** @import { Description } from "./kernel.js" */

/**
 * @typedef {object} RuleCard
 * @property {string} text canonical
 * @property {readonly number[]} effects as a round state stores them
 */

const DARE = blankPattern(String.raw`^[\s]*dare[\s]*:`, "i");
const WORD = blankPattern(String.raw`[^\s]+`, "g");
// Control, format (including bidi marks), lone surrogate, line and paragraph separator; characters that scripts and emoji need
// are allowed.
const HIDDEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * Returns the card of a text: effects such as `draw 2; reverse`, `dare: …`, or `R1` … `R8` for a built-in one.
 * @param {Description} description @param {string} text @returns {RuleCard}
 */
export function parseRuleCard(description, text) {
  const rules = description.rule_cards;
  const name = strip(text).toUpperCase();
  if (Object.hasOwn(rules.built_in, name)) return parseRuleCard(description, rules.built_in[name]);
  const dare = DARE.exec(text);
  if (dare) return makeDare(description, text, dare[0].length);
  const effects = [];
  for (const part of text.matchAll(/[^;.]+/g)) {
    const words = [...part[0].matchAll(WORD)].map((word) => ({
      word: word[0].toLowerCase(),
      column: part.index + word.index,
    }));
    if (words.length === 0) continue;
    if (effects.length === rules.most_effects)
      throw new NotationError(`a rule card has at most ${rules.most_effects} effects`, text, words[0].column);
    effects.push(parseEffect(description, words, text, part.index + part[0].length));
  }
  if (effects.length === 0) throw new NotationError("an empty rule card", text);
  return { text: effects.map((effect) => effect.text).join("; "), effects: effects.map((effect) => effect.number) };
}

/** @param {Description} description @param {string} text @param {number} from the column of its first word @returns {RuleCard} */
function makeDare({ rule_cards: rules }, text, from) {
  const dare = strip(text.slice(from));
  const start = text.indexOf(dare, from);
  const chars = [...dare];
  if (!dare) throw new NotationError("a dare needs a text", text, start);
  if (chars.length > rules.longest_dare)
    throw new NotationError(`a dare has at most ${rules.longest_dare} characters`, text, start + rules.longest_dare);
  const hidden = chars.findIndex((char) => HIDDEN.test(char));
  if (hidden >= 0) throw new NotationError("a dare is one line of plain text", text, start + hidden);
  return { text: `dare: ${dare}`, effects: [rules.dare] };
}

/** A word of a rule card. @typedef {{word: string, column: number}} Word */

/** @param {Description} description @param {Word[]} words @param {string} text @param {number} end the column after the effect */
function parseEffect({ rule_cards: { verbs, who: seats } }, words, text, end) {
  const wrong = (/** @type {Word} */ { word, column }, /** @type {string} */ expected) =>
    new NotationError(`${word ? `${word} is not right` : "something is missing"} here; expected ${expected}`, text, column);
  const [head, next = { word: "", column: words[0].column + words[0].word.length }] = words;
  if (head.word === "everyone" && next.word === "draw") next.word = "draws";
  // The longest form of a verb wins: "draw until" beats "draw".
  const fitting = Object.values(verbs).filter((verb) => verb.words.every((word, i) => word === words[i]?.word));
  const verb = fitting.sort((a, b) => b.words.length - a.words.length)[0];
  if (!verb && head.word === "everyone") throw wrong(next, "draws");
  if (!verb) throw wrong(head, `one of ${Object.values(verbs).map((each) => each.words.join(" "))}`);
  const rest = words.slice(verb.words.length);
  const take = () => rest.shift() ?? { word: "", column: end };
  const parts = [...verb.words];
  let number = verb.number;
  if (verb.most) {
    const count = take();
    if (!(/^\d{1,4}$/.test(count.word) && Number(count.word) >= 1 && Number(count.word) <= verb.most))
      throw wrong(count, `a number from 1 to ${verb.most}`);
    number |= Number(count.word) << 8;
    parts.push(String(Number(count.word)));
  }
  if (verb.names) {
    const who = take();
    if (!Object.hasOwn(seats, who.word)) throw wrong(who, Object.keys(seats).join(", "));
    number |= seats[who.word] << 16;
    parts.push(who.word);
  }
  if (rest.length > 0) throw wrong(rest[0], "the end of the effect, or ; before the next one");
  return { text: parts.join(" "), number };
}

/**
 * Returns the rule cards of a table whose players wrote none.
 * @param {Description} description @param {unknown} choice the value of `wj_rules`
 * @returns {RuleCard[]}
 */
export function defaultRuleCards(description, choice) {
  const cards = Object.values(description.rule_cards.built_in).map((text) => parseRuleCard(description, text));
  return choice === "social_only" ? cards.filter((card) => card.text.startsWith("dare:")) : cards;
}
