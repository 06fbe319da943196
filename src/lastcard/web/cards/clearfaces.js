/** Card faces for low vision: large signs and color symbols, and the color in words; black on white where no color is. */

import { svg } from "../ui/dom.js";
import { glyphs, symbol } from "./glyphs.js";
import { colorName } from "./cards.js";

/** @typedef {import("./glyphs.js").ColorLetter} ColorLetter */

/** The height of the sign in the corner: as wide as the strip of a card that others overlap. */
const CORNER = 46;
/** A longer word is set narrower, so that it fits on the card. */
const WIDE_CHARS = 6;

/**
 * Returns a colored card: sign and symbol in the corner, the figure, and the name of the color.
 * @param {ColorLetter} letter @param {string} face @param {readonly string[]} corner the names of the corner's glyphs
 */
export function clearFace(letter, face, corner) {
  const isNumber = face >= "0" && face <= "9";
  const figure = isNumber ? glyphs([face], 69, 36, 72, true) : symbol(letter, 48, 62, 44, "mark");
  return [glyphs(corner, 7, 9, CORNER), symbol(letter, 7, 66, 32, "mark"), figure, nameBand(letter)];
}

/** @param {ColorLetter} letter */
function nameBand(letter) {
  const name = colorName(letter);
  const fitted = name.length > WIDE_CHARS ? { textLength: 86, lengthAdjust: "spacingAndGlyphs" } : {};
  const text = svg("text", { class: "name", x: 50, y: 139, "text-anchor": "middle", ...fitted });
  text.textContent = name;
  return svg("g", null, svg("rect", { class: "band", x: 2, y: 114, width: 96, height: 34 }), text);
}

/** Returns the sign in the corner of a wild. @param {readonly string[]} corner */
export const clearCorner = (corner) => glyphs(corner, 7, 9, CORNER);
