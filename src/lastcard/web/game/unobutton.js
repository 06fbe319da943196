/** The UNO button: always there, never covered. Pressed early it waits for the play; pressed late it tells how late. */

import { h } from "../ui/dom.js";
import { t } from "../ui/words.js";

/** @import {View} from "../cards/view.js" */

/** How long a press after the window is still meant for it. */
const LATE_MS = 3000;

export class UnoButton {
  #state = h("span", { class: "uno-state" });
  #word = h("span", { class: "uno-word" });
  element = h("button", { type: "button", class: "uno-button" }, this.#word, this.#state);
  /** Whether UNO is to be called with the next play that leaves one card. */
  armed = false;
  #on;
  /** @type {{held: number, owes: boolean, legal: boolean, done: boolean}} */
  #now = { held: 0, owes: false, legal: false, done: false };
  /** When the chance to be caught was over, by `performance.now()`. */
  #escapedAt = -Infinity;

  /** @param {{call: () => void, late: (ms: number) => void, changed: () => void}} on `call`: on its own, without a play */
  constructor(on) {
    this.#on = on;
    this.element.addEventListener("click", () => this.press());
  }

  /** Call, or arm the call. A press soon after the window closed is sent too: the server says how late it was. */
  press() {
    const { held, owes, legal, done } = this.#now;
    const since = performance.now() - this.#escapedAt;
    if (done || this.element.hidden) return;
    if (owes || held === 1 || (held === 2 && legal)) this.#on.call();
    else if (since > LATE_MS) this.#arm();
    // Where false calls are punished one that was meant well costs nothing.
    else if (legal) this.#on.late(since);
    else this.#on.call();
  }

  #arm() {
    this.armed = !this.armed;
    this.#on.changed();
  }

  /** @param {View} view */
  update(view) {
    const { shown, seat, hand, game } = view;
    const mine = game.mine;
    this.element.hidden = !mine || seat === null;
    if (!mine || seat === null) return;
    const owes = shown.exposed.includes(seat);
    const called = shown.called.includes(seat);
    if (this.#now.owes && !owes && !called) this.#escapedAt = performance.now();
    const held = hand?.length ?? 0;
    this.#now = { held, owes, legal: mine.legal.includes("uno"), done: called || mine.early };
    if (shown.decision === "over") this.armed = false;
    const armed = this.armed || mine.early;
    this.#draw(owes ? "owes" : called ? "called" : armed ? "armed" : held === 2 && view.cards.size ? "soon" : "calm");
  }

  /** @param {string} state */
  #draw(state) {
    this.element.dataset.state = state;
    this.element.setAttribute("aria-pressed", String(state === "armed"));
    this.#word.textContent = t("web.uno.uno");
    this.#state.textContent = state === "armed" ? t("web.uno.armed") : state === "called" ? t("web.uno.called") : "";
  }
}
