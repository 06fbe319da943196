/** Toasts: short messages that cover nothing and need no answer, shown and announced. */

import { h } from "./dom.js";

const SHOWN_MS = 4500;

const box = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
const spoken = h("div", { class: "visually-hidden", role: "log", "aria-live": "polite" });
document.body.append(box, spoken);

/**
 * Shows a line for a few seconds; screen readers announce it.
 * @param {string} text @param {{kind?: "good" | "bad"}} [options]
 */
export function toast(text, { kind } = {}) {
  const line = h("div", { class: `toast raised ${kind ?? ""}` }, text);
  const same = [...box.children].find((other) => other.textContent === text);
  if (same) same.replaceWith(line);
  else box.append(line);
  if (box.children.length > 3) box.firstElementChild?.remove();
  setTimeout(() => line.remove(), SHOWN_MS + 30 * text.length);
}

/** Announces a line to screen readers only. @param {string} text */
export function announce(text) {
  spoken.append(h("p", null, text));
  while (spoken.children.length > 8) spoken.firstElementChild?.remove();
}

/** Clears the announcements, so that the next page or person does not read old ones. */
export function clearAnnouncements() {
  spoken.replaceChildren();
}
