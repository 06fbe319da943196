/** Long presses and right clicks on a card, which open its description. */

/** The least duration of a long press, in milliseconds, and the most movement in it, in CSS pixels. */
const LONG_MS = 450;
const STRAY_PX = 10;
/** How long after a long press its click may follow. */
const CLICK_MS = 400;

/**
 * Calls `describe` after a long press or right click.
 * @param {HTMLElement} table
 * @param {(at: Element) => boolean} describe returns whether there is a card
 */
export function onLongPress(table, describe) {
  /** @param {Event} event */
  const ask = (event) => {
    if (describe(/** @type {Element} */ (event.target))) event.preventDefault();
  };
  table.addEventListener("contextmenu", ask);
  table.addEventListener("pointerdown", (press) => {
    if (press.pointerType === "mouse" || !press.isPrimary) return;
    const over = new AbortController();
    const { signal } = over;
    const end = () => {
      clearTimeout(timer);
      over.abort();
    };
    const timer = setTimeout(() => {
      end();
      ask(press);
      if (press.defaultPrevented) swallowClick();
    }, LONG_MS);
    addEventListener("pointerup", end, { signal });
    addEventListener("pointercancel", end, { signal });
    const stray = (/** @type {PointerEvent} */ { clientX, clientY }) => {
      if (Math.hypot(clientX - press.clientX, clientY - press.clientY) > STRAY_PX) end();
    };
    addEventListener("pointermove", stray, { signal });
  });
}

/** Ignores the click at the end of a long press, so that it plays no card. */
function swallowClick() {
  const swallow = (/** @type {Event} */ event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener("click", swallow, { capture: true, once: true });
  const released = () => setTimeout(() => removeEventListener("click", swallow, { capture: true }), CLICK_MS);
  addEventListener("pointerup", released, { once: true });
  addEventListener("pointercancel", released, { once: true });
}
