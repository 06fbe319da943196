/** Luck and skill in a finished match: three moments in pictures, and all figures one tap away. */

import { analyzesLocally, isLocal } from "../ui/address.js";
import { button } from "../ui/button.js";
import { h, stylesheet, svg, uniqueId } from "../ui/dom.js";
import { errorWords } from "../ui/failures.js";
import { load, need } from "../ui/resources.js";
import { number, percent, t, useTexts } from "../ui/texts.js";
import { get } from "../net/api.js";
import { teamMark } from "../cards/cards.js";
import { markedName } from "../cards/marks.js";
import { momentList } from "./moments.js";

/** @import { Curve, Listing, ReportPage, ReportTable } from "../net/protocol.js" */
/** @import { ReplaySession } from "./replaysession.js" */

need(useTexts("after"), stylesheet("replay/report.css"));

/** How often to ask for the position in the queue. */
const QUEUE_POLL_MS = 3000;
/** The place of the worst decisions among the lists. */
const WORST = 1;
const WIDTH_PX = 360;
const HEIGHT_PX = 180;
const LEFT = 36;
const TOP = 8;
const BOTTOM = 164;
const QUARTERS = [0, 0.25, 0.5, 0.75, 1];

/**
 * Requests the report of a match and shows it.
 * @param {ReplaySession} session
 * @param {(round: number, step: number) => void} jump shows a step of a round
 * @param {boolean} [makesPuzzles] whether the page stores puzzles of mistakes
 */
export function reportPanel(session, jump, makesPuzzles = true) {
  const waits = h("p", { class: "soft", role: "status" });
  const body = h("div", { class: "stack" });
  void fill();
  return h("section", { class: "panel report stack" }, h("h2", null, t("web.report.title")), body);

  /** Shows the position in the queue while the report waits. */
  async function showQueuePlace() {
    if (!waits.isConnected) return;
    const { ahead } = await get("/api/reports/place").catch(() => ({ ahead: 0 }));
    waits.textContent = ahead ? t("web.report.queue", { n: ahead }) : t("web.report.wait");
  }

  async function fill() {
    const progress = h("div", null, waits);
    waits.textContent = t("web.report.wait");
    body.replaceChildren(progress);
    const asking = setInterval(showQueuePlace, QUEUE_POLL_MS);
    /** @type {Chart | null} */
    let chart = null;
    const details = h("details", { class: "report-figures stack" });
    const show = (/** @type {ReportPage} */ report) => {
      if (chart) chart.setReport(report);
      else chart = new Chart(session, report, jump);
      details.replaceChildren(
        h("summary", { class: "unfold" }, t("web.report.figures")),
        chart.element,
        ...report.lists.map((list) => findings(list, jump, (round, step, about) => (makesPuzzles ? puzzleButton(report, round, step, about) : null))),
        ...report.tables.map(figures),
        ...report.notes.map((note) => h("p", { class: "soft small" }, note)),
      );
      const moments = momentList(session.replay, report, jump);
      details.open ||= !moments;
      body.replaceChildren(moments ?? "", details, report.tables.length ? "" : progress);
    };
    try {
      const report = await reportOf(session.replay.id, progress, show);
      if (!report) return body.replaceChildren(button(t("web.report.title"), fill));
      show(report);
    } catch (error) {
      const message = h("p", { role: "alert" }, errorWords(error));
      body.replaceChildren(message, button(t("web.report.again"), fill));
    } finally {
      clearInterval(asking);
    }
  }
}

/**
 * Returns the report of a match; the page makes it if it has the record, or if the server leaves that to it.
 * @param {string} id
 * @param {HTMLElement} place the element for the progress
 * @param {(chances: ReportPage) => void} showFirst shows the chances, before the report is ready
 * @returns {Promise<ReportPage | null>} null if it was canceled
 */
async function reportOf(id, place, showFirst) {
  if (isLocal(id)) return makeReport(await get(`/api/matches/${id}/record`, true), place, showFirst);
  const path = `/api/matches/${encodeURIComponent(id)}/report`;
  const here = analyzesLocally ? "&here" : "";
  const first = await get(`${path}?first${here}`);
  if ("record" in first) return makeReport(first.record, place, showFirst);
  if (first.tables.length) return first;
  showFirst(first);
  return get(path);
}

/**
 * Makes a report and shows its progress. It can be canceled, and stops when its element leaves the page.
 * @param {string} record @param {HTMLElement} place @param {(chances: ReportPage) => void} showFirst
 * @returns {Promise<ReportPage | null>}
 */
async function makeReport(record, place, showFirst) {
  const archive = await load(import("../localtable/archive.js"));
  const bar = h("progress", { "aria-label": t("web.report.wait") });
  const stop = () => void archive.stopReport();
  place.replaceChildren(
    h("p", { class: "soft", role: "status" }, t("web.report.wait")),
    h("div", { class: "row" }, bar, button(t("web.report.stop"), stop)),
  );
  return archive.report(record, (share, first) => {
    bar.value = share;
    if (first) showFirst(first);
    if (!bar.isConnected) stop();
  });
}

/** The chances of the shown round; a tap opens the move below it. */
class Chart {
  #session;
  #report;
  #jump;
  #shown = -1;
  #now = svg("path", { class: "now" });
  #chances = h("p", { class: "small" });
  #marks = h("p", { class: "soft small" });
  #frame = h("div");

  /** @param {ReplaySession} session @param {ReportPage} report @param {(round: number, step: number) => void} jump */
  constructor(session, report, jump) {
    this.#session = session;
    this.#report = report;
    this.#jump = jump;
    const { rules, names } = session.replay;
    const legend = names.map((name, seat) => {
      const key = svg("svg", { class: "report-key", viewBox: "0 0 28 8", "aria-hidden": "true" }, line(seat, "0,4 28,4"));
      return h("li", null, key, markedName("span", {}, name, teamMark(rules, seat, names)));
    });
    this.element = h(
      "div",
      null,
      this.#frame,
      h("ul", { class: "report-legend small" }, legend),
      this.#chances,
      this.#marks,
    );
    session.addEventListener("change", this.#draw);
    this.setReport(report);
  }

  /** Shows a newer report of the match. @param {ReportPage} report */
  setReport(report) {
    this.#report = report;
    this.#marks.textContent = report.marks;
    this.#shown = -1;
    this.#draw();
  }

  #draw = () => {
    const { round, step } = this.#session.moment;
    const curve = this.#report.curves[round];
    if (round !== this.#shown) this.#frame.replaceChildren(curve ? this.#picture(curve, round) : "");
    this.#shown = round;
    if (!curve) return;
    this.#now.setAttribute("d", `M${across(step, curve)} ${TOP}V${BOTTOM}`);
    const chances = this.#session.replay.names.map((name, seat) => {
      const [chance, error] = [curve.chances[step][seat], curve.errors[step][seat]];
      return `${name} ${percent(chance, 1)} ±${percent(error, 1)}`;
    });
    this.#chances.textContent = chances.join(" · ");
  };

  /** @param {Curve} curve @param {number} round */
  #picture(curve, round) {
    const title = uniqueId();
    const grid = QUARTERS.flatMap((chance) => [
      svg("path", { class: "grid", d: `M${LEFT} ${up(chance)}H${WIDTH_PX}` }),
      svg("text", { x: LEFT - 4, y: up(chance), dy: 4, "text-anchor": "end" }, percent(chance)),
    ]);
    const seats = this.#session.replay.names.map((_, seat) => {
      const points = (/** @type {(i: number) => number} */ chance) =>
        curve.chances.map((_, i) => `${across(i, curve)},${up(chance(i))}`);
      const above = points((i) => curve.chances[i][seat] + curve.errors[i][seat]);
      const below = points((i) => curve.chances[i][seat] - curve.errors[i][seat]);
      const band = svg("polygon", { class: `seat-${seat}`, points: [...above, ...below.reverse()].join(" ") });
      return [band, line(seat, points((i) => curve.chances[i][seat]).join(" "))];
    });
    const marks = curve.marks.map(({ ply, seat, kind }) => {
      const place = { cx: across(ply, curve), cy: up(curve.chances[ply][seat]), r: 3.5 };
      return svg("circle", { class: `seat-${seat} ${kind}`, ...place });
    });
    const picture = svg(
      "svg",
      { class: "report-chart", viewBox: `0 0 ${WIDTH_PX} ${HEIGHT_PX}`, role: "img", "aria-labelledby": title },
      svg("title", { id: title }, `${t("web.report.chart")} ${curve.title}`),
      grid,
      seats,
      marks,
      this.#now,
    );
    picture.addEventListener("click", ({ clientX }) => {
      const { left, width } = picture.getBoundingClientRect();
      const place = (((clientX - left) / width) * WIDTH_PX - LEFT) / (WIDTH_PX - LEFT);
      const last = curve.chances.length - 1;
      this.#jump(round, Math.max(0, Math.min(last, Math.round(place * last))));
    });
    return picture;
  }
}

/** @param {number} seat @param {string} points */
function line(seat, points) {
  return svg("polyline", { class: `seat-${seat}`, points });
}

/** @param {number} ply @param {Curve} curve */
function across(ply, curve) {
  return (LEFT + ((WIDTH_PX - LEFT - 4) * ply) / Math.max(1, curve.chances.length - 1)).toFixed(1);
}

/** @param {number} chance */
function up(chance) {
  return (BOTTOM - (BOTTOM - TOP) * Math.max(0, Math.min(1, chance))).toFixed(1);
}

/**
 * Returns the button that makes a puzzle of a mistake; null if the line is about none. The page stores it.
 * @param {ReportPage} report @param {number} round @param {number} step @param {string} about the line's text
 */
function puzzleButton({ curves, lists }, round, step, about) {
  const mark = curves[round]?.marks.find(({ ply, best }) => ply === step && best);
  if (!mark || !lists[WORST]?.lines.some(([, , text]) => text === about)) return null;
  const press = () => {
    const detail = { round, step: step - 1, best: mark.best, about };
    made.dispatchEvent(new CustomEvent("puzzle", { detail, bubbles: true }));
  };
  const made = button(t("web.report.try"), press, { look: "small" });
  return made;
}

/**
 * Returns findings that link to their move.
 * @param {Listing} list @param {(round: number, step: number) => void} jump
 * @param {(round: number, step: number, about: string) => HTMLElement | null} more returns what follows a line
 */
function findings({ title, none, lines }, jump, more) {
  const items = lines.map(([round, ply, text]) => {
    const place = `${number(round + 1)}·${number(ply)}`;
    const line = h("button", { type: "button", class: "bare", onclick: () => jump(round, ply) }, h("b", null, place), " ", text);
    return h("li", null, line, more(round, ply, text));
  });
  const found = items.length ? h("ol", { class: "replay-lines report-lines" }, items) : h("p", { class: "soft" }, none);
  return h("div", null, h("h3", { class: "small" }, title), found);
}

/** @param {ReportTable} table */
function figures({ title, about, heads, rows }) {
  const head = heads.map((name) => h("th", { scope: "col" }, name));
  const lines = rows.map(([[name], ...cells]) => {
    const figures = cells.map(([value, error], i) =>
      h("td", { "data-head": heads[i + 1] }, value, " ", error && h("small", null, error)),
    );
    return h("tr", null, h("th", { scope: "row" }, name), figures);
  });
  const table = h("table", null, h("thead", null, h("tr", null, head)), h("tbody", null, lines));
  return h(
    "details",
    null,
    h("summary", { class: "unfold" }, title),
    h("p", { class: "soft small" }, about),
    h("div", { class: "wide-table", tabindex: 0, role: "region", "aria-label": title }, table),
  );
}
