/** Handing a link on: by the system's own dialog, else by the clipboard, else for the hand to copy. */

import { openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { toast } from "./toast.js";
import { t, useTexts } from "./words.js";

await useTexts("after");

/**
 * @param {string} url
 * @param {string} title
 */
export async function shareLink(url, title) {
  try {
    if (navigator.share) await navigator.share({ url, title });
    else await copy(url);
  } catch (error) {
    // AbortError: the person closed the system's dialog.
    if (!(error instanceof DOMException && error.name === "AbortError")) showLink(url, title);
  }
}

/**
 * Over plain HTTP there is no clipboard to write to.
 * @param {string} url
 */
async function copy(url) {
  await navigator.clipboard.writeText(url);
  toast(t("web.replay.copied"), { kind: "good" });
}

/** @param {string} url @param {string} title */
function showLink(url, title) {
  const field = h("input", { class: "input", readonly: true, value: url, "aria-label": t("web.replay.link") });
  openDialog({ title, content: h("div", { class: "stack" }, h("p", null, t("web.replay.link.about")), field) });
  field.select();
}
