/** The daily deals as the server's API answers about them, by this device: nobody else's results, and no proof. */

import { GAMES } from "../bindings/constants.js";
import { commitment, dailySecret } from "../bindings/seeds.js";
import * as archive from "../localtable/archive.js";
import { dailyTries, findTry, putTry, streakOf } from "./dailytries.js";
import { readMatch, readTable } from "./store.js";
import { DAY_MS, dayOf } from "./streak.js";
import { makeTable } from "./tables.js";

/** @import { DailyPage, DailyStandings } from "../net/protocol.js" */
/** @import { Try } from "./dailytries.js" */

/** What is being computed, by match, so that it is computed once. @type {Map<string, Promise<unknown>>} */
const computing = new Map();

/** Answers `GET /api/daily`. @returns {Promise<DailyPage>} */
export async function showToday() {
  const day = dayOf();
  const games = GAMES.map(async (game) => {
    const found = findTry(day, game);
    return { game, table: await tableOf(found), finished: Boolean(found?.match) };
  });
  const tries = dailyTries().map(({ day, game, match, won }) => ({ day, game, finished: Boolean(match), won: Boolean(won) }));
  return { day, ends: Date.parse(day) + DAY_MS, streak: streakOf(day), games: await Promise.all(games), tries: tries.reverse() };
}

/** Answers `POST /api/daily`. @param {string} game @param {string} name the person's */
export async function startTry(game, name) {
  const day = dayOf();
  const begun = await tableOf(findTry(day, game));
  if (begun) return { code: begun };
  const code = await makeTable({ settings: { rules: game }, daily: day }, name);
  putTry({ day, game, table: code });
  return { code };
}

/** Returns the code of a try's table; null if the try is not finished and the table is no longer on the device. @param {Try} [found] */
const tableOf = async (found) => (found && (found.match || (await readTable(found.table))) ? found.table : null);

/**
 * Answers `GET /api/daily/DAY/GAME`; null if the person has not finished that deal here. It begins to measure luck and to run a
 * master, which takes some seconds.
 * @param {string} deal the day and the game, with a slash between them @returns {Promise<DailyStandings | null>}
 */
export async function showStandings(deal) {
  const [day, game] = deal.split("/");
  const found = findTry(day, game);
  if (!found?.match) return null;
  const { match, won = false, points = 0, moves = 0, finished = 0, luck, master } = found;
  const stored = await readMatch(match); // it may be deleted
  if (stored && !master && !computing.has(match)) {
    const work = compare(found, stored.record).catch((error) => (console.warn(error), computing.delete(match)));
    computing.set(match, work);
  }
  const line = { place: 1, name: null, mine: true, won, points, moves, luck: luck ?? null, late: finished >= Date.parse(day) + DAY_MS, match: stored ? match : null };
  const secret = dailySecret(day, game);
  return { day, game, over: day < dayOf(), promise: commitment(secret), secret, players: 1, lines: [line], master: master ?? null };
}

/** Compares a finished try with a master's. @param {Try} finished @param {string} record of its match */
async function compare(finished, record) {
  const luck = await archive.measureLuck(record);
  putTry({ ...finished, luck, master: await archive.runMaster(record) });
}
