/** The leaders and the last events, beside the table on wide screens. */

import { valueIn } from "../bindings/rulename.js";
import { h, stylesheet } from "../ui/dom.js";
import { need } from "../ui/resources.js";
import { number, t, useTexts } from "../ui/texts.js";
import { avatar } from "../cards/art.js";
import { markedName } from "../cards/marks.js";
import { isScored, avatarOf, markOf, nameOf } from "../cards/view.js";

/** @import {View} from "../cards/view.js" */

need(useTexts("scoreboard"), stylesheet("game/scoreboard.css"));

/** The number of events shown. */
const SHOWN_EVENTS = 12;

export class Scoreboard {
  #title = h("h2");
  #standings = h("ol", { class: "scoreboard-standings" });
  #events = h("ol", { class: "scoreboard-events" });
  #drawn = "";

  #historyTitle = h("h2");

  #brief;

  /**
   * @param {() => void} open shows all events
   * @param {boolean} brief whether only the points fit, without their word
   */
  constructor(open, brief) {
    this.#brief = brief;
    this.#historyTitle.append(h("button", { type: "button", class: "bare scoreboard-log", onclick: open }, t("web.game.log")));
    this.element = h("aside", { class: "scoreboard" }, this.#title, this.#standings, this.#historyTitle, this.#events);
  }

  /** @param {View} view @param {readonly string[]} events as text, the oldest first */
  update(view, events) {
    const { shown } = view;
    const drawn = JSON.stringify([shown.scores, shown.counts, view.game.players, view.seat]);
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      // The first round of a match has no points yet, nor has a game of one round.
      const hasPoints = isScored(view) && shown.scores.some((score) => score !== 0);
      const values = hasPoints ? shown.scores : shown.counts;
      const isHighBest = hasPoints && valueIn(shown.rules, "scoring") !== "tally";
      const order = values.map((_, seat) => seat).sort((a, b) => (values[a] - values[b]) * (isHighBest ? -1 : 1));
      const [best, worst] = [values[order[0]], values[order[order.length - 1]]];
      this.#title.textContent = t("web.course.leads");
      this.#standings.replaceChildren(
        ...order.map((seat) => {
          const n = values[seat];
          const points = this.#brief ? number(n) : t("count.points", { n });
          return line(view, seat, hasPoints ? points : t("web.course.cards", { n }), n === best && best !== worst);
        }),
      );
    }
    const last = events.slice(-SHOWN_EVENTS).reverse();
    this.#historyTitle.hidden = last.length === 0;
    if (String(last) !== [...this.#events.children].map(({ textContent }) => textContent).join()) {
      this.#events.replaceChildren(...last.map((event) => h("li", null, event)));
    }
  }
}

/** @param {View} view @param {number} seat @param {string} words @param {boolean} leads */
function line(view, seat, words, leads) {
  const name = nameOf(view, seat);
  return h(
    "li",
    { class: leads ? "leads" : null },
    avatar(name, avatarOf(view, seat)),
    markedName("span", { class: "scoreboard-name ellipsis" }, name, markOf(view, seat)),
    h("span", { class: "scoreboard-value" }, words),
  );
}
