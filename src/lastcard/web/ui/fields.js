/** Standard form fields, each with its label. */

import { h, uniqueId } from "./dom.js";
import { oneAtATime } from "./repeats.js";

/** @import {Child, Props} from "./dom.js" */

/**
 * @typedef {{label: string, choices: readonly {value: string, text: string}[], value: string,
 *   onchange: (value: string) => void, labelHidden?: boolean}} Choice
 */

/** Returns an empty line for an error message. */
export const problemLine = () => h("p", { class: "error optional", role: "alert" });

/**
 * Returns a form; while its action runs it ignores other submissions.
 * @param {Props} props @param {() => unknown} send @param {...Child} children
 */
export function form(props, send, ...children) {
  const submit = oneAtATime((/** @type {Event} */ event) => {
    event.preventDefault();
    return send();
  });
  return h("form", { ...props, onsubmit: submit }, children);
}

/**
 * Returns a text field with its label.
 * @param {string} label
 * @param {Props} props the input's properties
 * @param {Child} [after] an element beside the input
 */
export function textField(label, props, after) {
  const id = uniqueId();
  const input = h("input", { class: "input", id, type: "text", autocomplete: "off", ...props });
  const line = after ? h("div", { class: "row" }, h("div", { class: "grow" }, input), after) : input;
  return { element: h("div", { class: "field" }, h("label", { for: id }, label), line), input };
}

/**
 * Returns a choice of a few options, all visible.
 * @param {Choice & {about?: Child}} parts `about`: an explanation under the label
 */
export function chips({ label, choices, value, onchange, labelHidden, about }) {
  const name = uniqueId();
  const options = choices.map((choice) => {
    const change = () => onchange(choice.value);
    const checked = choice.value === value;
    const input = h("input", { type: "radio", name, value: choice.value, checked, onchange: change });
    return h("label", { class: "chip" }, input, h("span", null, choice.text));
  });
  const legend = h("legend", { class: labelHidden ? "visually-hidden" : "label" }, label);
  return h("fieldset", { class: "field" }, legend, about, h("div", { class: "chips" }, options));
}

/**
 * Returns a switch.
 * @param {string} label @param {boolean} checked @param {(on: boolean) => void} onchange
 * @param {{about?: string}} [options]
 */
export function switchField(label, checked, onchange, { about } = {}) {
  const change = () => onchange(input.checked);
  const input = h("input", { type: "checkbox", role: "switch", checked, onchange: change });
  const text = h("span", null, h("span", { class: "label" }, label), about && h("small", { class: "about soft small" }, about));
  return h("label", { class: "switch" }, text, input);
}

/**
 * Returns a choice of many options.
 * @param {Choice & {key?: string}} parts `key`: the key by which the focus is restored after a redraw
 */
export function selectField({ label, choices, value, onchange, labelHidden, key }) {
  const id = uniqueId();
  const options = choices.map((choice) => h("option", { value: choice.value }, choice.text));
  const change = () => onchange(select.value);
  const select = h("select", { class: "input", id, value, onchange: change, data: { key } }, options);
  return h(
    "div",
    { class: "field" },
    h("label", { for: id, class: labelHidden ? "visually-hidden" : "" }, label),
    select,
  );
}
