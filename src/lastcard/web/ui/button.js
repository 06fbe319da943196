/** Buttons as every page has them. */

import { h } from "./dom.js";
import { oneAtATime } from "./repeats.js";

/** @import {Child, Props} from "./dom.js" */

/**
 * A button that does something; while that goes on it takes no other press.
 *
 * @param {Child} content
 * @param {(event: MouseEvent) => unknown} press
 * @param {Props & {look?: string}} [props] `look`: its classes, such as `primary big`
 */
export function button(content, press, { look = "", ...props } = {}) {
  return h("button", { class: `button ${look}`.trim(), type: "button", onclick: oneAtATime(press), ...props }, content);
}

/**
 * A button that shows a picture alone.
 *
 * @param {SVGElement} icon
 * @param {string} label what screen readers say
 * @param {(event: MouseEvent) => unknown} press
 * @param {Props & {look?: string}} [props]
 */
export function iconButton(icon, label, press, { look = "quiet", ...props } = {}) {
  return button(icon, press, { look: `${look} icon`, "aria-label": label, ...props });
}
