/** The clauses of the rules, for whoever wants them. */

import { prefs } from "../ui/prefs.js";

/**
 * A sentence, with the clauses it comes from in brackets where they are wanted.
 *
 * @param {string} text
 * @param {readonly string[]} clauses such as `CL-15`
 */
export const cited = (text, clauses) =>
  clauses.length && prefs.get("clauses") ? `${text} [${clauses.join(" ")}]` : text;
