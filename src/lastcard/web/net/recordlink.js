/** The record of a match as a file to keep. */

import { gameOf } from "../bindings/rulename.js";
import { isLocal } from "../ui/address.js";
import { button } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { get } from "./api.js";

/** What a file with a record may be called. */
export const RECORD_FILE_TYPES = ".toml,text/plain";
/** Bytes of the largest file that is read as one; a long match has a hundredth of that. */
export const MAX_RECORD_BYTES = 4_000_000;

/**
 * A link that keeps the record of a match; where there is no server, the page itself writes the file.
 *
 * @param {string} id of the match
 * @param {string} text
 * @param {string} rules of the match, for the name of the file
 */
export function recordLink(id, text, rules) {
  if (!isLocal(id)) return h("a", { class: "button", href: `/api/matches/${id}/record`, download: "" }, text);
  return button(text, async () => {
    const record = new Blob([await get(`/api/matches/${id}/record`, true)], { type: "text/toml" });
    const href = URL.createObjectURL(record);
    h("a", { href, download: `lastcard-${gameOf(rules)}-${id.slice(0, 6)}.toml` }).click();
    setTimeout(() => URL.revokeObjectURL(href));
  });
}
