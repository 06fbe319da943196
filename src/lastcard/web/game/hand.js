/** One's own hand: sorted, overlapping, in one row or two, with one tab stop and arrow keys. */

import { h } from "../ui/dom.js";
import { t } from "../ui/words.js";
import { cardFace } from "../cards/art.js";
import { cardName, sortCards } from "../cards/cards.js";

/** @import {View} from "../cards/view.js" */

/** What must be seen of a card at least, for a finger. */
const STEP = 44;

/**
 * Each card with a key of its own: the second `W` is another card than the first.
 * @param {readonly string[]} hand
 * @returns {[string, string][]} key and card
 */
function keyed(hand) {
  /** @type {Record<string, number>} */
  const seen = {};
  return sortCards(hand).map((card) => {
    seen[card] = (seen[card] ?? 0) + 1;
    return [`${card} ${seen[card]}`, card];
  });
}

export class Hand {
  element = h("div", { class: "hand", role: "group", onkeydown: (/** @type {KeyboardEvent} */ e) => this.#key(e) });
  /** @type {Map<string, HTMLButtonElement>} */
  #cards = new Map();
  #active = 0;
  #columns = 1;
  #tap;

  /** @param {(card: string, keyboard: boolean) => void} tap */
  constructor(tap) {
    this.#tap = tap;
    // In the next frame: what is measured changes the height again.
    new ResizeObserver(() => requestAnimationFrame(() => this.#measure())).observe(this.element);
  }

  /**
   * @param {View} view
   * @param {string | null} picked the card for which a color or player is being named
   */
  update(view, picked) {
    const hand = view.hand ?? [];
    this.element.hidden = view.hand === null;
    this.element.setAttribute("aria-label", t("web.game.hand", { n: hand.length }));
    const focused = this.element.contains(document.activeElement);
    const cards = keyed(hand);
    const known = this.#cards;
    this.#cards = new Map(cards.map(([key, card]) => [key, known.get(key) ?? this.#make(card, view.kind)]));
    for (const [key, button] of known) if (!this.#cards.has(key)) button.remove();
    this.#buttons.forEach((button, i) => {
      if (this.element.children[i] !== button) this.element.insertBefore(button, this.element.children[i] ?? null);
    });
    const jump = !view.turn;
    for (const [key, card] of cards) {
      const button = this.#cards.get(key);
      if (button) this.#mark(button, card, view, picked, jump);
    }
    this.element.classList.toggle("choosing", view.cards.size > 0);
    this.#setActive(this.#active);
    this.#measure();
    if (focused && !this.element.contains(document.activeElement)) this.focus();
  }

  /** Every card's button, as they lie. */
  get #buttons() {
    return [...this.#cards.values()];
  }

  /**
   * @param {string} card
   * @param {string} game
   */
  #make(card, game) {
    const face = h("span", { class: "face" }, cardFace(card, { game }));
    /** @type {HTMLButtonElement} */
    const button = h(
      "button",
      {
        type: "button",
        class: "hand-card",
        data: { card },
        // A click by keyboard has no count of clicks.
        onclick: (/** @type {MouseEvent} */ event) => this.#tap(card, event.detail === 0),
        onfocus: () => this.#setActive(this.#buttons.indexOf(button)),
      },
      face,
    );
    return button;
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {string} card
   * @param {View} view
   * @param {string | null} picked
   * @param {boolean} jump
   */
  #mark(button, card, view, picked, jump) {
    const can = view.cards.has(card);
    const drawn = view.turn && view.game.mine?.drawn === card;
    button.classList.toggle("can", can);
    button.classList.toggle("picked", card === picked);
    const word = can && jump ? t("web.game.jump_in") : drawn ? t("web.game.drawn") : "";
    button.firstElementChild?.setAttribute("data-word", word);
    button.classList.toggle("told", word !== "");
    const name = cardName(card, view.kind);
    const state = view.choices.length === 0 ? "" : can ? t("web.game.can_play") : t("web.game.cannot_play");
    button.setAttribute("aria-label", [name, word || state].filter(Boolean).join(", "));
  }

  /** Put the focus on the card that has the tab stop. */
  focus() {
    this.#buttons[Math.min(this.#active, this.#cards.size - 1)]?.focus();
  }

  /**
   * The button of a card, the first of several.
   * @param {string} card
   */
  find(card) {
    return this.#cards.get(`${card} 1`) ?? null;
  }

  /** Where cards fly to and from: the middle one. */
  get landing() {
    return this.#buttons[this.#cards.size >> 1]?.firstElementChild ?? this.element;
  }

  /** @param {number} index */
  #setActive(index) {
    this.#active = Math.max(0, Math.min(index, this.#cards.size - 1));
    this.#buttons.forEach((button, i) => (button.tabIndex = i === this.#active ? 0 : -1));
  }

  /** One row while every card shows enough of itself, else two; the rest is scrolling. */
  #measure() {
    const width = this.element.clientWidth;
    if (!width) return;
    const n = this.#cards.size;
    const style = getComputedStyle(this.element);
    const card = parseFloat(style.getPropertyValue("--hand-card")) || STEP;
    const fits = Math.floor((width - 24 - card) / STEP) + 1;
    const rows = n > fits && style.getPropertyValue("--hand-rows").trim() !== "1" ? 2 : 1;
    this.#columns = Math.ceil(n / rows);
    this.element.dataset.rows = String(rows);
    this.element.style.setProperty("--columns", String(Math.max(1, this.#columns)));
    // Many cards lie flatter than few; a hand that scrolls lies straight.
    const fan = rows === 1 && n <= fits ? Math.min(1, 5 / n) : 0;
    this.#buttons.forEach((button, i) => {
      button.style.setProperty("--from-middle", String((i - (n - 1) / 2) * fan));
    });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.#columns, ArrowDown: this.#columns };
    const last = this.#cards.size - 1;
    const target = event.key === "Home" ? 0 : event.key === "End" ? last : this.#active + steps[event.key];
    if (Number.isNaN(target) || target < 0 || target > last) return;
    event.preventDefault();
    event.stopPropagation();
    this.#setActive(target);
    this.focus();
  }
}
