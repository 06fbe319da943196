/** Parts that pages share: panels with a heading, and actions that show their errors. */

import { h } from "./dom.js";
import { errorWords } from "./failures.js";
import { toast } from "./toast.js";

/** @import {Child} from "./dom.js" */

/** Returns a panel with a heading; texts become paragraphs. @param {string} title @param {...Child} parts */
export function panel(title, ...parts) {
  const content = parts.map((part) => (typeof part === "string" ? h("p", null, part) : part));
  return h("section", { class: "panel stack" }, h("h2", null, title), content);
}

/**
 * Runs an action, and shows an error in an element, else as a toast.
 * @template T
 * @param {() => Promise<T>} action @param {HTMLElement} [place] @returns {Promise<T | null>} null after an error
 */
export async function attempt(action, place) {
  if (place) place.textContent = "";
  try {
    return await action();
  } catch (error) {
    const words = errorWords(error);
    if (place) place.textContent = words;
    else toast(words, { kind: "bad" });
    return null;
  }
}
