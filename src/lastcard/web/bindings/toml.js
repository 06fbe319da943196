/** Reads and writes the subset of TOML that records, positions and cases use, as the library writes it. */

import { TEXT_LIMIT_BYTES } from "./constants.js";
import { NotationError } from "./errors.js";

/** A number with a point, a date, or a number too large for JavaScript, in its source form. */
class Literal {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/** @typedef {{[key: string]: unknown}} Table */

const BARE = /[A-Za-z0-9_-]+/y;
const SPACE = /[ \t]*/y;
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/;
const GAP = /(?:[ \t\n]|#[^\x00-\x08\x0a-\x1f\x7f]*)*/y;
const END = /[ \t]*(?:#[^\x00-\x08\x0a-\x1f\x7f]*)?(?:\n|$)/y;
const SCALAR = /[^\s,\]}#]+(?: \d\d:[\d:.+Z-]+)?/y;
const WHOLE = /^[+-]?(?:0|[1-9](?:_?\d)*)$/;
const OTHER =
  /^(?:[+-]?(?:0x[\dA-Fa-f_]+|0o[0-7_]+|0b[01_]+|inf|nan|[\d_]+(?:\.[\d_]+)?(?:[eE][+-]?[\d_]+)?)|\d[\dT:.+Z -]*)$/i;
/** @type {Record<string, string>} */
const ESCAPES = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", '"': '"', "\\": "\\" };

/** @param {string} text @returns {Table} */
export function parseToml(text) {
  return new Reader(text).document();
}

class Reader {
  #at = 0;

  /** @param {string} text */
  constructor(text) {
    if (text.length > TEXT_LIMIT_BYTES)
      throw new NotationError(`it has ${text.length} characters; at most ${TEXT_LIMIT_BYTES} are read`);
    // Without leading byte order marks and with line feeds as line ends, as `plain_text` in game/text_files.py does.
    this.text = text.replace(/^\ufeff+/, "").replace(/\r\n?/g, "\n");
  }

  /** @returns {Table} */
  document() {
    /** @type {Table} */
    const root = {};
    let table = root;
    const named = new Set();
    for (;;) {
      this.#skip(GAP);
      if (this.#at >= this.text.length) return root;
      if (this.#take("[[")) table = this.#append(root, this.#header("]]"));
      else if (this.#take("[")) {
        const path = this.#header("]");
        const name = JSON.stringify(path);
        const last = path[path.length - 1];
        const parent = this.#enter(root, path.slice(0, -1));
        if (named.has(name) && parent === root) this.#fail(`the table ${path.join(".")} is there twice`);
        named.add(name);
        table = this.#enter(parent, [last]);
      } else {
        this.#pair(table);
        if (!this.#skip(END)) this.#fail("expected the end of the line");
      }
    }
  }

  /** @param {string} close @returns {string[]} */
  #header(close) {
    const path = this.#keys();
    if (!this.#take(close) || !this.#skip(END)) this.#fail(`expected ${close}`);
    return path;
  }

  /**
   * Returns the table at a path, the last one if an array is on the path.
   * @param {Table} table @param {string[]} path @returns {Table}
   */
  #enter(table, path) {
    for (const key of path) {
      if (!Object.hasOwn(table, key)) put(table, key, {});
      const found = table[key];
      const next = Array.isArray(found) ? found[found.length - 1] : found;
      if (!isTable(next)) return this.#fail(`${key} is no table`);
      table = next;
    }
    return table;
  }

  /** @param {Table} root @param {string[]} path @returns {Table} */
  #append(root, path) {
    const parent = this.#enter(root, path.slice(0, -1));
    const key = path[path.length - 1];
    if (!Object.hasOwn(parent, key)) put(parent, key, []);
    const list = parent[key];
    if (!Array.isArray(list)) return this.#fail(`${key} is no array of tables`);
    list.push({});
    return list[list.length - 1];
  }

  /** One `key = value`. @param {Table} table */
  #pair(table) {
    const path = this.#keys();
    if (!this.#take("=")) this.#fail("expected =");
    this.#skip(SPACE);
    const parent = this.#enter(table, path.slice(0, -1));
    const key = path[path.length - 1];
    if (Object.hasOwn(parent, key)) this.#fail(`${key} is there twice`);
    put(parent, key, this.#value());
  }

  /** @returns {string[]} */
  #keys() {
    const keys = [];
    do {
      this.#skip(SPACE);
      const quote = this.text[this.#at];
      if (quote === '"' || quote === "'") keys.push(this.#string());
      else keys.push(this.#match(BARE) || this.#fail("expected a key"));
      this.#skip(SPACE);
    } while (this.#take("."));
    return keys;
  }

  /** @returns {unknown} */
  #value() {
    const start = this.text[this.#at];
    if (start === '"' || start === "'") return this.#string();
    if (this.#take("[")) return this.#list();
    if (this.#take("{")) return this.#inline();
    const word = this.#match(SCALAR) || this.#fail("expected a value");
    if (word === "true" || word === "false") return word === "true";
    if (WHOLE.test(word)) {
      const number = Number(word.replaceAll("_", ""));
      return Number.isSafeInteger(number) ? number : new Literal(word);
    }
    return OTHER.test(word) ? new Literal(word) : this.#fail(`${word} is no value`);
  }

  /** @returns {unknown[]} */
  #list() {
    const members = [];
    for (;;) {
      this.#skip(GAP);
      if (this.#take("]")) return members;
      members.push(this.#value());
      this.#skip(GAP);
      if (this.#take(",")) continue;
      if (!this.#take("]")) this.#fail("expected , or ]");
      return members;
    }
  }

  /** @returns {Table} */
  #inline() {
    /** @type {Table} */
    const table = {};
    this.#skip(SPACE);
    if (this.#take("}")) return table;
    do {
      this.#pair(table);
      this.#skip(SPACE);
    } while (this.#take(","));
    if (!this.#take("}")) this.#fail("expected , or }");
    return table;
  }

  /** @returns {string} */
  #string() {
    const quote = this.text[this.#at];
    const long = this.text.startsWith(quote.repeat(3), this.#at);
    const close = long ? quote.repeat(3) : quote;
    this.#at += close.length;
    if (long) this.#skip(/\n/y);
    let written = "";
    while (!this.text.startsWith(close, this.#at)) {
      const char = this.text[this.#at];
      if (char === undefined || (char === "\n" && !long)) this.#fail("a text without its end");
      if (CONTROL.test(char)) this.#fail("a control character in a text; write it as an escape");
      if (char === "\\" && quote === '"') written += this.#escape(long);
      else {
        written += char;
        this.#at++;
      }
    }
    this.#at += close.length;
    while (long && this.#take(quote)) written += quote; // up to two more quotes belong to the text
    return written;
  }

  /** @param {boolean} long */
  #escape(long) {
    if (long && this.#skip(/\\[ \t]*\n[ \t\n]*/y)) return "";
    const code = this.#match(/\\(?:u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|[btnfr"\\])/y) || this.#fail("an unknown escape");
    return code.length > 2 ? String.fromCodePoint(parseInt(code.slice(2), 16)) : ESCAPES[code[1]];
  }

  /** @param {RegExp} pattern a sticky one @returns {string} */
  #match(pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  /** Whether a pattern matches here, possibly with nothing; moves past the match. @param {RegExp} pattern */
  #skip(pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text);
    this.#at += found ? found[0].length : 0;
    return found !== null;
  }

  /** @param {string} sign */
  #take(sign) {
    const there = this.text.startsWith(sign, this.#at);
    if (there) this.#at += sign.length;
    return there;
  }

  /** @param {string} message @returns {never} */
  #fail(message) {
    const line = this.text.slice(0, this.#at).split("\n").length;
    throw new NotationError(`line ${line}: ${message}`);
  }
}

/** Sets a key of any name. @param {Table} table @param {string} key @param {unknown} value */
const put = (table, key, value) =>
  Object.defineProperty(table, key, { value, enumerable: true, writable: true, configurable: true });

/** @param {unknown} value @returns {value is Table} */
export const isTable = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Literal);

// --- writing ------------------------------------------------------------------------------------------

/** @param {string} key */
const tomlKey = (key) => (/^[A-Za-z0-9_-]+$/.test(key) ? key : tomlValue(key));

/** Returns a value on one line. @param {unknown} value @returns {string} */
export function tomlValue(value) {
  if (typeof value === "string") return JSON.stringify(value).replaceAll("\x7f", "\\u007f");
  if (value instanceof Literal) return value.text;
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
  if (!isTable(value)) return String(value);
  const inner = Object.entries(value).map(([key, member]) => `${tomlKey(key)} = ${tomlValue(member)}`);
  return inner.length > 0 ? `{ ${inner.join(", ")} }` : "{}";
}

/** Returns a table as `key = value` lines. @param {Table} table */
export const tomlLines = (table) =>
  Object.entries(table)
    .map(([key, value]) => `${tomlKey(key)} = ${tomlValue(value)}\n`)
    .join("");

const ROW_CHARS = 100;

/** Returns a list over as many lines as it needs, or on one line if it fits. @param {readonly unknown[]} values */
export function tomlRows(values) {
  const words = values.map(tomlValue);
  if (words.reduce((sum, word) => sum + [...word].length + 2, 0) <= ROW_CHARS) return `[${words.join(", ")}]`;
  /** @type {string[]} */
  const rows = [];
  let row = "";
  for (const word of words) {
    if (row && [...row].length + [...word].length + 2 > ROW_CHARS) {
      rows.push(row);
      row = "";
    }
    row += `${row ? " " : ""}${word},`;
  }
  return `[\n${[...rows, row].map((each) => `  ${each}\n`).join("")}]`;
}
