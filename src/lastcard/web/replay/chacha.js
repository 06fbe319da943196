/** The source of randomness: ChaCha8 streams of the match's seed, written from docs/fairness.md alone. */

import { fromHex } from "../bindings/sha256.js";

// Purposes of a stream.
export const DEAL = 1;
export const RESHUFFLE = 2;
export const LEVER = 3;
export const RULES = 4;
export const BLIND = 5;
export const DEALER = 6;
export const DECK = 7;

const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]; // "expand 32-byte k"
const QUARTERS = [
  [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15],
  [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
];
const WORD_RANGE = 2 ** 32;

/**
 * x[left] += x[right], then x[into] is XORed with it and rotated.
 * @param {Uint32Array} x @param {number} left @param {number} right @param {number} into @param {number} turn
 */
function addXorRotate(x, left, right, into, turn) {
  x[left] += x[right];
  const mixed = x[into] ^ x[left];
  x[into] = (mixed << turn) | (mixed >>> (32 - turn));
}

/**
 * Returns the 16 words of one ChaCha8 block.
 * @param {Uint32Array} key the seed as eight little-endian words
 * @param {number} counter @param {number} purpose @param {number} round @param {number} index
 */
export function block(key, counter, purpose, round, index) {
  const start = Uint32Array.from([...CONSTANTS, ...key, counter, purpose, round, index]);
  const x = start.slice();
  for (let twice = 0; twice < 4; twice++) {
    for (const [a, b, c, d] of QUARTERS) {
      addXorRotate(x, a, b, d, 16);
      addXorRotate(x, c, d, b, 12);
      addXorRotate(x, a, b, d, 8);
      addXorRotate(x, c, d, b, 7);
    }
  }
  return x.map((word, i) => word + start[i]);
}

/** @param {string} seed 64 hex digits */
export function keyOf(seed) {
  const view = new DataView(fromHex(seed).buffer);
  return Uint32Array.from({ length: 8 }, (_, i) => view.getUint32(4 * i, true));
}

/** The random numbers of one stream, identified by a purpose, a round and an index. */
export class Stream {
  /** @param {Uint32Array} key @param {number} purpose @param {number} round @param {number} index */
  constructor(key, purpose, round, index) {
    this.key = key;
    this.where = /** @type {const} */ ([purpose, round, index]);
    this.counter = 0;
    /** @type {number[]} */
    this.words = [];
  }

  /** Returns the next 32-bit word. */
  word() {
    if (this.words.length === 0) this.words = [...block(this.key, this.counter++, ...this.where)].reverse();
    return /** @type {number} */ (this.words.pop());
  }

  /**
   * Returns the next integer below n, uniformly (Lemire, 2019).
   * @param {number} n at most 2**21, for the product to be exact
   */
  below(n) {
    for (;;) {
      const product = this.word() * n;
      if (product % WORD_RANGE >= WORD_RANGE % n) return Math.floor(product / WORD_RANGE);
    }
  }

  /**
   * Removes one random item from an unordered pile: the last one fills the gap.
   * @template T
   * @param {T[]} pile a pile with at least one item
   */
  take(pile) {
    const i = this.below(pile.length);
    const taken = pile[i];
    const last = /** @type {T} */ (pile.pop());
    if (i < pile.length) pile[i] = last;
    return taken;
  }
}
