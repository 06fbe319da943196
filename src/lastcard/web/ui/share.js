/** Sharing a link: by the system's dialog if available, else by the clipboard, else shown for manual copying. */

import { button } from "./button.js";
import { openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { shareIcon } from "./icons.js";
import { need } from "./resources.js";
import { toast } from "./toast.js";
import { t, useTexts } from "./texts.js";

need(useTexts("share"));

/** @typedef {{url: string, title: string, text?: string}} Link */

/** Returns a button that shares a link. @param {() => Link} link returns the link when the button is pressed */
export function shareButton(link) {
  return button([shareIcon(), t("web.share.button")], () => share(link()), { data: { key: "share" } });
}

/** Returns a button that copies a text to the clipboard. @param {string} text */
export function copyButton(text) {
  return button(t("web.share.copy"), async () => {
    if (await copy(text)) toast(t("web.share.taken"), { kind: "good" });
  });
}

/** @param {Link} link */
async function share(link) {
  if (await send(link)) return;
  if (await copy(link.url)) toast(t("web.share.copied"), { kind: "good" });
  else show(link);
}

/** @param {Link} link @returns {Promise<boolean>} whether the system has such a dialog */
async function send(link) {
  if (!navigator.share) return false;
  try {
    await navigator.share(link);
    return true;
  } catch (error) {
    // The person canceled it.
    return error instanceof DOMException && error.name === "AbortError";
  }
}

/** @param {string} url @returns {Promise<boolean>} whether it is on the clipboard now */
async function copy(url) {
  try {
    await navigator.clipboard.writeText(url);
    return true;
  } catch {
    return copySelected(url);
  }
}

/**
 * Copies through the selection, because without HTTPS there is no clipboard API. A hidden field does not work; this one is
 * removed before the page is drawn.
 * @param {string} url
 */
function copySelected(url) {
  const from = document.activeElement;
  const field = h("input", { readonly: true, value: url });
  document.body.append(field);
  field.focus({ preventScroll: true });
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (from instanceof HTMLElement) from.focus();
  return copied;
}

/** @param {Link} link */
function show({ url, title }) {
  const field = h("input", { class: "input", readonly: true, value: url, "aria-label": t("web.share.link") });
  openDialog({ title, content: h("div", { class: "stack" }, h("p", null, t("web.share.about")), field) });
  field.select();
}
