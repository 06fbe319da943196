/** The result of the person in a daily deal. Mirrors `server/game/daily.py`. */

import { PERSON_SEAT } from "../bindings/constants.js";

/** @import { Match } from "../bindings/match.js" */

/**
 * Returns whether the person has won, how many cards are left and what they count, and the number of the person's moves.
 * @param {Match} match a finished daily deal
 */
export function personResult({ round, winners, moves }) {
  return {
    won: winners?.includes(PERSON_SEAT) ?? false,
    cards: round.hand(PERSON_SEAT).length,
    points: /** @type {number[]} */ (round.held())[PERSON_SEAT],
    moves: moves.filter((text) => round.notation.seatMove(text).seat === PERSON_SEAT).length,
  };
}
