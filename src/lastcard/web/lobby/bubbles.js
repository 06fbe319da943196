/** Bubbles: a message appears briefly at its sender's seat; a thrown reaction flies to another seat. */

import { h } from "../ui/dom.js";
import { isQuiet } from "../motion/motion.js";

/** @import {Session} from "../net/session.js" */
/** @import {Note} from "../net/protocol.js" */

const BUBBLE_MS = 4000;
const THROW_MS = 620;

export class Bubbles {
  /** The bubble of each person. @type {Map<string, HTMLElement>} */
  #shown = new Map();
  #session;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  /** Shows a note at the sender's seat, or at the target's. @param {Note} note @param {string | SVGElement} content */
  show({ player, at }, content) {
    const isText = typeof content === "string";
    const inside = isText ? h("span", { class: "bubble-words" }, content) : content;
    const bubble = h("div", { class: `bubble raised ${isText ? "" : "pictured"}`, "aria-hidden": "true" }, inside);
    this.#shown.get(player)?.remove();
    this.#shown.set(player, bubble);
    document.body.append(bubble);
    const seat = this.#session.table?.seats.findIndex((info) => info?.player === player) ?? -1;
    const target = at == null ? null : faceAt(at);
    const own = seat < 0 ? watcherAt(player) : seatAt(seat);
    if (target) throwTo(bubble, (seat < 0 ? own : faceAt(seat)) ?? underBar(), target);
    else place(bubble, own ?? underBar());
    // A change of page removes the bubble.
    const left = new MutationObserver(() => bubble.remove());
    left.observe(/** @type {HTMLElement} */ (document.querySelector("main")), { childList: true });
    setTimeout(() => (bubble.remove(), left.disconnect()), BUBBLE_MS);
  }
}

/** Returns the face of a person who watches, at the edge of the table. @param {string} player */
const watcherAt = (player) => boxOf(document.querySelector(`.stage .watchers [data-player="${CSS.escape(player)}"]`));

/** Returns a place under the bar, for hidden seats and people who have no face at the table. */
const underBar = () => new DOMRect(innerWidth / 2, 48, 0, 0);

/** @param {Element | null | undefined} element @returns {DOMRect | null} null if it is not visible */
function boxOf(element) {
  const box = element?.getBoundingClientRect();
  return box?.width ? box : null;
}

/** @param {number} seat */
const elementAt = (seat) => document.querySelector(`.stage [data-seat="${seat}"]`);

/** @param {number} seat */
const seatAt = (seat) => boxOf(elementAt(seat));

/** @param {number} seat */
const faceAt = (seat) => boxOf(elementAt(seat)?.querySelector(".avatar")) ?? seatAt(seat);

/** Places a bubble beneath its seat, inside the window. @param {HTMLElement} bubble @param {DOMRect} at */
function place(bubble, at) {
  const { width, height } = bubble.getBoundingClientRect();
  const left = Math.max(8, Math.min(innerWidth - width - 8, at.left + at.width / 2 - width / 2));
  const top = at.bottom + height > innerHeight * 0.75 ? at.top - height : at.bottom - 6;
  bubble.style.setProperty("left", `${left}px`);
  bubble.style.setProperty("top", `${Math.max(8, top)}px`);
}

/**
 * Animates a reaction in an arch from one avatar to the rim of another, where it bounces.
 * @param {HTMLElement} bubble @param {DOMRect} from @param {DOMRect} to
 */
function throwTo(bubble, from, to) {
  const { width, height } = bubble.getBoundingClientRect();
  const left = Math.max(8, Math.min(innerWidth - width - 8, to.left + to.width / 2 - width / 2));
  const top = Math.max(8, to.bottom - height * 0.4);
  bubble.style.setProperty("left", `${left}px`);
  bubble.style.setProperty("top", `${top}px`);
  bubble.classList.add("thrown");
  if (isQuiet()) return;
  const x = from.left + from.width / 2 - left - width / 2;
  const y = from.top + from.height / 2 - top - height / 2;
  const rise = Math.min(90, Math.hypot(x, y) / 3);
  const transform = [
    `translate(${x}px, ${y}px) scale(0.5)`,
    `translate(${x / 2}px, ${y / 2 - rise}px) scale(1.3) rotate(200deg)`,
    "rotate(360deg) scale(1.25, 0.7)",
    "rotate(360deg)",
  ];
  bubble.animate({ transform, offset: [0, 0.45, 0.85, 1], easing: "ease-in-out" }, THROW_MS);
}
