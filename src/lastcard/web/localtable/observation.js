/** A seat's observation as a server sends it, for pages that compute hints: byte for byte. */

import { Round } from "../bindings/round.js";
import { Rules } from "../bindings/rules.js";

/** @import { Kernel } from "../bindings/kernel.js" */
/** @import { KnownMatch } from "./hints.js" */

/**
 * @typedef {object} EncodedObservation
 * @property {string} rules
 * @property {readonly string[]} players their names by seat
 * @property {number} seat the observing seat
 * @property {string | null} rule the rule card being performed
 * @property {string} table in base64, as in the protocol's `SeatObservation`, like `past`
 * @property {string} past
 */

/**
 * Returns the round as the seat knows it.
 * @param {Kernel} kernel @param {EncodedObservation} seen @returns {KnownMatch}
 */
export function decodeObservation(kernel, { rules: name, players, rule, table, past }) {
  const rules = Rules.parse(kernel.description, name);
  const known = { table: bytesOf(table), past: new Int32Array(bytesOf(past).buffer), rule };
  return { rules, players: [...players], round: Round.fromObservation(kernel, rules, players.length, known) };
}

/** @param {string} base64 */
const bytesOf = (base64) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
