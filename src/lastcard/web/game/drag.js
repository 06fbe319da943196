/** Dragging a card onto the piles, as an alternative to a tap. */

import { h } from "../ui/dom.js";

/** How far a finger moves before it drags, in CSS pixels. */
const DRAG_START_PX = 10;

/**
 * Makes the cards of a hand draggable.
 * @param {{table: HTMLElement, hand: HTMLElement, piles: Element}} parts the layer for the picture, the
 *   source, and the target; any place in the middle counts, because a finger covers what is below it
 * @param {(card: string) => void} drop
 */
export function enableDrag({ table, hand, piles }, drop) {
  hand.addEventListener("pointerdown", (press) => {
    const button = /** @type {Element} */ (press.target).closest?.("[data-card]");
    const face = button?.firstElementChild;
    if (!(button instanceof HTMLElement) || !face || !press.isPrimary || press.button !== 0) return;
    const box = face.getBoundingClientRect();
    /** @type {HTMLElement | null} */
    let picture = null;
    let isNear = false;
    const over = new AbortController();
    const { signal } = over;

    const begin = () => {
      // The hand captures the pointer, so its release presses no card.
      hand.setPointerCapture(press.pointerId);
      picture = h("div", { class: "dragged", "aria-hidden": "true" }, face.cloneNode(true));
      table.append(picture);
      table.toggleAttribute("dragging", true);
      button.classList.add("away");
    };
    const end = () => {
      over.abort();
      picture?.remove();
      table.toggleAttribute("dragging", false);
      button.classList.remove("away");
    };
    /** Another finger may press UNO meanwhile. @param {(event: PointerEvent) => void} handle */
    const own = (handle) => (/** @type {PointerEvent} */ event) => event.pointerId === press.pointerId && handle(event);
    const move = (/** @type {PointerEvent} */ event) => {
      const [x, y] = [event.clientX - press.clientX, event.clientY - press.clientY];
      if (!picture && Math.hypot(x, y) < DRAG_START_PX) return;
      if (!picture) begin();
      const { left, right, top, bottom } = piles.getBoundingClientRect();
      isNear = event.clientX > left && event.clientX < right && event.clientY > top && event.clientY < bottom;
      picture?.classList.toggle("near", isNear);
      picture?.style.setProperty("transform", `translate(${box.left + x}px, ${box.top + y}px)`);
    };
    const release = () => {
      end();
      if (isNear) drop(button.dataset.card ?? "");
    };
    addEventListener("pointermove", own(move), { signal });
    addEventListener("pointerup", own(release), { signal });
    addEventListener("pointercancel", own(end), { signal });
  });
}
