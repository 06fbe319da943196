/** BLAKE2b (RFC 7693) in plain JavaScript, from which bots take their dice. */

const IV = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
];
const ORDERS = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
const QUARTERS = [
  [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15],
  [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
];
const ROUNDS = 12;
const BLOCK = 128;

/** @param {bigint} word @param {bigint} turn */
const rotate = (word, turn) => (word >> turn) | (word << (64n - turn));

/**
 * Works one block into the state.
 * @param {BigUint64Array} state @param {DataView} block @param {number} count bytes so far, this block included
 * @param {boolean} last
 */
function compress(state, block, count, last) {
  const words = Array.from({ length: 16 }, (_, i) => block.getBigUint64(8 * i, true));
  const v = BigUint64Array.from([...state, ...IV]);
  v[12] ^= BigInt(count);
  if (last) v[14] = ~v[14];
  for (let round = 0; round < ROUNDS; round++) {
    const order = ORDERS[round % ORDERS.length];
    QUARTERS.forEach(([a, b, c, d], i) => {
      v[a] = v[a] + v[b] + words[order[2 * i]];
      v[d] = rotate(v[d] ^ v[a], 32n);
      v[c] = v[c] + v[d];
      v[b] = rotate(v[b] ^ v[c], 24n);
      v[a] = v[a] + v[b] + words[order[2 * i + 1]];
      v[d] = rotate(v[d] ^ v[a], 16n);
      v[c] = v[c] + v[d];
      v[b] = rotate(v[b] ^ v[c], 63n);
    });
  }
  for (let i = 0; i < 8; i++) state[i] ^= v[i] ^ v[i + 8];
}

/**
 * The hash of some bytes.
 * @param {Uint8Array} bytes
 * @param {number} size of the hash, 1 to 64 bytes
 * @param {Uint8Array} [key] that only those know who make the same hash, up to 64 bytes
 */
export function blake2b(bytes, size, key = new Uint8Array()) {
  const state = BigUint64Array.from(IV);
  state[0] ^= BigInt(0x01010000 | (key.length << 8) | size);
  const head = key.length > 0 ? BLOCK : 0; // a key has the first block to itself
  const length = head + bytes.length;
  const blocks = Math.max(1, Math.ceil(length / BLOCK));
  const padded = new Uint8Array(blocks * BLOCK);
  padded.set(key);
  padded.set(bytes, head);
  for (let i = 0; i < blocks; i++) {
    const last = i === blocks - 1;
    compress(state, new DataView(padded.buffer, i * BLOCK, BLOCK), last ? length : (i + 1) * BLOCK, last);
  }
  return new Uint8Array(state.buffer).slice(0, size);
}
