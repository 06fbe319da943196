/** The middle of the table: draw pile, discard pile, current color, direction of play, pending cards. */

import { h, svg } from "../ui/dom.js";
import { t } from "../ui/texts.js";
import { cardBack, cardFace, colorSymbol } from "../cards/art.js";
import { cardName, colorName } from "../cards/cards.js";
import { isSupplyExhausted, moveOf } from "../cards/view.js";
import { markHint } from "./hand.js";

/** @import {View} from "../cards/view.js" */
/** @import {Mark} from "./advice.js" */

const ARROWS = 10;

/** Returns the angle of a discard: always the same for the same index in the pile. @param {number} index */
const askew = (index) => ((index * 47) % 23) - 11;

export class Pile {
  #count = h("span", { class: "pile-count" });
  #drawWord = h("span", { class: "pile-word optional" });
  ring = directionRing();
  currentColor = h("div", { class: "current-color lit" });
  #pending = h("div", { class: "pending" });
  /** @type {Map<string, HTMLElement>} */
  #cards = new Map();

  /** @param {{draw: () => void, describe: () => void, down: () => void}} on `down`: focuses the hand */
  constructor({ draw, describe, down }) {
    this.draw = h(
      "button",
      { type: "button", class: "bare draw-pile", onclick: draw },
      h("span", { class: "stack" }, cardBack()),
      this.#count,
      this.#drawWord,
    );
    this.discard = h("button", {
      type: "button",
      class: "bare discard-pile",
      onclick: describe,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        down();
      },
    });
    this.element = h(
      "div",
      { class: "middle" },
      this.ring,
      h("div", { class: "piles" }, this.draw, h("div", { class: "laid" }, this.discard, this.currentColor)),
      this.#pending,
    );
  }

  /** @param {View} view @param {Mark} [hint] for drawing */
  update(view, hint) {
    const { shown } = view;
    markHint(this.draw, hint);
    this.#showDraw(view);
    this.#showDiscard(view);
    this.element.dataset.color = shown.color ?? "";
    this.currentColor.hidden = shown.color === null;
    if (shown.color && this.currentColor.dataset.color !== shown.color) {
      this.currentColor.dataset.color = shown.color;
      this.currentColor.replaceChildren(colorSymbol(shown.color));
    }
    this.ring.style.setProperty("--dir", String(shown.direction));
    this.ring.setAttribute("aria-label", shown.direction === 1 ? t("web.game.clockwise") : t("web.game.counter"));
    this.#pending.hidden = shown.pending === 0;
    this.#pending.textContent = `+${shown.pending}`;
    this.#pending.setAttribute("aria-label", t("web.game.pending", { n: shown.pending }));
  }

  /** @param {View} view */
  #showDraw(view) {
    const can = moveOf(view, "draw") !== null;
    const only = can && view.cards.size === 0;
    const word = can && isSupplyExhausted(view) ? t("web.game.pass") : t("web.game.draw");
    this.#count.textContent = String(view.shown.draw_count);
    this.#drawWord.textContent = can ? word : "";
    this.draw.classList.toggle("can", can);
    this.draw.classList.toggle("only", only);
    this.draw.classList.toggle("empty", view.shown.draw_count === 0);
    const label = t("web.game.draw_pile", { n: view.shown.draw_count });
    this.draw.setAttribute("aria-label", can ? `${word}. ${label}` : label);
  }

  /** @param {View} view */
  #showDiscard(view) {
    const { pile, discard_count: count, top, color } = view.shown;
    const first = count - pile.length;
    const keyed = pile.map((card, i) => /** @type {const} */ ([`${first + i} ${card}`, first + i, card]));
    this.#cards = new Map(
      keyed.map(([key, index, card]) => [key, this.#cards.get(key) ?? laidCard(card, index, view.kind)]),
    );
    const cards = [...this.#cards.values()];
    if (cards.length !== this.discard.children.length || cards.some((card, i) => this.discard.children[i] !== card)) {
      this.discard.replaceChildren(...cards);
    }
    this.discard.dataset.card = top;
    const name = t("web.game.top", { card: cardName(top, view.kind) });
    this.discard.setAttribute("aria-label", color ? `${name} ${t("web.game.color", { color: colorName(color) })}` : name);
  }
}

/** @param {string} card @param {number} index @param {string} game */
const laidCard = (card, index, game) =>
  h("span", { class: "laid-card", data: { card }, style: { "--askew": `${askew(index)}deg` } }, cardFace(card, { game }));

/** Returns arrows around the piles that turn in the direction of play. */
function directionRing() {
  const arrows = Array.from({ length: ARROWS }, (_, i) => {
    const angle = (2 * Math.PI * i) / ARROWS;
    const [x, y] = [150 + 138 * Math.cos(angle), 100 + 88 * Math.sin(angle)];
    const turn = (Math.atan2(88 * Math.cos(angle), -138 * Math.sin(angle)) * 180) / Math.PI;
    const arrow = svg("path", { class: "arrow", d: "M-5 -9L7 0L-5 9", style: { "--i": i } });
    return svg("g", { transform: `translate(${x} ${y}) rotate(${turn})` }, arrow);
  });
  const track = svg("ellipse", { class: "track", cx: 150, cy: 100, rx: 138, ry: 88 });
  return svg("svg", { class: "ring", viewBox: "0 0 300 200", preserveAspectRatio: "none", role: "img" }, track, arrows);
}
