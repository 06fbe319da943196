/**
 * Cooldown of controls: one that has just appeared or moved was not there when the person decided to press, and one at the place
 * of the last press would take the second half of a double click. Such a control has `data-cooldown`, and no pointer reaches it.
 * Controls with `data-quick` have no cooldown.
 */

/** How long a control that has appeared or moved ignores presses: no person sees it and presses it sooner. */
const FRESH_MS = 300;
/** How long after a press another one at the same place belongs to it. */
export const DOUBLE_MS = 500;
/** How far the second half of a double click may be from the first, in CSS pixels. */
const DOUBLE_PX = 24;
/** How far a control may move and still count as in place, in CSS pixels; a larger one half of its size. */
const SAME_PLACE_PX = 16;
/** The pressable elements. */
export const CONTROLS = "button, a[href], label, summary, [role=button]";

/** @typedef {{label: string, x: number, y: number}} Place a control's box in the window, in CSS pixels */

/** The places of controls when last recorded. @type {Map<Element, Place>} */
let places = new Map();
/** The end of each control's cooldown, by `performance.now()`. @type {Map<Element, number>} */
const cooldowns = new Map();
/** The last press that counted. @type {PointerEvent | null} */
let last = null;
/** Whether there has been any press: before that none can be a mistake. */
let isUsed = false;
let isChanged = false;
/** Whether a pointer is down: its press goes first. */
let isDown = false;
/** Whether there was a scroll or a resize, after which nothing counts as new. */
let isShifted = false;

/** Whether a control ignores presses now. @param {Element} control */
export function isCoolingDown(control) {
  if (isChanged && !isAt(places.get(control), control.getBoundingClientRect())) record();
  return (cooldowns.get(control) ?? 0) > performance.now();
}

/**
 * Whether a control is reached only because the one above it is cooling down, as among the cards of a hand.
 * @param {Element} control @param {{clientX: number, clientY: number}} at
 */
export function isBelowCooling(control, { clientX: x, clientY: y }) {
  return [...(control.parentElement?.children ?? [])].some((other) => {
    if (!cooldowns.has(other)) return false;
    const { left, right, top, bottom } = other.getBoundingClientRect();
    return left < x && x < right && top < y && y < bottom;
  });
}

/** Counts a press. @param {PointerEvent} event the event that began it */
export function count(event) {
  last = event;
}

/** Whether a press is the second half of a double click. @param {PointerEvent} event the event that began it */
export function isDouble({ pointerType, timeStamp, clientX, clientY }) {
  if (last?.pointerType !== pointerType || timeStamp - last.timeStamp >= DOUBLE_MS) return false;
  return Math.hypot(clientX - last.clientX, clientY - last.clientY) < DOUBLE_PX;
}

/**
 * Starts the cooldown after a press: neither the control nor anything now at its place, such as below a closed dialog, takes the
 * second half of a double click.
 * @param {Element} control
 */
export function coolDownAfterPress(control) {
  startCooldown(control, DOUBLE_MS);
  for (const other of places.keys()) {
    const box = other.getBoundingClientRect();
    if (box.width && isAtLastPress(box)) startCooldown(other, cooldownMs(box));
  }
}

/** @param {Element} control @param {number} ms */
function startCooldown(control, ms) {
  if (control.closest("[data-quick]")) return;
  cooldowns.set(control, Math.max(cooldowns.get(control) ?? 0, performance.now() + ms));
  control.setAttribute("data-cooldown", "");
  setTimeout(() => {
    if ((cooldowns.get(control) ?? 0) > performance.now()) return;
    cooldowns.delete(control);
    control.removeAttribute("data-cooldown");
  }, ms + 1);
}

/** Records the places of controls, and starts the cooldown of new or moved ones. */
function record() {
  const before = places;
  const gone = [...before].filter(([control]) => !control.isConnected).map(([, place]) => place);
  places = new Map();
  /** New controls and their cooldowns. @type {[Element, number][]} */
  const fresh = [];
  for (const control of document.querySelectorAll(CONTROLS)) {
    const box = control.getBoundingClientRect();
    if (!box.width) continue;
    const own = before.get(control);
    const label = own?.label ?? `${control.textContent} ${control.getAttribute("aria-label")}`;
    places.set(control, { label, x: box.x, y: box.y });
    // A recreated control counts as the one that it replaces.
    const isHere = own ? isAt(own, box) : gone.some((place) => place.label === label && isAt(place, box));
    if (!isHere) fresh.push([control, cooldownMs(box)]);
  }
  isChanged = isShifted = false;
  if (isUsed) for (const [control, ms] of fresh) startCooldown(control, ms);
}

/** Whether a control is still in its place. @param {Place | undefined} place @param {DOMRect} box */
function isAt(place, { x, y, width, height }) {
  const [across, down] = [width, height].map((size) => Math.max(SAME_PLACE_PX, size / 2));
  return place && (isShifted || (Math.abs(x - place.x) < across && Math.abs(y - place.y) < down));
}

/** Returns the cooldown of a new control. @param {DOMRect} box @returns {number} in milliseconds */
const cooldownMs = (box) =>
  last && isAtLastPress(box) ? Math.max(FRESH_MS, last.timeStamp + DOUBLE_MS - performance.now()) : FRESH_MS;

/** @param {DOMRect} box */
function isAtLastPress({ left, right, top, bottom }) {
  const { clientX: x = NaN, clientY: y = NaN } = last ?? {};
  return left - DOUBLE_PX < x && x < right + DOUBLE_PX && top - DOUBLE_PX < y && y < bottom + DOUBLE_PX;
}

/** Runs once a frame, after all writes; after a press it records the changes made within it. */
function change() {
  if (isChanged) return;
  isChanged = true;
  plan();
}

const plan = () => requestAnimationFrame(() => setTimeout(() => isChanged && !isDown && record()));

function shift() {
  isShifted = true;
  change();
}

const parts = { childList: true, subtree: true, attributeFilter: ["class", "hidden", "open"] };
new MutationObserver(change).observe(document, parts);
addEventListener("scroll", shift, { capture: true, passive: true });
addEventListener("resize", shift);
for (const input of ["pointerdown", "pointerup", "pointercancel", "keydown"])
  addEventListener(
    input,
    () => {
      isUsed = true;
      isDown = input === "pointerdown";
      if (isChanged && !isDown) plan();
    },
    { capture: true, passive: true },
  );
