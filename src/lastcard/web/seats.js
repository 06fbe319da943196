// The players round the table: face, name, number of cards, and what is going on with each.

import { avatar, cardFace } from "./art.js";
import { sortCards } from "./cards.js";
import { h, svg } from "./dom.js";
import { nameOf, sitter } from "./scene.js";
import { t } from "./words.js";

/** @import {Scene} from "./scene.js" */

/** The room a player needs, in CSS pixels. */
const WIDTH = 68;
const HEIGHT = 74;
const OPEN_HEIGHT = 112;

/**
 * Where players sit, going clockwise, in parts of the board: up the left side, along the top, down the right side;
 * right round the table where nobody sits below.
 *
 * @param {number} players
 * @param {{width: number, height: number}} room
 * @param {{round?: boolean, height?: number}} [how]
 * @returns {[number, number][]} x and y from 0 to 1
 */
export function placesFor(players, { width, height }, { round = false, height: tall = HEIGHT } = {}) {
  if (round) {
    return Array.from({ length: players }, (_, i) => {
      const angle = (2 * Math.PI * (i + 0.5)) / players;
      return [0.5 - 0.5 * Math.sin(angle), 0.5 + 0.5 * Math.cos(angle)];
    });
  }
  const along = Math.max(1, Math.floor(width / WIDTH));
  const down = Math.max(0, Math.floor(height / tall) - 1);
  const fair = Math.round((players * height) / (width + 2 * height));
  const side = Math.min(down, Math.max(Math.ceil((players - along) / 2), fair), players >> 1);
  const top = players - 2 * side;
  const start = top ? Math.min(0.9, tall / Math.max(1, height - tall)) : 0;
  /** @param {number} i */
  const level = (i) => (side === 1 && top < 4 ? Math.max(start, 0.4) : start + ((0.94 - start) * i) / Math.max(1, side - 1));
  return [
    ...Array.from({ length: side }, (_, i) => /** @type {[number, number]} */ ([0, level(side - 1 - i)])),
    ...Array.from({ length: top }, (_, i) => /** @type {[number, number]} */ ([(i + 0.5) / top, 0])),
    ...Array.from({ length: side }, (_, i) => /** @type {[number, number]} */ ([1, level(i)])),
  ];
}

/** One player at the table. */
class Place {
  #face = h("span", { class: "seat-face" });
  #name = h("span", { class: "seat-name" });
  #count = h("span", { class: "seat-count" });
  #cry = h("span", { class: "seat-cry" });
  #open = h("span", { class: "seat-open" });
  #drawn = "";

  /**
   * @param {(seat: number) => void} tap
   * @param {number} seat
   */
  constructor(tap, seat) {
    this.face = this.#face;
    this.button = h(
      "button",
      { type: "button", class: "seat-main", onclick: () => tap(seat) },
      h("span", { class: "seat-top" }, this.#face, this.#count),
      this.#name,
      this.#cry,
    );
    this.element = h("div", { class: "seat", data: { seat } }, this.button, this.#open);
  }

  /**
   * @param {Scene} scene
   * @param {number} seat
   * @param {boolean} pickable
   */
  update(scene, seat, pickable) {
    const { shown } = scene;
    const info = sitter(scene, seat);
    const name = nameOf(scene, seat);
    const state = {
      turn: shown.turn === seat && shown.decision !== "over",
      exposed: shown.exposed.includes(seat),
      called: shown.called.includes(seat),
      dealer: shown.dealer === seat,
      away: info !== null && info.player !== null && !info.here,
      standin: info?.standin ?? false,
      winner: shown.winner === seat,
    };
    for (const [key, on] of Object.entries(state)) this.element.classList.toggle(key, on);
    this.element.classList.toggle("pickable", pickable);
    this.#draw(name, info?.bot ?? (state.standin ? "standin" : null));
    this.#name.textContent = name;
    this.#count.textContent = String(shown.counts[seat]);
    this.#cry.textContent = state.exposed ? t("web.game.catch") : state.called ? t("web.uno.uno") : "";
    this.button.setAttribute("aria-label", describe(scene, seat, { ...state, pickable }));
    const hand = scene.open && shown.hands ? sortCards(shown.hands[seat]) : [];
    this.#open.replaceChildren(...hand.map((card) => h("span", null, cardFace(card, { game: scene.kind }))));
  }

  /**
   * @param {string} name
   * @param {string | null} bot
   */
  #draw(name, bot) {
    if (this.#drawn === `${name} ${bot}`) return;
    this.#drawn = `${name} ${bot}`;
    this.#face.querySelector(".avatar")?.remove();
    this.#face.prepend(avatar(name, { bot }));
  }
}

/**
 * A player in words.
 *
 * @param {Scene} scene
 * @param {number} seat
 * @param {Record<string, boolean>} state
 */
export function describe(scene, seat, state) {
  const parts = [t("web.game.holds", { player: nameOf(scene, seat), n: scene.shown.counts[seat] })];
  if (state.turn) parts.push(t("web.game.is_turn"));
  if (state.dealer) parts.push(t("web.game.is_dealer"));
  if (state.called) parts.push(t("web.game.is_called"));
  if (state.standin) parts.push(t("web.game.is_standin"));
  else if (state.away) parts.push(t("web.game.is_away"));
  if (state.pickable) parts.push(t("web.game.tap_pick"));
  else if (state.exposed) parts.push(t("web.game.tap_catch"));
  return parts.join(", ");
}

/** Everybody but the one who looks on. */
export class Seats {
  element = h("div", { class: "seats", role: "group" });
  /** @type {Map<number, Place>} */
  #places = new Map();
  /** @type {readonly number[]} */
  #order = [];
  #tap;

  /** @param {(seat: number) => void} tap */
  constructor(tap) {
    this.#tap = tap;
  }

  /**
   * @param {Scene} scene
   * @param {ReadonlySet<number>} pickable the seats that can be named now
   */
  update(scene, pickable) {
    this.element.setAttribute("aria-label", t("web.game.players"));
    if (String(this.#order) !== String(scene.others)) this.#reseat(scene.others);
    for (const [seat, place] of this.#places) place.update(scene, seat, pickable.has(seat));
  }

  /** @param {readonly number[]} order */
  #reseat(order) {
    this.#order = order;
    this.#places = new Map(order.map((seat) => [seat, this.#places.get(seat) ?? new Place(this.#tap, seat)]));
    this.element.replaceChildren(...[...this.#places.values()].map((place) => place.element));
  }

  /**
   * Put everybody where there is room.
   *
   * @param {{width: number, height: number}} room
   * @param {{round: boolean, open: boolean}} how
   */
  arrange(room, { round, open }) {
    const places = placesFor(this.#order.length, room, { round, height: open ? OPEN_HEIGHT : HEIGHT });
    [...this.#places.values()].forEach(({ element }, i) => {
      element.style.setProperty("--x", String(places[i][0]));
      element.style.setProperty("--y", String(places[i][1]));
    });
  }

  /**
   * The element of a seat.
   * @param {number} seat
   */
  at(seat) {
    return this.#places.get(seat)?.element ?? null;
  }

  /**
   * Where the clock of a seat belongs.
   * @param {number} seat
   */
  faceOf(seat) {
    return this.#places.get(seat)?.face ?? null;
  }
}

/** The ring in which the time of the seat on turn runs out; the bank in a color of its own. */
export class TurnClock {
  #time = svg("circle", { class: "clock-time", cx: 24, cy: 24, r: 22, pathLength: 1 });
  #bank = svg("circle", { class: "clock-bank", cx: 24, cy: 24, r: 22, pathLength: 1 });
  #left = h("span", { class: "clock-left" });
  element = h(
    "span",
    { class: "clock", hidden: true },
    svg("svg", { viewBox: "0 0 48 48", "aria-hidden": "true" }, this.#time, this.#bank),
    this.#left,
  );
  /** When the bank is used up, what it held when the turn began, and the time before it is touched. */
  #run = { deadline: 0, bank: 0, turn: 1, fullBank: 1 };
  #timer = 0;

  /**
   * @param {number | null} deadline by `performance.now()`; null stops the clock
   * @param {number} bank milliseconds left in the bank
   * @param {{turn: number, bank: number}} full milliseconds of a whole turn and a whole bank
   */
  start(deadline, bank, full) {
    this.stop();
    this.element.hidden = deadline === null;
    if (deadline === null) return;
    this.#run = { deadline, bank, turn: full.turn, fullBank: full.bank };
    this.#timer = setInterval(() => this.#tick(), 250);
    this.#tick();
  }

  stop() {
    clearInterval(this.#timer);
  }

  #tick() {
    const { deadline, bank, turn, fullBank } = this.#run;
    const left = Math.max(0, deadline - performance.now());
    const time = Math.max(0, left - bank);
    this.#time.style.setProperty("--part", String(Math.min(1, time / turn)));
    this.#bank.style.setProperty("--part", String(Math.min(1, Math.min(left, bank) / fullBank)));
    this.element.classList.toggle("bank", time === 0);
    this.#left.textContent = time < 10_000 ? String(Math.ceil((time || left) / 1000)) : "";
  }
}
