/** Beside the table, where a screen is wide: who leads, and what happened last. */

import { valueIn } from "../local/rulename.js";
import { h, stylesheet } from "../ui/dom.js";
import { need } from "../ui/needs.js";
import { number, t, useTexts } from "../ui/words.js";
import { avatar } from "../cards/art.js";
import { markedName } from "../cards/marks.js";
import { isScored, lookOf, markOf, nameOf } from "../cards/view.js";

/** @import {View} from "../cards/view.js" */

need(useTexts("course"), stylesheet("game/course.css"));

/** The last acts that are shown. */
const ACTS = 12;

export class Course {
  #title = h("h2");
  #standing = h("ol", { class: "course-standing" });
  #acts = h("ol", { class: "course-acts" });
  #drawn = "";

  #past = h("h2");

  #brief;

  /**
   * @param {() => void} open shows all that happened
   * @param {boolean} brief whether there is room for points, but not for their word
   */
  constructor(open, brief) {
    this.#brief = brief;
    this.#past.append(h("button", { type: "button", class: "course-log", onclick: open }, t("web.game.log")));
    this.element = h("aside", { class: "course" }, this.#title, this.#standing, this.#past, this.#acts);
  }

  /**
   * @param {View} view
   * @param {readonly string[]} acts in words, the oldest first
   */
  update(view, acts) {
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
      this.#standing.replaceChildren(
        ...order.map((seat) => {
          const n = values[seat];
          const points = this.#brief ? number(n) : t("count.points", { n });
          return line(view, seat, hasPoints ? points : t("web.course.cards", { n }), n === best && best !== worst);
        }),
      );
    }
    const last = acts.slice(-ACTS).reverse();
    this.#past.hidden = last.length === 0;
    if (String(last) !== [...this.#acts.children].map(({ textContent }) => textContent).join()) {
      this.#acts.replaceChildren(...last.map((act) => h("li", null, act)));
    }
  }
}

/**
 * @param {View} view
 * @param {number} seat
 * @param {string} words
 * @param {boolean} leads
 */
function line(view, seat, words, leads) {
  const name = nameOf(view, seat);
  return h(
    "li",
    { class: leads ? "leads" : null },
    avatar(name, lookOf(view, seat)),
    markedName("span", { class: "course-name" }, name, markOf(view, seat)),
    h("span", { class: "course-value" }, words),
  );
}
