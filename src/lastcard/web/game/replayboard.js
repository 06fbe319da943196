/** The table of a replay. */

import { h } from "../ui/dom.js";

/** @import { ReplaySession } from "../replay/replaysession.js" */

/** Returns the table as the session's viewer sees it. @param {ReplaySession} session */
export function replayBoard(session) {
  const game = /** @type {import("./game.js").LcGame} */ (h("lc-game", { replay: true }));
  const updateViewer = () => (game.viewer = typeof session.viewer === "number" ? session.viewer : null);
  updateViewer();
  session.addEventListener("viewer", updateViewer);
  game.session = /** @type {import("../net/session.js").Session} */ (/** @type {unknown} */ (session));
  return h("div", { class: "replay-board on-table" }, game);
}
