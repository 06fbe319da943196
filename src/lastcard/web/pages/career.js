/** The panels of a person's statistics: shares won, a chart, calls, luck and mistakes, and opponents. */

import { h, svg } from "../ui/dom.js";
import { panel } from "../ui/panels.js";
import { need } from "../ui/resources.js";
import { number, percent, t, useTexts } from "../ui/texts.js";

/** @import { Calls, Career, ReportTotals, Rival, Share } from "../net/protocol.js" */

need(useTexts("me"));

/** Width and height of the chart, in its own units. */
const [WIDE, HIGH] = [320, 96];
const SIGNED = /** @type {const} */ ({ signDisplay: "exceptZero", maximumFractionDigits: 1 });

/**
 * @typedef {Omit<Career, "calls" | "findings"> & {calls: Calls | null, findings: ReportTotals | null}} Known a career; calls
 *   and findings may be missing
 */

/** Returns the panels of a career with at least one match. @param {Known} career */
export function careerPanels(career) {
  const { total, shares, streak, longest, course, calls, findings, rivals } = career;
  const chance = number(total.chance, { maximumFractionDigits: 1 });
  return h(
    "div",
    { class: "career" },
    panel(
      t("web.me.results"),
      t("web.me.sum", { won: total.won, n: total.matches, chance }),
      figures([
        [t("web.me.won"), percent(total.won / total.matches)],
        [t("web.me.chance"), percent(total.chance / total.matches)],
        [t("web.me.streak"), number(streak)],
        [t("web.me.longest"), number(longest)],
      ]),
      course.length > 1 && chart(course),
    ),
    panel(t("web.me.games"), shareTable(shares)),
    calls && panel(t("web.me.uno"), ...callParts(calls)),
    findings && panel(t("web.me.luck"), ...findingParts(findings)),
    rivals.length > 0 && panel(t("web.me.rivals"), rivalTable(rivals)),
  );
}

/** @param {(readonly [label: string, value: string])[]} pairs */
function figures(pairs) {
  const item = (/** @type {readonly [string, string]} */ [label, value]) =>
    h("div", null, h("dt", { class: "soft small" }, label), h("dd", null, value));
  return h("dl", { class: "figures" }, pairs.map(item));
}

/** Returns a chart of matches won beyond chance, one step for each match. @param {number[]} course */
function chart(course) {
  const points = [0, ...course];
  const [low, high] = [Math.min(...points, -1), Math.max(...points, 1)];
  const x = (/** @type {number} */ i) => (i / (points.length - 1)) * WIDE;
  const y = (/** @type {number} */ value) => HIGH - ((value - low) / (high - low)) * HIGH;
  const line = points.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const last = /** @type {number} */ (points.at(-1));
  const description = t("web.me.chart.said", { value: number(last, SIGNED), n: course.length });
  return h(
    "figure",
    { class: "career-chart" },
    svg(
      "svg",
      { viewBox: `-4 -6 ${WIDE + 8} ${HIGH + 12}`, role: "img", "aria-label": description },
      svg("line", { class: "even", x1: 0, x2: WIDE, y1: y(0), y2: y(0) }),
      svg("polyline", { class: "won", points: line }),
      svg("circle", { class: "now", cx: WIDE, cy: y(last), r: 4 }),
    ),
    h("figcaption", { class: "soft small" }, t("web.me.chart")),
  );
}

/** @param {string[]} heads @param {(string | Node)[][]} rows */
function table(heads, rows) {
  const cell = (/** @type {string | Node} */ text, /** @type {number} */ i) =>
    i ? h("td", null, text) : h("th", { scope: "row" }, text);
  return h(
    "div",
    { class: "scroll", tabindex: 0 },
    h(
      "table",
      null,
      h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", null, rows.map((row) => h("tr", null, row.map(cell)))),
    ),
  );
}

/** @param {Share[]} shares */
function shareTable(shares) {
  const heads = ["game", "matches", "won", "chance"].map((name) => t(`web.me.${name}`));
  const row = (/** @type {Share} */ { game, seats, matches, won, chance }) => [
    h("span", null, t(`game.${game}`), h("small", { class: "soft" }, t("web.me.seats", { n: seats }))),
    number(matches),
    percent(won / matches),
    percent(chance / matches),
  ];
  return table(heads, shares.map(row));
}

/** @param {Calls} calls */
function callParts({ called, caught, catches, waiting }) {
  const all = figures([
    [t("web.me.called"), number(called)],
    [t("web.me.caught"), number(caught)],
    [t("web.me.catches"), number(catches)],
  ]);
  return waiting ? [all, h("p", { class: "soft small" }, t("web.me.waiting", { n: waiting }))] : [all];
}

/** @param {ReportTotals} findings */
function findingParts({ matches, luck, decisions, mistakes }) {
  if (!matches) return [t("web.me.luck.none")];
  const kinds = Object.entries(mistakes).sort((a, b) => b[1] - a[1]);
  const made = kinds.reduce((sum, [, count]) => sum + count, 0);
  return [
    figures([
      [t("web.me.luck.rounds"), number(luck, SIGNED)],
      [t("web.me.mistakes"), decisions ? number((100 * made) / decisions, { maximumFractionDigits: 1 }) : "–"],
    ]),
    kinds.length > 0 && table([t("web.me.mistake"), t("web.me.times")], kinds.map(([kind, count]) => [t(`web.me.mistake.${kind}`), number(count)])),
    h("p", { class: "soft small" }, t("web.me.luck.about", { n: matches })),
  ];
}

/** @param {Rival[]} rivals */
function rivalTable(rivals) {
  const heads = ["rival", "matches", "mine", "theirs"].map((name) => t(`web.me.${name}`));
  return table(
    heads,
    rivals.map(({ name, matches, won, lost }) => [name, number(matches), number(won), number(lost)]),
  );
}
