/**
 * Several people at one device: whoever has played passes it on, and the next hand stays covered until its owner taps.
 * A hand that nobody may look at is not in the page at all.
 */

import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { need } from "../ui/needs.js";
import { lead } from "../ui/repeats.js";
import { hush } from "../ui/toast.js";
import { t, useTexts } from "../ui/words.js";
import { avatar } from "../cards/avatars.js";

/** @import { Game, Moved, SeatInfo } from "../line/protocol.js" */
/** @import { Session } from "../line/session.js" */
/** @import { DeviceTable } from "../device/devicetable.js" */

/** Somebody at this device. @typedef {SeatInfo & {seat: number}} Sitter */

need(useTexts("alone"), stylesheet("alone/cover.css"));

/** How long the last move can still be seen from the hand that made it. */
const SEEN_MS = 900;
/** How long at least cards can be looked at that a challenge has shown. */
const SHOWN_MS = 6000;

/** What lies over the place of the hand while the device goes around. */
export class Cover {
  element = h("section", { class: "cover raised", role: "dialog", hidden: true });
  #session;
  #device;
  #timer = 0;
  /** Until when somebody looks at such cards, by `performance.now()`. */
  #shownUntil = 0;
  /** The round on the table, as match and number. */
  #round = "";
  /** Whose hand is covered. */
  #next = "";
  /** Who was asked to look last; the device may still be on the way there. @type {string | null} */
  #eyes;

  /**
   * @param {Session} session
   * @param {DeviceTable} device
   */
  constructor(session, device) {
    this.#session = session;
    this.#device = device;
    this.#eyes = device.eyes;
    session.addEventListener("moved", (event) => this.#moved(/** @type {CustomEvent<Moved>} */ (event).detail));
    for (const event of ["welcome", "table", "dealt", "moved"]) session.addEventListener(event, () => this.#update());
  }

  close() {
    clearTimeout(this.#timer);
  }

  /** @param {Moved} message */
  #moved({ events }) {
    if (events.some(({ e, cards }) => e === "shown" && cards)) this.#shownUntil = performance.now() + SHOWN_MS;
  }

  #update() {
    const { table, game } = this.#session;
    const people = table?.seats.flatMap((info, seat) => (info?.player ? [{ ...info, seat }] : [])) ?? [];
    if (!table || !people.length) return this.#uncover();
    if (people.length === 1) return this.#look(people[0].player);
    if (table.phase === "playing" && game) return this.#followTurn(people, game);
    const writes = table.phase === "writing" && people.find(({ ready }) => !ready);
    // Where nobody has anything to hide the device is everybody's: the first of them speaks for all.
    return writes ? this.#followPen(people, writes) : this.#look(this.#eyes ?? table.host);
  }

  /** @param {Sitter[]} people @param {Game} game */
  #followTurn(people, { match, public: { round, turn, counts } }) {
    const after = (/** @type {Sitter} */ { seat }) => (seat - turn + counts.length) % counts.length;
    const [next] = people.sort((a, b) => after(a) - after(b));
    const fresh = this.#round !== `${match} ${round}`;
    this.#round = `${match} ${round}`;
    if (fresh || this.#eyes === null) return this.#hide(next);
    clearTimeout(this.#timer);
    if (next.seat !== turn || next.player === this.#eyes) return;
    this.#timer = setTimeout(() => this.#hide(next), Math.max(SEEN_MS, this.#shownUntil - performance.now()));
  }

  /** Everybody writes rule cards. @param {Sitter[]} people @param {Sitter} next */
  #followPen(people, next) {
    const writer = people.find(({ player }) => player === this.#eyes);
    if (!writer || writer.ready) this.#hide(next);
  }

  /** @param {string | null} player */
  #look(player) {
    this.#uncover();
    this.#turn(player);
  }

  /** @param {string | null} player */
  #turn(player) {
    if (this.#eyes === player) return;
    this.#eyes = player;
    hush();
    void this.#device.look(player);
  }

  #uncover() {
    clearTimeout(this.#timer);
    this.#next = "";
    this.element.hidden = true;
  }

  /** Cover all hands until the owner of the next one taps. @param {SeatInfo} next */
  #hide(next) {
    clearTimeout(this.#timer);
    this.#turn(null);
    if (this.#next === next.player) return;
    this.#next = next.player ?? "";
    const show = button(t("web.alone.show", { name: next.name }), () => this.#look(next.player), { look: "primary big" });
    this.element.setAttribute("aria-label", t("web.alone.pass", { name: next.name }));
    this.element.replaceChildren(
      avatar(next.name, next),
      h("h2", null, t("web.alone.pass", { name: next.name })),
      h("p", { class: "soft" }, t("web.alone.pass.about")),
      show,
    );
    this.element.hidden = false;
    lead(show);
  }
}
