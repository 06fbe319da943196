/** Preferences and memory of this browser; only for the visit if storage is blocked. */

import { stylesheet } from "./dom.js";

/**
 * @typedef {object} Shuffle
 * @property {string} promise shown before the match
 * @property {string} number the number added after it
 * @property {number} seat the seat for which it was given
 */

const KEY = "lastcard";

const DEFAULTS = {
  /** The storage format; data of another format is removed. */
  format: 1,
  name: "",
  /** The code of the person's avatar (`cards/avatars.js`); empty for the one made from the name. */
  look: "",
  /** Empty to guess it from the browser. */
  language: "",
  sound: true,
  /** Kinds of sounds that are turned off. @type {string[]} */
  silent: /** @type {string[]} */ ([]),
  vibration: true,
  /** Whether a notification says that it is one's turn; the browser has to permit it too. */
  notifications: false,
  /** `auto`, `light`, `dark` or `contrast`. */
  theme: "auto",
  /** The mood of the table: `evening`, `daylight` or `paper`. */
  table: "evening",
  /** The backs of the cards: `plum`, `night`, `coral`, `ocean` or `moss`. */
  back: "plum",
  /** The faces of the cards: `standard`, or `clear` for low vision. */
  faces: "standard",
  /** The size of text and cards: `normal`, `large` or `huge`. */
  size: "normal",
  /** Whether chat and reactions are shown. */
  chat: true,
  /** When the microphone is open: `hold` or `open`. */
  voice: "hold",
  /** Whether rules and refusals cite their clauses. */
  clauses: false,
  /** The game of “Play now”. */
  game: "classic",
  /** The number and the level of the bots of “Play now”. */
  bots: 3,
  level: "casual",
  /** Names of tips for a first game that have been read. @type {string[]} */
  hints: /** @type {string[]} */ ([]),
  /** Rounds played, by game; the lesson is one. @type {Record<string, number>} */
  rounds: /** @type {Record<string, number>} */ ({}),
  /** Numbers made for shuffles, by promise. @type {Record<string, string>} */
  numbers: /** @type {Record<string, string>} */ ({}),
  /** The seats for which they were given, by promise. @type {Record<string, number>} */
  places: /** @type {Record<string, number>} */ ({}),
  /** The shuffle data of each match, as far as this browser saw them. @type {Record<string, Shuffle>} */
  shuffles: /** @type {Record<string, Shuffle>} */ ({}),
  /** Progress with puzzles (`pages/puzzleprogress.js`); null before the first. */
  puzzles: /** @type {any} */ (null),
  /** Tries at daily deals on this device (`offline/dailytries.js`). @type {any[]} */
  daily: /** @type {any[]} */ ([]),
};

/** @typedef {typeof DEFAULTS} Values */

/** Preferences by name; fires `change` with the name as detail. */
class Prefs extends EventTarget {
  #values = { ...DEFAULTS, ...load() };

  /** @template {keyof Values} K @param {K} name @returns {Values[K]} */
  get(name) {
    return this.#values[name];
  }

  /** @template {keyof Values} K @param {K} name @param {Values[K]} value */
  set(name, value) {
    // Another tab may have stored a change since.
    this.#values = { ...this.#values, ...load(), [name]: value };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#values));
    } catch {
      // Blocked or full: the value holds until the page is closed.
    }
    this.dispatchEvent(new CustomEvent("change", { detail: name }));
  }

  /** Deletes everything. */
  clear() {
    this.#values = { ...DEFAULTS };
    try {
      localStorage.removeItem(KEY);
      sessionStorage.clear();
    } catch {
      // Blocked: there was nothing.
    }
    this.dispatchEvent(new CustomEvent("change", { detail: "theme" }));
  }
}

/** Returns the stored values. @returns {Partial<Values>} */
function load() {
  const { format } = DEFAULTS;
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "0") || { format };
  } catch {
    return { format };
  }
}

export const prefs = new Prefs();
/** Whether data of another format was removed. */
export const wasReset = load().format !== DEFAULTS.format;
if (wasReset) prefs.clear();

const dark = matchMedia("(prefers-color-scheme: dark)");
const contrast = matchMedia("(prefers-contrast: more)");

/** Applies the chosen theme to the page; anything not chosen follows the system. */
export function applyTheme() {
  const chosen = prefs.get("theme");
  const isDark = chosen === "dark" || (chosen !== "light" && dark.matches);
  const page = document.documentElement;
  page.dataset.theme = isDark ? "dark" : "light";
  page.dataset.table = prefs.get("table");
  page.dataset.back = prefs.get("back");
  if (prefs.get("table") !== DEFAULTS.table || prefs.get("back") !== DEFAULTS.back) void stylesheet("ui/moods.css");
  page.dataset.size = prefs.get("size");
  page.dataset.contrast = chosen === "contrast" || contrast.matches ? "more" : "normal";
  const paper = getComputedStyle(page).getPropertyValue("--paper").trim();
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", paper);
}

dark.addEventListener("change", applyTheme);
contrast.addEventListener("change", applyTheme);
