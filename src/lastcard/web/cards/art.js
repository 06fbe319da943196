/** Pictures of cards: small SVG trees, drawn once and cloned; art.css sets their colors. */

import { svg } from "../ui/dom.js";
import { prefs } from "../ui/prefs.js";
import { need } from "../ui/resources.js";
import { language } from "../ui/texts.js";
import { glyphs, symbol } from "./glyphs.js";

export { avatar } from "./avatars.js";

/** @typedef {import("./glyphs.js").ColorLetter} ColorLetter */

/** @type {readonly ColorLetter[]} */
const LETTERS = ["R", "Y", "G", "B"];

// A card is 100 wide and 150 high. X is the middle of its large figure, which leaves space for the symbol in the corner.
const X = 61;
const Y = 106;
// A wild has no such symbol.
const WILD_X = 50;
const WILD_Y = 99;
/** Leaves a strip below the sign in the corner, where the hand prints the name of an All Wild card. */
const WILD_FIGURE = "translate(6.5 17) scale(0.87)";

/** Corner glyphs that differ from the face. @type {Readonly<Record<string, string[]>>} */
const CORNERS = { "+2": ["+", "2"], "+4": ["+", "4"], "@2": ["@", "2"], ss: ["s", "2"] };

/** Backgrounds of All Wild: cards with similar effects look similar. @type {Readonly<Record<string, string>>} */
const KINDS = { r: "turn", s: "skip", ss: "skip", "+2": "draw", "+4": "draw", "@2": "draw", x: "swap" };

/** What draws faces for low vision; null while the standard ones are wanted. @type {typeof import("./clearfaces.js") | null} */
let clear = null;

/** Draws later cards with the faces that the person has chosen. */
export async function useChosenFaces() {
  clear = prefs.get("faces") === "clear" ? await import("./clearfaces.js") : null;
  await clear?.styled;
}

need(useChosenFaces());

/** @type {Map<string, SVGSVGElement>} */
const drawn = new Map();

/**
 * Returns a card, face up. It has no accessible name: its container must have one.
 * @param {string} code such as `R5`, `Wx`; `??` gives the back
 * @param {{game?: string}} [options] in All Wild each kind of card has its own background
 */
export function cardFace(code, { game = "" } = {}) {
  if (code === "??") return cardBack();
  const color = code[0];
  const face = code.slice(1);
  const kind = game === "all-wild" && KINDS[face] ? ` kind-${KINDS[face]}` : "";
  const other = clear;
  if (other) return picture(`${code} ${language()}`, `card clear card-${color}`, () => [ground(), ...other.clearFace(color, face, { CORNERS, WILD_FIGURE, four, wildFigure }), frame()]);
  return picture(code + kind, `card card-${color}${kind}`, () => drawFace(color, face));
}

/** Returns the back that all cards share. */
export function cardBack() {
  return picture("back", "card card-back", drawBack);
}

/** Returns the symbol of a color; all four for a wild. @param {string} letter R, Y, G, B or W */
export function colorSymbol(letter) {
  const draw = () => (letter === "W" ? four(4, 4, 92) : [symbol(/** @type {ColorLetter} */ (letter), 8, 8, 84)]);
  return picture(`symbol ${letter}`, "symbol", draw, "0 0 100 100");
}

/**
 * Returns the sign of a card alone, in the color of the surrounding text.
 * @param {string} face such as `s`, `r`, `+2`
 */
export function signOf(face) {
  const names = CORNERS[face] ?? [face];
  return picture(`sign ${face}`, "sign", () => [glyphs(names, 60, 10, 80, true)], "0 0 120 100");
}

/**
 * Returns a picture by name: drawn on first use, then cloned.
 * @param {string} name @param {string} className @param {() => SVGElement[]} draw
 */
function picture(name, className, draw, viewBox = "0 0 100 150") {
  let image = drawn.get(name);
  if (!image) {
    image = svg("svg", { class: className, viewBox, "aria-hidden": "true" }, draw());
    drawn.set(name, image);
  }
  return /** @type {SVGSVGElement} */ (image.cloneNode(true));
}

/** @param {string} color @param {string} face */
function drawFace(color, face) {
  if (color === "W") {
    const halos = [84, 60].map((r) => svg("circle", { class: "weave", cx: WILD_X, cy: WILD_Y, r }));
    const corner = face ? [corners(face)] : four(11, 11, 38);
    return [ground(), ...halos, svg("g", { transform: WILD_FIGURE }, wildFigure(face)), ...corner, frame()];
  }
  const letter = /** @type {ColorLetter} */ (color);
  const echoes = [190, 132, 80].map((size) => symbol(letter, X - size / 2, Y - size / 2, size, "tone"));
  return [ground(), ...echoes, figure(letter, face), corners(face), symbol(letter, 10, 54, 26, "mark"), frame()];
}

const ground = () => svg("rect", { class: "ground", width: 100, height: 150 });
const frame = () => svg("rect", { class: "frame", x: 2, y: 2, width: 96, height: 146, rx: 8 });

/** @param {string} face */
const corners = (face) => glyphs(CORNERS[face] ?? [face], 11, 11, 39);

/** Returns the large figure of a colored card. @param {ColorLetter} letter @param {string} face */
function figure(letter, face) {
  if (face === "+2") return svg("g", null, fan(["mark", "mark"], X, Y, 0.95), symbol(letter, X - 3, Y - 9, 18));
  const size = face >= "0" && face <= "9" ? 66 : 54;
  return glyphs([face], X, Y - size / 2, size, true);
}

/** @param {string} face @returns {SVGElement[]} */
function wildFigure(face) {
  if (!face) return tiles();
  if (face === "+2") return fan(["ink of-Y", "ink of-B"], WILD_X, WILD_Y, 1.1);
  if (face === "+4") return fan(["ink of-R", "ink of-Y", "ink of-G", "ink of-B"], WILD_X, WILD_Y, 1.1);
  if (face === "@2") return [...ring(), crosshair(), ...fan(["ink of-Y", "ink of-B"], WILD_X, WILD_Y, 0.7)];
  return [...ring(), glyphs([face], WILD_X, WILD_Y - 23, 46, true)];
}

/** Returns four tiles with the symbols of the colors. */
function tiles() {
  return LETTERS.flatMap((letter, i) => {
    const x = 12 + (i % 2) * 39;
    const y = 62 + (i >> 1) * 39;
    const tile = svg("rect", { class: `ink of-${letter}`, x, y, width: 36, height: 36, rx: 8 });
    return [tile, symbol(letter, x + 8, y + 8, 20, "cut")];
  });
}

/** Returns the four symbols in a square. @param {number} x @param {number} y @param {number} size */
function four(x, y, size) {
  const one = size * 0.47;
  return LETTERS.map((letter, i) => symbol(letter, x + (i % 2) * (size - one), y + (i >> 1) * (size - one), one));
}

/** Returns a ring in the four colors. */
function ring() {
  return LETTERS.map((letter, i) =>
    svg("path", {
      class: `arc of-${letter}`,
      d: "M5 -35.6A36 36 0 0 1 35.6 -5",
      transform: `translate(${WILD_X} ${WILD_Y}) rotate(${i * 90 - 90})`,
    }),
  );
}

/** Returns the lines that turn the ring into a target. */
function crosshair() {
  const d = "M0 -43V-28M0 43V28M-43 0H-28M43 0H28";
  return svg("path", { class: "pen", "stroke-width": 5, d, transform: `translate(${WILD_X} ${WILD_Y})` });
}

/**
 * Returns cards to draw, fanned out.
 * @param {readonly string[]} classNames @param {number} x @param {number} y @param {number} scale
 */
function fan(classNames, x, y, scale) {
  return classNames.map((className, i) => {
    const turn = (i - (classNames.length - 1) / 2) * (classNames.length === 2 ? 24 : 19);
    const transform = `translate(${x} ${y + 26 * scale}) scale(${scale}) rotate(${turn})`;
    return svg("rect", { class: `leaf ${className}`, x: -17, y: -52, width: 34, height: 51, rx: 6, transform });
  });
}

function drawBack() {
  const cells = Array.from({ length: 28 }, (_, i) => {
    const row = i >> 2;
    return symbol(LETTERS[(i + row * 2 + row) % 4], 6 + (i % 4) * 26 - (row % 2) * 13, 4 + row * 21.5, 14, "weave");
  });
  const disc = svg("circle", { class: "emblem", cx: 50, cy: 75, r: 30 });
  const emblem = svg("g", { class: "lit" }, disc, four(33, 58, 34));
  return [ground(), ...cells, emblem, frame()];
}
