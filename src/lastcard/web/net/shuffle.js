/** The number this browser adds to each shuffle, and the memory of it that the check afterwards needs. */

import { prefs } from "../ui/prefs.js";

/** @import {Shuffle} from "../ui/prefs.js" */

/** How many shuffles are remembered. */
const MAX_REMEMBERED = 200;

/**
 * Random bytes as hex; works over plain HTTP too.
 *
 * @param {number} bytes
 */
export function randomHex(bytes) {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (value) => value.toString(16).padStart(2, "0")).join("");
}

/**
 * The number for the shuffle of a promise: made once, then always the same.
 *
 * @param {string} promise
 */
export function numberFor(promise) {
  const numbers = prefs.get("numbers");
  if (numbers[promise]) return numbers[promise];
  const number = randomHex(16);
  prefs.set("numbers", { ...newest(numbers), [promise]: number });
  return number;
}

/**
 * Remember the seat in which the number for a promise was given first: it stands for that seat and no other.
 *
 * @param {string} promise
 * @param {number} seat
 */
export function rememberSeat(promise, seat) {
  const places = prefs.get("places");
  if (!(promise in places)) prefs.set("places", { ...newest(places), [promise]: seat });
}

/**
 * Remember a match whose shuffle, as the server has said, has our number in it.
 *
 * @param {string} match
 * @param {string} promise that was shown before it
 */
export function rememberShuffle(match, promise) {
  const shuffle = { promise, number: numberFor(promise), seat: prefs.get("places")[promise] };
  prefs.set("shuffles", { ...newest(prefs.get("shuffles")), [match]: shuffle });
}

/**
 * What this browser knows about the shuffle of a match; undefined where it added nothing.
 *
 * @param {string} match
 * @returns {Shuffle | undefined}
 */
export function shuffleOf(match) {
  return prefs.get("shuffles")[match];
}

/**
 * All but the oldest where there are too many.
 *
 * @template T
 * @param {Record<string, T>} values
 * @returns {Record<string, T>}
 */
function newest(values) {
  return Object.fromEntries(Object.entries(values).slice(1 - MAX_REMEMBERED));
}
