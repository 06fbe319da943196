/** Positions: everything from which play can continue at a turn, in the keys of docs/notation.md. */

import { strip } from "./blanks.js";
import { MAX_SCORE, POSITION_KEYS } from "./constants.js";
import { NotationError } from "./errors.js";
import { Notation } from "./notation.js";
import { defaultRuleCards, parseRuleCard } from "./rulecards.js";
import { Rules } from "./rules.js";
import { isTable, parseToml } from "./toml.js";

/** @import { Kernel } from "./kernel.js" */
/** @import { RuleCard } from "./rulecards.js" */

/**
 * The state of a round at a turn; cards are integers.
 * @typedef {object} Position
 * @property {Rules} rules
 * @property {number[][]} hands
 * @property {number[]} discard oldest first @property {number[]} draw next card first
 * @property {number} color the current color, -1 for none
 * @property {number} turn @property {number} direction @property {number} dealer
 * @property {number[]} called
 * @property {number[]} scores
 * @property {string[]} lever outcomes to come
 * @property {RuleCard[]} ruleCards the rule cards of the table
 * @property {number[] | null} dispenser the next ones by index; null for all of them, shuffled
 */

/** @type {Record<string, number>} */
const DIRECTIONS = { cw: 1, clockwise: 1, ccw: -1, counterclockwise: -1, "counter-clockwise": -1, anticlockwise: -1 };

/** @param {unknown} word */
export function parseDirection(word) {
  const direction = DIRECTIONS[strip(String(word)).toLowerCase()];
  if (direction === undefined) throw new NotationError(`${word} is no direction; expected cw or ccw`);
  return direction;
}

/**
 * @param {Kernel} kernel
 * @param {string | Record<string, unknown>} position its keys and values, or those as TOML
 * @returns {Position}
 */
export function parsePosition(kernel, position) {
  const { description } = kernel;
  const notation = new Notation(description);
  const table = typeof position === "string" ? parseToml(position) : position;
  const strange = Object.keys(table).filter((key) => !POSITION_KEYS.includes(key));
  if (strange.length > 0) throw new NotationError(`unknown keys: ${strange.join(", ")}`);
  const rules = Rules.parse(description, text(table, "rules"), isTable(table.options) ? table.options : {});
  const hands = list(table, "hands", []).map((hand) => notation.pile(String(hand)).sort((a, b) => a - b));
  const discard = notation.pile(text(table, "discard"));
  const top = discard[discard.length - 1] ?? 0;
  const own = Math.floor(top / description.sizes.faces);
  const turn = whole(table, "turn", 0);
  const direction = table.direction === undefined ? 1 : parseDirection(table.direction);
  const cards =
    table.rule_cards === undefined
      ? null
      : list(table, "rule_cards", []).map((card) => parseRuleCard(description, String(card)));
  const texts = [...new Set(cards?.map((card) => card.text))];
  const found = {
    rules,
    hands,
    discard,
    draw: notation.pile(text(table, "draw", "")),
    color:
      table.color === undefined ? (own < description.colors.length ? own : -1) : notation.color(text(table, "color")),
    turn,
    direction,
    dealer: whole(table, "dealer", (turn - direction + hands.length) % Math.max(hands.length, 1)),
    // A call has an effect only with exactly one card (CO-19).
    called: list(table, "called", [])
      .map(Number)
      .filter((seat) => !hands[seat] || hands[seat].length === 1),
    scores: list(
      table,
      "scores",
      hands.map(() => 0),
    ).map(Number),
    lever: list(table, "lever", []).map((word) => strip(String(word)).toLowerCase()),
    ruleCards: cards
      ? texts.map((card) => parseRuleCard(description, card))
      : defaultRuleCards(description, rules.options.wj_rules),
    dispenser: cards ? cards.map((card) => texts.indexOf(card.text)) : null,
  };
  const fault = findFault(kernel, found);
  if (fault) throw new NotationError(fault);
  return found;
}

/**
 * Returns the reason why a position cannot be played on.
 * @param {Kernel} kernel @param {Position} position @returns {string | null}
 */
function findFault({ description: { sizes, outcomes, colors, games } }, position) {
  const { hands, discard, draw, turn, dealer, called, scores, lever, dispenser, color, rules } = position;
  const isSeat = (/** @type {number} */ seat) => Number.isInteger(seat) && seat >= 0 && seat < hands.length;
  const total = [...hands, discard, draw].reduce((sum, pile) => sum + pile.length, 0);
  if (discard.length === 0) return "discard: it is empty; its last card is the top";
  if (hands.some((hand) => hand.length === 0)) return "hands: a hand is empty";
  if (total > sizes.deck) return `a table holds at most ${sizes.deck} cards, not ${total}`;
  const cardsOf = (/** @type {string} */ game) => Object.values(games[game].decks).flatMap((deck) => deck.map(([card]) => card));
  const usual = new Set(cardsOf("classic"));
  const special = new Set([...hands, discard, draw].flat().filter((card) => !usual.has(card)));
  if (rules.game !== "all-wild" && cardsOf("all-wild").some((card) => special.has(card)))
    return "a wild that only All Wild has is for All Wild only";
  if (![turn, dealer, ...called].every(isSeat))
    return `there are ${hands.length} seats; turn, dealer and called name one of them`;
  if (scores.length !== hands.length || scores.some((score) => !(score >= 0 && score <= MAX_SCORE)))
    return `scores: one for each player, from 0 to ${MAX_SCORE}`;
  if (lever.length > sizes.max_script || lever.some((word) => !outcomes.includes(word)))
    return `lever: the outcomes are ${outcomes.join(", ")}`;
  const levers = rules.game === "wild-jackpot" || cardsOf("wild-jackpot").some((card) => special.has(card)); // Jackpots
  if (dispenser?.length === 0 && levers)
    return "rule_cards: empty; give at least one, or leave the key out";
  if (dispenser && dispenser.length > sizes.rule_cards) return `rule_cards: at most ${sizes.rule_cards}`;
  const own = Math.floor(discard[discard.length - 1] / sizes.faces);
  if (rules.game !== "all-wild" && (own < colors.length ? color !== own : color < 0))
    return "color: not that of the top, or missing";
  return null;
}

/** @param {Record<string, unknown>} table @param {string} key @param {string} [usual] */
function text(table, key, usual) {
  const value = table[key] ?? usual;
  if (typeof value !== "string") throw new NotationError(`${key}: expected text`);
  return value;
}

/** @param {Record<string, unknown>} table @param {string} key @param {number} usual */
function whole(table, key, usual) {
  const value = table[key] ?? usual;
  if (typeof value !== "number" || !Number.isInteger(value)) throw new NotationError(`${key}: expected a whole number`);
  return value;
}

/** @param {Record<string, unknown>} table @param {string} key @param {readonly unknown[]} usual @returns {readonly unknown[]} */
function list(table, key, usual) {
  const value = table[key] ?? usual;
  if (!Array.isArray(value)) throw new NotationError(`${key}: expected a list`);
  return value;
}
