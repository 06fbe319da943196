/**
 * Several people at one device: whoever has played passes it on, and the next hand stays covered until its owner taps.
 * A hand that nobody may look at is not in the page at all.
 */

import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { need } from "../ui/needs.js";
import { t, useTexts } from "../ui/words.js";
import { avatar } from "../cards/avatars.js";

/** @import { SeatInfo } from "../line/protocol.js" */
/** @import { Session } from "../line/session.js" */
/** @import { DeviceTable } from "../device/devicetable.js" */

need(useTexts("alone"), stylesheet("alone/cover.css"));

/** How long the last move can still be seen from the hand that made it. */
const SEEN_MS = 900;

/** What lies over the place of the hand while the device goes around. */
export class Cover {
  element = h("section", { class: "cover raised", role: "dialog", hidden: true });
  #session;
  #device;
  #timer = 0;
  /** The round on the table, as match and number. */
  #round = "";
  /** Whose hand is covered. */
  #next = "";

  /**
   * @param {Session} session
   * @param {DeviceTable} device
   */
  constructor(session, device) {
    this.#session = session;
    this.#device = device;
    for (const event of ["welcome", "table", "dealt", "moved"]) session.addEventListener(event, () => this.#update());
  }

  close() {
    clearTimeout(this.#timer);
  }

  #update() {
    const { table, game } = this.#session;
    const people = table?.seats.flatMap((info, seat) => (info?.player ? [{ ...info, seat }] : [])) ?? [];
    if (!table || !people.length) return this.#uncover();
    // Where no hand is out the device is everybody's: the first of them speaks for all.
    if (!["playing", "writing"].includes(table.phase)) return this.#look(this.#device.eyes ?? table.host);
    if (people.length === 1) return this.#look(people[0].player);
    const eyes = this.#device.eyes;
    const turn = game?.public.turn ?? 0;
    const after = (/** @type {number} */ seat) => (seat - turn + table.seats.length) % table.seats.length;
    const [next] = people.sort((a, b) => after(a.seat) - after(b.seat));
    const round = `${game?.match} ${game?.public.round}`;
    const fresh = table.phase === "playing" && round !== this.#round;
    if (table.phase === "playing") this.#round = round;
    if (fresh || eyes === null) return this.#hide(next);
    clearTimeout(this.#timer);
    if (table.phase === "playing" && next.seat === turn && next.player !== eyes)
      this.#timer = setTimeout(() => this.#hide(next), SEEN_MS);
  }

  /** @param {string | null} player */
  #look(player) {
    this.#uncover();
    if (this.#device.eyes !== player) this.#device.look(player);
  }

  #uncover() {
    clearTimeout(this.#timer);
    this.#next = "";
    this.element.hidden = true;
  }

  /** Cover all hands until the owner of the next one taps. @param {SeatInfo} next */
  #hide(next) {
    clearTimeout(this.#timer);
    if (this.#device.eyes !== null) this.#device.look(null);
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
    show.focus();
  }
}
