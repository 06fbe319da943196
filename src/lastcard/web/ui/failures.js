/** Texts of errors: some are in the person's language, others in English for developers. */

import { t } from "./texts.js";

/** An error whose message is in the person's language. */
export class WordedError extends Error {}

/** Returns an error's text in the person's language. @param {unknown} error @returns {string} */
export function errorWords(error) {
  if (error instanceof WordedError) return error.message;
  console.warn(error);
  // The browser's own error for a file that does not load.
  return t(error instanceof TypeError ? "web.net.unreachable" : "web.page.wrong");
}
