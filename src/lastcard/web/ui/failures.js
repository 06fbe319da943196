/** What to say of something that went wrong: an error may be for the person to read, or in English for whoever mends it. */

import { t } from "./texts.js";

/** An error whose message is in the person's language. */
export class WordedError extends Error {}

/**
 * An error in the person's language.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function errorWords(error) {
  if (error instanceof WordedError) return error.message;
  console.warn(error);
  // The browser's own complaint of a file that does not come.
  return t(error instanceof TypeError ? "web.net.unreachable" : "web.page.wrong");
}
