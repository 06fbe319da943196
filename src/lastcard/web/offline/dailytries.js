/** A person's tries at daily deals on this device, one for each day and game. */

import { PERSON_SEAT } from "../bindings/constants.js";
import { prefs } from "../ui/prefs.js";
import { countStreak, dayOf } from "./streak.js";

/** @import { MasterRun } from "../net/protocol.js" */

/**
 * @typedef {object} Try
 * @property {string} day in UTC, as in `2026-11-30` @property {string} game
 * @property {string} table the code of its table
 * @property {string} [match] the id of its match, once it is finished
 * @property {boolean} [won] @property {number} [points] what the cards left in hand count @property {number} [moves]
 * @property {number} [finished] in milliseconds since 1970
 * @property {number} [luck] in rounds won, once it is measured
 * @property {MasterRun} [master] what a master made of the deal, once it is known
 */

/** Returns the tries, earliest first. @returns {readonly Try[]} */
export const dailyTries = () => prefs.get("daily");

/** Returns the try at a day's deal. @param {string} day @param {string} game */
export const findTry = (day, game) => dailyTries().find((each) => each.day === day && each.game === game);

/** Stores a try in place of that of the same day and game. @param {Try} changed */
export function putTry(changed) {
  const others = dailyTries().filter(({ day, game }) => day !== changed.day || game !== changed.game);
  prefs.set("daily", [...others, changed].sort((a, b) => (a.day < b.day ? -1 : 1)));
}

/**
 * Stores the result of a finished try; the first one counts.
 * @param {string} table the code @param {{id: string, finished: number, winners: number[], points: number, moves: number}} match
 */
export function finishTry(table, { id, finished, winners, points, moves }) {
  const begun = dailyTries().find((each) => each.table === table);
  if (begun && !begun.match) putTry({ ...begun, match: id, won: winners.includes(PERSON_SEAT), points, moves, finished });
}

/** Returns the streak of finished tries, up to a day. @param {string} [today] */
export const streakOf = (today = dayOf()) => countStreak(dailyTries().flatMap(({ day, match }) => (match ? day : [])), today);
