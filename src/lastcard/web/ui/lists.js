/** Several things in one sentence. */

import { isolated } from "./texts.js";

/**
 * Names as the language of the page joins them.
 *
 * @param {readonly string[]} names
 */
export const listed = (names) => new Intl.ListFormat(document.documentElement.lang).format(names.map(isolated));
