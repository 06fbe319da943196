/**
 * The UNO button: never covered, and visible unless the table calls for everybody. It calls if a call counts; earlier, it arms
 * the call for the play that leaves one card; later, it shows how late the press was. It never makes a false call, which may
 * cost cards, and never takes back a call: a separate button does.
 */

import { h } from "../ui/dom.js";
import { closeIcon } from "../ui/icons.js";
import { t } from "../ui/texts.js";
import { canCall } from "../cards/view.js";

/** @import {View} from "../cards/view.js" */

/** How long a press after the window still counts as late. */
const LATE_MS = 3000;

/**
 * Returns whether the table calls UNO for everybody: by its rules (LC-16), or because it is by the day, whose paces begin with
 * a number.
 * @param {View} view
 */
export function isCalledByTable({ shown, table }) {
  return /=automatic_call| \d/.test(`${shown.rules} ${table?.settings.pace}`);
}

export class UnoButton {
  #state = h("span", { class: "uno-state" });
  button = h(
    "button",
    { type: "button", class: "uno-button", data: { quick: "" } },
    h("span", { class: "uno-word" }, t("web.uno.uno")),
    this.#state,
  );
  /** Takes back an armed call. */
  #undo = h(
    "button",
    { type: "button", class: "uno-undo", hidden: true, "aria-label": `${t("web.uno.armed")}: ${t("web.uno.undo")}` },
    h("span", null, t("web.uno.armed")),
    closeIcon(),
  );
  element = h("div", { class: "uno" }, this.button, this.#undo);
  /** Whether to call UNO with the next play that leaves one card. */
  armed = false;
  #on;
  /** Whether a call has been sent and not answered. */
  #calling = false;
  /** Whether a call by itself counts, whether the table accepts one, even a false one, and whether the call is made. */
  #now = { counts: false, taken: false, done: false };
  #owes = false;
  /** When the catch window closed, by `performance.now()`. */
  #escapedAt = -Infinity;

  /**
   * @param {{call: () => Promise<void>, late: (ms: number) => void, changed: () => void}} on `call`: a call without a play;
   *   resolves with the answer
   */
  constructor(on) {
    this.#on = on;
    this.button.addEventListener("click", () => this.press());
    this.#undo.addEventListener("click", () => this.#arm(false));
  }

  /** Calls, or arms the call. A press soon after the window closed is also sent: the server says how late it was. */
  press() {
    const { counts, taken, done } = this.#now;
    const since = performance.now() - this.#escapedAt;
    if (done || this.#calling || this.element.hidden) return;
    if (counts) void this.#call();
    else if (since > LATE_MS) this.#arm(true);
    // If false calls are punished, a late press costs nothing.
    else if (taken) this.#on.late(since);
    else void this.#call();
  }

  async #call() {
    this.#calling = true;
    await this.#on.call();
    this.#calling = false;
  }

  /** @param {boolean} armed */
  #arm(armed) {
    const focused = this.#undo === document.activeElement;
    this.armed = armed;
    this.#on.changed();
    if (focused) this.button.focus();
  }

  /** @param {View} view */
  update(view) {
    const { shown, seat, hand, game } = view;
    const mine = game.mine;
    this.element.hidden = !mine || seat === null || isCalledByTable(view);
    if (!mine || seat === null) return;
    const owes = shown.exposed.includes(seat);
    const called = shown.called.includes(seat);
    if (this.#owes && !owes && !called) this.#escapedAt = performance.now();
    this.#owes = owes;
    const taken = mine.legal.includes("uno");
    this.#now = { counts: taken && canCall(view), taken, done: called || mine.early };
    if (shown.decision === "over") this.armed = false;
    const early = this.armed || mine.early;
    const state = owes ? "owes" : called ? "called" : early ? "armed" : hand?.length === 2 && view.cards.size ? "soon" : "calm";
    const armed = state === "armed";
    this.button.dataset.state = state;
    this.button.setAttribute("aria-pressed", String(armed));
    this.#state.textContent = armed ? t("web.uno.armed") : state === "called" ? t("web.uno.called") : "";
    this.#undo.hidden = !(armed && this.armed);
    this.#state.classList.toggle("visually-hidden", !this.#undo.hidden);
  }
}
