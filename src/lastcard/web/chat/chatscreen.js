/** The table inside a chat, as the page of an MCP App: the host shows it with the result of the tool that began the match. */

import { h, stylesheet } from "../ui/dom.js";
import { load, need } from "../ui/resources.js";
import { applyTheme, prefs } from "../ui/prefs.js";
import { guessLanguage, t, useLanguage, useTexts } from "../ui/texts.js";
import { Session } from "../net/session.js";
import { loadGame } from "../game/loading.js";
import { ChatLine } from "./chatline.js";
import { Host } from "./host.js";

need(stylesheet("pages/table.css"), stylesheet("chat/chatscreen.css"), useTexts("unknown"));

const HEIGHT_PX = 640;
/** Where the result of the tool has the key to the person's cards. */
const KEY = "lastcard/key";

const host = new Host();
const stage = h("main", { class: "stage" });
/** @type {Session | null} */
let session = null;

/**
 * Shows the table of a match.
 * @param {{structuredContent?: {match?: string, view?: {rules: string, language: string}}, _meta?: Record<string, unknown>}} result
 */
async function showTable({ structuredContent: { match, view } = {}, _meta: meta }) {
  const key = meta?.[KEY];
  if (!match || !view || !key) return;
  await useLanguage(guessLanguage([view.language]));
  await load(loadGame(view.rules));
  session?.close();
  session = new Session(match, {
    tv: true,
    line: (on) => new ChatLine(on, (args) => host.callTool("table_page", { match, key, ...args })),
  });
  session.addEventListener("connection", () => {
    if (session?.ended) stage.replaceChildren(h("p", { class: "waiting", role: "status" }, t("web.table.unknown.here")));
  });
  const table = /** @type {HTMLElement & {session: Session}} */ (h("lc-game"));
  table.session = session;
  stage.replaceChildren(table);
  session.open();
}

document.body.classList.add("playing");
document.body.append(h("div", { class: "table-page" }, stage));
prefs.addEventListener("change", applyTheme);
host.addEventListener("context", (event) => {
  const { theme } = /** @type {CustomEvent<{theme?: string}>} */ (event).detail;
  if (theme) prefs.set("theme", theme);
});
host.addEventListener("result", (event) => void showTable(/** @type {CustomEvent} */ (event).detail));
applyTheme();
void host.connect(HEIGHT_PX);
