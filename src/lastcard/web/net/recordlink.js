/** The record of a match as a file to download. */

import { gameOf } from "../bindings/rulename.js";
import { isLocal } from "../ui/address.js";
import { button } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { get } from "./api.js";

/** The accepted types of record files. */
export const RECORD_FILE_TYPES = ".toml,text/plain";
/** The largest record file in bytes; a long match has a hundredth of that. */
export const MAX_RECORD_BYTES = 4_000_000;

/**
 * Returns a link that downloads a match's record; on a static site, the page itself writes the file.
 * @param {string} id the match's id
 * @param {string} text
 * @param {string} rules the match's ruleset, for the name of the file
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
