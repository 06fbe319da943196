/** The 32-byte seed of a match and the commitment to it. A seed is stored as 64 hex digits. */

import { strip } from "./blanks.js";
import { UsageError } from "./errors.js";
import { fromHex, sha256, sha256Text } from "./sha256.js";

/** @typedef {Uint8Array | string | number | bigint | null | undefined} Seed */

const SEED_BYTES = 32;
const HEX = /^[0-9a-fA-F]{64}$/;

/** @param {Uint8Array} bytes */
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Returns the hex digits of a seed: of 32 bytes, of 64 digits, of another text or a number, which is hashed; by default fresh
 * ones.
 * @param {Seed} seed
 */
export function parseSeed(seed) {
  if (seed === undefined || seed === null) return toHex(crypto.getRandomValues(new Uint8Array(SEED_BYTES)));
  if (seed instanceof Uint8Array) {
    if (seed.length !== SEED_BYTES) throw new UsageError(`a seed in bytes has ${SEED_BYTES} of them, not ${seed.length}`);
    return toHex(seed);
  }
  if (!["string", "number", "bigint"].includes(typeof seed))
    throw new UsageError(`a seed is a text, a number, ${SEED_BYTES} bytes or nothing, not ${seed}`);
  const text = strip(String(seed));
  return HEX.test(text) ? text.toLowerCase() : sha256Text(text);
}

/** Returns the SHA-256 of a seed: shown before the match, checked after it. @param {string} seed */
export const commitment = (seed) => sha256(fromHex(seed));

/**
 * Returns the seed of a match at a table, from the table's secret and a number of each player.
 * @param {string} secret @param {readonly string[]} numbers
 */
export const mixSeed = (secret, numbers) => sha256Text(["lastcard shuffle", secret, ...numbers].join("\n"));

/**
 * Returns the secret of a day's deal without a server. Mirrors `game/daily_deal.py`.
 * @param {string} day as in `2026-11-30` @param {string} game
 */
export const dailySecret = (day, game) => sha256Text(["lastcard daily", day, game].join("\n"));
