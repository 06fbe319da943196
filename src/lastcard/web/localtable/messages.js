/** From a match to what is said of it: events, the open table and each seat's own part, as messages of the protocol. */

import { PILE_SHOWN } from "../bindings/constants.js";


/** @import { Game, Happening, LessonStep, Mine, Public } from "../net/protocol.js" */
/** @import { Match } from "../bindings/match.js" */
/** @import { Event } from "../bindings/round.js" */

/**
 * A match as it stands, with what the table knows of it.
 * @typedef {object} MatchSnapshot
 * @property {string} id of the match
 * @property {Match} match
 * @property {number} ply how many moves its log has
 * @property {string} promise SHA-256 of the table's secret, from before the shuffle
 * @property {{legal: string[], lesson: LessonStep} | null} taught in a lesson, what is open to the learner, and where it is
 */

/** The game as everybody at the table sees it. @param {Match} match @returns {Public} */
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

/** What only the person in a seat may know. @param {MatchSnapshot} standing @param {number} seat @returns {Mine} */
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
 * A match as one viewer may see it, whole.
 * @param {MatchSnapshot} snapshot
 * @param {number | null} viewer a seat; null for nobody
 * @param {readonly Event[]} recent what the last moves did
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

/** What happened, as a viewer may know it. @param {readonly Event[]} events @param {Match} match @param {number | null} viewer */
export const eventMessages = (events, match, viewer) => events.map((event) => eventMessage(match.seenBy(event, viewer)));

/** One event for the wire, as somebody may see it. @param {Event} event @returns {Happening} */
export const eventMessage = (event) =>
  /** @type {any} */ (Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null)));
