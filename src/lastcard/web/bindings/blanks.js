/**
 * The library's definition of white space. JavaScript also counts the byte order mark and omits some control characters; with its
 * definition a text could have another meaning here and a seed could deal other cards.
 */

const BLANKS = String.raw`\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;
const AROUND = blankPattern(String.raw`^[\s]+|[\s]+$`, "g");

/**
 * Returns a pattern in which `\s` is white space by that definition; `\s` must be inside brackets.
 * @param {string} source @param {string} [flags]
 */
export function blankPattern(source, flags) {
  return new RegExp(source.replaceAll(String.raw`\s`, BLANKS), flags);
}

/** Returns a text without surrounding white space. @param {string} text */
export const strip = (text) => text.replace(AROUND, "");
