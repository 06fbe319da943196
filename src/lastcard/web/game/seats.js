/** The players around the table: avatar, name, number of cards and state of each. */

import { PACES } from "../bindings/constants.js";
import { h, svg } from "../ui/dom.js";
import { putInOrder } from "../ui/presses.js";
import { t } from "../ui/texts.js";
import { avatar, cardFace } from "../cards/art.js";
import { sortCards } from "../cards/cards.js";
import { isAway, avatarOf, markOf, nameOf, occupantOf } from "../cards/view.js";

/** @import {Public} from "../net/protocol.js" */
/** @import {View} from "../cards/view.js" */

/** The most backs shown of a hand; the angle from one to the next and from the first to the last, in degrees. */
const FAN_MAX_CARDS = 12;
const FAN_STEP_DEG = 17;
const FAN_SPREAD_DEG = 170;

/** @typedef {{width: number, height: number}} Size in CSS pixels */

/** Width in pixels of a table with space for players on either side of the piles. */
const WIDE_TABLE_PX = 640;

/**
 * Returns the players' positions, clockwise, as fractions of the board: up the left side, along the top, down the right side; all
 * around the table if no hand is below.
 * @param {number} players @param {Size} board
 * @param {Size} seat the size of one seat
 * @param {boolean} round
 * @returns {[number, number][]} x and y from 0 to 1
 */
function placesFor(players, board, seat, round) {
  if (round) {
    // A superellipse leaves more space for the piles than an ellipse, most with few players.
    const bulge = players < 6 ? 0.5 : 0.75;
    const outward = (/** @type {number} */ x) => Math.sign(x) * Math.abs(x) ** bulge;
    return Array.from({ length: players }, (_, i) => {
      const angle = (2 * Math.PI * (i + 0.5)) / players;
      return [0.5 - 0.5 * outward(Math.sin(angle)), 0.5 + 0.5 * outward(Math.cos(angle))];
    });
  }
  const along = Math.max(1, Math.floor(board.width / seat.width));
  const down = Math.max(0, Math.floor(board.height / seat.height) - 1);
  // On a wide table the sides are used too; else only by players who do not fit along the top.
  const fair = board.width < WIDE_TABLE_PX ? 0 : Math.round((players * board.height) / (board.width + 2 * board.height));
  const side = Math.min(down, Math.max(Math.ceil((players - along) / 2), fair), players >> 1);
  const top = players - 2 * side;
  // The first player of a side sits below the corner; a single one in the middle. Few at the top sit in an arch.
  const arch = board.width > Math.max(WIDE_TABLE_PX, 6 * seat.width) && board.height > 4 * seat.height ? 0.14 : 0;
  const start = arch + seat.height / Math.max(seat.height, board.height - seat.height);
  /** @param {number} i */
  const level = (i) => (side === 1 ? Math.max(start, 0.42) : start + ((1 - start) * i) / (side - 1));
  // A straight row takes the whole width, an arch leaves the corners free.
  const step = Math.min((arch ? 1 : board.width / (board.width - seat.width)) / top, 1 / (top - 1));
  /** @param {number} i @returns {[number, number]} */
  const above = (i) => {
    const x = 0.5 + step * (i - (top - 1) / 2);
    return [x, arch * (2 * x - 1) ** 2];
  };
  const levels = Array.from({ length: side }, (_, i) => level(i));
  return [
    ...[...levels].reverse().map((y) => /** @type {[number, number]} */ ([0, y])),
    ...Array.from({ length: top }, (_, i) => above(i)),
    ...levels.map((y) => /** @type {[number, number]} */ ([1, y])),
  ];
}

/** An avatar's place, with the clock. */
class SeatAvatar {
  element = h("span", { class: "seat-avatar" });
  #drawn = "";

  /** @param {string} name @param {Parameters<typeof avatar>[1]} [options] */
  show(name, options) {
    const drawn = JSON.stringify([name, options]);
    if (this.#drawn === drawn) return;
    this.#drawn = drawn;
    this.element.querySelector(".avatar")?.remove();
    this.element.prepend(avatar(name, options));
  }
}

/** Another player's hand: backs in a fan that grows and shrinks. */
class Fan {
  element = h("span", { class: "seat-fan", "aria-hidden": "true" });

  /** @param {number} count */
  show(count) {
    const shown = Math.min(count, FAN_MAX_CARDS);
    while (this.element.children.length > shown) this.element.lastChild?.remove();
    // A new hand is not animated: seventy animations at once would delay the first picture.
    const className = this.element.firstChild ? "drawn" : null;
    while (this.element.children.length < shown) this.element.append(h("i", { class: className }));
    const step = Math.min(FAN_STEP_DEG, FAN_SPREAD_DEG / Math.max(1, shown - 1));
    [...this.element.children].forEach((back, i) => {
      /** @type {HTMLElement} */ (back).style.setProperty("--lean", `${(i - (shown - 1) / 2) * step}deg`);
    });
  }
}

/** Another player: avatar, name, number of cards, and a button to pick or catch them. */
class OtherSeat {
  #avatar = new SeatAvatar();
  #fan = new Fan();
  #name = h("span", { class: "seat-name ellipsis", dir: "auto" });
  #count = h("span", { class: "seat-count" });
  #badge = h("span", { class: "seat-badge optional" });
  #open = h("span", { class: "seat-open" });

  /** @param {(seat: number) => void} tap @param {number} seat */
  constructor(tap, seat) {
    this.avatar = this.#avatar.element;
    this.button = h(
      "button",
      { type: "button", class: "bare seat-main", onclick: () => tap(seat) },
      h("span", { class: "seat-top" }, this.#fan.element, this.avatar, this.#count),
      this.#name,
      this.#badge,
    );
    this.element = h("div", { class: "seat", data: { seat } }, this.button, this.#open);
  }

  /** @param {View} view @param {number} seat @param {boolean} pickable */
  update(view, seat, pickable) {
    const { shown } = view;
    const info = occupantOf(view, seat);
    const name = nameOf(view, seat);
    const state = {
      ...marksOf(shown, seat),
      away: info !== null && info.player !== null && !info.here,
      standin: info?.standin ?? false,
      winner: shown.winner === seat,
      pickable,
    };
    for (const [key, on] of Object.entries(state)) this.element.classList.toggle(key, on);
    // A catch is a race, a choice is not.
    this.button.toggleAttribute("data-quick", !pickable);
    this.#avatar.show(name, { ...avatarOf(view, seat), antenna: state.standin && info?.player != null });
    this.#open.hidden = !view.open;
    this.count(shown.counts[seat]);
    if (state.away && !state.standin) this.element.dataset.mood = "asleep";
    else if (this.element.dataset.mood === "asleep") delete this.element.dataset.mood;
    this.#name.textContent = name;
    this.#name.dataset.team = markOf(view, seat)?.sign ?? "";
    this.#badge.textContent = state.exposed ? t("web.game.catch") : state.called ? t("web.uno.uno") : "";
    this.button.setAttribute("aria-label", describe(view, seat, state));
    const hand = view.open && shown.hands ? sortCards(shown.hands[seat]) : [];
    this.#open.replaceChildren(...hand.map((card) => h("span", { data: { card } }, cardFace(card, { game: view.kind }))));
  }

  /** Shows the number of the player's cards. @param {number} count */
  count(count) {
    this.#count.textContent = String(count);
    this.#fan.show(this.#open.hidden ? count : 0);
  }
}

/** Returns the marks of a seat, independent of its player. @param {Public} shown @param {number} seat */
function marksOf(shown, seat) {
  return {
    turn: shown.turn === seat && shown.decision !== "over",
    exposed: shown.exposed.includes(seat),
    called: shown.called.includes(seat),
    dealer: shown.dealer === seat,
  };
}

/** @param {View} view @param {number} seat @param {Record<string, boolean>} state */
function describe(view, seat, state) {
  const parts = [t("web.game.holds", { player: nameOf(view, seat), n: view.shown.counts[seat] })];
  const mark = markOf(view, seat);
  if (mark) parts.push(mark.words);
  if (state.turn) parts.push(t("web.game.is_turn"));
  if (state.dealer) parts.push(t("web.game.is_dealer"));
  if (state.called) parts.push(t("web.game.is_called"));
  if (state.standin) parts.push(t("web.game.is_standin"));
  else if (state.away) parts.push(t("web.game.is_away"));
  if (state.pickable) parts.push(t("web.game.tap_pick"));
  else if (state.exposed) parts.push(t("web.game.tap_catch"));
  return parts.join(", ");
}

/** All players except the viewer. */
export class Seats {
  element = h("div", { class: "seats", role: "group" });
  /** @type {Map<number, OtherSeat>} */
  #seats = new Map();
  /** @type {readonly number[]} */
  #order = [];
  #tap;

  /** @param {(seat: number) => void} tap */
  constructor(tap) {
    this.#tap = tap;
  }

  /** @param {View} view @param {ReadonlySet<number>} pickable the seats that can be named now */
  update(view, pickable) {
    this.element.setAttribute("aria-label", t("web.game.players"));
    if (String(this.#order) !== String(view.others)) this.#reseat(view.others);
    for (const [seat, other] of this.#seats) other.update(view, seat, pickable.has(seat));
  }

  /** @param {readonly number[]} order */
  #reseat(order) {
    this.#order = order;
    this.#seats = new Map(order.map((seat) => [seat, this.#seats.get(seat) ?? new OtherSeat(this.#tap, seat)]));
    putInOrder(this.element, [...this.#seats.values()].map(({ element }) => element));
  }

  /**
   * Places all seats in the available space. Returns whether any is beside the piles.
   * @param {boolean} round whether no hand is below
   */
  arrange(round) {
    const elements = [...this.#seats.values()].map(({ element }) => element);
    if (!elements.length) return false;
    const size = { width: elements[0].offsetWidth, height: Math.max(...elements.map((element) => element.offsetHeight)) };
    // From the middle of the first to the middle of the last.
    const { offsetWidth, offsetHeight } = this.element;
    const board = { width: offsetWidth + size.width, height: offsetHeight + size.height };
    const places = placesFor(elements.length, board, size, round);
    elements.forEach((element, i) => {
      element.style.setProperty("--x", String(places[i][0]));
      element.style.setProperty("--y", String(places[i][1]));
    });
    return !round && places.some(([, y]) => y > 0.2);
  }

  /** Shows the number of a seat's cards while some are being animated. @param {number} seat @param {number} count */
  count(seat, count) {
    this.#seats.get(seat)?.count(count);
  }

  /** @param {number} seat */
  at(seat) {
    return this.#seats.get(seat)?.element ?? null;
  }

  /** Returns the element for a seat's clock. @param {number} seat */
  avatarAt(seat) {
    return this.#seats.get(seat)?.avatar ?? null;
  }
}

/** The viewer's own avatar, on the line. */
export class OwnSeat {
  #avatar = new SeatAvatar();
  avatar = this.#avatar.element;
  #name = h("span", { class: "seat-name" });
  element = h("div", { class: "own seat", role: "img" }, h("span", { class: "seat-top" }, this.avatar), this.#name);

  /** @param {View} view */
  update(view) {
    const { shown, seat } = view;
    this.element.hidden = seat === null;
    if (seat === null) return;
    const name = nameOf(view, seat);
    const state = marksOf(shown, seat);
    for (const [key, on] of Object.entries(state)) this.element.classList.toggle(key, on);
    this.element.setAttribute("aria-label", describe(view, seat, { ...state, exposed: false }));
    this.element.dataset.seat = String(seat);
    this.#name.textContent = name;
    this.#avatar.show(name, avatarOf(view, seat));
  }
}

/** The ring that shows the remaining time of the seat on turn; the time bank has its own color. */
export class TurnClock {
  #time = svg("circle", { class: "clock-time", cx: 24, cy: 24, r: 22, pathLength: 1 });
  #bank = svg("circle", { class: "clock-bank", cx: 24, cy: 24, r: 22, pathLength: 1 });
  #left = h("span", { class: "clock-left optional" });
  element = h(
    "span",
    { class: "clock", hidden: true },
    svg("svg", { viewBox: "0 0 48 48", "aria-hidden": "true" }, this.#time, this.#bank),
    this.#left,
  );
  #timer = 0;
  #counted;

  /** @param {() => void} counted called each second while the table waits for an absent player */
  constructor(counted) {
    this.#counted = counted;
  }

  /**
   * @param {View} view
   * @param {Element | null} avatar the avatar of the seat on turn
   * @param {number | null} deadline the end of the time bank, by `performance.now()`; null without a clock
   */
  update({ game, shown, table }, avatar, deadline) {
    this.stop();
    if (avatar && this.element.parentElement !== avatar) avatar.append(this.element);
    const { clock } = game;
    this.element.hidden = !clock || deadline === null || shown.decision === "over" || Boolean(table?.paused);
    if (this.element.hidden || !clock || deadline === null) return;
    const full = PACES[table?.settings.pace ?? ""] ?? PACES.normal;
    const away = isAway(table?.seats[shown.turn]);
    const tick = () => this.#tick(deadline - performance.now(), clock.bank, full, away);
    this.#timer = setInterval(tick, 250);
    tick();
  }

  stop() {
    clearInterval(this.#timer);
  }

  /**
   * @param {number} left milliseconds, the bank included
   * @param {number} bank the bank in milliseconds at the start of the turn
   * @param {{turn: number, bank: number}} full
   * @param {boolean} away whether a bot plays after it
   */
  #tick(left, bank, full, away) {
    const time = Math.max(0, left - bank);
    const rest = Math.max(0, Math.min(left, bank));
    this.#time.style.setProperty("--part", String(Math.min(1, time / full.turn)));
    this.#bank.style.setProperty("--part", String(Math.min(1, rest / full.bank)));
    this.element.classList.toggle("bank", time === 0);
    const seconds = Math.ceil((time || rest) / 1000);
    const words = away || time < 10_000 ? String(seconds) : "";
    if (words === this.#left.textContent) return;
    this.#left.textContent = words;
    if (away) this.#counted();
  }
}
