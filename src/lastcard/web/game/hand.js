/** The viewer's hand: sorted, overlapping, in as many rows as fit, with one tab stop and arrow keys. */

import { h } from "../ui/dom.js";
import { putInOrder } from "../ui/presses.js";
import { t } from "../ui/texts.js";
import { cardFace } from "../cards/art.js";
import { cardName, plateOf, sortCards } from "../cards/cards.js";
import { isNew } from "../guide/quick.js";

/** @import {View} from "../cards/view.js" */
/** @import {Mark} from "./advice.js" */

/** The least visible width of a card where a hand scrolls, and where all cards have to fit, in CSS pixels. */
const VISIBLE_PX = 44;
const LEAST_VISIBLE_PX = 22;
/** The part of a card's width that shows the sign in its corner, and the part that shows its name too. */
const SIGN_SHARE = 0.62;
const NAME_SHARE = 0.8;
/** The most rows while every card shows its least width in them. */
const FEW_ROWS = 2;
/** The space beside, above and below the cards. */
const MARGIN_PX = 24;
const MARGIN_BLOCK_PX = 32;
/** The width of the ring around a playable card. */
const RING_PX = 3;
/** The width of the button that scrolls to hidden cards. */
const MORE_BUTTON_PX = 52;
/** The most cards held in a fan. */
const MAX_FANNED_CARDS = 14;

/**
 * Returns each card with its own key: the second `W` is another card than the first.
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

/** Shows a hint's chance on an element, or none. @param {HTMLElement} element @param {Mark} [hint] */
export function markHint(element, hint) {
  if (hint) element.dataset.hint = hint.chance;
  else delete element.dataset.hint;
  element.classList.toggle("best", hint?.best ?? false);
}

export class Hand {
  element = h("div", { class: "hand", role: "group", onkeydown: (/** @type {KeyboardEvent} */ e) => this.#key(e) });
  /** Scrolls to the hidden cards and back. */
  more = h("button", { type: "button", class: "more-cards", hidden: true, data: { quick: "" }, onclick: () => this.#turn() });
  /** @type {Map<string, HTMLButtonElement>} */
  #cards = new Map();
  #active = 0;
  #columns = 1;
  #rows = 1;
  /** The number of hidden cards. */
  #hidden = 0;
  #table;

  /**
   * @param {{tap: (card: string, keyboard: boolean) => void, up: () => void, maxHeight: () => number}} table
   *   `up`: focuses the piles; `maxHeight`: the maximal height of the hand, in CSS pixels
   */
  constructor(table) {
    this.#table = table;
    this.element.addEventListener("scroll", () => this.#showMore());
  }

  /**
   * Updates the cards in the current rows; `arrange` computes the number of rows.
   * @param {View} view
   * @param {string | null} picked the card for which the viewer is naming a color or player
   * @param {ReadonlyMap<string, Mark>} marks the hints by move
   */
  update(view, picked, marks) {
    const hand = view.hand ?? [];
    this.element.hidden = view.hand === null;
    this.element.setAttribute("aria-label", t("web.game.hand", { n: hand.length }));
    const focused = this.element.contains(document.activeElement);
    const cards = keyed(hand);
    const known = this.#cards;
    this.#cards = new Map(cards.map(([key, card]) => [key, known.get(key) ?? this.#make(card, view.kind)]));
    const jump = !view.turn;
    // Of equal cards, the last one.
    const drawn = cards.filter(([, card]) => view.turn && card === view.game.mine?.drawn).at(-1)?.[0];
    for (const [key, card] of cards) {
      const button = this.#cards.get(key);
      if (!button) continue;
      const found = (view.cards.get(card) ?? []).map(({ text }) => marks.get(text)).filter((mark) => mark !== undefined);
      const hint = found.find(({ best }) => best) ?? found[0];
      markHint(button, hint);
      this.#mark(button, card, view, { picked, jump, hint, drawn: key === drawn });
    }
    this.element.classList.toggle("choosing", view.cards.size > 0);
    this.#lay();
    if (focused && !this.element.contains(document.activeElement)) this.focus();
  }

  /** Every card's button, in order: sorted; if some are hidden, playable cards come first. */
  get #buttons() {
    const buttons = [...this.#cards.values()];
    if (!this.#hidden) return buttons;
    const can = (/** @type {Element} */ button) => Number(!button.classList.contains("can"));
    return buttons.sort((a, b) => can(a) - can(b));
  }

  /** @param {string} card @param {string} game */
  #make(card, game) {
    const plate = isNew(game) ? plateOf(card, game) : "";
    const face = h("span", { class: "face", data: { plate } }, cardFace(card, { game }));
    /** @type {HTMLButtonElement} */
    const button = h(
      "button",
      {
        type: "button",
        class: "bare hand-card",
        data: { card },
        // A click by keyboard has no click count.
        onclick: (/** @type {MouseEvent} */ event) => this.#table.tap(card, event.detail === 0),
        onfocus: () => this.#setActive(this.#buttons.indexOf(button)),
      },
      face,
    );
    return button;
  }

  /**
   * @param {HTMLButtonElement} button @param {string} card @param {View} view
   * @param {{picked: string | null, jump: boolean, drawn: boolean, hint?: Mark}} how
   */
  #mark(button, card, view, { picked, jump, drawn, hint }) {
    const can = view.cards.has(card);
    button.classList.toggle("can", can);
    button.classList.toggle("picked", card === picked);
    const word = can && jump ? t("web.game.jump_in") : drawn ? t("web.game.drawn") : "";
    button.firstElementChild?.setAttribute("data-word", word);
    button.classList.toggle("has-note", word !== "");
    const name = cardName(card, view.kind);
    const state = view.choices.length === 0 ? "" : can ? t("web.game.can_play") : t("web.game.cannot_play");
    button.setAttribute("aria-label", [name, word || state, hint?.chance].filter(Boolean).join(", "));
  }

  /** Focuses the card that has the tab stop. */
  focus() {
    this.#buttons[Math.min(this.#active, this.#cards.size - 1)]?.focus();
  }

  /** Returns the button of a card, the first of several. @param {string} card */
  find(card) {
    return this.#cards.get(`${card} 1`) ?? null;
  }

  /**
   * Returns the newest of equal cards.
   * @param {string} card
   * @param {number} later the number of equal cards that came after it
   */
  newest(card, later) {
    let n = 0;
    while (this.#cards.has(`${card} ${n + 1}`)) n += 1;
    return this.#cards.get(`${card} ${n - later}`) ?? null;
  }

  /** Returns the middle card, from and to which cards fly. */
  get landing() {
    return this.#buttons[this.#cards.size >> 1]?.firstElementChild ?? this.element;
  }

  /** @param {number} index */
  #setActive(index) {
    this.#active = Math.max(0, Math.min(index, this.#cards.size - 1));
    this.#buttons.forEach((button, i) => (button.tabIndex = i === this.#active ? 0 : -1));
  }

  /** Arranges as many rows as are needed and fit; the rest is hidden to the right. */
  arrange() {
    const width = this.element.clientWidth + (this.more.hidden ? 0 : MORE_BUTTON_PX);
    const face = /** @type {HTMLElement | null | undefined} */ (this.#cards.values().next().value?.firstElementChild);
    const card = face?.clientWidth;
    if (!width || !card) return this.#lay();
    const n = this.#cards.size;
    const low = Math.max(VISIBLE_PX, Math.round(card * 0.8));
    const height = this.#table.maxHeight() - MARGIN_BLOCK_PX - card * 1.5;
    const most = Math.max(1, 1 + Math.floor(height / low));
    const few = Math.min(most, FEW_ROWS);
    /** @param {number} free @param {number} seen the visible width of each @returns {number} the number of cards side by side */
    const fit = (free, seen) => Math.max(1, Math.floor((free - MARGIN_PX - card) / seen) + 1);
    const wanted = card * (face.dataset.plate ? NAME_SHARE : SIGN_SHARE);
    const dense = fit(width, LEAST_VISIBLE_PX);
    const full = n > dense * most;
    const rows = Math.min(Math.ceil(n / fit(width, wanted)), Math.max(few, Math.ceil(n / dense)));
    const shown = full ? fit(width - MORE_BUTTON_PX, VISIBLE_PX) : Math.ceil(n / rows);
    this.#rows = full ? most : Math.ceil(n / shown);
    this.#columns = Math.ceil(n / this.#rows);
    this.#hidden = full ? n - shown * most : 0;
    const free = width - MARGIN_PX - card - (full ? MORE_BUTTON_PX : 0);
    const least = full ? VISIBLE_PX : LEAST_VISIBLE_PX;
    const step = Math.max(least, Math.min(card + 6, Math.floor(free / Math.max(1, shown - 1))));
    const row = this.#rows === 1 ? low : Math.max(low, Math.min(this.#lowestName(), Math.floor(height / (this.#rows - 1))));
    const style = { "--columns": this.#columns, "--rows": this.#rows, "--row": `${row}px`, "--step": `${step}px` };
    for (const [name, value] of Object.entries(style)) this.element.style.setProperty(name, String(value));
    this.element.classList.toggle("rows", this.#rows > 1);
    this.element.classList.toggle("full", full);
    this.#lay();
  }

  /** Returns where the lowest name on a card ends, in CSS pixels: in some languages a name takes two lines. */
  #lowestName() {
    const ends = this.#buttons.map(({ firstElementChild: face }) => {
      if (!face?.getAttribute("data-plate")) return 0;
      const { top, height } = getComputedStyle(face, "::before");
      return Math.ceil(parseFloat(top) + parseFloat(height)) + RING_PX;
    });
    return Math.max(0, ...ends);
  }

  /** Puts every card in its place. */
  #lay() {
    const n = this.#cards.size;
    // Many cards form a flatter fan than few; very many, and several rows, form straight lines.
    const fan = n <= MAX_FANNED_CARDS && this.#rows === 1 && !this.#hidden ? Math.min(1, 5 / n) : 0;
    const held = this.#buttons.find((button) => button === document.activeElement);
    putInOrder(this.element, this.#buttons);
    this.#buttons.forEach((button, i) => {
      button.style.setProperty("--from-middle", String((i - (n - 1) / 2) * fan));
      button.style.setProperty("--level", String(this.#hidden ? i % this.#rows : Math.floor(i / this.#columns)));
    });
    // Moving a card in the document loses the focus.
    if (held && held !== document.activeElement) held.focus({ preventScroll: true });
    this.#setActive(this.#active);
    this.#showMore();
  }

  #showMore() {
    this.more.hidden = !this.#hidden || this.element.hidden;
    if (this.more.hidden) return;
    this.more.textContent = this.#isEndVisible ? `‹ ${this.#hidden}` : `${this.#hidden} ›`;
    this.more.setAttribute("aria-label", t("web.game.more_cards", { n: this.#hidden }));
  }

  /** Whether the end of the hand is visible. */
  get #isEndVisible() {
    const { scrollLeft, scrollWidth, clientWidth } = this.element;
    return scrollLeft > (scrollWidth - clientWidth) / 2;
  }

  /** Shows the hidden cards. */
  #turn() {
    this.element.scrollTo({ left: this.#isEndVisible ? 0 : this.element.scrollWidth });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const [across, down] = this.#hidden ? [this.#rows, 1] : [1, this.#columns];
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -across, ArrowRight: across, ArrowUp: -down, ArrowDown: down };
    const last = this.#cards.size - 1;
    const target = event.key === "Home" ? 0 : event.key === "End" ? last : this.#active + steps[event.key];
    const leaves = event.key === "ArrowUp" && target < 0;
    if (Number.isNaN(target) || (target < 0 && !leaves) || target > last) return;
    event.preventDefault();
    event.stopPropagation();
    if (leaves) return this.#table.up();
    this.#setActive(target);
    this.focus();
  }
}
