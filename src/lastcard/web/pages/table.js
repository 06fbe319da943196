/** The page of one table: the lobby, the writing of rule cards or the game, by phase, under one bar. */

import { h, stylesheet } from "../ui/dom.js";
import { bulbIcon, chatIcon, menuIcon } from "../ui/icons.js";
import { load, once } from "../ui/needs.js";
import { prefs } from "../ui/prefs.js";
import { toast } from "../ui/toast.js";
import { t } from "../ui/words.js";
import { me } from "../line/me.js";
import { Session } from "../line/session.js";

/** @import {Page} from "../ui/router.js" */
/** @import {Heard, Refused} from "../line/protocol.js" */

/** How long a game of “Play now” may take to begin before the lobby shows, in milliseconds. */
const DEAL_MS = 2500;

/** @typedef {{element: HTMLElement, update?: () => void, close?: () => void}} Screen one face of the table */

/** @type {Record<string, (session: Session) => Promise<Screen>>} */
const SCREENS = {
  lobby: async (session) => new (await load(import("../lobby/lobby.js"))).Lobby(session),
  writing: async (session) => new (await load(import("../lobby/cardwriter.js"))).CardWriter(session),
  game: async (session) => {
    await load(import("../game/game.js"));
    const element = /** @type {HTMLElement & {session: Session}} */ (h("lc-game"));
    element.session = session;
    return { element };
  },
};

/**
 * @param {string} code
 * @returns {Promise<Page>}
 */
export async function page(code) {
  await stylesheet("pages/table.css");
  if (!(await me())) return (await load(import("./introduction.js"))).introduction(code);
  return new TablePage(new Session(code.toUpperCase()));
}

/** The session, and whatever of it is on the screen. */
class TablePage {
  #session;
  #stage = h("div", { class: "stage" });
  #hint;
  /** @type {Screen | null} */
  #screen = null;
  #showing = "";
  /** The table as between matches, although the last match still shows. */
  #back = false;
  /** “Play now” deals at once: its lobby is not worth a look. */
  #dealing = history.state?.quick === true;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    this.#hint = barButton(t("web.table.hint"), bulbIcon(), async () => (await this.#advice()).popover.open());
    this.title = t("web.table.title", { code: session.code });
    this.element = h("div", { class: "table-page" }, this.#bar(), this.#stage);
    this.#stage.append(h("p", { class: "waiting", role: "status" }, t("web.net.connecting")));
    this.#stage.addEventListener("lobby", () => this.#showLobby());
    this.#listen();
    setTimeout(() => this.#waited(), DEAL_MS);
    session.open();
  }

  /** The deal did not come: show what there is. */
  #waited() {
    this.#dealing = false;
    if (this.#session.table) this.#update();
  }

  close() {
    this.#session.close();
    this.#screen?.close?.();
    document.body.classList.remove("playing");
  }

  #advice = once(async () =>
    this.#with(new (await load(import("../game/advice.js"))).AdvicePanel(this.#session, this.#hint)),
  );

  /** Hints, chat and menu are loaded when they are first wanted. */
  #bar() {
    const session = this.#session;
    const chatButton = barButton(t("web.table.chat"), chatIcon(), async () => (await chat()).popover.open());
    const menuButton = barButton(t("web.table.menu"), menuIcon(), async () => (await menu()).popover.open());
    const chat = once(async () => this.#with(new (await load(import("../lobby/chat.js"))).Chat(session, chatButton)));
    const menu = once(async () => this.#with(new (await load(import("../lobby/menu.js"))).Menu(session, menuButton)));
    session.addEventListener("heard", async (event) => {
      const { note } = /** @type {CustomEvent<Heard>} */ (event).detail;
      if (prefs.get("chat")) (await chat()).hear(note);
    });
    const title = h("h1", { class: "bar-title", tabindex: -1 }, t("web.table.title", { code: session.code }));
    return h("header", { class: "bar" }, title, this.#hint, chatButton, menuButton);
  }

  /**
   * @template {{popover: {panel: HTMLElement}}} T
   * @param {T} part
   */
  #with(part) {
    this.element.append(part.popover.panel);
    return part;
  }

  #listen() {
    const session = this.#session;
    session.addEventListener("welcome", () => this.#takeSeat(), { once: true });
    for (const event of ["welcome", "table", "dealt"]) session.addEventListener(event, () => this.#update());
    for (const event of ["heard", "line"]) session.addEventListener(event, () => this.#screen?.update?.());
    session.addEventListener("line", () => session.ended && this.#notices());
    session.addEventListener("refused", (event) => {
      const { id, text } = /** @type {CustomEvent<Refused>} */ (event).detail;
      if (!id) toast(text, { kind: "bad" });
    });
  }

  /** Lines under the bar: not needed for the first picture, unless there will be none. */
  #notices = once(async () => {
    const { Notices } = await load(import("../lobby/notices.js"));
    this.#stage.before(new Notices(this.#session).element);
  });

  /** Take a free seat: whoever comes to a table that has not begun wants to play. */
  #takeSeat() {
    const { table, seat } = this.#session;
    if (seat === null && table?.phase === "lobby" && table.seats.includes(null))
      this.#session.send({ type: "sit", seat: null });
  }

  #showLobby() {
    this.#back = true;
    this.#update();
  }

  async #update() {
    const { table, seat } = this.#session;
    const phase = table?.phase ?? "lobby";
    this.#hint.hidden = phase !== "playing" || seat === null || !table?.hints;
    if (phase === "lobby" && this.#dealing) return;
    if (phase !== "over") this.#back = false;
    const wanted = phase === "lobby" || phase === "writing" ? phase : this.#back ? "lobby" : "game";
    document.body.classList.toggle("playing", wanted === "game");
    if (wanted === this.#showing) return this.#screen?.update?.();
    this.#showing = wanted;
    const screen = await SCREENS[wanted](this.#session);
    if (this.#showing !== wanted) return screen.close?.();
    const before = this.#screen;
    before?.close?.();
    this.#screen = screen;
    this.#stage.replaceChildren(screen.element);
    screen.update?.();
    // What had the focus is gone.
    if (before && document.activeElement === document.body) this.element.querySelector("h1")?.focus();
    setTimeout(this.#notices);
  }
}

/**
 * @param {string} label
 * @param {SVGElement} icon
 * @param {() => void} first done at the first press; the panel then listens by itself
 */
function barButton(label, icon, first) {
  const button = h("button", { class: "button quiet icon bar-button", type: "button", "aria-label": label }, icon);
  button.addEventListener("click", first, { once: true });
  return button;
}
