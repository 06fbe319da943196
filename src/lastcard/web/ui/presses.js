/**
 * A press counts for the control on which it began. A browser drops the click, or gives it to another control, when the page
 * changes between the two halves of a press: the control moves away from the pointer, or a part of it is replaced. `whenReleased`
 * and `refill` delay changes that would replace the control itself until the press ends.
 */

import { isRefused, coolDown } from "./repeats.js";
import { CONTROLS as BUTTONS } from "./cooldown.js";

const CONTROLS = `${BUTTONS}, input, select, textarea`;
/** How far a pointer may move within a press, in CSS pixels. */
const STRAY_PX = 10;
/** How long after a finger is lifted its click may come. */
const CLICK_MS = 400;
/** How often an open list of choices is checked. */
const LIST_MS = 100;
const KNOWS_OPEN = CSS.supports("selector(:open)");

/**
 * @typedef {{control: Element, event: PointerEvent, refused: boolean, strayed: boolean, clicked: boolean}} Press
 *   `event` began it; a `refused` one has no effect
 */

/** The press of a pointer, until its click has been handled. @type {Press | null} */
let press = null;
/** The control held down by the space bar. @type {Element | null} */
let keyed = null;
/** The select whose list was opened last, in browsers that do not report whether it still is. @type {Element | null} */
let opened = null;

/** Changes that wait for the end of a press, by key. @type {Map<object, {element: Element, draw: () => void}>} */
const waiting = new Map();
let timer = 0;

/**
 * Changes an element once nothing in it is pressed: at once in most cases. A later change of the same element replaces a waiting
 * one.
 * @param {Element} element @param {() => void} draw
 * @param {object} [key] a key other than the element, for a change that no other replaces
 */
export function whenReleased(element, draw, key = element) {
  waiting.delete(key);
  if (!isHeld(element)) return draw();
  waiting.set(key, { element, draw });
  flush();
}

/** Waits until nothing in an element is pressed. @param {Element} element @returns {Promise<void>} */
export const released = (element) => new Promise((resolve) => whenReleased(element, resolve, {}));

/**
 * Refills an element once nothing in it is pressed. The focus goes to the element with the same `data-key`.
 * @param {Element} element @param {() => (Node | string)[]} make
 */
export function refill(element, make) {
  whenReleased(element, () => {
    const focused = element.contains(document.activeElement) ? document.activeElement : null;
    const key = focused instanceof HTMLElement ? focused.dataset.key : undefined;
    element.replaceChildren(...make());
    // At once: a key press in between would be lost.
    if (key) /** @type {HTMLElement | null} */ (element.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus({ preventScroll: true });
  });
}

/**
 * Puts children in order. A pressed one stays, and the others move around it: a control that is moved within the document gets no
 * click.
 * @param {Element} parent
 * @param {readonly Element[]} children all children, in order
 */
export function putInOrder(parent, children) {
  const pressed = pressedIn(parent);
  const wanted = new Set(children);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  /** @type {Element | null} */
  let next = null;
  for (const child of [...children].reverse()) {
    const stays = child.parentNode === parent && pressed !== null && child.contains(pressed);
    if (!stays && (child.parentNode !== parent || child.nextElementSibling !== next)) parent.insertBefore(child, next);
    next = child;
  }
}

/** @param {Element} element */
const pressedIn = (element) => [press?.control, keyed].find((control) => control && element.contains(control)) ?? null;

/** @param {Element} element */
function isHeld(element) {
  const active = document.activeElement;
  return pressedIn(element) !== null || (active instanceof HTMLSelectElement && element.contains(active) && isOpen(active));
}

/** @param {HTMLSelectElement} select */
const isOpen = (select) => (KNOWS_OPEN ? select.matches(":open") : select === opened);

/** Makes the changes that are ready; no event reports when a list of choices closes. */
function flush() {
  clearTimeout(timer);
  for (const [key, { element, draw }] of [...waiting]) {
    if (isHeld(element)) continue;
    waiting.delete(key);
    queueMicrotask(draw); // an error in one stops no other
  }
  if (waiting.size) timer = setTimeout(flush, LIST_MS);
}

/** @param {Press | null} ended */
function end(ended) {
  if (press !== ended) return;
  press = null;
  if (ended?.clicked && !ended.refused) coolDown(ended.control);
  if (ended?.control instanceof HTMLSelectElement) opened = ended.control;
  flush();
}

/**
 * Gives a control the click that the browser did not give. It has a click count: a click without one is from a key.
 * @param {Element} control @param {MouseEvent} event
 */
function give(control, { clientX, clientY, ctrlKey, shiftKey, altKey, metaKey }) {
  const how = { bubbles: true, cancelable: true, composed: true, view: window, detail: 1 };
  const click = new MouseEvent("click", { ...how, clientX, clientY, ctrlKey, shiftKey, altKey, metaKey });
  if (!control.matches(":disabled")) control.dispatchEvent(click);
}

/** @param {Event} event @returns {Element | null} */
const controlOf = ({ target }) => (target instanceof Element ? target.closest(CONTROLS) : null);

/**
 * Adds a listener that runs before all others.
 * @template {keyof WindowEventMap} T
 * @param {T} name @param {(event: WindowEventMap[T]) => void} handle
 */
const on = (name, handle) => addEventListener(name, handle, { capture: true, passive: name === "pointermove" });

on("pointerdown", (event) => {
  if (!event.isPrimary) return;
  end(press);
  opened = null;
  if (event.button) return;
  const control = controlOf(event);
  const refused = isRefused(event, control);
  const pressed = refused ? /** @type {Element} */ (event.target) : control;
  if (pressed) press = { control: pressed, event, refused, strayed: false, clicked: false };
});

on("mousedown", (event) => {
  if (press?.refused) event.preventDefault(); // selects no text and leaves the focus
});

on("pointermove", ({ pointerId, clientX, clientY }) => {
  if (!press || press.event.pointerId !== pointerId) return;
  press.strayed ||= Math.hypot(clientX - press.event.clientX, clientY - press.event.clientY) > STRAY_PX;
});

on("pointerup", (event) => {
  const own = press;
  if (own?.event.pointerId !== event.pointerId) return;
  const isMouse = event.pointerType === "mouse";
  // A mouse click comes in the same task, unless the innermost element is gone.
  const finish = () => {
    const isLost = isMouse && own === press && !own.clicked && !own.refused && !own.strayed;
    if (isLost && own.control.isConnected) {
      own.clicked = true;
      give(own.control, event);
    }
    end(own);
  };
  setTimeout(finish, isMouse ? 0 : CLICK_MS);
});

on("click", (event) => {
  const own = press;
  if (!own || own.clicked || !event.isTrusted || !event.detail) return;
  own.clicked = true;
  setTimeout(end, 0, own); // handlers, and the browser's default actions, come first
  const { control, refused, strayed } = own;
  if (!refused && (strayed || !control.isConnected || control.contains(/** @type {Node} */ (event.target)))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!refused) give(control, event);
});

on("keydown", (event) => {
  if (event.key !== " ") opened = null;
  else if (!event.repeat) keyed = controlOf(event);
});

on("keyup", ({ key }) => {
  if (key === " ") setTimeout(releaseKey);
});

on("blur", ({ target }) => {
  if (target === opened) opened = null;
  if (target !== window) return;
  end(press);
  releaseKey();
});

on("pointercancel", () => end(press));
on("contextmenu", () => end(press));
on("change", () => (opened = null));

function releaseKey() {
  keyed = null;
  flush();
}
