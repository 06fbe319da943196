/** A panel where a file is chosen or dropped. */

import { h, stylesheet } from "./dom.js";
import { errorWords } from "./failures.js";
import { problemLine } from "./fields.js";
import { need } from "./resources.js";

need(stylesheet("ui/droppanel.css"));

/**
 * @param {object} what @param {string} what.title @param {string} what.about
 * @param {string} what.choose the button's label
 * @param {string} what.accept the accepted file types
 * @param {(file: File) => Promise<unknown>} what.take handles a file; the panel shows its errors, and the cause of a
 *   `WordedError` in small print on a separate line
 */
export function dropPanel({ title, about, choose, accept, take }) {
  const problem = problemLine();
  const open = async (/** @type {File | undefined} */ file) => {
    if (!file) return;
    problem.textContent = "";
    try {
      await take(file);
    } catch (error) {
      const [words, ...detail] = errorWords(error).split("\n");
      problem.replaceChildren(words, ...detail.map((line) => h("small", { lang: "en" }, line)));
    }
  };
  const input = h("input", { type: "file", accept, class: "visually-hidden" });
  input.addEventListener("change", () => void open(input.files?.[0]).then(() => (input.value = "")));
  const panel = h(
    "section",
    { class: "panel stack drop", "aria-label": title },
    h("h2", null, title),
    h("p", { class: "soft" }, about),
    problem,
    h("label", { class: "button wide" }, choose, input),
  );
  const over = (/** @type {DragEvent} */ event) => (event.preventDefault(), panel.classList.add("over"));
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    panel.classList.remove("over");
    void open(event.dataTransfer?.files[0]);
  };
  panel.addEventListener("dragover", over);
  panel.addEventListener("dragleave", () => panel.classList.remove("over"));
  panel.addEventListener("drop", drop);
  return panel;
}
