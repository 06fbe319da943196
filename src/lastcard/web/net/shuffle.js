/** This browser's number for each shuffle, stored for the later check. */

import { prefs } from "../ui/prefs.js";

/** @import {Shuffle} from "../ui/prefs.js" */

/** The number of shuffles remembered. */
const MAX_REMEMBERED = 200;

/** Returns random bytes as hex; works over plain HTTP too. @param {number} bytes */
export function randomHex(bytes) {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (value) => value.toString(16).padStart(2, "0")).join("");
}

/** Returns the number for the shuffle of a promise: made once, then always the same. @param {string} promise */
export function numberFor(promise) {
  const numbers = prefs.get("numbers");
  if (numbers[promise]) return numbers[promise];
  const number = randomHex(16);
  prefs.set("numbers", { ...newest(numbers), [promise]: number });
  return number;
}

/**
 * Stores the seat in which the number for a promise was first given: it belongs to that seat only.
 * @param {string} promise @param {number} seat
 */
export function rememberSeat(promise, seat) {
  const places = prefs.get("places");
  if (!(promise in places)) prefs.set("places", { ...newest(places), [promise]: seat });
}

/**
 * Stores a match whose shuffle contains our number, as confirmed by the server.
 * @param {string} match
 * @param {string} promise the promise shown before it
 */
export function rememberShuffle(match, promise) {
  const shuffle = { promise, number: numberFor(promise), seat: prefs.get("places")[promise] };
  prefs.set("shuffles", { ...newest(prefs.get("shuffles")), [match]: shuffle });
}

/**
 * Returns this browser's data about a match's shuffle; undefined if it added nothing.
 * @param {string} match @returns {Shuffle | undefined}
 */
export function shuffleOf(match) {
  return prefs.get("shuffles")[match];
}

/**
 * Returns all entries but the oldest if there are too many.
 * @template T
 * @param {Record<string, T>} values @returns {Record<string, T>}
 */
function newest(values) {
  return Object.fromEntries(Object.entries(values).slice(1 - MAX_REMEMBERED));
}
