/** The lobby, before and between matches: seats, invitations, settings, and the start button. */

import { LEVELS } from "../bindings/constants.js";
import { gameOf } from "../bindings/rulename.js";
import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { chips } from "../ui/fields.js";
import { sealIcon, settingsIcon } from "../ui/icons.js";
import { attempt } from "../ui/panels.js";
import { load, need } from "../ui/resources.js";
import { refill } from "../ui/presses.js";
import { toast } from "../ui/toast.js";
import { t, useTexts } from "../ui/texts.js";
import { post } from "../net/api.js";
import { figureList } from "../guide/figurelist.js";
import { dealNow, hasPlayed } from "../guide/quick.js";
import { isTeamPlay } from "../cards/cards.js";
import { secondsUntil } from "../cards/view.js";
import { invitation } from "./invite.js";
import { dayPace, paceWords } from "./pace.js";
import { changesOf, optionsOf, parseRules, switchedOn, writeRules } from "./rulesets.js";
import { guestList, seatList } from "./seatlist.js";

/** @import {Session} from "../net/session.js" */

need(stylesheet("ui/controls.css"), stylesheet("lobby/lobby.css"), useTexts("lobby"));

/** Team play is for two pairs. */
const TEAM_SEATS = 4;

export class Lobby {
  #session;
  #parts;
  /** How often team play was refused: its choice is then drawn again. */
  #refusals = 0;
  /** The level of the bots that fill free seats. */
  #level = "casual";

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    this.#parts = [
      new Part("invite", t("web.lobby.invite"), () => invitation(this.#table)),
      new Part("seats", t("web.lobby.seats"), () => [this.#teams(), seatList(session), this.#filling(), guestList(session)]),
      new Part("rules", t("web.lobby.rules"), () => this.#rules()),
      new Part("shuffle", t("web.lobby.shuffle"), () => this.#shuffle()),
    ];
    this.start = new Part("start", t("web.lobby.start"), () => this.#start());
    this.element = h(
      "div",
      { class: "lobby" },
      this.#parts.slice(this.#isClosed ? 1 : 0).map((each) => each.element),
      this.start.element,
    );
  }

  get #table() {
    return /** @type {import("../net/protocol.js").TableInfo} */ (this.#session.table);
  }

  /** Whether nobody is invited: the table is on this device, or the server seats strangers. */
  get #isClosed() {
    return this.#session.isLocal || this.#table.open;
  }

  /** Redraws the parts that have changed. */
  update() {
    const { you, isHost } = this.#session;
    const { code, join_url, seats, guests, host, settings, promise, played, wins, muted, phase } = this.#table;
    const [invite, places, rules, shuffle] = this.#parts;
    if (!this.#isClosed) invite.update([code, join_url]);
    places.update([you, seats, guests, host, wins, muted, phase, settings.rules, this.#refusals]);
    rules.update([settings, isHost]);
    shuffle.update([promise]);
    shuffle.element.hidden = Boolean(this.#table.duplicate); // nobody adds a number
    this.start.update([isHost, seats, guests, played, host, settings.rules, this.#session.isMatchHidden]);
  }

  #rules() {
    const { settings } = this.#table;
    const game = gameOf(settings.rules);
    const open = async () => (await load(import("./settings.js"))).openSettings(this.#session);
    return [
      h("p", { class: "lobby-game" }, t(`game.${game}`)),
      h("p", { class: "soft" }, t(`game.${game}.about`)),
      // Guests see it beside their waiting message.
      this.#session.isHost && this.#lesson(),
      this.#changes(),
      figureList(settings.rules, settings.seats, this.#session.isLocal),
      !this.#session.isLocal && h("p", { class: "soft" }, paceWords(settings.pace)),
      dayPace(settings.pace) !== null && h("p", null, h("a", { href: "/me", target: "_blank" }, t("web.lobby.notify"))),
      settings.hints && h("p", { class: "soft" }, t("web.lobby.hints")),
      h(
        "div",
        { class: "row" },
        this.#session.isHost && button([settingsIcon(), t("web.lobby.settings")], open, { data: { key: "settings" } }),
        h(
          "a",
          { class: "button quiet", href: `/rules/${encodeURIComponent(settings.rules)}`, target: "_blank" },
          t("web.lobby.read"),
        ),
      ),
    ];
  }

  /** Returns the house rules that are on, and all changes to the printed rules; filled in when the option names have arrived. */
  #changes() {
    const box = h("div");
    const rules = parseRules(this.#table.settings.rules);
    optionsOf(rules.game).then((options) => {
      const preset = options.presets.find(({ name }) => name === rules.preset);
      const changes = changesOf(rules, options).map(({ label, text }) =>
        h("li", null, h("strong", null, label), " – ", text),
      );
      box.append(h("p", { class: "label" }, preset?.text ?? ""));
      if (!changes.length) return;
      const on = switchedOn(rules, options).map((name) => h("li", null, name));
      const summary = h("summary", null, t("web.settings.changed", { n: changes.length }));
      box.append(
        on.length ? h("ul", { class: "rule-chips", "aria-label": t("web.settings.house") }, on) : "",
        h("details", { class: "fold" }, summary, h("ul", { class: "changes" }, changes)),
      );
    });
    return box;
  }

  /** Returns the choice between a game of all against all and one of two teams, which needs four seats. */
  #teams() {
    const { settings, phase, seats } = this.#table;
    const people = seats.filter((info) => info?.player).length;
    if (!this.#session.isHost || people > TEAM_SEATS || !["lobby", "over"].includes(phase)) return false;
    const isOn = isTeamPlay(settings.rules);
    const field = chips({
      label: t("web.lobby.teams"),
      choices: ["none", "pairs"].map((value) => ({ value, text: t(`web.lobby.teams.${value}`) })),
      value: isOn ? "pairs" : "none",
      onchange: (teams) => attempt(() => this.#setTeams(teams === "pairs")),
      about: isOn && h("p", { class: "soft small" }, t("web.lobby.teams.about")),
    });
    for (const input of field.querySelectorAll("input")) input.dataset.key = `teams ${input.value}`;
    return field;
  }

  /** Switches team play on or off, or says which other rule contradicts it. @param {boolean} on */
  async #setTeams(on) {
    const { settings } = this.#table;
    const rules = parseRules(settings.rules);
    if (on) rules.values.team_play = "true";
    else delete rules.values.team_play;
    const wanted = { rules: writeRules(rules), seats: on ? TEAM_SEATS : settings.seats };
    const { ok, text } = await post("/api/rules", wanted, this.#session.isLocal);
    if (ok) return this.#session.send({ type: "configure", settings: { ...settings, ...wanted } });
    toast(text, { kind: "bad" });
    this.#refusals += 1;
    this.update();
  }

  /** Returns the field for the level of bots that take free seats at the start. */
  #filling() {
    const free = this.#table.seats.filter((info) => info === null).length;
    if (!this.#session.isHost || !free) return false;
    const about = h("p", { class: "soft small" }, t(`web.lobby.level.${this.#level}`));
    return chips({
      label: t("web.lobby.fill", { n: free }),
      choices: LEVELS.map((level) => ({ value: level, text: t(`web.level.${level}`) })),
      value: this.#level,
      onchange: (level) => {
        this.#level = level;
        about.textContent = t(`web.lobby.level.${level}`);
      },
      about,
    });
  }

  #shuffle() {
    return h(
      "details",
      { class: "fold" },
      h("summary", null, sealIcon(), t("web.lobby.shuffle.short")),
      h("p", { class: "soft" }, t("web.lobby.shuffle.about")),
      h("p", { class: "code-text small" }, this.#table.promise),
    );
  }

  /** @returns {(Node | false)[]} */
  #start() {
    const { isHost, table, isMatchHidden } = this.#session;
    const { seats, played, host } = this.#table;
    if (isMatchHidden) return [h("p", { class: "soft center", role: "status" }, t("web.lobby.playing")), this.#lesson()];
    if (table?.duplicate) {
      const { code, number: n, deals } = table.duplicate;
      return [
        h("p", { class: "soft center", role: "status" }, t("web.lobby.duplicate", { table: n, n: deals })),
        h("a", { class: "button", href: `/duplicate/${code}`, data: { key: "duplicate" } }, t("web.lobby.duplicate.standings")),
      ];
    }
    if (table?.open) return this.#countdown();
    if (!isHost) {
      const name =
        seats.find((info) => info?.player === host)?.name ?? table?.guests.find((g) => g.player === host)?.name ?? "";
      return [h("p", { class: "soft center", role: "status" }, t("web.lobby.waiting", { name })), this.#lesson()];
    }
    const start = () => this.#session.send({ type: "start", level: this.#level });
    const text = played ? t("web.lobby.rematch") : t("web.lobby.start");
    return [button(text, start, { look: "primary big", data: { key: "start" } })];
  }

  /** Returns the seconds until the match of an open table begins. */
  #countdown() {
    const left = h("p", { class: "lobby-left", role: "timer" });
    const tick = () => {
      const { nextAt } = this.#session;
      left.textContent = nextAt === null ? "" : t("web.lobby.open.left", { n: secondsUntil(nextAt) });
    };
    const timer = setInterval(() => (left.isConnected ? tick() : clearInterval(timer)), 500);
    tick();
    return [left, h("p", { class: "soft center", role: "status" }, t("web.lobby.open"))];
  }

  /** Offers the lesson to people who wait and have never played the game. @returns {Node | false} */
  #lesson() {
    const { code, settings } = this.#table;
    const game = gameOf(settings.rules);
    if (hasPlayed(game)) return false;
    const show = () => attempt(() => dealNow(game, { lesson: 1, waits: code }));
    return h(
      "div",
      { class: "row lobby-lesson" },
      h("span", { class: "soft" }, t(`web.home.lesson.${game}`)),
      button(t("web.home.lesson.show"), show, { data: { key: "lesson" } }),
    );
  }
}

/** A part of the page that is redrawn only when its content has changed; the focus is restored. */
class Part {
  #content = h("div", { class: "stack" });
  #draw;
  #shown = "";

  /** @param {string} name @param {string} title @param {() => Node | (Node | false)[]} draw */
  constructor(name, title, draw) {
    this.#draw = draw;
    this.element = h(
      "section",
      { class: `panel stack lobby-${name}`, style: { "--area": name }, "aria-label": title },
      h("h2", null, title),
      this.#content,
    );
  }

  /** @param {unknown[]} state all values that the part shows */
  update(state) {
    const wanted = JSON.stringify(state);
    if (wanted === this.#shown) return;
    this.#shown = wanted;
    refill(this.#content, () => [this.#draw()].flat().filter((node) => node instanceof Node));
  }
}
