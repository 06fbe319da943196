/** Every text on the screen, in the person's language, from the catalog the server shares. */

import { LANGUAGES } from "../bindings/constants.js";

/** @typedef {(typeof LANGUAGES)[number]} Language */
/** @typedef {string | Record<string, string>} Text */

/** How each language calls itself. */
const NAMES = /** @type {const} */ ({ en: "English", es: "Español", fr: "Français", pt: "Português", pl: "Polski" });
/** The languages to choose from. */
export const LANGUAGE_CHOICES = LANGUAGES.map((value) => ({ value, text: NAMES[value] }));

/** The regional variant of each language, for numbers and dates. */
const TAGS = /** @type {const} */ ({ en: "en", es: "es-419", fr: "fr-CA", pt: "pt-BR", pl: "pl" });

const RETRY_MS = 1000;
/** A letter that is written from right to left, as in Hebrew and Arabic. */
const LEFTWARDS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** @type {Language} */
let current = "en";
/** @type {Record<string, Text>} */
let texts = {};
/** Loaded or on their way. @type {Map<string, Promise<void>>} */
const parts = new Map();
let plurals = new Intl.PluralRules("en");
let numbers = new Intl.NumberFormat("en");

/** The language the texts are in. */
export function language() {
  return current;
}

/**
 * The first of ours among the languages a person prefers; English where there is none.
 *
 * @param {readonly string[]} wanted such as `navigator.languages`
 * @returns {Language}
 */
export function guessLanguage(wanted) {
  for (const tag of wanted) {
    const found = LANGUAGES.find((ours) => ours === tag.toLowerCase().split("-")[0]);
    if (found) return found;
  }
  return "en";
}

/**
 * Load a language and put the whole page in it.
 *
 * @param {Language} wanted
 */
export async function useLanguage(wanted) {
  const all = await Promise.all(["", ...parts.keys()].map((part) => fetchTexts(wanted, part)));
  texts = Object.assign({}, ...all);
  current = wanted;
  plurals = new Intl.PluralRules(TAGS[wanted]);
  numbers = new Intl.NumberFormat(TAGS[wanted]);
  document.documentElement.lang = TAGS[wanted];
}

/**
 * Load texts that not every game needs; a module says so by `need`.
 *
 * @param {string} part of the catalog, as the server divides it
 */
export function useTexts(part) {
  let loading = parts.get(part);
  if (!loading) {
    loading = loadPart(part);
    parts.set(part, loading);
  }
  return loading;
}

/**
 * A module that failed is never tried again: so a server that is away is waited for.
 *
 * @param {string} part
 * @returns {Promise<void>}
 */
async function loadPart(part) {
  const wanted = current;
  try {
    const found = await fetchTexts(wanted, part);
    if (wanted === current) return void Object.assign(texts, found);
  } catch (error) {
    console.warn(error);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  return loadPart(part);
}

/**
 * @param {Language} wanted
 * @param {string} part
 * @returns {Promise<Record<string, Text>>}
 */
async function fetchTexts(wanted, part) {
  const answer = await fetch(new URL(`../texts/${wanted}${part && `-${part}`}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`no texts ${part} in ${wanted}: ${answer.status}`);
  return answer.json();
}

/**
 * Whether there is a text of this key.
 *
 * @param {string} key
 */
export function has(key) {
  return Object.hasOwn(texts, key);
}

/**
 * The text of a key with its `{name}` placeholders filled in; numbers as the language writes them.
 *
 * @param {string} key
 * @param {Record<string, string | number>} [values] `n` also chooses the plural form
 * @returns {string}
 */
export function t(key, values = {}) {
  const entry = texts[key];
  if (entry === undefined) {
    console.error(`no text ${key} in ${current}`);
    return key;
  }
  const form = typeof entry === "string" ? entry : (entry[plurals.select(Number(values.n))] ?? entry.other);
  return form.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    if (value === undefined) console.error(`the text ${key} needs a value for {${name}}`);
    return typeof value === "number" ? number(value) : isolated(String(value));
  });
}

/**
 * What somebody has written, to stand among other words: letters from right to left must not turn digits and marks beside
 * them round. All other texts stay as they are.
 *
 * @param {string} text
 */
export const isolated = (text) => (LEFTWARDS.test(text) ? `\u2068${text}\u2069` : text);

/**
 * A number as the language writes it.
 *
 * @param {number} n
 * @param {Intl.NumberFormatOptions} [options]
 */
export function number(n, options) {
  return (options ? new Intl.NumberFormat(TAGS[current], options) : numbers).format(n);
}

/**
 * A share as the language writes it.
 *
 * @param {number} part 0 to 1
 * @param {number} [digits] after the point
 */
export function percent(part, digits = 0) {
  return number(part, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/**
 * A moment as the language writes it.
 *
 * @param {number} at milliseconds since 1970
 * @param {Intl.DateTimeFormatOptions} [options]
 */
export function date(at, options = { dateStyle: "medium", timeStyle: "short" }) {
  return new Intl.DateTimeFormat(TAGS[current], options).format(at);
}
