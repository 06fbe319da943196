/** Clause references for texts. */

import { prefs } from "../ui/prefs.js";

/**
 * Returns a sentence, with its clauses in brackets if the person wants them.
 * @param {string} text
 * @param {readonly string[]} clauses such as `CL-15`
 */
export const cited = (text, clauses) =>
  clauses.length && prefs.get("clauses") ? `${text} [${clauses.join(" ")}]` : text;
