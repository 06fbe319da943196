/** Lines under the bar: the connection, a substitute bot, a pause, a vote. */

import { button } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { need } from "../ui/resources.js";
import { refill } from "../ui/presses.js";
import { toast } from "../ui/toast.js";
import { has, t, useTexts } from "../ui/texts.js";

/** @import {Session} from "../net/session.js" @import {Notice, Vote} from "../net/protocol.js" */

need(useTexts("notice"));

/** Shorter outages show nothing. */
const OUTAGE_DELAY_MS = 700;
/** A second reload for a new version within this time counts as a loop. */
const RELOAD_INTERVAL_MS = 20_000;

export class Notices {
  element = h("div", { class: "notices", role: "status", "aria-live": "polite" });
  #session;
  #shown = "";
  #outageTimer = 0;
  /** A vote that the person has declined. */
  #declined = "";
  /** The open vote. @type {Vote | null} */
  #open = null;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    for (const event of ["welcome", "table"]) session.addEventListener(event, () => this.#update());
    session.addEventListener("connection", () => this.#line());
    session.addEventListener("notice", (event) => this.#notice(/** @type {CustomEvent<Notice>} */ (event).detail));
    this.#line();
  }

  #line() {
    clearTimeout(this.#outageTimer);
    if (this.#session.online || this.#session.ended) this.#update();
    else this.#outageTimer = setTimeout(() => this.element.isConnected && this.#update(), OUTAGE_DELAY_MS);
    if (this.#session.ended === "version") reload();
  }

  /** @param {Notice} notice */
  #notice({ what, left, ahead }) {
    if (what === "idle") toast(t("web.notice.idle", { n: Math.ceil((left ?? 0) / 1000) }), { kind: "bad" });
    else if (what === "back") toast(t("web.notice.back"), { kind: "good" });
    else if (what === "reported") toast(t("web.notice.reported"), { kind: "good" });
    else if (what === "queue") toast(t("web.net.queue", { n: ahead ?? 0 }));
    else if (what === "hurried") toast(t("web.net.hurried"));
    else if (what === "kicked") toast(t("web.notice.kicked"), { kind: "bad" });
  }

  /** Redraws only what has changed, so that buttons do not move under a finger. */
  #update() {
    const { online, ended, table, seat } = this.#session;
    const own = seat === null ? null : table?.seats[seat];
    const vote = table?.vote ?? null;
    const state = JSON.stringify([
      online,
      ended,
      own?.standin,
      own?.kicked,
      table?.paused,
      table?.notice,
      table?.draining,
      vote,
      this.#declined,
      table?.seats.map((s) => s?.name),
    ]);
    if (state === this.#shown) return;
    this.#shown = state;
    if (!vote) this.#declined = "";
    if (this.#open && !vote) this.#announceLapsed(this.#open);
    this.#open = vote;
    refill(this.element, () => {
      const lines = this.#lines();
      document.body.classList.toggle("noticed", lines.length > 0);
      return lines;
    });
  }

  /** Returns all current lines. @returns {HTMLElement[]} */
  #lines() {
    const { online, ended, table, seat } = this.#session;
    if (ended) return [this.#over(ended)];
    if (!online) return [line(t("web.notice.offline"))];
    const own = seat === null ? null : table?.seats[seat];
    const vote = table?.vote ?? null;
    const lines = [];
    if (table?.notice) lines.push(line(t("web.notice.all", { text: table.notice })));
    if (table?.draining) lines.push(line(t("web.notice.draining")));
    if (own?.kicked) lines.push(line(t("web.notice.kicked")));
    else if (own?.standin)
      lines.push(
        line(
          t("web.notice.standin"),
          button(t("web.notice.takeover"), () => this.#session.send({ type: "back" }), { data: { key: "back" } }),
        ),
      );
    if (table?.paused) lines.push(this.#paused());
    if (vote && this.#declined !== key(vote)) lines.push(this.#vote(vote));
    return lines;
  }

  /** Announces a vote that ended without success. @param {Vote} vote */
  #announceLapsed({ what, target }) {
    const { table, you } = this.#session;
    const goesOn = !table?.paused && ["playing", "between", "writing"].includes(table?.phase ?? "");
    if (what === "pause") return goesOn && toast(t("web.notice.vote.pause.no"));
    const person = this.#find(target);
    if (!person || ("kicked" in person && person.kicked)) return;
    toast(target === you ? t("web.notice.vote.kick.no.you") : t("web.notice.vote.kick.no", { target: person.name }));
  }

  /** @param {string} why */
  #over(why) {
    if (why === "elsewhere")
      return line(
        t("web.notice.elsewhere"),
        button(t("web.notice.here"), () => this.#session.open()),
      );
    if (why === "banned") return line(t("web.notice.banned"), h("a", { class: "button", href: "/" }, t("web.page.home")));
    const text = has(`web.net.ended.${why}`) ? t(`web.net.ended.${why}`) : t("web.net.ended.gone");
    return line(text, h("a", { class: "button", href: "/" }, t("web.page.home")));
  }

  /** Returns the target of a vote, seated or in the queue. @param {string | null} player */
  #find(player) {
    const { seats = [], guests = [] } = this.#session.table ?? {};
    return [...seats, ...guests.filter(({ queued }) => queued)].find((info) => info?.player === player);
  }

  /** Whether the person has a seat and was not removed from it. */
  get #plays() {
    const { table, seat } = this.#session;
    return seat !== null && !table?.seats[seat]?.kicked;
  }

  #paused() {
    const resume = () => this.#session.send({ type: "pause", on: false });
    return line(t("web.notice.paused"), this.#plays && button(t("web.notice.resume"), resume, { data: { key: "resume" } }));
  }

  /** @param {Vote} vote */
  #vote(vote) {
    const { table, seat } = this.#session;
    const name = table?.seats[vote.by]?.name ?? "";
    const target = this.#find(vote.target)?.name ?? "";
    const question =
      vote.what === "kick" ? t("web.notice.vote.kick", { name, target }) : t("web.notice.vote.pause", { name });
    const count = t("web.notice.vote.count", { yes: vote.yes.length, needed: vote.needed });
    const asked = this.#plays && !vote.yes.includes(seat ?? -1) && vote.target !== this.#session.you;
    const agree = () =>
      this.#session.send(vote.target ? { type: "kick", player: vote.target } : { type: "pause", on: true });
    const decline = () => {
      if (vote.what === "pause") this.#session.send({ type: "pause", on: false });
      this.#declined = key(vote);
      this.#update();
    };
    return line(
      `${question} ${count}`,
      asked && button(t("web.notice.yes"), agree, { data: { key: `yes ${key(vote)}` } }),
      asked && button(t("web.notice.no"), decline, { data: { key: `no ${key(vote)}` } }),
    );
  }
}

/** @param {Vote} vote */
const key = (vote) => `${vote.what} ${vote.by} ${vote.target}`;

/** @param {string} text @param {...(HTMLElement | false)} buttons */
const line = (text, ...buttons) =>
  h("div", { class: "row notice" }, h("p", null, text), h("div", { class: "row optional" }, buttons));

/** Reloads the page because the server has a newer protocol, but not in a loop. */
function reload() {
  const last = Number(history.state?.reloaded ?? 0);
  if (Date.now() - last < RELOAD_INTERVAL_MS) return;
  history.replaceState({ reloaded: Date.now() }, "");
  location.reload();
}
