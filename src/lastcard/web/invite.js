/** How others come to this table: the code, a picture of it for cameras, and a link to send. */

import { h } from "./dom.js";
import { textField } from "./fields.js";
import { shareIcon } from "./icons.js";
import { toast } from "./toast.js";
import { t, useTexts } from "./words.js";

/** @import {TableState} from "./protocol.js" */

await useTexts("lobby");

/** @param {TableState} table */
export function invitation({ code, join_url: url }) {
  const share = h(
    "button",
    { class: "button", type: "button", data: { key: "share" } },
    shareIcon(),
    t("web.lobby.share"),
  );
  const link = textField(
    t("web.lobby.link"),
    { value: url, readonly: true, onfocus: () => link.input.select() },
    share,
  );
  share.addEventListener("click", () => send(url, link.input));
  return h(
    "div",
    { class: "invitation" },
    h("img", { class: "qr", src: `/qr/${code}.svg`, alt: t("web.lobby.qr"), width: 132, height: 132 }),
    h("p", { class: "grow" }, t("web.lobby.code"), h("strong", { class: "big-code" }, spaced(code))),
    link.element,
  );
}

/** In groups, as one reads a code out. @param {string} code */
const spaced = (code) => code.replace(/^(.{3,4})(.{3,4})$/, "$1\u2009$2");

/**
 * By the system's own way to share where there is one; over plain HTTP the link is copied the old way.
 *
 * @param {string} url
 * @param {HTMLInputElement} input
 */
async function send(url, input) {
  if (navigator.share) {
    // Rejected when the person thinks better of it.
    return navigator.share({ title: "Last Card", text: t("web.lobby.share.text"), url }).catch(() => {});
  }
  if (await copy(url, input)) toast(t("web.lobby.copied"), { kind: "good" });
  else input.select();
}

/**
 * @param {string} text
 * @param {HTMLInputElement} input
 * @returns {Promise<boolean>} whether it lies on the clipboard now
 */
async function copy(text, input) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // No clipboard without HTTPS: what is selected can still be copied.
    input.select();
    return document.execCommand("copy");
  }
}
