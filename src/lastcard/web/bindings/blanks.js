/**
 * Blanks as the library counts them. JavaScript takes the byte order mark for one, and some controls for none: texts
 * would mean one thing here and another there, and a seed would deal other cards.
 */

const BLANKS = String.raw`\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;
const AROUND = blankPattern(String.raw`^[\s]+|[\s]+$`, "g");

/**
 * A pattern in which `\s` is a blank; it has to be in brackets.
 * @param {string} source @param {string} [flags]
 */
export function blankPattern(source, flags) {
  return new RegExp(source.replaceAll(String.raw`\s`, BLANKS), flags);
}

/** A text without the blanks around it. @param {string} text */
export const strip = (text) => text.replace(AROUND, "");
