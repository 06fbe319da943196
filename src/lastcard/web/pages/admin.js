/** The operator's page: server status, people, settings, bans, and reports. */

import { ADMIN_NOTICE_CHARS, ADMIN_TOKEN_CHARS, CHAT_MODES, NETWORK_CHARS } from "../bindings/constants.js";
import { gameOf } from "../bindings/rulename.js";
import { button } from "../ui/button.js";
import { openDialog } from "../ui/dialog.js";
import { h, stylesheet, uniqueId } from "../ui/dom.js";
import { errorWords } from "../ui/failures.js";
import { chips, form, problemLine, selectField, switchField, textField } from "../ui/fields.js";
import { attempt, panel } from "../ui/panels.js";
import { need } from "../ui/resources.js";
import { refill } from "../ui/presses.js";
import { show, titledPage } from "../ui/router.js";
import { toast } from "../ui/toast.js";
import { date, number, t, useTexts } from "../ui/texts.js";
import { ApiError, get, post, remove } from "../net/api.js";

/** @import { Page } from "../ui/router.js" */
/** @import { AdminAccess, AdminPage, AdminTable, BanRow, Complaint, WorkerStats } from "../net/protocol.js" */

need(useTexts("admin"), useTexts("notice"), stylesheet("ui/controls.css"), stylesheet("pages/admin.css"));

const REFRESH_MS = 5000;
const DAYS = [1, 7, 30, 365];
const BYTES_PER_MB = 1_000_000;

/** @returns {Promise<Page>} */
export async function page() {
  const { offered, granted } = /** @type {AdminAccess} */ (await get("/api/admin/session"));
  if (!offered) return framed(h("p", { class: "panel" }, t("web.admin.none")));
  return granted ? new Administration(await get("/api/admin")) : signIn();
}

/** @param {...HTMLElement} parts @returns {Page} */
const framed = (...parts) => titledPage(t("web.admin.title"), "admin", parts);

/** Returns the sign-in form. The token is sent in the body of a request, and never in an address. */
function signIn() {
  const key = textField(t("web.admin.token"), { type: "password", autocomplete: "current-password", maxlength: ADMIN_TOKEN_CHARS });
  const problem = problemLine();
  const enter = async () => {
    const token = key.input.value.trim();
    if (!token) return key.input.focus();
    await post("/api/admin/session", { token });
    await show();
  };
  const go = h("button", { class: "button primary" }, t("web.admin.signin"));
  return framed(form({ class: "panel stack" }, () => attempt(enter, problem), problem, key.element, go));
}

/** The admin panels, redrawn every few seconds; inputs stay. */
class Administration {
  title = t("web.admin.title");
  #now = h("dl", { class: "admin-now" });
  #tables = h("div", { class: "stack" });
  #complaints = h("div", { class: "stack" });
  #bans = h("div", { class: "stack" });
  #drawn = "";
  #timer;

  /** @param {AdminPage} state */
  constructor(state) {
    const out = () =>
      attemptSignedIn(async () => {
        await remove("/api/admin/session");
        await show();
      });
    this.element = framed(
      panel(t("web.admin.now"), this.#now, button(t("web.admin.signout"), out, { look: "quiet" })),
      panel(t("web.admin.orders"), this.#serverSettings(state)),
      panel(t("web.admin.reports"), this.#complaints),
      panel(t("web.admin.tables"), this.#tables),
      panel(t("web.admin.bans"), this.#bans, this.#network()),
    ).element;
    this.#draw(state);
    this.#timer = setInterval(() => document.hidden || this.#refreshQuietly(), REFRESH_MS);
  }

  close() {
    clearInterval(this.#timer);
  }

  async #refresh() {
    this.#draw(await get("/api/admin"));
  }

  /** Refreshes; without an answer it tries again, and without a session it asks for the token. */
  async #refreshQuietly() {
    try {
      await this.#refresh();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) return;
      this.close();
      await show();
    }
  }

  /**
   * Runs an action, and shows its result.
   * @param {() => Promise<unknown>} action
   * @param {string} done the message after success
   */
  #do(action, done) {
    return attemptSignedIn(async () => {
      await action();
      toast(done, { kind: "good" });
      await this.#refresh();
    });
  }

  /** @param {AdminPage} state */
  #draw({ workers, tables, bans, complaints }) {
    this.#now.replaceChildren(...figures(Object.entries(workers)));
    // Buttons stay in place until their data change.
    const drawn = JSON.stringify([tables, bans, complaints]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    fill(this.#tables, tables.map((table) => this.#table(table)), t("web.admin.tables.none"));
    fill(this.#complaints, complaints.map((each) => this.#complaint(each)), t("web.admin.reports.none"));
    fill(this.#bans, bans.map((ban) => this.#ban(ban)), t("web.admin.bans.none"));
  }

  /** @param {AdminPage} state */
  #serverSettings({ orders, chat }) {
    const save = (/** @type {object} */ changes) =>
      this.#do(() => post("/api/admin/orders", changes), t("web.admin.saved"));
    const notice = textField(t("web.admin.notice"), { maxlength: ADMIN_NOTICE_CHARS, value: orders.notice });
    const wordsId = uniqueId();
    const words = h("textarea", { class: "input", id: wordsId, rows: 4, spellcheck: "false" }, orders.words.join("\n"));
    const send = () => {
      const lines = words.value.split("\n").map((word) => word.trim());
      save({ notice: notice.input.value.trim(), words: lines.filter(Boolean) });
    };
    return form(
      { class: "stack" },
      send,
      switchField(t("web.admin.draining"), orders.draining, (draining) => save({ draining }), {
        about: t("web.admin.draining.about"),
      }),
      chips({
        label: t("web.admin.chat"),
        choices: CHAT_MODES.map((value) => ({ value, text: t(`web.admin.chat.${value}`) })),
        value: chat,
        onchange: (value) => save({ chat: value }),
      }),
      notice.element,
      h(
        "div",
        { class: "field" },
        h("label", { for: wordsId }, t("web.admin.words")),
        h("p", { class: "soft small" }, t("web.admin.words.about")),
        words,
      ),
      h("div", null, h("button", { class: "button primary" }, t("web.admin.save"))),
    );
  }

  /** @param {AdminTable} table */
  #table({ code, rules, phase, bots, people }) {
    const named = people.map(({ player, name, here }) =>
      h(
        "li",
        { class: "row" },
        h("span", { class: "grow" }, here ? name : t("web.admin.away", { name })),
        button(t("web.admin.ban", { name }), () => this.#banDialog(player, name), { look: "quiet", data: { key: `${code} ${player}` } }),
      ),
    );
    const facts = [t(`game.${gameOf(rules)}`), t(`web.admin.phase.${phase}`)].join(" · ");
    const none = h("li", { class: "soft" }, t("web.admin.people.none"));
    const head = h("h3", null, h("a", { href: `/t/${code}` }, code), " ", h("span", { class: "soft small" }, facts));
    return h("article", { data: { table: code, bots } }, head, h("ul", null, named.length ? named : none));
  }

  /** @param {Complaint} complaint */
  #complaint({ id, table, player, name, by_name, why, text, notes, at }) {
    const lines = notes.map(([who, words]) => h("li", null, h("strong", null, who), " ", words));
    const reason = t(`web.notice.why.${why}`);
    const resolve = () => this.#do(() => remove(`/api/admin/complaints/${id}`), t("web.admin.saved"));
    return h(
      "article",
      { class: "stack tight" },
      h("h3", null, t("web.admin.report", { by: by_name, name, why: reason })),
      h("p", { class: "soft small" }, `${table} · ${date(at)}`),
      text && h("blockquote", null, text),
      notes.length
        ? h("details", { class: "fold" }, h("summary", null, t("web.admin.report.chat")), h("ol", null, lines))
        : h("p", { class: "soft small" }, t("web.admin.report.silent")),
      h(
        "div",
        { class: "row" },
        button(t("web.admin.ban", { name }), () => this.#banDialog(player, name), { look: "danger", data: { key: `ban ${id}` } }),
        button(t("web.admin.settle"), resolve, { data: { key: `resolve ${id}` } }),
      ),
    );
  }

  /** @param {BanRow} ban */
  #ban({ id, name, network, until }) {
    const ends = until === null ? t("web.admin.ban.ever") : t("web.admin.bans.until", { date: date(until) });
    const lift = () => this.#do(() => remove(`/api/admin/bans/${id}`), t("web.admin.saved"));
    const whom = [name, network].filter(Boolean).join(" · ");
    return h(
      "p",
      { class: "row" },
      h("span", { class: "grow" }, whom, " ", h("span", { class: "soft small" }, ends)),
      button(t("web.admin.lift"), lift, { look: "quiet", "aria-label": `${t("web.admin.lift")}: ${whom}`, data: { key: `lift ${id}` } }),
    );
  }

  /** @param {string} player @param {string} name */
  #banDialog(player, name) {
    let [days, widely] = [7, false];
    const ban = () => {
      dialog.close();
      this.#do(() => post("/api/admin/bans", { player, name, days, widely }), t("web.admin.banned"));
    };
    const dialog = openDialog({
      title: t("web.admin.ban", { name }),
      content: h(
        "div",
        { class: "stack" },
        daysField(days, (chosen) => (days = chosen)),
        switchField(t("web.admin.ban.widely"), widely, (on) => (widely = on), {
          about: t("web.admin.ban.widely.about"),
        }),
      ),
      actions: button(t("web.admin.ban.yes"), ban, { look: "danger" }),
    });
  }

  /** Returns the form that bans a network by its address. */
  #network() {
    let days = 7;
    const field = textField(t("web.admin.network"), { maxlength: NETWORK_CHARS, placeholder: "203.0.113.0/24" });
    const ban = () => {
      const network = field.input.value.trim();
      if (!network) return field.input.focus();
      return this.#do(async () => {
        await post("/api/admin/bans", { network, days });
        if (field.input.value.trim() === network) field.input.value = ""; // else it already contains the next one
      }, t("web.admin.banned"));
    };
    const go = h("button", { class: "button" }, t("web.admin.ban.yes"));
    return form({ class: "stack" }, ban, field.element, daysField(days, (n) => (days = n)), go);
  }
}

/** @param {number} value @param {(days: number) => void} onchange */
function daysField(value, onchange) {
  const choices = DAYS.map((n) => ({ value: String(n), text: t("web.admin.ban.days.n", { n }) }));
  return selectField({
    label: t("web.admin.ban.days"),
    choices: [...choices, { value: "0", text: t("web.admin.ban.ever") }],
    value: String(value),
    onchange: (chosen) => onchange(Number(chosen)),
  });
}

/** Returns the status of each process. @param {[string, WorkerStats][]} workers */
function figures(workers) {
  const fact = (/** @type {string} */ label, /** @type {string} */ value) =>
    h("div", null, h("dt", null, label), h("dd", null, value));
  return workers.flatMap(([id, { load, processors, memory, thinking, playing, people }]) => {
    const persons = new Set(Object.values(people).flatMap((table) => Object.keys(table)));
    return [
      workers.length > 1 ? fact(t("web.admin.worker"), id) : "",
      fact(t("web.admin.people"), number(persons.size)),
      fact(t("web.admin.playing"), number(playing)),
      load === null ? "" : fact(t("web.admin.load"), t("web.admin.load.of", { load, n: processors })),
      memory === null ? "" : fact(t("web.admin.memory"), t("web.admin.memory.mb", { n: Math.round(memory / BYTES_PER_MB) })),
      fact(t("web.admin.thinking"), number(thinking)),
    ];
  });
}

/** @param {HTMLElement} place @param {HTMLElement[]} rows @param {string} none */
const fill = (place, rows, none) => refill(place, () => (rows.length ? rows : [h("p", { class: "soft" }, none)]));

/** Runs an action; without a session the page asks for the token again. @param {() => Promise<unknown>} action */
async function attemptSignedIn(action) {
  try {
    await action();
  } catch (error) {
    toast(errorWords(error), { kind: "bad" });
    if (error instanceof ApiError && error.status === 401) await show();
  }
}
