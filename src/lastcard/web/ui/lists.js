/** Lists of things in one sentence. */

import { isolated } from "./texts.js";

/** Returns names joined as in the page's language. @param {readonly string[]} names */
export const listed = (names) => new Intl.ListFormat(document.documentElement.lang).format(names.map(isolated));
