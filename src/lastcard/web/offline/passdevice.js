/**
 * Several people at one device: the last player passes it on, and the next hand stays covered until its owner taps. A hidden hand
 * is not in the page at all.
 */

import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { need } from "../ui/resources.js";
import { focusNew } from "../ui/repeats.js";
import { clearAnnouncements } from "../ui/toast.js";
import { t, useTexts } from "../ui/texts.js";
import { avatar } from "../cards/avatars.js";

/** @import { Game, Moved, SeatInfo } from "../net/protocol.js" */
/** @import { Session } from "../net/session.js" */
/** @import { LocalTable } from "../localtable/localtable.js" */

/** A person at this device. @typedef {SeatInfo & {seat: number}} SeatedPerson */

need(useTexts("offline"), stylesheet("offline/passdevice.css"));

/** How long the last move stays visible from the hand that made it. */
const LAST_MOVE_SHOWN_MS = 900;
/** How long cards revealed by a challenge stay visible at least. */
const CHALLENGE_SHOWN_MS = 6000;

/** The screen that covers the hand while the device is passed on. */
export class PassDeviceScreen {
  element = h("section", { class: "pass-device raised", role: "dialog", hidden: true });
  #session;
  #localTable;
  #timer = 0;
  /** Until when revealed cards are visible, by `performance.now()`. */
  #shownUntil = 0;
  /** The current round, as match and index. */
  #round = "";
  /** The name on the cover. */
  #next = "";

  /** @param {Session} session @param {LocalTable} localTable */
  constructor(session, localTable) {
    this.#session = session;
    this.#localTable = localTable;
    session.addEventListener("moved", (event) => {
      const { events } = /** @type {CustomEvent<Moved>} */ (event).detail;
      if (events.some(({ e, cards }) => e === "shown" && cards)) this.#shownUntil = performance.now() + CHALLENGE_SHOWN_MS;
    });
    for (const event of ["welcome", "table", "dealt", "moved"]) session.addEventListener(event, () => this.#update());
  }

  close() {
    clearTimeout(this.#timer);
  }

  #update() {
    const { table, game } = this.#session;
    const people = table?.seats.flatMap((info, seat) => (info?.player ? [{ ...info, seat }] : [])) ?? [];
    if (!table || !people.length) return this.#uncover();
    if (people.length === 1) return this.#showHand(people[0].player);
    if (table.phase === "playing" && game) return this.#followTurn(people, game);
    const writes = table.phase === "writing" && people.find(({ ready }) => !ready);
    // If nobody has anything to hide, the first person is the viewer for all.
    return writes ? this.#followWriter(people, writes) : this.#showHand(this.#localTable.viewer ?? table.host);
  }

  /** @param {SeatedPerson[]} people @param {Game} game */
  #followTurn(people, { match, public: { round, turn, counts } }) {
    const after = (/** @type {SeatedPerson} */ { seat }) => (seat - turn + counts.length) % counts.length;
    const [next] = people.sort((a, b) => after(a) - after(b));
    const fresh = this.#round !== `${match} ${round}`;
    this.#round = `${match} ${round}`;
    if (fresh || this.#localTable.viewer === null) return this.#hide(next);
    clearTimeout(this.#timer);
    if (next.seat !== turn || next.player === this.#localTable.viewer) return;
    this.#timer = setTimeout(() => this.#hide(next), Math.max(LAST_MOVE_SHOWN_MS, this.#shownUntil - performance.now()));
  }

  /** Follows the people who write rule cards. @param {SeatedPerson[]} people @param {SeatedPerson} next */
  #followWriter(people, next) {
    const writer = people.find(({ player }) => player === this.#localTable.viewer);
    if (!writer || writer.ready) this.#hide(next);
  }

  /** @param {string | null} player */
  #showHand(player) {
    this.#uncover();
    this.#setViewer(player);
  }

  /** @param {string | null} player */
  #setViewer(player) {
    if (this.#localTable.viewer === player) return;
    clearAnnouncements();
    void this.#localTable.setViewer(player);
  }

  #uncover() {
    clearTimeout(this.#timer);
    this.#next = "";
    this.element.hidden = true;
  }

  /** Covers all hands until the next owner taps. @param {SeatInfo} next */
  #hide(next) {
    clearTimeout(this.#timer);
    this.#setViewer(null);
    if (this.#next === next.player) return;
    this.#next = next.player ?? "";
    const show = button(t("web.alone.show", { name: next.name }), () => this.#showHand(next.player), { look: "primary big" });
    this.element.setAttribute("aria-label", t("web.alone.pass", { name: next.name }));
    this.element.replaceChildren(
      avatar(next.name, next),
      h("h2", null, t("web.alone.pass", { name: next.name })),
      h("p", { class: "soft" }, t("web.alone.pass.about")),
      show,
    );
    this.element.hidden = false;
    focusNew(show);
  }
}
