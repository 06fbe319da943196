/** Standard buttons. */

import { h } from "./dom.js";
import { oneAtATime } from "./repeats.js";

/** @import {Child, Props} from "./dom.js" */

/**
 * Returns a button; while its action runs it ignores other presses.
 * @param {Child} content @param {(event: MouseEvent) => unknown} press
 * @param {Props & {look?: string}} [props] `look`: its classes, such as `primary big`
 */
export function button(content, press, { look = "", ...props } = {}) {
  return h("button", { class: `button ${look}`.trim(), type: "button", onclick: oneAtATime(press), ...props }, content);
}

/**
 * Returns a button with only a picture.
 * @param {SVGElement} icon
 * @param {string} label the accessible name
 * @param {(event: MouseEvent) => unknown} press @param {Props & {look?: string}} [props]
 */
export function iconButton(icon, label, press, { look = "quiet", ...props } = {}) {
  return button(icon, press, { look: `${look} icon`, "aria-label": label, ...props });
}
