/** Moves a match from the page to a table on the server that a friend can join: same rules, same bots, new scores. */

import { button } from "../ui/button.js";
import { openDialog } from "../ui/dialog.js";
import { h } from "../ui/dom.js";
import { problemLine } from "../ui/fields.js";
import { attempt } from "../ui/panels.js";
import { need } from "../ui/resources.js";
import { prefs } from "../ui/prefs.js";
import { go } from "../ui/router.js";
import { t, useTexts } from "../ui/texts.js";
import { post } from "../net/api.js";
import { introduce } from "../net/me.js";

/** @import { TableInfo } from "../net/protocol.js" */
/** @import { Session } from "../net/session.js" */

need(useTexts("side"));

/**
 * Explains what happens to the match, and opens the table on request.
 * @param {Session} session a session at a table in this page
 */
export function openHandover(session) {
  const problem = problemLine();
  const open = async () => {
    await introduce(prefs.get("name") || t("web.home.guest"));
    const { code } = await post("/api/tables", wanted(session));
    dialog.close();
    await go(`/t/${code}`);
  };
  const dialog = openDialog({
    title: t("web.menu.friend"),
    content: h("div", { class: "stack" }, h("p", null, t("web.menu.friend.about")), h("p", null, t("web.menu.friend.score"))),
    actions: [problem, button(t("web.menu.friend.open"), () => attempt(open, problem), { look: "primary" })],
  });
}

/**
 * Returns the settings of the same table on the server. Other people here join by invitation, and so does the friend, who gets a
 * bot's seat if only bots play along.
 * @param {Session} session
 */
function wanted({ table, seat }) {
  const { settings, seats } = /** @type {TableInfo} */ (table);
  const others = seats.filter((_, i) => i !== (seat ?? 0));
  const bots = others.map((info) => info?.bot ?? null);
  if (!bots.includes(null)) bots[0] = null;
  return { settings, bots, styles: others.map((info) => info?.style ?? "") };
}
