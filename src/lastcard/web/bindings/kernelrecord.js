/** A kernel record as bytes owned by JavaScript, read and written field by field. */

/** @import { Field, Kernel, RecordType } from "./kernel.js" */

/**
 * @type {Record<string, [get: (view: DataView, at: number) => number, set: (view: DataView, at: number, value: number) => void]>}
 */
const NUMBERS = {
  int8: [(view, at) => view.getInt8(at), (view, at, value) => view.setInt8(at, value)],
  uint8: [(view, at) => view.getUint8(at), (view, at, value) => view.setUint8(at, value)],
  int16: [(view, at) => view.getInt16(at, true), (view, at, value) => view.setInt16(at, value, true)],
  int32: [(view, at) => view.getInt32(at, true), (view, at, value) => view.setInt32(at, value, true)],
  uint32: [(view, at) => view.getUint32(at, true), (view, at, value) => view.setUint32(at, value, true)],
  int64: [
    (view, at) => Number(view.getBigInt64(at, true)),
    (view, at, value) => view.setBigInt64(at, BigInt(value), true),
  ],
  float32: [(view, at) => view.getFloat32(at, true), (view, at, value) => view.setFloat32(at, value, true)],
  float64: [(view, at) => view.getFloat64(at, true), (view, at, value) => view.setFloat64(at, value, true)],
};

/** @type {Record<string, number>} */
const SIZES = { int8: 1, uint8: 1, int16: 2, int32: 4, uint32: 4, int64: 8, float32: 4, float64: 8 };

/** One record: its bytes and typed access to its fields. */
export class KernelRecord {
  /**
   * @param {Kernel} kernel
   * @param {string} type the record's name in the description
   * @param {Uint8Array} [bytes] the record's bytes; zeros by default
   */
  constructor(kernel, type, bytes) {
    /** @type {RecordType} */
    this.type = kernel.description.records[type];
    this.bytes = bytes ?? new Uint8Array(this.type.bytes);
    this.#view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
  }

  #view;

  /** @param {string} name @returns {Field} */
  #field(name) {
    const field = this.type.fields[name];
    if (!field) throw new TypeError(`there is no field ${name}`);
    return field;
  }

  /** Returns a number of a field: the first one, or the one at an index. @param {string} name @param {number} [place] */
  get(name, place = 0) {
    const { type, at } = this.#field(name);
    return NUMBERS[type][0](this.#view, at + place * SIZES[type]);
  }

  /** Returns the first numbers of a field. @param {string} name @param {number} count @param {number} [from] */
  list(name, count, from = 0) {
    return Array.from({ length: count }, (_, i) => this.get(name, from + i));
  }

  /** Writes a number. @param {string} name @param {number} value @param {number} [place] */
  set(name, value, place = 0) {
    const { type, at } = this.#field(name);
    NUMBERS[type][1](this.#view, at + place * SIZES[type], value);
  }

  /** Writes numbers into a field. @param {string} name @param {readonly number[]} values @param {number} [from] */
  fill(name, values, from = 0) {
    values.forEach((value, i) => this.set(name, value, from + i));
  }

  /** Sets one more bit of a mask (two words). @param {string} name @param {number} place @param {number} bit */
  mark(name, place, bit) {
    const { at } = this.#field(name);
    const old = this.#view.getBigInt64(at + 8 * place, true);
    this.#view.setBigInt64(at + 8 * place, BigInt.asIntN(64, old | (1n << BigInt(bit))), true);
  }

  /** Returns the byte range of a field. @param {string} name @returns {[start: number, end: number]} */
  range(name) {
    const { type, at, shape } = this.#field(name);
    return [at, at + shape.reduce((count, size) => count * size, SIZES[type])];
  }
}
