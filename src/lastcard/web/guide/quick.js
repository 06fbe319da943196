/** The shortest way to a table with bots: a match at once, or first the lesson of its game. */

import { playsLocally } from "../ui/address.js";
import { prefs } from "../ui/prefs.js";
import { go } from "../ui/router.js";
import { post } from "../net/api.js";

/**
 * Deal at a new table and go there.
 *
 * @param {string} game
 * @param {{lesson?: boolean, waits?: string}} [how] `waits`: the code of the table to which a lesson leads back
 */
export async function dealNow(game, { lesson = false, waits } = {}) {
  const wanted = { quick: true, lesson, settings: { rules: game, pace: "untimed", take_backs: true } };
  const { code } = await post("/api/tables", wanted, playsLocally);
  await go(`/t/${code}`, { quick: true, waits });
}

/**
 * Whether a person has played a round of a game, or its lesson, in this browser.
 *
 * @param {string} game
 */
export const hasPlayed = (game) => roundsOf(game) > 0;

/** Rounds of a game in which its cards have their names on them. */
const NAMED_ROUNDS = 3;

/**
 * Whether the cards of a game have their names on them, as long as it is new to a person.
 *
 * @param {string} game
 */
export const isNew = (game) => roundsOf(game) <= NAMED_ROUNDS;

/**
 * How many rounds of a game a person has played in this browser.
 *
 * @param {string} game
 */
const roundsOf = (game) => prefs.get("rounds")[game] ?? 0;

/**
 * One more round of a game has been played, or its lesson was enough; it is what *Play now* deals next time.
 *
 * @param {string} game
 */
export function countRound(game) {
  prefs.set("rounds", { ...prefs.get("rounds"), [game]: roundsOf(game) + 1 });
  prefs.set("game", game);
}
