/** Conversion of a match to messages of the protocol: events, the public game and each seat's private part. */

import { PILE_SHOWN } from "../bindings/constants.js";

/** @import { Game, Happening, LessonStep, Mine, Public } from "../net/protocol.js" */
/** @import { Match } from "../bindings/match.js" */
/** @import { Event } from "../bindings/round.js" */

/**
 * A match and the table's data about it.
 * @typedef {object} MatchSnapshot
 * @property {string} id the id of the match
 * @property {Match} match
 * @property {number} ply the number of moves in its log
 * @property {string} promise SHA-256 of the table's secret, from before the shuffle
 * @property {{legal: string[], lesson: LessonStep} | null} taught the learner's permitted moves and the step of a lesson
 */

/** Returns the public game. @param {Match} match @returns {Public} */
export function publicOf(match) {
  const { round } = match;
  const { number, early, ...open } = round.publicState();
  const { cardName } = round.notation;
  const { over } = round;
  return {
    ...open,
    rules: String(match.rules),
    round: number,
    pile: round.discards(PILE_SHOWN),
    scores: match.scores,
    void: over && round.winner === null,
    hands: over ? match.players.map((_, seat) => round.hand(seat).map(cardName)) : null,
    points: over ? round.held() : null,
    winners: match.winners,
  };
}

/** Returns the private part of a seat. @param {MatchSnapshot} snapshot @param {number} seat @returns {Mine} */
export function mineOf({ match, taught }, seat) {
  const { round } = match;
  return {
    seat,
    hand: round.hand(seat).map(round.notation.cardName),
    legal: taught ? taught.legal : round.legal(seat),
    drawn: seat === round.turn ? round.drawn : null,
    early: round.publicState().early.includes(seat),
    lesson: taught ? taught.lesson : null,
  };
}

/**
 * Returns a match as one viewer may see it.
 * @param {MatchSnapshot} snapshot
 * @param {number | null} viewer the viewer's seat; null for none
 * @param {readonly Event[]} recent the events of the last moves
 * @returns {Game}
 */
export function gameOf(snapshot, viewer, recent) {
  const { id, match, ply, promise } = snapshot;
  return {
    match: id,
    ply,
    rules: String(match.rules),
    players: match.players,
    commitment: match.commitment,
    promise,
    public: publicOf(match),
    mine: viewer === null ? null : mineOf(snapshot, viewer),
    clock: null,
    recent: eventMessages(recent, match, viewer),
  };
}

/**
 * Returns events as a viewer may see them.
 * @param {readonly Event[]} events @param {Match} match @param {number | null} viewer
 */
export const eventMessages = (events, match, viewer) => events.map((event) => eventMessage(match.seenBy(event, viewer)));

/** Returns one event, already filtered for a viewer, as a message. @param {Event} event @returns {Happening} */
export const eventMessage = (event) =>
  /** @type {any} */ (Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null)));
