/** The shortest way to a table with bots: a match at once, or first a lesson of its game. */

import { playsLocally } from "../ui/address.js";
import { prefs } from "../ui/prefs.js";
import { go } from "../ui/router.js";
import { post } from "../net/api.js";

/**
 * Makes a new table, starts it, and opens it.
 * @param {string} game
 * @param {{lesson?: number, waits?: string}} [how] `lesson`: the number of a lesson; `waits`: the code of the table to return to after the lesson
 */
export async function dealNow(game, { lesson = 0, waits } = {}) {
  const n = prefs.get("bots");
  const bots = lesson ? [] : Array(n).fill(prefs.get("level"));
  const wanted = { quick: true, lesson, bots, settings: { rules: game, seats: n + 1, pace: "untimed", take_backs: true } };
  const { code } = await post("/api/tables", wanted, playsLocally);
  await go(`/t/${code}`, { quick: true, waits });
}

/** Whether a person has played a round of a game, or its lesson, in this browser. @param {string} game */
export const hasPlayed = (game) => roundsOf(game) > 0;

/** The number of rounds of a game in which cards show their names. */
const NAMED_ROUNDS = 3;

/** Whether the cards of a game show their names, because the game is new to the person. @param {string} game */
export const isNew = (game) => roundsOf(game) <= NAMED_ROUNDS;

/** Returns the number of rounds of a game that a person has played in this browser. @param {string} game */
const roundsOf = (game) => prefs.get("rounds")[game] ?? 0;

/** Counts a finished round of a game, or its lesson; *Play now* offers that game next time. @param {string} game */
export function countRound(game) {
  prefs.set("rounds", { ...prefs.get("rounds"), [game]: roundsOf(game) + 1 });
  prefs.set("game", game);
}
