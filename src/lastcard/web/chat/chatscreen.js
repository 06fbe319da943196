/** The table inside a chat, as the page of an MCP App: the host shows it with the result of the tool that began the match. */

import { iconButton } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { bulbIcon } from "../ui/icons.js";
import { WordedError } from "../ui/failures.js";
import { load, need, once } from "../ui/resources.js";
import { applyTheme, prefs } from "../ui/prefs.js";
import { guessLanguage, language, t, useLanguage, useTexts } from "../ui/texts.js";
import { setLocalApi } from "../net/api.js";
import { Session } from "../net/session.js";
import { loadGame } from "../game/loading.js";
import { ChatLine } from "./chatline.js";
import { Host } from "./host.js";

/** @import {LcGame} from "../game/game.js" */
/** @import {Answerer} from "../net/api.js" */
/** @import {ReviewableSession} from "../game/scores.js" */

need(stylesheet("pages/table.css"), stylesheet("chat/chatscreen.css"), useTexts("unknown"));

const HEIGHT_PX = 640;
/** Beginning of the requests for what the cards do. */
const RULES = "/api/rules/";
/** Where the result of the tool has the key to the person's cards. */
const KEY = "lastcard/key";
/** A module without content: a host that does not admit WebAssembly refuses it. */
const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/** Whether the host admits the module, which the file contains. */
const hasModule = admitsModule();
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
  const call = (/** @type {object} */ args) => host.callTool("table_page", { match, key, ...args });
  const opened = new Session(match, { tv: true, line: (on) => new ChatLine(on, call) });
  session = opened;
  opened.addEventListener("connection", () => {
    if (opened.ended) stage.replaceChildren(h("p", { class: "waiting", role: "status" }, t("web.table.unknown.here")));
  });
  const table = /** @type {LcGame} */ (h("lc-game"));
  table.session = opened;
  stage.replaceChildren(table);
  const prepare = hasModule ? addModule(opened, table, call) : null;
  setLocalApi(async () => (method, path) => path.startsWith(RULES) ? describeCards(call) : answerByModule(prepare, method, path));
  opened.open();
}

/**
 * Returns the effects of the match's cards, which the server has, because hosts may refuse the module.
 * @param {(args: object) => Promise<{ok: boolean, rules?: object}>} call calls the page's tool
 */
async function describeCards(call) {
  const { ok, rules } = await call({ rules: language() });
  if (!ok) throw new WordedError(t("web.page.wrong"));
  return rules;
}

/** @param {(() => Promise<Answerer>) | null} prepare null without the module @param {string} method @param {string} path */
async function answerByModule(prepare, method, path) {
  if (!prepare) throw new WordedError(t("web.page.unknown"));
  return (await prepare())(method, path);
}

/** Whether the host's policy admits WebAssembly. */
function admitsModule() {
  try {
    return Boolean(new WebAssembly.Module(EMPTY_MODULE));
  } catch {
    return false;
  }
}

/**
 * Adds what the page computes itself: hints, and the review of the finished match. Returns what loads the module.
 * @param {ReviewableSession} opened @param {LcGame} table
 * @param {(args: object) => Promise<{ok: boolean, file?: string}>} call calls the page's tool
 */
function addModule(opened, table, call) {
  const prepare = once(async () => {
    const { useModule } = await load(import("./module.js"));
    const record = once(async () => (await host.callTool("record", { match: opened.code })).text);
    return useModule({ record, weights: async (file) => (await call({ file })).file ?? "" }, opened.seat);
  });
  opened.review = async (part) => {
    const { matchReview } = await load(import("./matchreview.js"));
    prefs.set("name", opened.table?.seats[opened.seat ?? -1]?.name ?? "");
    show(await matchReview(opened.code, part === "luck", () => show(table)));
    if (part === "luck") stage.querySelector(".report")?.scrollIntoView(); // on a phone it is below the replay
  };
  const adviser = once(async () => {
    await prepare();
    const { Adviser } = await load(import("../game/advice.js"));
    return new Adviser(opened, () => table, true);
  });
  const hint = iconButton(bulbIcon(), t("web.table.hint"), async () => (await adviser()).toggle(), { look: "quiet chat-hint", hidden: true });
  opened.addEventListener("change", () => {
    const { seat, game } = opened;
    hint.hidden = !table.isConnected || seat === null || game?.public.turn !== seat || game.public.decision === "over";
  });
  stage.append(hint);
  return prepare;
}

/** Shows the table, or the review in its place. @param {HTMLElement} element */
function show(element) {
  stage.firstElementChild?.replaceWith(element);
  document.body.classList.toggle("playing", element.localName === "lc-game");
}

document.body.classList.add("playing");
document.body.classList.toggle("without-module", !hasModule);
document.body.append(h("div", { class: "table-page" }, stage));
prefs.addEventListener("change", applyTheme);
host.addEventListener("context", (event) => {
  const { theme } = /** @type {CustomEvent<{theme?: string}>} */ (event).detail;
  if (theme) prefs.set("theme", theme);
});
host.addEventListener("result", (event) => void showTable(/** @type {CustomEvent} */ (event).detail));
applyTheme();
void host.connect(HEIGHT_PX);
