/** Short news that covers nothing and needs no answer, shown and read out. */

import { h } from "./dom.js";

const SHOWN_MS = 4500;

const box = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
const spoken = h("div", { class: "visually-hidden", role: "log", "aria-live": "polite" });
document.body.append(box, spoken);

/**
 * Show a line for a few seconds; screen readers read it out.
 *
 * @param {string} text
 * @param {{kind?: "good" | "bad"}} [options]
 */
export function toast(text, { kind } = {}) {
  const line = h("div", { class: `toast raised ${kind ?? ""}` }, text);
  const same = [...box.children].find((other) => other.textContent === text);
  if (same) same.replaceWith(line);
  else box.append(line);
  if (box.children.length > 3) box.firstElementChild?.remove();
  setTimeout(() => line.remove(), SHOWN_MS + 30 * text.length);
}

/**
 * Say a line to screen readers only.
 *
 * @param {string} text
 */
export function announce(text) {
  spoken.append(h("p", null, text));
  while (spoken.children.length > 8) spoken.firstElementChild?.remove();
}

/** Whoever comes next, to this page or to this device, reads nothing of what was said to screen readers before. */
export function clearAnnouncements() {
  spoken.replaceChildren();
}
