/** Faces for people and bots, made from a name: the same name has the same face on every screen. */

import { svg } from "../ui/dom.js";

const GROUNDS = "#f2a65a #e4717a #7bb274 #5c9ead #8e7cc3 #d9a441 #4f86c6 #c06c9b #6aa9a0 #b5764c".split(" ");
const SKINS = ["#ffe0bd", "#f5c99b", "#e0a878", "#c68655", "#9a6238", "#6f4428"];
const HAIRS = ["#2b1d16", "#5a3825", "#8c5a2b", "#d8a545", "#b5432a", "#73706e", "#3a3350"];
const DARK = "#2b2033";

// Hair over and beside a head of radius 17 at 32, 35.
const CUTS = [
  "M14 34C12 12 52 12 50 34C45 22 36 22 30 24C24 26 18 26 14 34Z",
  "M13 46C8 10 56 10 51 46C49 46 48 30 44 25C34 29 24 27 20 25C16 30 15 46 13 46Z",
  "M15 32C13 22 19 14 25 16C28 11 36 11 39 16C46 14 51 22 49 32C42 24 22 24 15 32Z",
  "M15 30C16 14 48 14 49 30C44 26 20 26 15 30ZM26 13a6 6 0 1 0 12 0a6 6 0 1 0 -12 0z",
  "M15 30C17 15 47 13 51 26C40 25 30 19 15 30Z",
  "",
];
const MOUTHS = ["M25 43Q32 50 39 43", "M26 43Q32 47 38 43", "M25 42H39Q38 49 32 49T25 42Z", "M27 44Q33 46 38 42"];
const GLASSES = "M19 35a6 6 0 1 0 12 0a6 6 0 1 0 -12 0zM33 35a6 6 0 1 0 12 0a6 6 0 1 0 -12 0zM31 35H33";

/**
 * The look of each level of bot: color, eyes, mouth, and what is on its head.
 *
 * @type {Readonly<Record<string, {body: string, eyes: string, mouth: string, top: string}>>}
 */
const BOTS = {
  learner: {
    body: "#8fd3c1",
    eyes: "M21 34a4 4 0 1 0 8 0a4 4 0 1 0 -8 0zM35 34a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    mouth: "M28 44Q32 47 36 44",
    top: "M32 20C32 12 24 12 24 7M32 20C32 12 40 12 40 7",
  },
  casual: {
    body: "#a9c4f5",
    eyes: "M21 36Q25 30 29 36M35 36Q39 30 43 36",
    mouth: "M26 43Q32 48 38 43",
    top: "M32 20V11M28 11H36",
  },
  sharp: {
    body: "#f3c16b",
    eyes: "M20 31L29 35V37H22ZM44 31L35 35V37H42Z",
    mouth: "M26 44H38",
    top: "M24 20L20 9M40 20L44 9",
  },
  expert: {
    body: "#e39ad0",
    eyes: "M20 34a5 5 0 1 0 10 0a5 5 0 1 0-10 0m14 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0",
    mouth: "M26 44Q32 46 38 44",
    top: "M22 20L32 8L42 20",
  },
  master: {
    body: "#f4ecd0",
    eyes: "M20 36L25 30L30 36M34 36L39 30L44 36",
    mouth: "M26 43Q32 49 38 43",
    top: "M22 20V9L28 14L32 7L36 14L42 9V20",
  },
  other: { body: "#cfc6dc", eyes: "M20 34H44", mouth: "M26 44H38", top: "M32 20V9M24 20V13M40 20V13" },
};

/**
 * A face. It has no name for screen readers: the person's name stands beside it.
 *
 * @param {string} name
 * @param {{bot?: string | null}} [options] the level, where it is a bot
 */
export function avatar(name, { bot = null } = {}) {
  const pick = picker(name);
  const ground = svg("rect", { width: 64, height: 64, fill: pick(GROUNDS) });
  const parts = bot === null ? person(pick) : robot(BOTS[bot] ?? BOTS.other);
  return svg("svg", { class: "avatar", viewBox: "0 0 64 64", "aria-hidden": "true" }, ground, parts);
}

/**
 * @typedef {<T>(from: readonly T[]) => T} Pick
 */

/**
 * Choices that depend on a name alone.
 *
 * @param {string} name
 * @returns {Pick}
 */
function picker(name) {
  let state = 2166136261;
  const stir = (/** @type {number} */ n) => {
    state = Math.imul(state ^ n, 16777619) >>> 0;
  };
  for (const char of name) stir(char.codePointAt(0) ?? 0);
  return (from) => {
    stir(from.length);
    return from[(state >>> 13) % from.length];
  };
}

/** @param {Pick} pick */
function person(pick) {
  const skin = pick(SKINS);
  const hair = pick(HAIRS);
  const cut = pick(CUTS);
  const mouth = pick(MOUTHS);
  const glasses = pick([true, false, false, false]);
  return [
    svg("path", { d: "M10 66C10 50 54 50 54 66Z", fill: pick(GROUNDS), stroke: "#0003" }),
    svg("circle", { cx: 32, cy: 35, r: 17, fill: skin }),
    svg("path", { d: cut, fill: hair }),
    svg("path", { d: "M25 35h.01M39 35h.01", ...line(5) }),
    svg("path", { d: mouth, ...line(2.5), fill: mouth.endsWith("Z") ? "#fff" : "none" }),
    glasses && svg("path", { d: GLASSES, ...line(1.8) }),
  ];
}

/** @param {(typeof BOTS)[string]} bot */
function robot({ body, eyes, mouth, top }) {
  return [
    svg("path", { d: top, ...line(3) }),
    svg("rect", { x: 8, y: 30, width: 48, height: 14, rx: 5, fill: DARK }),
    svg("rect", { x: 13, y: 19, width: 38, height: 35, rx: 9, fill: body, stroke: DARK, "stroke-width": 2.5 }),
    svg("path", { d: eyes, ...line(3), fill: eyes.includes("Z") || eyes.includes("z") ? DARK : "none" }),
    svg("path", { d: mouth, ...line(2.5) }),
  ];
}

/** A round pen. @param {number} width */
const line = (width) => ({
  fill: "none",
  stroke: DARK,
  "stroke-width": width,
  "stroke-linecap": "round",
  "stroke-linejoin": "round",
});
