/** Refusals of commands, as keys and values that the page renders as text. */

import { LastcardError } from "../bindings/errors.js";
import { isWild } from "../cards/cards.js";
import { roundHalfEven } from "./statistics.js";

/** @import { Refused as RefusedMessage, ServerUnion } from "../net/protocol.js" */
/** @import { IllegalMove } from "../bindings/errors.js" */
/** @import { Match } from "../bindings/match.js" */
/** @import { Move } from "../bindings/notation.js" */
/** @import { ClosedWindow } from "./unorace.js" */

/**
 * A phrase: a text, a card, cards, a color, a span of milliseconds, a number with a count of digits, or a catalog text by its key
 * and values. A catalog text may be `optional`, may have a variant `inGame`, and may begin with a capital or small letter.
 * Phrases may be `joined`, by a dash by default, or be `sentences`.
 * @typedef {string | number | {card: string, color?: string | null} | {cards: string[]} | {color: string} | {late: number}
 *   | {figure: number, digits: number, signed?: boolean}
 *   | {joined: Phrase[], by?: string} | {sentences: Phrase[]}
 *   | {text: string, values: Record<string, Phrase>, optional?: boolean, inGame?: string | null,
 *      begins?: "capital" | "small"}} Phrase
 */

/**
 * Fields of a message that must still be rendered as text, and their game.
 * @typedef {{game: string, phrases: Record<string, Phrase>}} PendingTexts
 */

/**
 * A message as it leaves the table; in advice, every move has texts to render.
 * @typedef {ServerUnion & {pendingTexts?: PendingTexts}} Message
 */

/** A command the table refuses: its text is `web.refused.<code>`. */
export class CommandError extends LastcardError {
  /** @param {string} code @param {Record<string, Phrase>} [values] the values in the text */
  constructor(code, values = {}) {
    super(code, code);
    this.values = values;
  }
}

/** @param {string} text @param {Record<string, Phrase>} [values] @returns {Phrase} */
export const words = (text, values = {}) => ({ text, values });

/**
 * @param {string | null} id the command's id
 * @param {{code: string, clause?: string | null, late?: number}} why @param {Phrase} text @param {string} game
 * @returns {RefusedMessage & {pendingTexts: PendingTexts}}
 */
function refusal(id, { code, clause = null, late }, text, game) {
  return { type: "refused", id, code, clause, text: "", late: late ?? null, pendingTexts: { game, phrases: { text } } };
}

/** Returns the table's refusal of a command. @param {string | null} id @param {CommandError} error @param {string} game */
export const commandRefusal = (id, error, game) =>
  refusal(id, error, words(`web.refused.${error.code}`, error.values), game);

/**
 * Returns the refusal of an illegal move.
 * @param {string} id @param {Match} match @param {number} seat @param {Move} move @param {IllegalMove} error
 */
export function againstRules(id, match, seat, move, error) {
  const { round, players, rules } = match;
  const { cardName } = round.notation;
  const { top, color, turn, decision, pending, counts } = round.publicState();
  const hand = round.hand(seat).map(cardName);
  const card = move.card === null ? top : cardName(move.card);
  const target = move.target ?? seat;
  const protects = card === "Wx" && rules.options.forced_swap_target === "not_player_with_one_card";
  // With stacking, a Wild Draw Four may also be answered with a card (LC-40).
  const awaited = decision === "challenge" && rules.options.stacking !== "off" ? "challenge.stacking" : decision;
  const reason = words(["refused", error.code, error.variant].filter(Boolean).join("."), {
    turn: players[turn],
    decision: { text: `decision.${awaited}`, values: {}, optional: true },
    card: { card },
    code: card,
    cardcolor: isWild(card) ? "" : { color: card[0] },
    top: { card: top, color: isWild(top) ? color : null },
    color: color === null ? "" : { color },
    same: { cards: color === null ? hand.filter(isWild) : hand.filter((held) => held[0] === color) },
    target: players[target] ?? String(target),
    last: players.length - 1,
    other: players.findIndex((_, other) => other !== seat && !(protects && counts[other] === 1)),
    pending,
    held: hand.length,
  });
  return refusal(id, error, words("refused.line", { reason }), rules.game);
}

/**
 * Returns the refusal of a late call or catch, after its window closed (CO-15).
 * @param {string} id @param {Match} match @param {number} target the seat of the window
 * @param {ClosedWindow} closed @param {number} now
 */
export function tooLate(id, match, target, closed, now) {
  const late = Math.max(1, roundHalfEven(1000 * (now - closed.at)));
  const code = closed.called ? "called-first" : "late";
  const text = words(`web.refused.${code}`, { name: match.players[target], seconds: { late } });
  return refusal(id, { code, clause: "CO-15", late }, text, match.rules.game);
}

/**
 * Returns the refusal of a held catch, because the call came within the grace.
 * @param {string} id @param {Match} match @param {number} target
 */
export function calledInTime(id, match, target) {
  const text = words("web.refused.called-in-time", { name: match.players[target] });
  return refusal(id, { code: "called-first", clause: "CO-15" }, text, match.rules.game);
}
