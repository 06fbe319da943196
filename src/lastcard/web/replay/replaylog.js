/** The event log of a replay as text: the shown round, move by move; each line links to its move. */

import { h } from "../ui/dom.js";
import { need } from "../ui/resources.js";
import { whenReleased } from "../ui/presses.js";
import { t, useTexts } from "../ui/texts.js";
import { narrate } from "../cards/narrate.js";

/** @import { ReplaySession } from "./replaysession.js" */

need(useTexts("after"));

/** The log of the shown round. */
export class ReplayLog {
  #session;
  #jump;
  #shown = "";
  #list = h("ol", { class: "replay-lines", tabindex: 0, "aria-label": t("web.replay.log") });
  /** @type {Map<number, HTMLElement>} */
  #lines = new Map();

  /** @param {ReplaySession} session @param {(ply: number) => void} jump shows a ply */
  constructor(session, jump) {
    this.#session = session;
    this.#jump = jump;
    this.element = h("section", { class: "panel replay-log stack tight" }, h("h2", { class: "small" }, t("web.replay.log")), this.#list);
    session.addEventListener("change", this.#draw);
    requestAnimationFrame(this.#draw); // before it is in the page there is nothing to scroll
  }

  #draw = () => whenReleased(this.#list, this.#show);

  #show = () => {
    const { moment, viewer, ply } = this.#session;
    const wanted = `${moment.round} ${viewer}`;
    if (wanted !== this.#shown) this.#fill();
    this.#shown = wanted;
    // Later lines would reveal how the round ends.
    for (const [at, line] of this.#lines) {
      line.hidden = at > ply;
      line.firstElementChild?.setAttribute("aria-current", at === ply ? "step" : "false");
    }
    this.#list.scrollTop = this.#list.scrollHeight;
  };

  /** Writes the lines of the whole round. */
  #fill() {
    const { moment, replay } = this.#session;
    const start = this.#session.plyOf(moment.round, 0);
    const plies = Array.from({ length: replay.rounds[moment.round].steps.length + 1 }, (_, i) => start + i);
    this.#lines = new Map(plies.map((ply) => [ply, h("li", null, this.#line(ply))]));
    this.#list.replaceChildren(...this.#lines.values());
  }

  /** @param {number} ply */
  #line(ply) {
    const { replay, moments } = this.#session;
    const perspective = { players: replay.names, rules: replay.rules };
    const words = this.#session.eventsAt(ply).map((event) => narrate(event, perspective));
    const { round, step } = moments[ply];
    if (step === 0) words.unshift(t("web.replay.deal", { round: round + 1, player: replay.names[replay.rounds[round].dealer] }));
    return h("button", { type: "button", class: "bare", onclick: () => this.#jump(ply) }, words.join(" "));
  }
}
