/** Figures of rules: how long a round takes, who waits, who leads, how much skill counts; compared with the official rules. */

import { gameOf } from "../bindings/rulename.js";
import { h, stylesheet } from "../ui/dom.js";
import { need, onceEach } from "../ui/resources.js";
import { number, percent, t, useTexts } from "../ui/texts.js";
import { get } from "../net/api.js";

/** @import { RuleFigures } from "../net/protocol.js" */

need(stylesheet("guide/figurelist.css"), useTexts("figures"));

const MOVE_S = 6; // an assumption, which the list states
/** Comparisons by the least ratio to the official rules for which they hold. @type {readonly [ratio: number, text: string][]} */
const COMPARISONS = [
  [3.5, "times"], [2.5, "thrice"], [1.75, "twice"], [1.41, "half_more"], [1.29, "third_more"], [1.18, "quarter_more"],
  [1.08, "little_more"], [0.92, "same"], [0.83, "little_less"], [0.71, "quarter_less"], [0.58, "third_less"],
  [0.42, "half"], [0, "much_less"],
]; // prettier-ignore
/** The ratio below which a difference may be chance. */
const UNCERTAIN_RATIO = 1.08;
/** The difference in rounds won, of all, that may be chance. */
const UNCERTAIN_WINS = 0.02;

/** @type {(path: string) => Promise<RuleFigures>} */
const fromServer = onceEach((path) => get(path));
/** @type {(path: string) => Promise<RuleFigures>} */
const fromDevice = onceEach((path) => get(path, true));

/**
 * Returns the list, which is filled in within a second; it is hidden if the figures cannot be had.
 * @param {string} rules a ruleset's name @param {number} seats
 * @param {boolean} [isLocal] whether this device measures them
 */
export function figureList(rules, seats, isLocal = false) {
  const game = gameOf(rules);
  const values = ROWS.map(() => h("dd", null, "…"));
  const rows = ROWS.map(({ name }, i) => h("div", null, h("dt", null, t(`web.figures.${name}`)), values[i]));
  const compared = rules === game ? "web.figures.official" : "web.figures.compared";
  const list = h(
    "section",
    { class: "figure-list stack tight", "aria-label": t("web.figures.title"), "aria-busy": "true" },
    h("p", { class: "label" }, t("web.figures.title")),
    h("p", { class: "soft small" }, t(compared, { n: seats })),
    h("dl", null, rows),
    h("p", { class: "soft small" }, t("web.figures.about", { s: MOVE_S })),
  );
  const ask = (/** @type {string} */ name) =>
    (isLocal ? fromDevice : fromServer)(`/api/figures/${seats}/${encodeURIComponent(name)}`);
  Promise.all([ask(rules), ask(game)]).then(
    ([own, official]) => {
      ROWS.forEach(({ show, compare }, i) => {
        const comparison = own !== official && h("small", null, compare(own, official));
        values[i].replaceChildren(...[show(own), comparison].filter((part) => part !== false));
      });
      list.removeAttribute("aria-busy");
    },
    (error) => {
      console.warn(error);
      list.hidden = true;
    },
  );
  return list;
}

/** @type {{name: string, show: (figures: RuleFigures) => string, compare: (own: RuleFigures, official: RuleFigures) => string}[]} */
const ROWS = [
  {
    name: "length",
    show: ({ turns, moves }) => {
      const minutes = number(Math.max(1, Math.round((moves * MOVE_S) / 60)), { style: "unit", unit: "minute" });
      return t("web.figures.turns", { n: Math.round(turns), time: minutes });
    },
    compare: (own, official) => ratioWords(own.moves / official.moves),
  },
  {
    name: "waiting",
    show: ({ waits }) => t("web.figures.waits", { share: percent(waits) }),
    compare: (own, official) => ratioWords(own.waits / official.waits),
  },
  {
    name: "lead",
    show: ({ overtakings }) => t("web.figures.times_a_round", { times: number(overtakings, { maximumFractionDigits: 1 }) }),
    compare: (own, official) => ratioWords(own.overtakings / official.overtakings),
  },
  {
    name: "skill",
    show: (figures) => t("web.figures.wins", { wins: winsOf(figures) }),
    compare: (own, official) =>
      Math.abs(own.skill - official.skill) < UNCERTAIN_WINS
        ? t("web.figures.same")
        : t("web.figures.official_wins", { wins: winsOf(official) }),
  },
];

/** Returns how many of 100 rounds a good player wins against a weak one. @param {RuleFigures} figures */
function winsOf({ skill }) {
  return Math.max(50, Math.round(100 * skill));
}

/** Returns a ratio in words. @param {number} ratio */
function ratioWords(ratio) {
  const sure = ratio < UNCERTAIN_RATIO && ratio > 1 / UNCERTAIN_RATIO ? 1 : ratio;
  const [, text] = /** @type {[number, string]} */ (COMPARISONS.find(([least]) => sure >= least));
  return t(`web.figures.${text}`, { times: number(sure, { maximumFractionDigits: 0 }) });
}
