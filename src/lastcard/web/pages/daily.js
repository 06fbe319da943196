/** The deal of the day: a try at each game, the results of everybody, a calendar, and a line to share. */

import { SHARE_SIGNS } from "../bindings/constants.js";
import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { playIcon } from "../ui/icons.js";
import { attempt } from "../ui/panels.js";
import { prefs } from "../ui/prefs.js";
import { load, need } from "../ui/resources.js";
import { go, titledPage } from "../ui/router.js";
import { copyButton, shareButton } from "../ui/share.js";
import { at, isStaticSite } from "../ui/address.js";
import { isolated, percent, t, useTexts } from "../ui/texts.js";
import { get, post } from "../net/api.js";
import { introduce } from "../net/me.js";
import { avatar } from "../cards/art.js";
import { DAY_MS, dayOf } from "../offline/streak.js";

/** @import { DailyGame, DailyLine, DailyPage, DailyStandings, DailyTry, Replay } from "../net/protocol.js" */
/** @import { Highlight } from "../localtable/highlights.js" */
/** @import { Page } from "../ui/router.js" */

need(useTexts("daily"), useTexts("after"), stylesheet("pages/daily.css"), stylesheet("pages/leaderboard.css"), stylesheet("cards/art.css"));

const HOUR_MS = 3_600_000;
const WEEKS_SHOWN = 5;
/** The number of results shown, besides one's own. */
const BEST = 10;
/** The time between two questions for the run of the master, which takes some seconds. */
const MASTER_WAIT_MS = 2000;

/** @returns {Promise<Page>} */
export async function page() {
  /** @type {DailyPage} */
  const today = await get("/api/daily");
  const hours = Math.max(1, Math.ceil((today.ends - Date.now()) / HOUR_MS));
  return titledPage(
    t("web.daily.title"),
    "daily",
    h("p", null, t("web.daily.lead")),
    h("p", { class: "soft" }, [t("web.daily.ends", { n: hours }), today.streak > 1 && t("web.daily.streak", { n: today.streak })].filter(Boolean).join(" · ")),
    today.games.map((game) => gamePanel(today, game)),
    calendar(today),
    h("p", { class: "soft small" }, t(isStaticSite ? "web.daily.unproved" : "web.daily.proof")),
  );
}

/** @param {DailyPage} today @param {DailyGame} game */
function gamePanel({ day }, { game, table, finished }) {
  const name = t(`game.${game}`);
  const problem = h("p", { class: "problem", role: "alert" });
  const play = async () => {
    await introduce(prefs.get("name") || t("web.home.guest"));
    const { code } = await post("/api/daily", { game });
    await go(`/t/${code}`);
  };
  const result = h("div", { class: "stack daily-result" });
  if (finished) void attempt(() => showResult(result, day, game), problem);
  return h(
    "section",
    { class: "panel stack", "aria-label": name },
    h("h2", null, name),
    problem,
    !table && button([playIcon(), t("web.daily.play")], () => attempt(play, problem), { look: "primary wide", "aria-label": `${t("web.daily.play")}: ${name}` }),
    table && !finished && h("a", { class: "button primary wide", href: `/t/${table}` }, t("web.daily.go_on")),
    result,
  );
}

/**
 * Shows a person's result, and what it is worth as soon as it is known.
 * @param {HTMLElement} place @param {string} day @param {string} game
 */
async function showResult(place, day, game) {
  /** @returns {Promise<DailyStandings>} */
  const ask = () => get(`/api/daily/${day}/${game}`);
  let found = await ask();
  const mine = found.lines.find((line) => line.mine);
  if (!mine?.match) return place.replaceChildren(mine ? h("p", { class: "lead" }, resultText(MINE, mine)) : "");
  const [{ costText }, shared, moments] = await Promise.all([
    load(import("../game/scores.js")),
    sharedText(found, mine),
    /** @type {Promise<Highlight[]>} */ (get(`/api/matches/${mine.match}/moments`).catch(() => [])),
  ]);
  const cost = moments.find(({ kind, seat }) => kind === "cost" && seat === 0);
  const master = h("div", { role: "status" }, t("web.daily.master.thinking"));
  place.replaceChildren(
    h("p", { class: "lead" }, resultText(MINE, mine), !isStaticSite && ` ${t("web.daily.place", { place: mine.place, n: found.players })}`),
    cost ? h("p", null, costText(cost, game)) : "",
    master,
    h("p", { class: "daily-signs", "aria-hidden": "true" }, shared.signs),
    h("div", { class: "row" }, shareButton(() => shared.link), copyButton(`${shared.link.text}\n${shared.link.url}`), h("a", { class: "button", href: `/match/${mine.match}#luck` }, t("web.score.luck"))),
    isStaticSite ? "" : board(found),
  );
  if (mine.luck === null && !isStaticSite) await get(`/api/matches/${mine.match}/report`).catch(() => {});
  for (found = await ask(); !found.master && place.isConnected; found = await ask()) {
    await new Promise((done) => setTimeout(done, MASTER_WAIT_MS));
  }
  master.replaceChildren(...masterTexts(found).map((text) => h("p", null, text)));
}

/** Returns the texts about the master's run and the person's. @param {DailyStandings} standings */
function masterTexts({ master, lines }) {
  const luck = lines.find((line) => line.mine)?.luck ?? null;
  const mine = lines.find((line) => line.mine);
  if (!master || !mine) return [];
  const worth = (/** @type {boolean} */ won, /** @type {number} */ lucky) => percent(Math.min(1, Math.max(0, Number(won) - lucky)));
  const fair = luck !== null && t("web.daily.fair", { mine: worth(mine.won, luck), theirs: worth(master.won, master.luck) });
  return [resultText(MASTERS, master), ...(fair ? [fair] : [])];
}

/** The texts of a result: of a win, and of a loss. */
const MINE = ["web.daily.won", "web.daily.lost"];
const MASTERS = ["web.daily.master.won", "web.daily.master.lost"];
const ANYBODYS = ["web.daily.line.won", "web.daily.line.lost"];

/** @param {string[]} texts @param {{won: boolean, moves: number, points: number}} result */
function resultText([winText, lossText], { won, moves, points }) {
  return won ? t(winText, { n: moves }) : t(lossText, { points: t("count.points", { n: points }) });
}

/** Returns the best results, and one's own. @param {DailyStandings} standings */
function board({ lines }) {
  const shown = lines.filter((line, i) => i < BEST || line.mine);
  return h(
    "details",
    { class: "leaderboard" },
    h("summary", null, t("web.daily.board")),
    h("ol", { class: "stack tight" }, shown.map(boardLine)),
  );
}

/** @param {DailyLine} line */
function boardLine(line) {
  const name = line.name ?? t("web.daily.someone");
  const result = [resultText(ANYBODYS, line), line.late && t("web.daily.late")].filter(Boolean).join(" · ");
  const shown = line.match ? h("a", { href: `/match/${line.match}` }, isolated(name)) : isolated(name);
  return h(
    "li",
    { class: line.mine ? "own" : "", value: line.place },
    avatar(name),
    h("span", { class: "leaderboard-name ellipsis" }, shown),
    h("span", { class: "soft small" }, result),
  );
}

/**
 * Returns what a person shares: the result, and a sign for each of their moves, which shows no card.
 * @param {DailyStandings} standings @param {DailyLine} mine
 */
async function sharedText({ day, game }, mine) {
  /** @type {Replay} */
  const { rounds } = await get(`/api/matches/${mine.match}/replay`);
  const own = rounds.at(-1)?.steps.filter(({ seat }) => seat === 0) ?? [];
  const signs = own.map(({ move }) => SHARE_SIGNS[/^[A-Z]/.test(move) ? "play" : move.split(">")[0]] ?? "").join("");
  const title = `Last Card · ${t(`game.${game}`)} · ${day}`;
  const text = [title, resultText(ANYBODYS, mine), signs + (mine.won ? "🏆" : "")].join("\n");
  return { signs, link: { url: new URL(at("/daily"), location.origin).href, title, text } };
}

/** Returns the last weeks, day by day. @param {DailyPage} today */
function calendar({ day, tries }) {
  const now = Date.parse(day);
  const days = Array.from({ length: 7 * WEEKS_SHOWN }, (_, i) => new Date(now - (7 * WEEKS_SHOWN - 1 - i) * DAY_MS));
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeZone: "UTC" });
  const item = (/** @type {Date} */ date) => {
    const state = stateOf(tries, dayOf(date.getTime()));
    return h("li", { class: state }, h("span", { "aria-hidden": "true" }, String(date.getUTCDate())), h("span", { class: "visually-hidden" }, t(`web.daily.day.${state}`, { day: format.format(date) })));
  };
  return h("section", { class: "panel stack" }, h("h2", null, t("web.daily.calendar")), h("ol", { class: "daily-days" }, days.map(item)));
}

/** @param {DailyTry[]} tries @param {string} day @returns {"won" | "played" | "none"} */
function stateOf(tries, day) {
  const finished = tries.filter((each) => each.day === day && each.finished);
  if (!finished.length) return "none";
  return finished.some(({ won }) => won) ? "won" : "played";
}
