/** The shapes on the cards: numerals and signs as strokes, the four color symbols as outlines. */

import { svg } from "../ui/dom.js";

/**
 * A glyph on a grid 100 high; `w` is its width.
 * @typedef {object} Glyph
 * @property {number} w
 * @property {string} [line] the path of its stroke
 * @property {string} [fill] filled
 * @property {number} [pen] the stroke's width; 16 by default
 */

/** @param {number} x @param {number} y @param {number} r */
const dot = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

const HOP = "M9 72C9 6 80 0 88 58M67 45L89 65L103 40";
const PLUS = { w: 46, line: "M23 31V69M4 50H42" };

/** @type {Readonly<Record<string, Glyph>>} */
const GLYPHS = {
  0: { w: 60, line: "M30 9C45 9 52 24 52 50S45 91 30 91S8 76 8 50S15 9 30 9Z" },
  1: { w: 46, line: "M10 29L32 10V92" },
  2: { w: 60, line: "M9 32C10 17 18 9 30 9C43 9 51 18 51 30C51 50 14 64 9 91H53" },
  3: {
    w: 60,
    line: "M10 21C15 13 21 9 30 9C42 9 49 17 49 28S41 47 26 47C42 47 52 55 52 68S43 91 30 91C20 91 12 87 8 78",
  },
  4: { w: 62, line: "M41 92V9L8 68H56" },
  5: { w: 60, line: "M49 9H17L13 47C18 42 24 40 31 40C44 40 52 50 52 64C52 81 43 91 29 91C20 91 13 88 8 80" },
  6: { w: 60, line: "M45 11C22 20 8 40 8 66C8 82 17 91 30 91S52 82 52 66S43 42 30 42S8 50 8 66" },
  7: { w: 58, line: "M8 9H51C37 34 28 62 25 92" },
  8: {
    w: 60,
    line: "M30 47C18 47 11 39 11 28S18 9 30 9S49 17 49 28S42 47 30 47C17 47 8 56 8 69S17 91 30 91S52 82 52 69S43 47 30 47Z",
  },
  9: { w: 60, line: "M15 89C38 80 52 60 52 34C52 18 43 9 30 9S8 18 8 34S17 58 30 58S52 50 52 34" },
  "+": PLUS,
  "@": { w: 72, line: "M36 6V94M-4 50H76M36 25a25 25 0 1 0 .1 0z", pen: 12 },
  s: { w: 104, line: HOP, fill: dot(46, 80, 14) },
  ss: { w: 104, line: HOP, fill: dot(30, 81, 12) + dot(62, 81, 12) },
  r: { w: 98, line: "M28 92V12M8 34L28 11L46 31M70 8V88M52 69L70 89L90 66" },
  x: { w: 112, line: "M12 89L98 13M73 11H101V39M100 89L66 59M46 41L14 13M39 11H11V39" },
  j: {
    w: 104,
    line: "M8 34a8 8 0 0 1 8 -8H52a8 8 0 0 1 8 8V84a8 8 0 0 1 -8 8H16a8 8 0 0 1 -8 -8ZM66 66H80a10 10 0 0 0 10 -10V24",
    fill: dot(90, 18, 14) + "M34 36Q37 55 53 58Q37 61 34 80Q31 61 15 58Q31 55 34 36Z",
    pen: 13,
  },
};

/** Outlines of the color symbols on a grid of 100 by 100: triangle, sun, leaf, drop. */
export const SYMBOLS = Object.freeze({
  R: "M42 12Q50 0 58 12L97 79Q104 92 90 92H10Q-4 92 3 79Z",
  Y: "M50 0L61 21L85 15L79 39L100 50L79 61L85 85L61 79L50 100L39 79L15 85L21 61L0 50L21 39L15 15L39 21Z",
  G: "M94 4C38 2 6 24 6 62C6 71 8 78 12 84L64 38L19 91C25 95 32 96 40 96C76 94 98 60 94 4Z",
  B: "M50 0C50 0 88 42 88 64A38 36 0 0 1 12 64C12 42 50 0 50 0Z",
});

/** @typedef {keyof typeof SYMBOLS} ColorLetter */

/**
 * Returns the outline of a color's symbol, to place in a picture.
 * @param {ColorLetter} letter
 * @param {number} x the left edge
 * @param {number} y the top edge
 * @param {number} size
 * @param {string} [className] a class instead of the color's own
 */
export function symbol(letter, x, y, size, className = `ink of-${letter}`) {
  return svg("path", { d: SYMBOLS[letter], class: className, transform: `translate(${x} ${y}) scale(${size / 100})` });
}

/**
 * Returns glyphs side by side, to place in a picture.
 * @param {readonly string[]} names
 * @param {number} x the left edge; with `middle` the center
 * @param {number} y the top edge
 * @param {number} height @param {boolean} [middle]
 */
export function glyphs(names, x, y, height, middle = false) {
  const scale = height / 100;
  const width = names.reduce((sum, name) => sum + GLYPHS[name].w, 4 * (names.length - 1));
  const group = svg("g", { transform: `translate(${middle ? x - (width * scale) / 2 : x} ${y}) scale(${scale})` });
  let left = 0;
  for (const name of names) {
    const { w, line, fill, pen = 16 } = GLYPHS[name];
    const transform = `translate(${left} 0)`;
    if (line) group.append(svg("path", { d: line, class: "pen", transform, "stroke-width": pen }));
    if (fill) group.append(svg("path", { d: fill, class: "dot", transform }));
    left += w + 4;
  }
  return group;
}
