/** A panel that a button opens beside the game, without stopping it. */

import { h, uniqueId } from "./dom.js";

/** The height in pixels that a window needs for a panel above the line. */
const FLAT_HEIGHT_PX = 480;

export class Popover {
  #button;
  #draw;
  #tall;
  #watch = new ResizeObserver(() => this.#fit());

  /**
   * @param {HTMLButtonElement} button
   * @param {string} classes the panel's classes
   * @param {string} label the panel's accessible name
   * @param {() => void} draw fills the panel when it opens
   * @param {boolean} [tall] whether it covers the hand on a flat screen, because nobody plays while it is open
   */
  constructor(button, classes, label, draw, tall = false) {
    this.#tall = tall;
    this.#button = button;
    this.#draw = draw;
    const id = uniqueId();
    const look = `popover raised scroller ${classes}`;
    const props = { class: look, id, tabindex: 0, role: "dialog", "aria-label": label, hidden: true };
    this.panel = /** @type {HTMLElement} */ (h("div", props));
    button.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-controls", id);
    button.addEventListener("click", () => (this.isOpen ? this.close() : this.open()));
    for (const part of [button, this.panel]) part.addEventListener("keydown", (event) => this.#escape(event));
  }

  get isOpen() {
    return !this.panel.hidden;
  }

  open() {
    if (this.isOpen) return;
    this.#draw();
    // The board resizes whenever the UNO button moves: a turned phone, another row of cards.
    for (const board of document.querySelectorAll(".board")) this.#watch.observe(board);
    this.panel.hidden = false;
    this.panel.scrollTop = 0; // it may have been scrolled last time
    this.#button.setAttribute("aria-expanded", "true");
    document.addEventListener("pointerdown", this.#outside);
    this.panel.focus();
  }

  close = () => {
    if (!this.isOpen) return;
    const inside = this.panel.contains(document.activeElement);
    this.panel.hidden = true;
    this.#watch.disconnect();
    this.#button.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", this.#outside);
    if (inside) this.#button.focus();
  };

  /** Leaves the controls of the game free: the panel ends above the line or, if that is too low, beside it. */
  #fit() {
    const [line, uno, hand] = [".line", ".uno-button", ".hand"].map((part) =>
      document.querySelector(part)?.getBoundingClientRect(),
    );
    if (!line || !uno || !hand) return;
    const isFlat = innerHeight < FLAT_HEIGHT_PX;
    const beneath = isFlat && this.#tall ? 0 : innerHeight - (isFlat ? hand.top : Math.min(line.top, uno.top));
    this.panel.style.setProperty("--beneath", `${beneath}px`);
    this.panel.style.setProperty("--beside", isFlat ? `${innerWidth - line.left}px` : "");
  }

  /** A touch elsewhere closes the panel and also has its own effect. */
  #outside = (/** @type {Event} */ event) => {
    const at = /** @type {Node} */ (event.target);
    if (!this.panel.contains(at) && !this.#button.contains(at)) this.close();
  };

  /** @param {KeyboardEvent} event */
  #escape(event) {
    if (event.key !== "Escape" || !this.isOpen) return;
    event.stopPropagation();
    this.close();
  }
}
