// The UNO button: always there, never covered. Pressed early it waits for the play; pressed late it tells how late.

import { h } from "./dom.js";
import { t } from "./words.js";

/** @import {Scene} from "./scene.js" */

export class UnoButton {
  #state = h("span", { class: "uno-state" });
  #word = h("span", { class: "uno-word" });
  element = h("button", { type: "button", class: "uno-button" }, this.#word, this.#state);
  /** Whether UNO is to be called with the next play that leaves one card. */
  armed = false;
  #act;
  #changed;

  /**
   * @param {() => void} act calls on its own
   * @param {() => void} changed
   */
  constructor(act, changed) {
    this.#act = act;
    this.#changed = changed;
    this.element.addEventListener("click", () => this.press());
  }

  /** @type {{held: number, owes: boolean, legal: boolean, early: boolean, called: boolean}} */
  #now = { held: 0, owes: false, legal: false, early: false, called: false };
  /** When one could last be caught, by `performance.now()`. */
  #owedAt = -Infinity;

  /** Call, or arm the call. A press soon after the window closed is sent too: the server says how late it was. */
  press() {
    const { held, owes, legal, early, called } = this.#now;
    const late = performance.now() - this.#owedAt < LATE_MS;
    if (called || early) return;
    if (owes || held === 1 || (held === 2 && legal) || late) return this.#act();
    this.armed = !this.armed;
    this.#changed();
  }

  /** @param {Scene} scene */
  update(scene) {
    const { shown, seat, hand, game } = scene;
    const mine = game.mine;
    this.element.hidden = !mine || seat === null;
    if (!mine || seat === null) return;
    const owes = shown.exposed.includes(seat);
    if (this.#now.owes && !owes && !shown.called.includes(seat)) this.#owedAt = performance.now();
    this.#now = {
      held: hand?.length ?? 0,
      owes,
      legal: mine.legal.includes("uno"),
      early: mine.early,
      called: shown.called.includes(seat),
    };
    if (shown.decision === "over") this.armed = false;
    this.#draw();
  }

  #draw() {
    const { owes, early, called, held } = this.#now;
    const state = owes ? "owes" : called ? "called" : this.armed || early ? "armed" : held === 2 ? "soon" : "calm";
    this.element.dataset.state = state;
    this.element.setAttribute("aria-pressed", String(state === "armed"));
    this.#word.textContent = t("web.uno.uno");
    this.#state.textContent = state === "armed" ? t("web.uno.armed") : state === "called" ? t("web.uno.called") : "";
  }
}

/** How long a press after the window is still meant for it. */
const LATE_MS = 3000;
