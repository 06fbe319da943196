/**
 * One press has one effect. A held key makes no second press, nor does the second half of a double click; a control that has just
 * come under the pointer, or got the focus as it appeared, takes none. Elements with `data-quick` take every press, but no held
 * key: the race for UNO, and repeated steps. All clicks of assistive technology count.
 */

import { CONTROLS, count, isBelowCooling, isDouble, isCoolingDown, coolDownAfterPress } from "./cooldown.js";

/** Fields for input, in which every press counts. */
const FIELDS = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]";
/** Keys that navigate or delete: people hold them on purpose. */
const HELD = /^(Arrow|Page)|^(Tab|Home|End|Backspace|Delete)$/;

/** The key that pressed a control too soon, until it is released. */
let early = "";
/** The control to which the page has moved the focus. @type {EventTarget | null} */
let focusedByPage = null;

/**
 * Whether a press must not become a click. The second half of a double click is ignored completely; a press that is only too soon
 * may still become a drag, or a long press. Called once, when the press begins.
 * @param {PointerEvent} event
 * @param {Element | null} control the control on which it begins
 */
export function isRefused(event, control) {
  if (isVirtual(event) || (control && takesAll(control))) return false;
  if (isDouble(event)) {
    event.stopImmediatePropagation();
    return true;
  }
  if (!control) return false;
  if (isCoolingDown(control) || isBelowCooling(control, event)) return true;
  count(event);
  return false;
}

/** @param {Element} control */
export function coolDown(control) {
  if (!takesAll(control)) coolDownAfterPress(control);
}

/**
 * Focuses a control that has just appeared: it ignores keys before the person can have seen it.
 * @param {HTMLElement} control
 */
export function focusNew(control) {
  focusedByPage = control;
  control.focus();
}

/**
 * Returns a handler that ignores presses until the action of the last one is done.
 * @template {Event} E
 * @param {(event: E) => unknown} handler @returns {(event: E) => Promise<void>}
 */
export function oneAtATime(handler) {
  let isBusy = false;
  return async (event) => {
    if (isBusy) return event.preventDefault();
    const doing = handler(event);
    if (!(doing instanceof Promise)) return;
    isBusy = true;
    const control = event instanceof SubmitEvent ? event.submitter : event.currentTarget;
    if (control instanceof Element) control.ariaBusy = "true";
    try {
      await doing;
    } finally {
      isBusy = false;
      if (control instanceof Element) control.ariaBusy = null;
    }
  };
}

/**
 * Whether a press was made without a pointer: that of a screen reader has no size, or no pressure.
 * @param {PointerEvent} event
 */
const isVirtual = ({ width, height, pressure, pointerType }) =>
  (width === 0 && height === 0) || (width <= 1 && height <= 1 && pressure === 0 && pointerType === "mouse");

/** @param {Element} control */
function takesAll(control) {
  const field = control instanceof HTMLLabelElement ? control.control : control;
  return Boolean(field?.matches(FIELDS) || control.closest("[data-quick]"));
}

/** @param {KeyboardEvent} event */
function isHeldOnPurpose({ key, target, ctrlKey, altKey, metaKey, isComposing }) {
  if (ctrlKey || altKey || metaKey || isComposing || HELD.test(key) || !(target instanceof Element)) return true;
  if (target.matches(FIELDS)) return key !== "Enter" || !target.matches("input");
  return key === " " && !target.closest(CONTROLS); // scrolls
}

/** @param {Event} event */
function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** @param {KeyboardEvent} event */
function press(event) {
  if (event.repeat) return isHeldOnPurpose(event) ? undefined : swallow(event);
  const control = event.target instanceof Element ? event.target.closest(CONTROLS) : null;
  const presses = event.key === "Enter" || event.key === " ";
  if (!presses || !control || takesAll(control) || focusedByPage !== control || !isCoolingDown(control)) return;
  early = event.key;
  swallow(event);
}

addEventListener("keydown", press, { capture: true });
addEventListener("focusin", ({ target }) => target !== focusedByPage && (focusedByPage = null), { capture: true });
addEventListener("keyup", () => setTimeout(() => (early = "")), { capture: true });
addEventListener("blur", () => (early = ""));
// Some browsers make a click from a key whose press was refused.
addEventListener("click", (event) => early && !event.detail && event.isTrusted && swallow(event), { capture: true });
