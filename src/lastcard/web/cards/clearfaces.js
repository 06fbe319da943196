/** Card faces for low vision: large signs and color symbols, and the color in words; black on white where no color is. */

import { stylesheet, svg } from "../ui/dom.js";
import { glyphs, symbol } from "./glyphs.js";
import { colorName } from "./cards.js";

/** @typedef {import("./glyphs.js").ColorLetter} ColorLetter */

/** Settled once the faces have their style. */
export const styled = stylesheet("cards/clearfaces.css");
document.documentElement.classList.add("clear-faces");

/** The height of the sign in the corner: as wide as the strip of a card that others overlap. */
const CORNER = 46;
/** A longer word is set narrower, so that it fits on the card. */
const WIDE_CHARS = 6;

/**
 * Returns the parts of a card between its ground and its frame.
 * @param {string} color @param {string} face
 * @param {{CORNERS: Readonly<Record<string, string[]>>, WILD_FIGURE: string, four: (x: number, y: number, size: number) => SVGElement[],
 *   wildFigure: (face: string) => SVGElement[]}} parts of the standard faces
 */
export function clearFace(color, face, { CORNERS, WILD_FIGURE, four, wildFigure }) {
  const corner = face ? [glyphs(CORNERS[face] ?? [face], 7, 9, CORNER)] : four(9, 9, CORNER);
  if (color === "W") return [svg("g", { transform: WILD_FIGURE }, wildFigure(face)), ...corner];
  const letter = /** @type {ColorLetter} */ (color);
  const isNumber = face >= "0" && face <= "9";
  const figure = isNumber ? glyphs([face], 69, 36, 72, true) : symbol(letter, 48, 62, 44, "mark");
  return [...corner, symbol(letter, 7, 66, 32, "mark"), figure, nameBand(letter)];
}

/** @param {ColorLetter} letter */
function nameBand(letter) {
  const name = colorName(letter);
  const fitted = name.length > WIDE_CHARS ? { textLength: 86, lengthAdjust: "spacingAndGlyphs" } : {};
  const text = svg("text", { class: "name", x: 50, y: 139, "text-anchor": "middle", ...fitted });
  text.textContent = name;
  return svg("g", null, svg("rect", { class: "band", x: 2, y: 114, width: 96, height: 34 }), text);
}
