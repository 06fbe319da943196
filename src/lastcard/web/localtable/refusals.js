/** Why a command is not carried out: what a person is told, in keys and values for the page to put into words. */

import { LastcardError } from "../bindings/errors.js";
import { roundHalfEven } from "./statistics.js";

/** @import { Refused as RefusedMessage, ServerUnion } from "../net/protocol.js" */
/** @import { IllegalMove } from "../bindings/errors.js" */
/** @import { Match } from "../bindings/match.js" */
/** @import { Move } from "../bindings/notation.js" */
/** @import { ClosedWindow } from "./unorace.js" */

/**
 * What is to be said: a word as it is, a card, cards, a color, a span of milliseconds, a figure with so many
 * digits, or a text of the catalog by its key with what stands in it: one that is `optional` may be missing, one may be another `inGame`, and one may begin with
 * a capital or a small letter. Things may be `joined`, by a dash where it does not say otherwise, or be `sentences`.
 * @typedef {string | number | {card: string, color?: string | null} | {cards: string[]} | {color: string} | {late: number}
 *   | {figure: number, digits: number, signed?: boolean}
 *   | {joined: Phrase[], by?: string} | {sentences: Phrase[]}
 *   | {text: string, values: Record<string, Phrase>, optional?: boolean, inGame?: string | null,
 *      begins?: "capital" | "small"}} Phrase
 */

/** Fields of a message that are still to be put into words, and in which game. @typedef {{game: string, phrases: Record<string, Phrase>}} PendingTexts */

/** A message as it leaves the table; advice has something unsaid in every move. @typedef {ServerUnion & {pendingTexts?: PendingTexts}} Message */

/** A command the table does not carry out: the words are the text `web.refused.<code>`. */
export class CommandError extends LastcardError {
  /** @param {string} code @param {Record<string, Phrase>} [values] what stands in the words */
  constructor(code, values = {}) {
    super(code, code);
    this.values = values;
  }
}

/** @param {string} text @param {Record<string, Phrase>} [values] @returns {Phrase} */
export const words = (text, values = {}) => ({ text, values });

/**
 * @param {string | null} id of the command
 * @param {{code: string, clause?: string | null, late?: number}} why
 * @param {Phrase} text
 * @param {string} game
 * @returns {RefusedMessage & {unsaid: PendingTexts}}
 */
function refusal(id, { code, clause = null, late }, text, game) {
  return { type: "refused", id, code, clause, text: "", late: late ?? null, unsaid: { game, phrases: { text } } };
}

/** The table does not do that. @param {string | null} id @param {CommandError} error @param {string} game */
export const commandRefusal = (id, error, game) =>
  refusal(id, error, words(`web.refused.${error.code}`, error.values), game);

/**
 * The rules do not allow that.
 * @param {string} id @param {Match} match as it stands @param {number} seat who tried @param {Move} move what @param {IllegalMove} error
 */
export function againstRules(id, match, seat, move, error) {
  const { round, players, rules } = match;
  const { cardName } = round.notation;
  const { top, color, turn, decision, pending, counts } = round.publicState();
  const hand = round.hand(seat).map(cardName);
  const card = move.card === null ? top : cardName(move.card);
  const target = move.target ?? seat;
  const protects = card === "Wx" && rules.options.forced_swap_target === "not_player_with_one_card";
  // A Wild Draw Four may be answered too where there is stacking (LC-40).
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
 * A call or a catch of somebody's one card, after that window closed (CO-15).
 * @param {string} id @param {Match} match @param {number} target whose window it was
 * @param {ClosedWindow} closed @param {number} now
 */
export function tooLate(id, match, target, closed, now) {
  const late = Math.max(1, roundHalfEven(1000 * (now - closed.at)));
  const code = closed.called ? "called-first" : "late";
  const text = words(`web.refused.${code}`, { name: match.players[target], seconds: { late } });
  return refusal(id, { code, clause: "CO-15", late }, text, match.rules.game);
}

/** A catch that was held, because the call came within the grace. @param {string} id @param {Match} match @param {number} target */
export function calledInTime(id, match, target) {
  const text = words("web.refused.called-in-time", { name: match.players[target] });
  return refusal(id, { code: "called-first", clause: "CO-15" }, text, match.rules.game);
}

/** @param {string} card */
const isWild = (card) => card[0] === "W";
