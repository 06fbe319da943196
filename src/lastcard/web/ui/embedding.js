/** Pages of ours on other sites: the line of HTML for one, and what differs in an `<iframe>`. */

import { FOLDER, isStaticSite } from "./address.js";
import { button } from "./button.js";
import { openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { textField } from "./fields.js";
import { need } from "./resources.js";
import { copyButton } from "./share.js";
import { t, useTexts } from "./texts.js";

need(useTexts("after"));

/** Attributes of the frame; a style would break the policy of the page that writes the line. */
const FRAME_ATTRIBUTES = { width: "100%", height: "640", frameborder: "0", loading: "lazy", allow: "screen-wake-lock; clipboard-write" };

const { dataset } = document.documentElement;

/** Whether this page is made for an `<iframe>`: it sends no cookie and knows nobody. */
export const isEmbedded = "embedded" in dataset;

/** Whether other sites may show pages of this one. */
const isAllowed = () => "embed" in dataset || (isStaticSite && !isEmbedded);

/** Returns a replay from the server, asked for without a cookie. @param {string} id */
export async function fetchReplay(id) {
  const answer = await fetch(`${FOLDER}api/matches/${encodeURIComponent(id)}/replay`, { credentials: "omit" });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}

/** Returns the link to the whole site for a page in an `<iframe>`. @param {string} path of the page there */
export const siteLink = (path) =>
  h("a", { class: "button", href: new URL(`..${path}`, new URL(FOLDER, location.href)).href, target: "_blank", rel: "noopener" }, t("web.embed.open"));

/**
 * Returns the button for the lines of HTML that show a page, and the game against bots, on another site; null where no site may.
 * @param {string} path of the page, as on a site without a server @param {string} title
 */
export const embedButton = (path, title) => (isAllowed() ? button(t("web.embed.title"), () => showLines(path, title), { look: "quiet" }) : null);

/** @param {string} path @param {string} title */
function showLines(path, title) {
  const lines = [
    [title, lineOf(`?${path}`, title)],
    [t("web.embed.solo"), lineOf("", "Last Card")],
  ].map(([label, line]) => textField(label, { value: line, readonly: true, spellcheck: "false", dir: "ltr" }, copyButton(line)).element);
  openDialog({ title: t("web.embed.title"), content: h("div", { class: "stack" }, h("p", null, t("web.embed.about")), lines) });
}

/** @param {string} query @param {string} title */
function lineOf(query, title) {
  const frame = document.createElement("iframe");
  frame.setAttribute("src", new URL(`${FOLDER}${isStaticSite ? "" : "embed/"}${query}`, location.href).href);
  for (const [name, value] of Object.entries({ title, ...FRAME_ATTRIBUTES })) frame.setAttribute(name, value);
  return frame.outerHTML;
}
