/** /tv/CODE: the public table on a big screen, without a hand; phones join by the code and hold the cards. */

import { gameOf } from "../bindings/rulename.js";
import { preventSleep } from "../ui/wakelock.js";
import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { load, need } from "../ui/resources.js";
import { lost } from "../ui/router.js";
import { t, useTexts } from "../ui/texts.js";
import { get } from "../net/api.js";
import { Session } from "../net/session.js";
import { avatar } from "../cards/art.js";
import { teamMark } from "../cards/cards.js";
import { markedName } from "../cards/marks.js";
import { loadGame } from "../game/loading.js";
import { qrPath } from "../lobby/qr.js";

/** @import { Page } from "../ui/router.js" */
/** @import { SeatInfo, TableInfo } from "../net/protocol.js" */
/** @import { TeamMark } from "../cards/cards.js" */

need(useTexts("tv"));

/** The messages of a screen without a game, by phase; before a match it waits for the host. @type {Record<string, string>} */
const WAITS = { writing: "web.tv.writing", playing: "web.tv.playing", between: "web.tv.playing" };

/** @param {string} code @returns {Promise<Page>} */
export async function page(code) {
  await Promise.all([stylesheet("pages/tv.css"), stylesheet("cards/art.css")]);
  return new TvPage(new Session(code.toUpperCase(), { tv: true }));
}

class TvPage {
  #session;
  #heading = h("h1", { class: "visually-hidden" });
  #stage = h("div", { class: "tv-stage" });
  #line = h("p", { class: "tv-line", role: "status", hidden: true });
  #showing = "";
  #allowSleep = preventSleep();

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    this.title = t("web.tv.title", { code: session.code });
    this.#heading.textContent = this.title;
    this.element = h("div", { class: "tv on-table" }, this.#heading, this.#stage, this.#line, fullscreenButton());
    session.addEventListener("change", this.#update);
    session.open();
    this.#update();
  }

  /** Disconnects and lets the screen sleep when the page closes. */
  close() {
    this.#session.close();
    this.#allowSleep();
  }

  #update = () => {
    const { table, game, ended, online } = this.#session;
    this.#line.hidden = online || Boolean(ended);
    this.#line.textContent = t("web.net.connecting");
    if (ended) return void this.#showEnd();
    if (!table) return;
    const lobby = !game || table.phase === "lobby" || table.phase === "writing";
    const { seats, guests, phase, settings, join_url } = table;
    const drawn = JSON.stringify(lobby ? [seats, guests, phase, settings.rules, join_url] : ["game", join_url]);
    if (drawn === this.#showing) return;
    this.#showing = drawn;
    if (lobby) this.#show("", ...lobbyParts(table));
    else this.#showGame(table);
    if (lobby) this.#showLeaderboard(table.code).catch(() => {});
  };

  /** Shows that there is no public table of this code. */
  async #showEnd() {
    const { codeForm } = await load(import("./unknown.js"));
    const join = h("a", { class: "button", href: `/t/${this.#session.code}` }, t("web.table.enter"));
    this.#show("", lost(t("web.tv.ended"), codeForm("/tv/"), join).element);
  }

  /** Shows the leaderboard of the seated people in the lobby. @param {string} code */
  async #showLeaderboard(code) {
    const drawn = this.#showing;
    const [{ leaderboardWords }, lines] = await Promise.all([load(import("./leaderboard.js")), get(`/api/tables/${code}/honors`)]);
    if (drawn === this.#showing) this.#stage.querySelector(".tv-people")?.append(leaderboardWords(lines) ?? "");
  }

  /** @param {TableInfo} table */
  async #showGame(table) {
    const drawn = this.#showing;
    await loadGame(table.settings.rules);
    if (this.#showing !== drawn) return;
    const game = /** @type {import("../game/game.js").LcGame} */ (h("lc-game", { tv: true }));
    game.session = this.#session;
    this.#show("playing", game, joinCorner(table));
  }

  /** @param {string} className @param {...Node} parts */
  #show(className, ...parts) {
    this.#stage.className = `tv-stage ${className}`;
    this.#stage.replaceChildren(...parts);
  }
}

/** Returns the join instructions and the people. @param {TableInfo} table */
function lobbyParts(table) {
  const { code, join_url: url, seats, phase, settings } = table;
  const address = url.replace(/^https?:\/\//, "");
  const names = seats.map((info) => info?.name);
  return [
    h(
      "section",
      { class: "tv-join" },
      h("p", { class: "tv-lead" }, t("web.tv.join")),
      h("img", { class: "tv-qr", src: qrPath(table), alt: t("web.tv.qr") }),
      h("p", { class: "tv-code" }, code),
      h("p", { class: "tv-address" }, address),
    ),
    h(
      "section",
      { class: seats.length > 5 ? "tv-people many" : "tv-people" },
      h("h2", null, t(`game.${gameOf(settings.rules)}`)),
      h("ul", null, seats.map((info, seat) => seatItem(info, teamMark(settings.rules, seat, names)))),
      h("p", { class: "tv-lead", role: "status" }, t(WAITS[phase] ?? "web.tv.waiting")),
    ),
  ];
}

/** @param {SeatInfo | null} info @param {TeamMark | null} mark */
function seatItem(info, mark) {
  if (!info) return h("li", { class: "free" }, h("span", { class: "tv-empty" }), markedName("span", {}, t("web.tv.free"), mark));
  const ready = info.ready && h("span", { class: "tv-ready" }, "✓");
  return h("li", null, avatar(info.name, info), markedName("span", { class: "tv-name" }, info.name, mark), ready);
}

/** Returns a small join code beside the game for late joiners. @param {TableInfo} table */
function joinCorner(table) {
  const picture = h("img", { src: qrPath(table), alt: t("web.tv.qr") });
  return h("div", { class: "tv-corner" }, picture, h("p", { class: "tv-code" }, table.code));
}

function fullscreenButton() {
  if (!document.fullscreenEnabled) return null;
  const toggle = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  return button(t("web.tv.full"), toggle, { look: "tv-full" });
}
