/** The replay of a match: /match/ID#ply=12&eyes=1, /match/ID#luck, or /match/ID#check. */

import { gameOf } from "../bindings/rulename.js";
import { isLocal } from "../ui/address.js";
import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { embedButton, fetchReplay, isEmbedded, siteLink } from "../ui/embedding.js";
import { errorWords } from "../ui/failures.js";
import { load, need } from "../ui/resources.js";
import { lost, show } from "../ui/router.js";
import { shareButton } from "../ui/share.js";
import { date, isolated, number, t, useTexts } from "../ui/texts.js";
import { get } from "../net/api.js";
import { recordLink } from "../net/recordlink.js";
import { teamMark } from "../cards/cards.js";
import { markedName } from "../cards/marks.js";
import { loadGame } from "../game/loading.js";
import { replayBoard } from "../game/replayboard.js";
import { Controls } from "../replay/controls.js";
import { ReplayLog } from "../replay/replaylog.js";
import { SPECTATOR, ALL_HANDS, ReplaySession } from "../replay/replaysession.js";
import { openCheck } from "../replay/verifydialog.js";

/** @import { Page } from "../ui/router.js" */
/** @import { Replay } from "../net/protocol.js" */
/** @import { Viewer } from "../replay/replaysession.js" */

need(useTexts("after"));

/** The fragments of an address that open luck and skill, or the check of the shuffle, at once. */
const LUCK = "#luck";
const CHECK = "#check";

/** @param {string} id the match's id @returns {Promise<Page>} */
export async function page(id) {
  const sheets = Promise.all([stylesheet("ui/controls.css"), stylesheet("pages/replay.css")]);
  /** @type {Replay} */
  let replay;
  try {
    replay = isEmbedded ? await fetchReplay(id) : await get(`/api/matches/${encodeURIComponent(id)}/replay`, isLocal(id));
  } catch (error) {
    return lost(errorWords(error), h("a", { class: "button", href: "/matches" }, t("web.matches.title")));
  }
  await Promise.all([sheets, loadGame(replay.rules)]);
  const session = new ReplaySession(replay);
  const place = readPlace(session);
  session.setViewer(place.viewer);
  session.go(place.ply);
  const { hash } = location;
  const controls = new Controls(session);
  const log = new ReplayLog(session, (ply) => controls.jump(ply));
  const title = t(`game.${gameOf(replay.rules)}`);
  const element = h(
    "div",
    { class: "replay" },
    h("header", { class: "replay-head" }, heading(replay, title), liveNote(replay)),
    replayBoard(session),
    controls.element,
    h(
      "aside",
      { class: "replay-side stack" },
      log.element,
      scores(session),
      report(session, controls, hash === LUCK),
      actions(session, controls, title),
    ),
  );
  session.addEventListener("change", () => writePlace(session));
  element.addEventListener("puzzle", async (event) => {
    const { makeOwnPuzzle } = await load(import("./puzzles.js"));
    await makeOwnPuzzle(replay, /** @type {CustomEvent} */ (event).detail);
  });
  if (hash === CHECK && !replay.live) queueMicrotask(() => void openCheck(replay, (round, step) => controls.jumpTo(round, step)));
  return { title, element, close: () => controls.close() };
}

/** @param {Replay} replay @param {string} title */
function heading({ names, rounds, taken_back: back = 0 }, title) {
  const begun = rounds[0].steps[0]?.at;
  const when = begun ? ` · ${date(begun)}` : "";
  return h(
    "div",
    null,
    h("h1", null, title),
    h("p", { class: "soft small" }, `${names.map(isolated).join(" · ")}${when}`),
    back > 0 && h("p", { class: "soft small" }, t("web.replay.taken_back", { n: back })),
  );
}

/** @param {Replay} replay */
function liveNote({ live }) {
  const again = button(t("web.replay.live.again"), show);
  return live && h("p", { class: "row small" }, h("span", { class: "grow" }, t("web.replay.live")), again);
}

/** Returns the points by round, folded because they reveal the result. @param {ReplaySession} session */
function scores({ replay, moments }) {
  const { names, rounds, rules, live } = replay;
  const rows = rounds.map((round, i) => {
    const { public: shown } = round.steps.at(-1) ?? round.first;
    if (shown.decision !== "over") return null;
    const cells = shown.scores.map((score, seat) => h("td", { class: seat === shown.winner ? "best" : null }, number(score)));
    return h("tr", null, h("th", { scope: "row" }, number(i + 1)), cells);
  });
  if (live && moments.at(-1)?.round === 0) return null;
  const heads = [
    h("th", { scope: "col" }, t("web.replay.round.short")),
    ...names.map((name, seat) => markedName("th", { scope: "col" }, name, teamMark(rules, seat, names))),
  ];
  const table = h("table", null, h("thead", null, h("tr", null, heads)), h("tbody", null, rows));
  return h(
    "details",
    { class: "panel" },
    h("summary", { class: "unfold" }, t("web.replay.scores")),
    h("div", { class: "wide-table", tabindex: 0, role: "region", "aria-label": t("web.replay.scores") }, table),
  );
}

/**
 * Returns the luck and skill panel, loaded on demand.
 * @param {ReplaySession} session @param {Controls} controls
 * @param {boolean} wanted whether to open it at once
 */
function report(session, controls, wanted) {
  if (session.replay.live || isEmbedded) return null;
  const open = async () => {
    opener.disabled = true;
    const { reportPanel } = await load(import("../replay/reportpanel.js"));
    opener.parentElement?.classList.add("reported");
    opener.replaceWith(reportPanel(session, (round, step) => controls.jumpTo(round, step)));
  };
  const opener = button(t("web.report.title"), open);
  if (wanted) queueMicrotask(open);
  return opener;
}

/** @param {ReplaySession} session @param {Controls} controls @param {string} title */
function actions({ replay }, controls, title) {
  const check = () => openCheck(replay, (round, step) => controls.jumpTo(round, step));
  const checking = !replay.live && button(t("web.verify.title"), check, { look: "primary" });
  if (isEmbedded) return h("div", { class: "row" }, checking, siteLink(`/match/${replay.id}`));
  return h(
    "div",
    { class: "row" },
    checking,
    !isLocal(replay.id) && shareButton(() => ({ url: location.href, title })), // a local match cannot be shared
    recordLink(replay.id, t("web.matches.record"), replay.rules),
    !isLocal(replay.id) && embedButton(`/match/${replay.id}`, title),
    h("a", { class: "button quiet", href: "/matches" }, t("web.matches.title")),
  );
}

/**
 * Returns the place in the match that the address names.
 * @param {ReplaySession} session @returns {{ply: number, viewer: Viewer}}
 */
function readPlace({ replay, end }) {
  const place = new URLSearchParams(location.hash.slice(1));
  const viewer = place.get("eyes") ?? "";
  const seat = /^\d$/.test(viewer) && Number(viewer) < replay.names.length ? Number(viewer) : null;
  return {
    ply: Math.min(end, Math.max(0, Math.floor(Number(place.get("ply"))) || 0)),
    viewer: replay.live || viewer === SPECTATOR ? SPECTATOR : (seat ?? ALL_HANDS),
  };
}

/** Stores the place in the address. @param {ReplaySession} session */
function writePlace({ ply, viewer }) {
  const place = new URLSearchParams({ ply: String(ply), ...(viewer === ALL_HANDS ? {} : { eyes: String(viewer) }) });
  history.replaceState(history.state, "", `#${place}`);
}
