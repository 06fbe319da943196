/** Modal dialogs: a title, a content and some buttons; afterwards the focus returns to where it was. */

import { button, iconButton } from "./button.js";
import { h, stylesheet, uniqueId } from "./dom.js";
import { closeIcon } from "./icons.js";
import { need } from "./resources.js";
import { t } from "./texts.js";

/** @import {Child} from "./dom.js" */

need(stylesheet("ui/dialog.css"));

/**
 * Opens a dialog. It closes by its button, Escape, a click beside it, or `close`.
 * @param {object} parts @param {string} parts.title @param {Child} parts.content
 * @param {Child} [parts.actions] buttons at the bottom
 * @param {string} [parts.name] a class
 * @returns {{element: HTMLDialogElement, close: (answer?: string) => void, closed: Promise<string>}} `closed` gives
 *   the answer, empty if the person just closed it
 */
export function openDialog({ title, content, actions, name = "" }) {
  const from = document.activeElement;
  const id = uniqueId();
  const element = h("dialog", { class: `raised ${name}`, "aria-labelledby": id });
  const close = (answer = "") => element.close(answer);
  const closeButton = iconButton(closeIcon(), t("web.dialog.close"), () => close());
  element.append(
    h("header", null, h("h2", { id, tabindex: -1, autofocus: true }, title), closeButton),
    h("div", { class: "content optional" }, content),
  );
  if (actions) element.append(h("footer", null, actions));
  element.addEventListener("click", (event) => {
    if (event.target === element) close();
  });
  /** @type {Promise<string>} */
  const closed = new Promise((resolve) => {
    element.addEventListener("close", () => {
      element.remove();
      if (from instanceof HTMLElement && from.isConnected) from.focus();
      resolve(element.returnValue);
    });
  });
  document.body.append(element);
  element.showModal();
  return { element, close, closed };
}

/**
 * Asks for confirmation before an action that cannot be undone.
 * @param {string} question
 * @param {string} yes the label of the confirming button
 * @param {string} [about] the consequences
 * @returns {Promise<boolean>}
 */
export async function confirmDialog(question, yes, about) {
  const actions = button(yes, () => dialog.close("yes"), { look: "danger" });
  const dialog = openDialog({ title: question, content: about ?? null, actions, name: "confirm" });
  return (await dialog.closed) === "yes";
}
