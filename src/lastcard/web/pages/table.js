/** The page of one table: the lobby, the writing of rule cards or the game, by phase, under one bar. */

import { isStaticSite, isLocal } from "../ui/address.js";
import { h, restoreFocus, stylesheet } from "../ui/dom.js";
import { bulbIcon, chatIcon, menuIcon, undoIcon } from "../ui/icons.js";
import { later, load, need, once } from "../ui/resources.js";
import { prefs } from "../ui/prefs.js";
import { released } from "../ui/presses.js";
import { clearAnnouncements, toast } from "../ui/toast.js";
import { t } from "../ui/texts.js";
import { me } from "../net/me.js";
import { Session } from "../net/session.js";
import { loadGame } from "../game/loading.js";

need(stylesheet("pages/table.css"));

/** @import {Page} from "../ui/router.js" */
/** @import {NotePosted, Refused} from "../net/protocol.js" */

/** How long a game of “Play now” may take to begin before the lobby shows, in milliseconds. */
const DEAL_TIMEOUT_MS = 2500;

/**
 * @typedef {{element: HTMLElement, update?: () => void, close?: () => void, takeBack?: () => Promise<void>}} Screen one face of
 *   the table
 */

/** @type {Record<string, (session: Session) => Promise<Screen>>} */
const SCREENS = {
  lobby: async (session) => new (await load(import("../lobby/lobby.js"))).Lobby(session),
  writing: async (session) => new (await load(import("../lobby/cardwriter.js"))).CardWriter(session),
  game: async (session) => {
    await loadGame(session.table?.settings.rules ?? "");
    const element = /** @type {HTMLElement & {session: Session, takeBack: () => Promise<void>}} */ (h("lc-game"));
    element.session = session;
    return { element, takeBack: () => element.takeBack() };
  },
};

/** @param {string} code @returns {Promise<Page>} */
export async function page(code) {
  const here = isLocal(code);
  // A table in the page of a server needs no name there.
  if ((isStaticSite || !here) && !(await me())) return (await load(import("./introduction.js"))).introduction(code);
  if (here) return localTablePage(code);
  return new TablePage(new Session(code.toUpperCase()));
}

/** Returns the page of a table that runs in this page. @param {string} code @returns {Promise<Page>} */
async function localTablePage(code) {
  const { openLocalTable } = await load(import("../offline/openedtable.js"));
  const table = await openLocalTable(code);
  if ("title" in table) return table;
  const page = new TablePage(table.session, table);
  table.join(page.element);
  const close = () => (table.close(), page.close());
  return { title: page.title, element: page.element, close };
}

/** The session and its parts on the screen. */
class TablePage {
  #session;
  #more;
  #stage = h("div", { class: "stage" });
  #hint;
  #takeBack;
  /** @type {Screen | null} */
  #screen = null;
  #showing = "";
  /** Whether the lobby is shown although the last match is still on the table. */
  #back = false;
  #closed = false;
  /** Ends what was loaded later. @type {(() => void)[]} */
  #ends = [];
  /** “Play now” deals at once: its lobby is not shown. */
  #dealing = history.state?.quick === true;

  /** @param {Session} session @param {{lobby?: () => HTMLElement}} [more] more content of the lobby */
  constructor(session, { lobby } = {}) {
    this.#session = session;
    this.#more = lobby;
    this.#hint = barButton(t("web.table.hint"), bulbIcon(), async () => (await this.#adviser()).toggle());
    this.#takeBack = barButton(t("web.table.take_back"), undoIcon(), () => {});
    this.#takeBack.addEventListener("click", () => void this.#screen?.takeBack?.());
    this.title = session.isLocal ? t("web.table.title.here") : t("web.table.title", { code: session.code });
    this.element = h("div", { class: "table-page" }, this.#bar(), this.#stage);
    this.#stage.append(h("p", { class: "waiting", role: "status" }, t("web.net.connecting")));
    this.#stage.addEventListener("lobby", () => this.#showLobby());
    this.#listen();
    setTimeout(() => {
      this.#dealing = false;
      if (session.table) this.#update();
    }, DEAL_TIMEOUT_MS);
    session.open();
  }

  close() {
    this.#session.close();
    this.#screen?.close?.();
    this.#closed = true;
    for (const end of this.#ends) end();
    clearAnnouncements();
    document.body.classList.remove("playing", "noticed");
  }

  #adviser = once(async () => {
    const { Adviser } = await load(import("../game/advice.js"));
    return new Adviser(this.#session, () => /** @type {import("../game/game.js").LcGame | null} */ (this.element.querySelector("lc-game")));
  });

  /** In a lesson, the bar shows its progress, and a waiting table stays reserved. */
  #lesson = once(async () => {
    const { holdSeat, waitingTable } = await load(import("../guide/waiting.js"));
    const code = waitingTable();
    if (code && !this.#closed) this.#ends.push(holdSeat(code));
    const { LessonBar } = await load(import("../guide/lesson.js"));
    this.#hint.before(new LessonBar(this.#session).element);
    this.#hint.parentElement?.classList.add("taught");
  });

  /** Hints, chat and menu are loaded on first use. */
  #bar() {
    const session = this.#session;
    const chatButton = barButton(t("web.table.chat"), chatIcon(), async () => (await chat()).popover.open());
    const menuButton = barButton(t("web.table.menu"), menuIcon(), async () => (await menu()).popover.open());
    const chat = once(async () => this.#withPopover(new (await load(import("../lobby/chat.js"))).Chat(session, chatButton)));
    const menu = once(async () => this.#withPopover(new (await load(import("../lobby/menu.js"))).Menu(session, menuButton)));
    this.#stage.addEventListener("react", async (event) => (await chat()).reactTo(/** @type {CustomEvent<number>} */ (event).detail));
    session.addEventListener("heard", async (event) => {
      const { note } = /** @type {CustomEvent<NotePosted>} */ (event).detail;
      if (prefs.get("chat")) (await chat()).receive(note);
    });
    const title = h("h1", { class: "bar-title ellipsis", tabindex: -1 }, this.title);
    return h("header", { class: "bar" }, title, this.#takeBack, this.#hint, !this.#session.isLocal && chatButton, menuButton);
  }

  /** @template {{popover: {panel: HTMLElement}}} T @param {T} part */
  #withPopover(part) {
    this.element.append(part.popover.panel);
    return part;
  }

  #listen() {
    const session = this.#session;
    if (!session.isLocal) session.addEventListener("welcome", () => this.#takeSeat(), { once: true });
    for (const event of ["welcome", "table", "dealt"]) session.addEventListener(event, () => this.#update());
    for (const event of ["heard", "connection"]) session.addEventListener(event, () => this.#screen?.update?.());
    session.addEventListener("connection", () => this.#line());
    session.addEventListener("refused", (event) => {
      const { id, text } = /** @type {CustomEvent<Refused>} */ (event).detail;
      if (!id) toast(text, { kind: "bad" });
    });
  }

  /** After the connection has ended, the last state can only be viewed. */
  #line() {
    const { ended, table } = this.#session;
    this.#stage.inert = Boolean(ended);
    if (!ended) return;
    this.#takeBack.hidden = this.#hint.hidden = true;
    if (table) void this.#parts();
    else void this.#lost();
  }

  /** What the first picture does not need. */
  #parts = once(async () => {
    const { addTableParts } = await later(() => import("./tableparts.js"));
    if (!this.#closed) this.#ends.push(addTableParts(this.#session, this.#stage, this.#hint));
  });

  /** Shows that the table does not exist, or is full. */
  async #lost() {
    const { code, ended } = this.#session;
    const { closedTable } = await load(import("./unknown.js"));
    const { title, element } = closedTable(code, ended ?? "");
    document.title = title;
    this.element.replaceChildren(element);
  }

  /** Takes a free seat: people who come before the match want to play. */
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
    if (this.#closed) return;
    const { table, seat, game, isMatchHidden } = this.#session;
    const phase = table?.phase ?? "lobby";
    const lesson = Boolean(game?.mine?.lesson);
    if (lesson) void this.#lesson();
    this.#takeBack.hidden = phase !== "playing" || seat === null || !table?.take_backs;
    this.#hint.hidden = lesson || phase !== "playing" || seat === null || !table?.hints;
    if (phase === "lobby" && this.#dealing) return;
    if (phase !== "over") this.#back = false;
    // People who may not see the match see its players, and can ask for a seat.
    const unseen = isMatchHidden || (phase === "over" && !game);
    const wanted = phase === "lobby" || phase === "writing" ? phase : this.#back || unseen ? "lobby" : "game";
    document.body.classList.toggle("playing", wanted === "game");
    if (wanted === this.#showing) {
      this.#screen?.update?.();
      return this.#loadDeferred();
    }
    this.#showing = wanted;
    const screen = await SCREENS[wanted](this.#session);
    if (wanted === "lobby" && this.#more) screen.element.prepend(this.#more());
    await released(this.#stage);
    if (this.#closed || this.#showing !== wanted) return screen.close?.();
    const before = this.#screen;
    before?.close?.();
    this.#screen = screen;
    this.#stage.replaceChildren(screen.element);
    screen.update?.();
    if (before) {
      restoreFocus(this.element, "h1");
      scrollTo(0, 0); // the previous screen may have been scrolled
    }
    this.#loadDeferred();
  }

  /** Loads the parts that the first picture does not need. */
  #loadDeferred() {
    if (!this.#screen || (this.#showing === "game" && !this.#session.game)) return;
    void this.#parts();
  }
}

/**
 * @param {string} label @param {SVGElement} icon
 * @param {() => unknown} first called at each press until it has succeeded once; then the panel has its own listener
 */
function barButton(label, icon, first) {
  const press = async () => {
    try {
      await first();
      button.removeEventListener("click", press);
    } catch (error) {
      console.warn(error);
      toast(t("web.page.failed"), { kind: "bad" });
    }
  };
  const button = h("button", { class: "button quiet icon bar-button", type: "button", "aria-label": label, onclick: press }, icon);
  return button;
}
