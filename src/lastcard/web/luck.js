/** The number this browser adds to each shuffle, and the memory of it that the check afterwards needs. */

import { prefs } from "./prefs.js";

/** How many shuffles are remembered. */
const REMEMBERED = 200;

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
  const known = numberGiven(promise);
  if (known) return known;
  const number = randomHex(16);
  const others = Object.entries(prefs.get("numbers")).slice(1 - REMEMBERED);
  prefs.set("numbers", { ...Object.fromEntries(others), [promise]: number });
  return number;
}

/**
 * The number this browser gave after it had seen a promise; undefined where it saw none.
 *
 * @param {string} promise
 * @returns {string | undefined}
 */
export function numberGiven(promise) {
  return prefs.get("numbers")[promise];
}
