/**
 * Controls that take no press for a moment: one that has just appeared or moved was not there when the person decided to
 * press, and one at the place of the last press would take the second half of a double click. They have `data-cooldown`, with
 * which no pointer reaches them. Those that have `data-quick` never rest.
 */

/** How long a control that has appeared or moved takes no press: nobody sees it and presses it sooner. */
const FRESH_MS = 300;
/** How long after a press another one at the same place belongs to it. */
export const DOUBLE_MS = 500;
/** How far the second half of a double click may be from the first, in CSS pixels. */
const DOUBLE_PX = 24;
/** How far a control may move and still be in its place, in CSS pixels; a larger one half of its size. */
const SAME_PLACE_PX = 16;
/** What is pressed. */
export const CONTROLS = "button, a[href], label, summary, [role=button]";

/** @typedef {{label: string, x: number, y: number}} Place of a control in the window, in CSS pixels */

/** Where controls were when that was last recorded. @type {Map<Element, Place>} */
let places = new Map();
/** Until when controls rest, by `performance.now()`. @type {Map<Element, number>} */
const cooldowns = new Map();
/** The last press that counted. @type {PointerEvent | null} */
let last = null;
/** Whether anybody has pressed anything: before that nothing can be pressed by mistake. */
let isUsed = false;
let isChanged = false;
/** Whether a pointer is down: its press goes first. */
let isDown = false;
/** Whether something was scrolled or got another size, which makes nothing new. */
let isShifted = false;

/**
 * Whether a control takes no press now.
 *
 * @param {Element} control
 */
export function isCoolingDown(control) {
  if (isChanged && !isAt(places.get(control), control.getBoundingClientRect())) record();
  return (cooldowns.get(control) ?? 0) > performance.now();
}

/**
 * Whether a control is only reached because the one that lies on it rests, as among the cards of a hand.
 *
 * @param {Element} control
 * @param {{clientX: number, clientY: number}} at
 */
export function isBelowCooling(control, { clientX: x, clientY: y }) {
  return [...(control.parentElement?.children ?? [])].some((other) => {
    if (!cooldowns.has(other)) return false;
    const { left, right, top, bottom } = other.getBoundingClientRect();
    return left < x && x < right && top < y && y < bottom;
  });
}

/**
 * A press counts.
 *
 * @param {PointerEvent} event that began it
 */
export function count(event) {
  last = event;
}

/**
 * Whether a press is the second half of a double click.
 *
 * @param {PointerEvent} event that began it
 */
export function isDouble({ pointerType, timeStamp, clientX, clientY }) {
  if (last?.pointerType !== pointerType || timeStamp - last.timeStamp >= DOUBLE_MS) return false;
  return Math.hypot(clientX - last.clientX, clientY - last.clientY) < DOUBLE_PX;
}

/**
 * A control has been pressed: neither it nor what is at its place now, such as below a dialog that it has closed, takes the
 * second half of a double click.
 *
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
  setTimeout(() => (cooldowns.get(control) ?? 0) <= performance.now() && endCooldown(control), ms + 1);
}

/** @param {Element} control */
function endCooldown(control) {
  cooldowns.delete(control);
  control.removeAttribute("data-cooldown");
}

/** Find out where controls are, and let those rest that have come to where they are. */
function record() {
  const before = places;
  const gone = [...before].filter(([control]) => !control.isConnected).map(([, place]) => place);
  places = new Map();
  /** Those that have come, and how long they rest. @type {[Element, number][]} */
  const fresh = [];
  for (const control of document.querySelectorAll(CONTROLS)) {
    const box = control.getBoundingClientRect();
    if (!box.width) continue;
    const own = before.get(control);
    const label = own?.label ?? `${control.textContent} ${control.getAttribute("aria-label")}`;
    places.set(control, { label, x: box.x, y: box.y });
    // A control that was made anew is the one that it replaces.
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

/** How long a control rests that has just come. @param {DOMRect} box @returns {number} in milliseconds */
const cooldownMs = (box) =>
  last && isAtLastPress(box) ? Math.max(FRESH_MS, last.timeStamp + DOUBLE_MS - performance.now()) : FRESH_MS;

/** @param {DOMRect} box */
function isAtLastPress({ left, right, top, bottom }) {
  const { clientX: x = NaN, clientY: y = NaN } = last ?? {};
  return left - DOUBLE_PX < x && x < right + DOUBLE_PX && top - DOUBLE_PX < y && y < bottom + DOUBLE_PX;
}

/** Once a frame, when everything is written; after a press what has changed within it. */
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
