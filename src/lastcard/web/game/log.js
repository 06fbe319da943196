/** The event log as text: the last event on the line, all events in a list, announced to screen readers. */

import { h } from "../ui/dom.js";
import { announce } from "../ui/toast.js";
import { t } from "../ui/texts.js";
import { narrate } from "../cards/narrate.js";
import { nameOf } from "../cards/view.js";

/** @import {Happening} from "../net/protocol.js" */
/** @import {View} from "../cards/view.js" */

const MAX_LINES = 300;
/** A longer last event is set smaller and on several lines. */
const LONG_CHARS = 30;

export class Log {
  list = h("ol", { class: "log" });
  /** The last event; a press opens the list. */
  latest = h("button", { type: "button", class: "bare line-latest optional" });

  /** @param {() => void} open shows the whole list */
  constructor(open) {
    this.latest.addEventListener("click", open);
  }

  /** All known events as text, the oldest first. */
  get lines() {
    return [...this.list.children].map(({ textContent }) => textContent ?? "");
  }

  /** Restarts with the known events of the last moves. @param {View} view */
  reset(view) {
    this.list.replaceChildren();
    this.#write(view, view.game.recent);
  }

  /** @param {View} view @param {readonly Happening[]} events */
  add(view, events) {
    const lines = this.#write(view, events);
    if (lines.length) announce(lines.join(" "));
  }

  /** @param {View} view @param {readonly Happening[]} events */
  #write(view, events) {
    const { game, shown, seat } = view;
    const players = game.players.map((_, i) => nameOf(view, i));
    const lines = events.map((event) => narrate(event, { players, rules: shown.rules, viewer: seat }));
    this.list.append(...lines.map((line) => h("li", null, line)));
    while (this.list.children.length > MAX_LINES) this.list.firstElementChild?.remove();
    const last = this.list.lastElementChild?.textContent ?? "";
    this.list.dataset.empty = t("web.game.log_empty");
    this.latest.textContent = last;
    this.latest.closest(".line")?.classList.toggle("wordy", last.length > LONG_CHARS);
    this.latest.setAttribute("aria-label", `${t("web.game.log")}. ${last}`);
    const scroller = this.list.parentElement;
    if (scroller) scroller.scrollTop = scroller.scrollHeight;
    return lines;
  }
}
