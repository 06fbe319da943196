/** The replay of a finished match inside a chat, with luck and skill. */

import { button, iconButton } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { closeIcon } from "../ui/icons.js";
import { load, need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";
import { get } from "../net/api.js";
import { replayBoard } from "../game/replayboard.js";
import { Controls } from "../replay/controls.js";
import { ReplayLog } from "../replay/replaylog.js";
import { ReplaySession } from "../replay/replaysession.js";

need(useTexts("after"), stylesheet("ui/controls.css"), stylesheet("pages/replay.css"));

/**
 * Returns the replay of a match.
 * @param {string} match its id @param {boolean} isReported whether luck and skill are opened at once
 * @param {() => void} leave shows the table again
 */
export async function matchReview(match, isReported, leave) {
  const session = new ReplaySession(await get(`/api/matches/${match}/replay`));
  const controls = new Controls(session);
  const log = new ReplayLog(session, (ply) => controls.jump(ply));
  const close = () => {
    controls.close();
    leave();
  };
  const head = h("header", { class: "replay-head" }, h("h1", null, t("web.score.replay")), iconButton(closeIcon(), t("web.dialog.close"), close));
  const report = await luckPanel(session, controls, isReported);
  const side = h("aside", { class: "replay-side stack" }, log.element, report);
  return h("div", { class: "replay" }, head, replayBoard(session), controls.element, side);
}

/** @param {ReplaySession} session @param {Controls} controls @param {boolean} isOpen */
async function luckPanel(session, controls, isOpen) {
  const { reportPanel } = await load(import("../replay/reportpanel.js"));
  const show = () => reportPanel(session, (round, step) => controls.jumpTo(round, step), false);
  if (isOpen) return show();
  const opener = button(t("web.report.title"), () => opener.replaceWith(show()));
  return opener;
}
