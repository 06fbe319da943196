/** Every text on the screen, in the person's language, from the catalog shared with the server. */

import { LANGUAGES } from "../bindings/constants.js";

/** @typedef {(typeof LANGUAGES)[number]} Language */
/** @typedef {string | Record<string, string>} Text */

/** The name of each language in itself. */
const NAMES = /** @type {const} */ ({ en: "English", es: "Español", fr: "Français", pt: "Português", pl: "Polski" });
/** The languages to choose from. */
export const LANGUAGE_CHOICES = LANGUAGES.map((value) => ({ value, text: NAMES[value] }));

/** The regional variant of each language, for numbers and dates. */
const TAGS = /** @type {const} */ ({ en: "en", es: "es-419", fr: "fr", pt: "pt-BR", pl: "pl" });

const RETRY_MS = 1000;
/** A letter of a right-to-left script, such as Hebrew and Arabic. */
const LEFTWARDS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** @type {Language} */
let current = "en";
/** @type {Record<string, Text>} */
let texts = {};
/** Parts loaded or loading. @type {Map<string, Promise<void>>} */
const parts = new Map();
let plurals = new Intl.PluralRules("en");
let numbers = new Intl.NumberFormat("en");

export const language = () => current;

/**
 * Returns the first supported language among a person's preferences; by default English.
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

/** Loads a language and switches the whole page to it. @param {Language} wanted */
export async function useLanguage(wanted) {
  const all = await Promise.all(["", ...parts.keys()].map((part) => fetchTexts(wanted, part)));
  texts = Object.assign({}, ...all);
  current = wanted;
  plurals = new Intl.PluralRules(TAGS[wanted]);
  numbers = new Intl.NumberFormat(TAGS[wanted]);
  document.documentElement.lang = TAGS[wanted];
}

/**
 * Loads texts that not every game needs; a module requests them through `need`.
 * @param {string} part a part of the catalog, as the server divides it
 */
export function useTexts(part) {
  const loading = parts.get(part) ?? loadPart(part);
  parts.set(part, loading);
  return loading;
}

/**
 * A failed module is never loaded again, so this waits for a server that is down.
 * @param {string} part @returns {Promise<void>}
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

/** @param {Language} wanted @param {string} part @returns {Promise<Record<string, Text>>} */
async function fetchTexts(wanted, part) {
  const answer = await fetch(new URL(`../texts/${wanted}${part && `-${part}`}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`no texts ${part} in ${wanted}: ${answer.status}`);
  return answer.json();
}

/** Whether a key has a text. @param {string} key */
export const has = (key) => Object.hasOwn(texts, key);

/**
 * Returns the text of a key with its `{name}` placeholders filled in; numbers in the language's format.
 * @param {string} key
 * @param {Record<string, string | number>} [values] `n` also selects the plural form
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
 * Returns a person's text isolated for use among other words: right-to-left letters must not reorder digits and marks beside
 * them. All other texts are unchanged.
 * @param {string} text
 */
export const isolated = (text) => (LEFTWARDS.test(text) ? `\u2068${text}\u2069` : text);

/** Returns a number in the language's format. @param {number} n @param {Intl.NumberFormatOptions} [options] */
export function number(n, options) {
  return (options ? new Intl.NumberFormat(TAGS[current], options) : numbers).format(n);
}

/**
 * Returns a share as a percentage in the language's format.
 * @param {number} part 0 to 1
 * @param {number} [digits] digits after the point
 */
export function percent(part, digits = 0) {
  return number(part, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Returns a date and time in the language's format. @param {number} at milliseconds since 1970 */
export function date(at) {
  return new Intl.DateTimeFormat(TAGS[current], { dateStyle: "medium", timeStyle: "short" }).format(at);
}
