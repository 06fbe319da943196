/** The page of one table: the lobby, the writing of rule cards or the game, by phase, under one bar. */

import { ApiError, get } from "./api.js";
import { Chat } from "./chat.js";
import { h, stylesheet } from "./dom.js";
import { textField } from "./fields.js";
import { introduce, me } from "./me.js";
import { Menu } from "./menu.js";
import { Session } from "./net.js";
import { Notices } from "./notices.js";
import { prefs } from "./prefs.js";
import { lost, show } from "./router.js";
import { toast } from "./toast.js";
import { t } from "./words.js";

/** @import {Page} from "./router.js" */
/** @import {Refused} from "./protocol.js" */

/** @typedef {{element: HTMLElement, update?: () => void, close?: () => void}} View one face of the table */

/** @type {Record<string, (session: Session) => Promise<View>>} */
const VIEWS = {
  lobby: async (session) => new (await import("./lobby.js")).Lobby(session),
  writing: async (session) => new (await import("./cardwriter.js")).CardWriter(session),
  game: async (session) => {
    await import("./game.js");
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
  await stylesheet("table.css");
  if (!(await me())) return introduction(code);
  return new TablePage(new Session(code.toUpperCase()));
}

/** The session, and whatever of it is on the screen. */
class TablePage {
  #session;
  #stage = h("div", { class: "stage" });
  #menu;
  #chat;
  #notices;
  /** @type {View | null} */
  #view = null;
  #showing = "";
  /** The table as between matches, although the last match still shows. */
  #back = false;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    this.title = t("web.table.title", { code: session.code });
    this.#menu = new Menu(session);
    this.#chat = new Chat(session);
    this.#notices = new Notices(session);
    const bar = h(
      "header",
      { class: "bar" },
      h("h1", { class: "bar-title" }, t("web.table.title", { code: session.code })),
      this.#chat.button,
      this.#menu.button,
    );
    this.element = h("div", { class: "table-page" }, bar, this.#notices.element, this.#stage, this.#menu.panel, this.#chat.panel);
    this.#stage.append(h("p", { class: "waiting", role: "status" }, t("web.net.connecting")));
    this.#stage.addEventListener("lobby", () => this.#showLobby());
    this.#listen();
    session.open();
  }

  close() {
    this.#session.close();
    this.#view?.close?.();
    document.body.classList.remove("playing");
  }

  #listen() {
    const session = this.#session;
    session.addEventListener("welcome", () => this.#takeSeat(), { once: true });
    for (const event of ["welcome", "table", "dealt"]) session.addEventListener(event, () => this.#update());
    for (const event of ["heard", "line"]) session.addEventListener(event, () => this.#view?.update?.());
    session.addEventListener("refused", (event) => {
      const { id, text } = /** @type {CustomEvent<Refused>} */ (event).detail;
      if (!id) toast(text, { kind: "bad" });
    });
  }

  /** Who comes to a table that has not begun wants to play. */
  #takeSeat() {
    const { table, seat } = this.#session;
    if (seat === null && table?.phase === "lobby" && table.seats.includes(null)) this.#session.send({ type: "sit", seat: null });
  }

  #showLobby() {
    this.#back = true;
    this.#update();
  }

  async #update() {
    const phase = this.#session.table?.phase ?? "lobby";
    if (phase !== "over") this.#back = false;
    const wanted = phase === "lobby" || phase === "writing" ? phase : this.#back ? "lobby" : "game";
    document.body.classList.toggle("playing", wanted === "game");
    if (wanted === this.#showing) return this.#view?.update?.();
    this.#showing = wanted;
    const view = await VIEWS[wanted](this.#session);
    if (this.#showing !== wanted) return view.close?.();
    this.#view?.close?.();
    this.#view = view;
    const focused = this.#stage.contains(document.activeElement);
    this.#stage.replaceChildren(view.element);
    view.update?.();
    if (focused) this.element.querySelector("h1")?.focus();
  }
}

/**
 * For somebody the server has not met: a name, then to the table.
 *
 * @param {string} code
 * @returns {Promise<Page>}
 */
async function introduction(code) {
  const about = await get(`/api/tables/${code}`).catch((error) => {
    if (error instanceof ApiError) return null;
    throw error;
  });
  if (!about) return lost(t("web.table.unknown", { code }));
  const error = h("p", { class: "error", role: "alert" });
  const name = textField(t("web.home.name"), {
    value: prefs.get("name"),
    maxlength: 24,
    required: true,
    autocomplete: "nickname",
    enterkeyhint: "go",
  });
  const enter = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      await introduce(name.input.value.trim());
      await show();
    } catch (problem) {
      error.textContent = /** @type {Error} */ (problem).message;
    }
  };
  const form = h(
    "form",
    { class: "panel stack", onsubmit: enter },
    name.element,
    error,
    h("button", { class: "button primary big wide" }, t("web.table.enter")),
  );
  const title = t("web.table.invited", { host: about.host });
  return { title, element: h("div", { class: "page narrow" }, h("h1", null, title), form) };
}
