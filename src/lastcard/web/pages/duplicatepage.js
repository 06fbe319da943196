/** /duplicate/CODE: the tables and the standings of a duplicate match; with /tv at its end for a big screen. */

import { gameOf } from "../bindings/rulename.js";
import { preventSleep } from "../ui/wakelock.js";
import { at } from "../ui/address.js";
import { button } from "../ui/button.js";
import { h, restoreFocus, stylesheet } from "../ui/dom.js";
import { problemLine } from "../ui/fields.js";
import { attempt } from "../ui/panels.js";
import { load, need } from "../ui/resources.js";
import { lost, titledPage } from "../ui/router.js";
import { isolated, number, percent, t, useTexts } from "../ui/texts.js";
import { get, post } from "../net/api.js";
import { avatar } from "../cards/art.js";
import { invitation } from "../lobby/invite.js";
import { qrPath } from "../lobby/qr.js";

/** @import { DuplicateDeal, DuplicateLine, DuplicatePage, DuplicateTableInfo } from "../net/protocol.js" */
/** @import { Page } from "../ui/router.js" */

need(useTexts("duplicate"), useTexts("lobby"), useTexts("tv"), stylesheet("pages/duplicate.css"), stylesheet("pages/tv.css"), stylesheet("ui/controls.css"), stylesheet("lobby/lobby.css"), stylesheet("cards/art.css"));

/** The time between two requests for the standings. */
const REFRESH_MS = 3000;

/** @param {string} address the code, perhaps with `/tv`; empty to open a duplicate match @returns {Promise<Page>} */
export async function page(address) {
  if (!address) return (await load(import("./duplicateform.js"))).formPage();
  const [code, screen] = address.split("/");
  const ask = () => get(`/api/duplicates/${encodeURIComponent(code)}`);
  /** @type {DuplicatePage | null} */
  const first = await ask().catch((error) => (error.status === 404 ? null : Promise.reject(error)));
  if (!first) return lost(t("web.duplicate.unknown"));
  return screen ? new Screen(first, ask) : new Standings(first, ask);
}

/** The parts of a duplicate match, which are drawn again when they change. */
class Parts {
  #ask;
  #shown = "";
  #timer = 0;
  #draw;

  /** @param {() => Promise<DuplicatePage>} ask @param {(page: DuplicatePage) => void} draw */
  constructor(ask, draw) {
    this.#ask = ask;
    this.#draw = draw;
  }

  /** @param {DuplicatePage} page */
  show(page) {
    clearTimeout(this.#timer);
    const shown = JSON.stringify(page);
    if (shown !== this.#shown) this.#draw(page);
    this.#shown = shown;
    if (!page.finished) this.#timer = setTimeout(() => this.refresh(), REFRESH_MS);
  }

  /** Shows what the server knows now. */
  async refresh() {
    clearTimeout(this.#timer);
    const page = await this.#ask().catch(() => null);
    if (this.#timer < 0) return;
    if (page) this.show(page);
    else this.#timer = setTimeout(() => this.refresh(), REFRESH_MS);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = -1;
  }
}

/** The page on a phone or a computer. */
class Standings {
  #parts;
  #problem = problemLine();
  #body = h("div", { class: "stack" });

  /** @param {DuplicatePage} page @param {() => Promise<DuplicatePage>} ask */
  constructor(page, ask) {
    this.title = t("web.duplicate.heading", { code: page.code });
    this.element = titledPage(this.title, "duplicate", this.#problem, this.#body).element;
    this.#parts = new Parts(ask, (changed) => this.#draw(changed));
    this.#parts.show(page);
  }

  close() {
    this.#parts.stop();
  }

  /** @param {DuplicatePage} page */
  #draw(page) {
    const open = [...this.#body.querySelectorAll("details[open] > summary")].map((each) => /** @type {HTMLElement} */ (each).dataset.key);
    const key = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : "";
    this.#body.replaceChildren(
      h("p", null, summaryText(page), " ", h("a", { href: `/rules/${encodeURIComponent(page.rules)}` }, t("web.duplicate.rules"))),
      this.#start(page),
      page.lines.length ? standings(page) : "",
      ...page.tables.map((table) => tablePanel(page, table)),
      page.played.length ? deals(page) : "",
      proof(page),
      h("p", null, h("a", { class: "button", href: `/duplicate/${page.code}/tv`, data: { key: "tv" } }, t("web.duplicate.tv"))),
    );
    for (const each of open) this.#body.querySelector(`[data-key="${each}"]`)?.parentElement?.setAttribute("open", "");
    if (key) restoreFocus(this.#body, `[data-key="${key}"]`);
  }

  /** @param {DuplicatePage} page */
  #start({ code, started, finished, mine }) {
    if (started) return h("p", { class: "lead", role: "status" }, t(finished ? "web.duplicate.over" : "web.duplicate.playing"));
    if (!mine) return h("p", { class: "lead", role: "status" }, t("web.tv.waiting"));
    const start = () => attempt(async () => {
      await post(`/api/duplicates/${code}/start`, {});
      await this.#parts.refresh();
    }, this.#problem);
    return h("div", { class: "stack tight" }, button(t("web.duplicate.start"), start, { look: "primary big wide", data: { key: "start" } }), h("p", { class: "soft small" }, t("web.duplicate.start.about")));
  }
}

/** The page on a television: standings, and how to join. */
class Screen {
  #parts;
  #allowSleep = preventSleep();
  #stage = h("div", { class: "duplicate-stage" });

  /** @param {DuplicatePage} page @param {() => Promise<DuplicatePage>} ask */
  constructor(page, ask) {
    this.title = t("web.duplicate.heading", { code: page.code });
    this.element = h("div", { class: "tv on-table duplicate-tv" }, h("h1", null, this.title), this.#stage);
    this.#parts = new Parts(ask, (changed) => this.#draw(changed));
    this.#parts.show(page);
  }

  close() {
    this.#parts.stop();
    this.#allowSleep();
  }

  /** @param {DuplicatePage} page */
  #draw(page) {
    this.#stage.replaceChildren(
      page.lines.length ? standings(page) : h("p", { class: "tv-lead", role: "status" }, t(page.started ? "web.duplicate.playing" : "web.tv.waiting")),
      h("ul", { class: "duplicate-tables" }, page.tables.map((table) => screenTable(page, table))),
    );
  }
}

/** @param {DuplicatePage} page @param {DuplicateTableInfo} table */
function screenTable(page, { number: n, code, join_url: url, players, deal }) {
  const names = players.flatMap((player) => (player ? [player.name] : [])).join(", ");
  return h(
    "li",
    null,
    code && url && h("img", { class: "tv-qr", src: qrPath({ code, join_url: url }), alt: t("web.lobby.qr") }),
    h("div", null, h("strong", null, t("web.duplicate.table", { n })), code && h("p", { class: "duplicate-code" }, code), h("p", null, isolated(names)), h("p", null, progress(page, deal))),
  );
}

/** @param {DuplicatePage} page */
const summaryText = ({ rules, seats, deals: n }) => `${t(`game.${gameOf(rules)}`)} · ${t("web.duplicate.seats", { n: seats })} · ${t("web.duplicate.count", { n })}`;

/** @param {DuplicatePage} page @param {number} deal */
const progress = ({ deals: all }, deal) => (deal ? t("web.duplicate.deal", { n: deal, all }) : t("web.duplicate.waits"));

/** @param {DuplicatePage} page */
function standings(page) {
  const row = (/** @type {DuplicateLine} */ line) => {
    const player = page.tables.find(({ number: n }) => n === line.table)?.players[line.place];
    const name = player?.name ?? "–";
    return h(
      "tr",
      { class: player?.mine ? "own" : "" },
      h("td", null, number(line.rank)),
      h("th", { scope: "row" }, h("span", { class: "duplicate-name" }, avatar(name), h("span", null, h("span", { class: "ellipsis" }, isolated(name)), h("small", { class: "soft" }, t("web.duplicate.table", { n: line.table }))))),
      h("td", null, number(line.match_points), h("small", { class: "soft" }, ` ${percent(line.share)}`)),
      h("td", null, signed(line.adjusted)),
    );
  };
  const head = ["rank", "player", "points", "adjusted"].map((name) => h("th", { scope: "col" }, t(`web.duplicate.head.${name}`)));
  return h(
    "section",
    { class: "panel stack", "aria-label": t("web.duplicate.standings") },
    h("h2", null, t("web.duplicate.standings")),
    h("p", { class: "soft small" }, t("web.duplicate.after", { n: page.played.length, all: page.deals })),
    h("div", { class: "duplicate-scroll", tabindex: 0, role: "group", "aria-label": t("web.duplicate.standings") }, h("table", null, h("thead", null, h("tr", null, head)), h("tbody", null, page.lines.map(row)))),
    h("p", { class: "soft small" }, t("web.duplicate.points.about")),
  );
}

/** @param {number} value */
const signed = (value) => number(value, { signDisplay: "exceptZero", minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** @param {DuplicatePage} page @param {DuplicateTableInfo} table */
function tablePanel(page, { number: n, code, join_url: url, deal, players }) {
  const title = t("web.duplicate.table", { n });
  const mine = players.some((player) => player?.mine);
  const item = (/** @type {DuplicateTableInfo["players"][number]} */ player) =>
    player ? h("li", { class: player.mine ? "own" : "" }, avatar(player.name), isolated(player.name), player.bot && h("small", { class: "soft" }, ` ${t(`web.level.${player.bot}`)}`)) : h("li", { class: "soft" }, t("web.tv.free"));
  return h(
    "section",
    { class: "panel stack", "aria-label": title },
    h("h2", null, title),
    code && url && !page.started && invitation({ code, join_url: url }),
    h("ul", { class: "duplicate-players" }, players.map(item)),
    h("p", { class: "soft" }, code ? progress(page, deal) : t("web.duplicate.masters")),
    code && !page.finished && h("a", { class: mine ? "button primary" : "button", href: `/t/${code}`, data: { key: `join ${n}` } }, t(mine ? "web.duplicate.mine" : "web.duplicate.join", { n })),
  );
}

/** Returns the deals that all tables have played, with a link to each replay. @param {DuplicatePage} page */
function deals({ tables, played }) {
  const nameOf = (/** @type {number} */ table, /** @type {number} */ place) => tables[table]?.players[place]?.name ?? "–";
  const row = (/** @type {DuplicateDeal} */ deal, /** @type {number} */ i) =>
    h(
      "tr",
      null,
      h("th", { scope: "row" }, h("a", { href: `/match/${deal.scores[i].match}` }, t("web.duplicate.table", { n: i + 1 }))),
      deal.order.map((place, seat) => h("td", { class: deal.scores[i].winners.includes(seat) ? "won" : "" }, h("small", null, isolated(nameOf(i, place))), number(deal.scores[i].points[seat]))),
    );
  const table = (/** @type {DuplicateDeal} */ deal) =>
    h(
      "div",
      { class: "duplicate-scroll", tabindex: 0, role: "group", "aria-label": t("web.duplicate.deal.title", { n: deal.deal }) },
      h("table", null, h("caption", null, t("web.duplicate.deal.title", { n: deal.deal })), h("tbody", null, deal.scores.map((_, i) => row(deal, i)))),
    );
  return h("details", { class: "panel fold" }, h("summary", { data: { key: "results" } }, t("web.duplicate.results")), h("div", { class: "stack" }, played.map(table)));
}

/** @param {DuplicatePage} page */
function proof({ code, promise, secret, finished }) {
  return h(
    "details",
    { class: "panel fold" },
    h("summary", { data: { key: "proof" } }, t("web.duplicate.proof")),
    h("p", { class: "soft" }, t("web.duplicate.proof.about")),
    h("p", { class: "code-text small" }, promise),
    secret && h("p", { class: "code-text small" }, secret),
    finished && h("a", { class: "button", href: at(`/api/duplicates/${code}/archive`), download: "" }, t("web.duplicate.archive")),
  );
}
