/**
 * Avatars. Bots consist of the shapes on the cards, and each persona has its own. People build theirs, or get one from their
 * name: the same name has the same avatar on every screen.
 *
 * Every avatar can be calm, glad, hurt, amazed and asleep; `data-mood` on it or on its container selects the mood.
 */

import { svg } from "../ui/dom.js";
import { SYMBOLS } from "./glyphs.js";

const DARK = "#2b2033";

/** The colors of an avatar, each with a contrasting background. */
const COLORS = /** @type {const} */ ([
  ["#ff8a65", "#ffe1d2"],
  ["#f7c648", "#fdf0c8"],
  ["#6fca86", "#dcf3dd"],
  ["#55b7dc", "#d6eff8"],
  ["#918ef2", "#e5e3fc"],
  ["#ea8bc3", "#fbe0f0"],
  ["#bd8f68", "#f1e2d2"],
  ["#a3b0c1", "#e9eef4"],
]);

/**
 * A body: its outline in a square of 64, the middle of the face in it, the size of the face, and the position of a hat.
 * @typedef {object} Body
 * @property {string} d
 * @property {number} [scale] the scale of an outline on a grid of 100
 * @property {number} x
 * @property {number} y
 * @property {number} size
 * @property {number} top
 */

/** The symbol of green without its vein, which would cross the face. */
const LEAF = "M94 4C38 2 6 24 6 62C6 82 20 96 42 96C76 94 98 60 94 4Z";

/** @type {readonly Body[]} */
const BODIES = [
  { d: "M32 14a21 21 0 1 1 0 42a21 21 0 1 1 0-42z", x: 32, y: 34, size: 1, top: 15 },
  { d: "M19 16H45a7 7 0 0 1 7 7V49a7 7 0 0 1-7 7H19a7 7 0 0 1-7-7V23a7 7 0 0 1 7-7z", x: 32, y: 35, size: 1, top: 16 },
  { d: SYMBOLS.B, scale: 0.46, x: 32, y: 41, size: 0.9, top: 14 },
  { d: SYMBOLS.R, scale: 0.47, x: 32, y: 44, size: 0.85, top: 15 },
  { d: SYMBOLS.Y, scale: 0.47, x: 32, y: 37, size: 0.8, top: 14 },
  { d: LEAF, scale: 0.46, x: 31, y: 39, size: 0.85, top: 17 },
  { d: "M22 14H42a5 5 0 0 1 5 5V53a5 5 0 0 1-5 5H22a5 5 0 0 1-5-5V19a5 5 0 0 1 5-5z", x: 32, y: 36, size: 0.95, top: 14 },
  { d: "M32 13L51 23.500V44.500L32 55L13 44.500V23.500Z", x: 32, y: 35, size: 1, top: 15 },
];

/** Eyes, relative to the middle of the face; a closed line is filled. */
const EYES = [
  "M-7 -2h.01M7 -2h.01",
  "M-10 -2a3 3.500 0 1 0 6 0a3 3.500 0 1 0-6 0zM4 -2a3 3.500 0 1 0 6 0a3 3.500 0 1 0-6 0z",
  "M-10 -3H-4M4 -3H10M-7 -1h.01M7 -1h.01",
  "M-11 -5L-4 -3V0H-9ZM11 -5L4 -3V0H9Z",
  "M-12 -2a5 5 0 1 0 10 0a5 5 0 1 0-10 0M2 -2a5 5 0 1 0 10 0a5 5 0 1 0-10 0M-2 -2H2M-7 -2h.01M7 -2h.01",
  "M-10 -1Q-7 -5 -4 -1M4 -1Q7 -5 10 -1",
];

const MOUTHS = ["M-6 7Q0 12 6 7", "M-5 8H5", "M-6 6H6Q5 12 0 12T-6 6Z", "M-4 8Q1 10 6 6", "M-3 8a3 2.500 0 1 0 6 0a3 2.500 0 1 0-6 0"];

/** Headwear, relative to the middle of the head's top: lines, and shapes filled with the second color. */
const HATS = [
  { line: "", fill: "" },
  { line: "M0 0V-6", fill: "M-3 -8a3 3 0 1 0 6 0a3 3 0 1 0-6 0z" },
  { line: "", fill: "M-11 2V-8L-5 -3L0 -9L5 -3L11 -8V2Z" },
  { line: "M-13 3H13", fill: "M-10 3C-10 -9 10 -9 10 3Z" },
  { line: "M0 0L-9 -5V5L9 -5V5Z", fill: "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z" },
  { line: "M0 2V-4", fill: "M0 -4C-9 -5 -9 -10 -8 -11C-2 -11 0 -8 0 -4C1 -8 3 -11 9 -10C9 -6 6 -4 0 -4Z" },
  { line: "M-5 0L-9 -7M5 0L9 -7", fill: "M-12 -8a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0-5 0zM7 -8a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0-5 0z" },
  { line: "M0 -9L0 -11", fill: "M-8 3L0 -11L8 3Z" },
];
const ANTENNA = 1;

/** The parts of an avatar, in the order of its code, with the number of variants. */
export const PARTS = Object.freeze({
  shape: BODIES.length,
  color: COLORS.length,
  eyes: EYES.length,
  mouth: MOUTHS.length,
  hat: HATS.length,
});

/** Eyes and mouth of everybody who is glad, hurt, amazed or asleep; wide eyes are white. */
const MOODS = /** @type {const} */ ({
  glad: ["M-11 -1Q-7 -7 -3 -1M3 -1Q7 -7 11 -1", "M-8 5H8Q7 13 0 13T-8 5Z"],
  hurt: ["M-11 -6L-4 -3L-11 0M11 -6L4 -3L11 0", "M-7 10Q-3.500 6 0 9T7 9"],
  wow: ["M-12 -3a5 5 0 1 0 10 0a5 5 0 1 0-10 0M2 -3a5 5 0 1 0 10 0a5 5 0 1 0-10 0M-7 -3h.01M7 -3h.01", "M-3.500 9a3.500 4 0 1 0 7 0a3.500 4 0 1 0-7 0z"],
  asleep: ["M-11 -2Q-7 2 -3 -2M3 -2Q7 2 11 -2", "M-3 8h5"],
});

/** @typedef {keyof typeof MOODS} Mood */

/**
 * The personas (`bots/personas.py`), one shape for each level: color, eyes, mouth, hat.
 * @type {Readonly<Record<string, string>>}
 */
const REGULARS = {
  Bo: "21021", Pepa: "25104", Zuzu: "22506", Momo: "20215",
  Milo: "03001", Juno: "00106", Kit: "01523", Tomo: "06215",
  Rio: "30336", Lux: "34001", Vera: "32417", Otis: "37313",
  Nova: "41130", Odo: "44411", Mika: "45026", Sol: "40536",
  Zeno: "64412", Orla: "62132", Kai: "60327", Noor: "65012",
};
/** The shape of each level; a program is a box. @type {Readonly<Record<string, number>>} */
const SHAPES = { learner: 2, casual: 0, sharp: 3, expert: 4, master: 6 };
const BOX = 1;

/**
 * Returns an avatar. It has no accessible name: the person's name is beside it.
 * @param {string} name @param {object} [options]
 * @param {string | null} [options.bot] the level of a bot
 * @param {string} [options.look] the code that the person built
 * @param {boolean} [options.antenna] whether a bot currently plays for the person
 */
export function avatar(name, { bot = null, look = "", antenna = false } = {}) {
  const code = bot === null ? look : (REGULARS[name] ?? generatedBot(name, bot));
  const parts = code ? fromCode(code) : fromName(picker(name));
  const grown = antenna ? svg("g", { class: "antenna" }, hat(ANTENNA, 32, 12, "#ffd9a8")) : null;
  return svg("svg", { class: "avatar", viewBox: "0 0 64 64", "aria-hidden": "true" }, parts, grown);
}

/** Returns the avatar of a bot that is no persona. @param {string} name @param {string} level */
function generatedBot(name, level) {
  const pick = picker(name);
  const [color, eyes, mouth] = [PARTS.color, PARTS.eyes, PARTS.mouth].map((n) => pick([...Array(n).keys()]));
  return [SHAPES[level] ?? BOX, color, eyes, mouth, ANTENNA].join("");
}

/** Returns an avatar made of parts. @param {string} code one digit for each of `PARTS` */
function fromCode(code) {
  const [shape, color, eyes, mouth, top] = Array.from(code, (digit) => parseInt(digit, 36) || 0);
  const body = BODIES[shape % BODIES.length];
  const [paint, ground] = COLORS[color % COLORS.length];
  const other = COLORS[(color + 3) % COLORS.length][0];
  const { scale = 1 } = body;
  const middle = scale === 1 ? "" : `translate(${32 - 50 * scale} ${37 - 50 * scale}) scale(${scale})`;
  const outline = { d: body.d, fill: paint, stroke: DARK, "stroke-width": 2.5 / scale, "stroke-linejoin": "round" };
  return [
    svg("rect", { width: 64, height: 64, fill: ground }),
    svg("path", { ...outline, transform: middle }),
    hat(top % HATS.length, 32, body.top, other),
    features(body.x, body.y, body.size, EYES[eyes % EYES.length], MOUTHS[mouth % MOUTHS.length]),
  ];
}

/** @param {number} index @param {number} x @param {number} y @param {string} paint */
function hat(index, x, y, paint) {
  const { line, fill } = HATS[index];
  const place = { transform: `translate(${x} ${y})` };
  return svg("g", place, svg("path", { d: line, ...pen(2.5) }), svg("path", { d: fill, ...pen(2), fill: paint }));
}

/**
 * Returns eyes and mouth in every mood.
 * @param {number} x the middle of the face
 * @param {number} y @param {number} size
 * @param {string} eyes when calm
 * @param {string} mouth when calm
 */
function features(x, y, size, eyes, mouth) {
  const expressions = Object.entries({ calm: [eyes, mouth], ...MOODS });
  const moods = expressions.map(([mood, [eyeLine, mouthLine]]) => {
    const fill = mood === "wow" ? "#fff" : /z/i.test(eyeLine) ? DARK : "none";
    return svg(
      "g",
      // Without a style sheet everybody is calm.
      { class: `mood ${mood}`, display: mood === "calm" ? null : "none" },
      svg("path", { class: "eyes", d: eyeLine, ...pen(eyeLine.includes("h.01") ? 3.4 : 2.6), fill }),
      svg("path", { d: mouthLine, ...pen(2.4), fill: mouthLine.endsWith("Z") ? "#fff" : "none" }),
    );
  });
  return svg("g", { transform: `translate(${x} ${y}) scale(${size})` }, moods);
}

/** A round pen. @param {number} width */
const pen = (width) => ({
  fill: "none",
  stroke: DARK,
  "stroke-width": width,
  "stroke-linecap": "round",
  "stroke-linejoin": "round",
});

// --- avatars made from names ----------------------------------------------------------------------------

const BACKGROUND_COLORS = "#f2a65a #e4717a #7bb274 #5c9ead #8e7cc3 #d9a441 #4f86c6 #c06c9b #6aa9a0 #b5764c".split(" ");
const SKIN_COLORS = ["#ffe0bd", "#f5c99b", "#e0a878", "#c68655", "#9a6238", "#6f4428"];
const HAIR_COLORS = ["#2b1d16", "#5a3825", "#8c5a2b", "#d8a545", "#b5432a", "#73706e", "#3a3350"];

// Hair over and beside a head of radius 17 at 32, 35.
const CUTS = [
  "M14 34C12 12 52 12 50 34C45 22 36 22 30 24C24 26 18 26 14 34Z",
  "M13 46C8 10 56 10 51 46C49 46 48 30 44 25C34 29 24 27 20 25C16 30 15 46 13 46Z",
  "M15 32C13 22 19 14 25 16C28 11 36 11 39 16C46 14 51 22 49 32C42 24 22 24 15 32Z",
  "M15 30C16 14 48 14 49 30C44 26 20 26 15 30ZM26 13a6 6 0 1 0 12 0a6 6 0 1 0 -12 0z",
  "M15 30C17 15 47 13 51 26C40 25 30 19 15 30Z",
  "",
];
const SMILES = ["M-7 8Q0 15 7 8", "M-6 8Q0 12 6 8", "M-7 7H7Q6 14 0 14T-7 7Z", "M-5 9Q1 11 6 7"];
const GLASSES = "M19 35a6 6 0 1 0 12 0a6 6 0 1 0 -12 0zM33 35a6 6 0 1 0 12 0a6 6 0 1 0 -12 0zM31 35H33";

/** @typedef {<T>(from: readonly T[]) => T} Pick */

/** Returns a function that makes choices from a name alone. @param {string} name @returns {Pick} */
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
function fromName(pick) {
  const ground = svg("rect", { width: 64, height: 64, fill: pick(BACKGROUND_COLORS) });
  const skin = pick(SKIN_COLORS);
  const hair = pick(HAIR_COLORS);
  const cut = pick(CUTS);
  const mouth = pick(SMILES);
  const glasses = pick([true, false, false, false]);
  return [
    ground,
    svg("path", { d: "M10 66C10 50 54 50 54 66Z", fill: pick(BACKGROUND_COLORS), stroke: "#0003" }),
    svg("circle", { cx: 32, cy: 35, r: 17, fill: skin }),
    svg("path", { d: cut, fill: hair }),
    features(32, 36, 1, "M-7 -1h.01M7 -1h.01", mouth),
    glasses && svg("path", { d: GLASSES, ...pen(1.8) }),
  ];
}
