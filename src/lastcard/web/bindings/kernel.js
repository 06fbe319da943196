/** The kernel, compiled to WebAssembly: its memory, and its exports by name. See docs/everywhere.md. */

import { UsageError } from "./errors.js";

/**
 * The type of an export's argument: a number, or an array of numbers or records.
 * @typedef {{name: string, type?: "int" | "float" | "bool", array?: string, dimensions?: number}} Parameter
 */

/** @typedef {{about: string, takes: Parameter[], gives: "int" | "float" | "bool" | null}} ExportedFunction */

/** @typedef {{type: string, at: number, shape: number[]}} Field */

/** @typedef {{bytes: number, fields: Record<string, Field>}} RecordType */

/** @typedef {{value: boolean | number | string, text: string, number: number}} Choice */

/** @typedef {{name: string, written: string, choices: Choice[], games: string[], clauses: string[], house: boolean}} Option */

/** @typedef {Record<string, boolean | number | string>} Values options by name */

/**
 * An event of the event log. A field's source is `s` the seat, `a` or `b` the values of the word, `1` one, `-` none.
 * @typedef {object} EventType
 * @property {string} name
 * @property {[key: string, place: string, field: string][]} fields
 * @property {string} [secret] the key that only the seats in `known_to` may see
 * @property {string[]} [known_to]
 */

/**
 * @typedef {object} BotType
 * @property {number} kind
 * @property {Record<"calls" | "catches" | "jumps" | "bluffs" | "challenges" | "pace", number>} behavior
 * @property {number} blunder_rate
 * @property {Effort | null} effort
 * @property {("value" | "policy" | "prior" | "habits")[]} weights
 */

/**
 * The effort of a search.
 * @typedef {object} Effort
 * @property {number} rollouts @property {number | null} milliseconds @property {number} horizon @property {number} deals
 * @property {number} burn @property {number} thin @property {number} likelihood_plays @property {number} rationality
 * @property {number} deviation @property {number} prior @property {number} habits
 */

/**
 * A row of a decision table: the result if the facts have these values. It names the facts, their values, and the clause or text.
 * @typedef {[names: string, values: string, found: string]} Row
 */

/**
 * The module's description, in the file `lastcard.json` beside it.
 * @typedef {object} Description
 * @property {number} format
 * @property {string} key the fingerprint of the code that module and description were made from
 * @property {Record<string, ExportedFunction>} exports
 * @property {Record<string, RecordType>} records
 * @property {Record<string, number>} sizes
 * @property {Record<string, number>} cards
 * @property {string} colors
 * @property {{verbs: Record<string, number>, shifts: {arg: number, uno: number, card: number}, no_arg: number,
 *   name_a_seat: string[], name_a_card: string[], name_a_color: string[], color_cards: number[], calls: string[],
 *   also: Record<string, string>, nothing: number, open: number}} actions
 * @property {string[]} phases
 * @property {{code: string, clause: string, elsewhere?: Row[], otherwise?: Row[]}[]} reasons
 * @property {Record<string, EventType>} events
 * @property {string[]} draws
 * @property {string[]} outcomes
 * @property {{name: string, field: string}[]} public_state
 * @property {string[]} information_state
 * @property {Record<string, {number: number, defaults: Values, decks: Record<string, [card: number, count: number][]>,
 *   never: [string, string][]}>} games
 * @property {Option[]} options
 * @property {Record<string, Values>} presets
 * @property {{one: string, values: unknown[], other: string, other_values: unknown[], why: string}[]} conflicts
 * @property {{most: number, most_effects: number, longest_dare: number, dare: number, who: Record<string, number>,
 *   verbs: Record<string, {words: string[], most: number, names: boolean, number: number}>,
 *   built_in: Record<string, string>}} rule_cards
 * @property {{format: number, digits: number}} record
 * @property {Record<string, BotType>} bots
 * @property {string[]} with_habits the games that have a habits table
 */

/**
 * An array in the memory of a module.
 * @typedef {object} Area
 * @property {number} at its address
 * @property {string} type the type of its members: `int64`, `ROUND_STATE`
 * @property {readonly number[]} shape
 * @property {number} bytes
 */

/** @typedef {(...args: (number | boolean | Area)[]) => number} Call */

const FORMAT = 1;
const SECTION = "lastcard";
const ALIGNMENT_BYTES = 64;
const PAGE_BYTES = 65536;
const MIN_GROWTH_PAGES = 16; // the least number of pages by which memory grows

/** One instance of the module. */
export class Kernel {
  /** @type {Map<string, Call>} */
  #calls = new Map();
  /** @type {Map<string, Area>} */
  #areas = new Map();

  /**
   * @param {WebAssembly.Module} module
   * @param {Description} description the description of this module
   * @param {WebAssembly.Instance} instance an instance of the module
   */
  constructor(module, description, instance) {
    checkFit(module, description);
    this.description = description;
    const exports = /** @type {Record<string, any>} */ (instance.exports);
    this.#exports = exports;
    /** @type {WebAssembly.Memory} */
    this.memory = exports.memory;
    this.#stackTop = exports.__stack_pointer.value;
    this.#top = roundUp(exports.__heap_base.value, ALIGNMENT_BYTES);
  }

  /** @type {Record<string, any>} */
  #exports;
  #stackTop;
  #top;

  /** All bytes of the memory. Read it again after every allocation. */
  get bytes() {
    return new Uint8Array(this.memory.buffer);
  }

  /**
   * Allocates a permanent array of zeros.
   * @param {string} type the type of its members, as in the description
   * @param {readonly number[]} shape @returns {Area}
   */
  allocate(type, ...shape) {
    const bytes = shape.reduce((count, size) => count * size, this.sizeOf(type));
    const at = this.#top;
    this.#top = roundUp(at + Math.max(bytes, 1), ALIGNMENT_BYTES);
    const lacking = this.#top - this.memory.buffer.byteLength;
    if (lacking > 0) this.memory.grow(Math.max(Math.ceil(lacking / PAGE_BYTES), MIN_GROWTH_PAGES));
    return { at, type, shape, bytes };
  }

  /**
   * Returns the array of a name, allocated on first use, for the arguments and results of exports.
   * @param {string} name @param {string} type @param {readonly number[]} shape
   */
  buffer(name, type, ...shape) {
    const known = this.#areas.get(name);
    if (known && known.shape.every((size, i) => size >= shape[i])) return known;
    const made = this.allocate(type, ...shape);
    this.#areas.set(name, made);
    return made;
  }

  /** Returns the size of a number or record in bytes. @param {string} type */
  sizeOf(type) {
    const record = this.description.records[type];
    return record ? record.bytes : Number(/\d+$/.exec(type)) / 8;
  }

  /** Copies bytes into an array. @param {Area} area @param {Uint8Array} bytes */
  write(area, bytes) {
    this.bytes.set(bytes, area.at);
  }

  /** Writes integers into an array of int64. @param {Area} area @param {ArrayLike<number>} numbers */
  writeNumbers(area, numbers) {
    new BigInt64Array(this.memory.buffer, area.at, numbers.length).set(Array.from(numbers, BigInt));
  }

  /** Returns the first integers of an array of int64. @param {Area} area @param {number} count */
  readNumbers(area, count) {
    return Array.from(new BigInt64Array(this.memory.buffer, area.at, count), Number);
  }

  /**
   * Calls an export.
   * @param {string} name the export's name in the description
   * @param {(number | boolean | Area)[]} args numbers and arrays; named tuples are passed as their members
   */
  call(name, ...args) {
    let call = this.#calls.get(name);
    if (!call) this.#calls.set(name, (call = this.#wrap(name)));
    return call(...args);
  }

  /** @param {string} name @returns {Call} */
  #wrap(name) {
    const declared = this.description.exports[name];
    const exported = this.#exports[name];
    if (!declared || !exported) throw new UsageError(`there is no export ${name}`);
    const { takes, gives } = declared;
    return (...args) => {
      if (args.length !== takes.length)
        throw new UsageError(`${name} takes ${takes.length} arguments, not ${args.length}`);
      /** @type {(number | bigint)[]} */
      const words = [];
      takes.forEach(({ name: part, type, array, dimensions }, i) => {
        const given = args[i];
        if (array) {
          if (typeof given !== "object" || given.type !== array || given.shape.length !== dimensions) {
            throw new UsageError(`${name}: ${part} is an array of ${array}`);
          }
          words.push(BigInt(given.at), ...given.shape.map(BigInt));
        } else if (typeof given === "object") throw new UsageError(`${name}: ${part} is a number`);
        else words.push(type === "float" ? Number(given) : BigInt(/** @type {number} */ (given)));
      });
      try {
        return answer(exported(...words), gives);
      } catch (fault) {
        this.#exports.__stack_pointer.value = this.#stackTop; // a failed call leaves its stack frame behind
        throw fault;
      }
    };
  }
}

/** @param {any} given @param {ExportedFunction["gives"]} kind */
function answer(given, kind) {
  if (kind === "float") return given;
  return kind === "bool" ? Number(given & 1n) : Number(given);
}

/** @param {number} number @param {number} step */
const roundUp = (number, step) => Math.ceil(number / step) * step;

/**
 * Returns the first part of a one-dimensional array.
 * @param {Area} area @param {number} count the number of members
 * @returns {Area}
 */
export function first(area, count) {
  return { ...area, shape: [count, ...area.shape.slice(1)], bytes: (area.bytes / area.shape[0]) * count };
}

/** Refuses a description of another module. @param {WebAssembly.Module} module @param {Description} description */
function checkFit(module, description) {
  if (description.format !== FORMAT)
    throw new UsageError(`the description has format ${description.format}, not ${FORMAT}`);
  const [section] = WebAssembly.Module.customSections(module, SECTION);
  const origin = section ? JSON.parse(new TextDecoder().decode(section)) : {};
  if (origin.key !== description.key)
    throw new UsageError("module and description were not made of the same code");
}

/**
 * Makes an instance of a module.
 * @param {BufferSource | URL | string | WebAssembly.Module} module its bytes, its address, or the compiled module
 * @param {Description | URL | string} [description] the description or its address; by default beside the module's address
 * @returns {Promise<Kernel>}
 */
export async function loadKernel(module, description) {
  if (description === undefined) {
    if (!isAddress(module)) throw new UsageError("a module that is no address needs its description");
    description = String(module).replace(/\.wasm(?=$|[?#])/, ".json");
  }
  const described = isAddress(description)
    ? JSON.parse(new TextDecoder().decode(await fetchBytes(description)))
    : description;
  const compiled =
    module instanceof WebAssembly.Module
      ? module
      : await WebAssembly.compile(isAddress(module) ? await fetchBytes(module) : module);
  return new Kernel(compiled, described, await WebAssembly.instantiate(compiled));
}

/** @param {unknown} value @returns {value is URL | string} */
const isAddress = (value) => typeof value === "string" || value instanceof URL;

/**
 * Returns the bytes at an address; in Node also of a file.
 * @param {URL | string} place @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function fetchBytes(place) {
  if (String(place).startsWith("file:")) {
    const files = "node:fs/promises"; // not a literal, so that browsers and checkers do not resolve it
    const { readFile } = await import(files);
    return new Uint8Array(await readFile(new URL(place)));
  }
  const answer = await fetch(place);
  if (!answer.ok) throw new UsageError(`${place}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}
