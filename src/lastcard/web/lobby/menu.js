/** The menu of a table: commands, people, appearance and sounds. It covers no button of the game. */

import { SPEEDS } from "../bindings/constants.js";
import { isStaticSite } from "../ui/address.js";
import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { chips, selectField, switchField } from "../ui/fields.js";
import { allowNotifications, hasNotifications, isNotified } from "../ui/notifications.js";
import { load, need } from "../ui/resources.js";
import { Popover } from "../ui/popover.js";
import { prefs } from "../ui/prefs.js";
import { go, show } from "../ui/router.js";
import { toast } from "../ui/toast.js";
import { t, useTexts } from "../ui/texts.js";
import { languageField } from "../net/me.js";
import { cardBack, useChosenFaces } from "../cards/art.js";
import { SOUND_KINDS } from "../motion/sound.js";
import { peopleOf, personActions, skillOf } from "./people.js";

/** @import {SeatInfo, TableInfo} from "../net/protocol.js" */
/** @import {Session} from "../net/session.js" */

need(stylesheet("ui/controls.css"), stylesheet("ui/moods.css"), useTexts("side"), useTexts("rules"));

const SIZES = /** @type {const} */ (["normal", "large", "huge"]);
const THEMES = /** @type {const} */ (["auto", "light", "dark", "contrast"]);
const TABLES = /** @type {const} */ (["evening", "daylight", "paper"]);
const FACES = /** @type {const} */ (["standard", "clear"]);
const BACKS = /** @type {const} */ (["plum", "coral", "ocean", "moss", "night"]);

export class Menu {
  #session;

  /** @param {Session} session @param {HTMLButtonElement} button */
  constructor(session, button) {
    this.#session = session;
    const draw = () =>
      this.popover.panel.replaceChildren(this.#actions(), this.#botList(), this.#bots(), this.#people(), this.#appearance());
    this.popover = new Popover(button, "menu stack", t("web.table.menu"), draw, true);
  }

  #actions() {
    const session = this.#session;
    const { table, seat } = session;
    const playing = table?.phase === "playing" || table?.phase === "between";
    const rules = `/rules/${encodeURIComponent(table?.settings.rules ?? "")}`;
    const pause = () => session.send({ type: "pause", on: !session.table?.paused });
    return h(
      "nav",
      { class: "menu-list", "aria-label": t("web.table.menu") },
      playing &&
        seat !== null &&
        !/^\d/.test(table.settings.pace) && // by the day there is no pause
        this.#item(t(table.paused ? "web.menu.resume" : "web.menu.pause"), pause),
      h("a", { class: "button quiet", href: rules, target: "_blank" }, t("web.menu.rules")),
      !session.isLocal && h("a", { class: "button quiet", href: `/tv/${session.code}`, target: "_blank" }, t("web.menu.tv")),
      seat !== null && !session.isLocal && this.#item(t("web.menu.stand"), () => this.#leaveSeat()),
      session.isLocal && !isStaticSite && this.#item(t("web.menu.friend"), () => this.#inviteFriend()),
      this.#item(t("web.menu.face"), () => this.#buildAvatar()),
      this.#item(t("web.menu.leave"), () => this.#leaveTable()),
    );
  }

  /** A table in this page cannot be joined by others: a friend needs a new one, on the server. */
  async #inviteFriend() {
    const { openHandover } = await load(import("./handover.js"));
    openHandover(this.#session);
  }

  async #buildAvatar() {
    const { openAvatarBuilder } = await load(import("./avatarbuilder.js"));
    openAvatarBuilder(prefs.get("name"), () => this.#session.sendAvatar());
  }

  async #leaveSeat() {
    if (await this.#maySurrender(t("web.menu.stand"))) this.#session.send({ type: "stand" });
  }

  async #leaveTable() {
    if (!(await this.#maySurrender(t("web.menu.leave")))) return;
    if (!this.#session.isLocal) this.#session.send({ type: "stand" }); // a table on this device waits
    await go("/");
  }

  /**
   * Asks whether a bot may take over the viewer's hand in a running match; true without a question if there is none.
   * @param {string} yes
   */
  async #maySurrender(yes) {
    const { isLocal, seat, table } = this.#session;
    const plays = seat !== null && !table?.seats[seat]?.kicked;
    if (isLocal || !plays || !["playing", "between"].includes(table?.phase ?? "")) return true;
    const { confirmDialog } = await load(import("../ui/dialog.js"));
    return confirmDialog(t("web.menu.leave.ask"), yes, t(table?.open ? "web.menu.leave.open" : "web.menu.leave.about"));
  }

  /** Returns the list of bots and their levels; before the match the seat list has them. */
  #botList() {
    const { table } = this.#session;
    const bots = table?.phase === "lobby" ? [] : (table?.seats ?? []).filter((info) => info && skillOf(info).length > 0);
    if (!bots.length) return "";
    const line = (/** @type {SeatInfo} */ info) =>
      h("li", null, info.name, h("span", { class: "soft" }, ` · ${skillOf(info).join(" · ")}`));
    return part(t("web.menu.company"), h("ul", null, bots.map((info) => info && line(info))));
  }

  /** Returns the field for the bots' speed, for the host, at any time. */
  #bots() {
    const { table, isHost } = this.#session;
    if (!isHost || !table?.seats.some((info) => info?.bot || info?.standin)) return "";
    return chips({
      label: t("web.menu.bots"),
      choices: Object.keys(SPEEDS).map((bots) => ({ value: bots, text: t(`web.menu.bots.${bots}`) })),
      value: table.settings.bots,
      onchange: (bots) => {
        const { settings } = /** @type {TableInfo} */ (this.#session.table);
        this.#session.send({ type: "configure", settings: { ...settings, bots } });
      },
    });
  }

  /** Returns the other people; those at one device are added and removed in the lobby. */
  #people() {
    if (this.#session.isLocal) return "";
    const people = peopleOf(this.#session).filter((person) => person.player !== this.#session.you);
    if (!people.length) return "";
    return part(
      t("web.menu.people"),
      people.map((person) =>
        h(
          "details",
          { class: "fold" },
          h("summary", null, person.name),
          personActions(this.#session, person, this.popover.close),
        ),
      ),
    );
  }

  #appearance() {
    return part(
      t("web.menu.look"),
      choice(chips, "table", t("web.menu.table"), TABLES, (table) => t(`web.menu.table.${table}`)),
      backs(),
      faces(),
      switchField(t("web.menu.sound"), prefs.get("sound"), (on) => prefs.set("sound", on)),
      sounds(),
      switchField(t("web.menu.vibration"), prefs.get("vibration"), (on) => prefs.set("vibration", on)),
      hasNotifications && notificationSwitch(),
      !this.#session.isLocal && switchField(t("web.menu.chat"), prefs.get("chat"), (on) => prefs.set("chat", on)),
      choice(selectField, "size", t("web.menu.size"), SIZES, (size) => t(`web.menu.size.${size}`)),
      choice(selectField, "theme", t("web.menu.theme"), THEMES, (theme) => t(`web.menu.theme.${theme}`)),
      switchField(t("web.rules.clauses"), prefs.get("clauses"), (on) => prefs.set("clauses", on), {
        about: t("web.rules.clauses.about"),
      }),
      languageField(),
    );
  }

  /** @param {string} text @param {() => void} action */
  #item(text, action) {
    const press = () => {
      this.popover.close();
      action();
    };
    return button(text, press, { look: "quiet" });
  }
}

/** @param {string} title @param {Parameters<typeof h>[2][]} content */
const part = (title, ...content) =>
  h("section", { class: "stack tight", "aria-label": title }, h("h2", null, title), ...content);

/**
 * Returns the field of a preference.
 * @param {typeof chips | typeof selectField} field @param {"table" | "back" | "size" | "theme"} name
 * @param {string} label @param {readonly string[]} values @param {(value: string) => string} textOf
 */
function choice(field, name, label, values, textOf) {
  const choices = values.map((value) => ({ value, text: textOf(value) }));
  return field({ label, choices, value: prefs.get(name), onchange: (value) => prefs.set(name, value) });
}

/** Returns a choice of card backs, with previews. */
function backs() {
  const field = choice(chips, "back", t("web.menu.back"), BACKS, (back) => t(`web.menu.back.${back}`));
  field.classList.add("backs");
  field.querySelectorAll(".chip span").forEach((chip, i) => {
    chip.prepend(h("span", { class: "back-sample", data: { back: BACKS[i] } }, cardBack()));
  });
  return field;
}

/** Returns the switch for notifications; only a tap on it asks for the browser's permission. */
function notificationSwitch() {
  const change = async (/** @type {boolean} */ on) => {
    if (!on) return prefs.set("notifications", false);
    if (await allowNotifications()) return;
    /** @type {HTMLInputElement} */ (field.querySelector("input")).checked = false;
    toast(t("web.menu.notify.denied"), { kind: "bad" });
  };
  const field = switchField(t("web.menu.notify"), isNotified(), change, { about: t("web.menu.notify.about") });
  return field;
}

/** Returns the choice of card faces; the screen is drawn anew with them. */
function faces() {
  const change = async (/** @type {string} */ value) => {
    prefs.set("faces", value);
    await useChosenFaces();
    document.documentElement.classList.toggle("clear-faces", value === "clear");
    await show();
  };
  return chips({
    label: t("web.menu.faces"),
    choices: FACES.map((value) => ({ value, text: t(`web.menu.faces.${value}`) })),
    value: prefs.get("faces"),
    onchange: change,
    about: h("p", { class: "soft small" }, t("web.menu.faces.about")),
  });
}

/** Returns switches for the kinds of sounds. */
function sounds() {
  const change = (/** @type {string} */ kind, /** @type {boolean} */ on) => {
    const others = prefs.get("silent").filter((each) => each !== kind);
    prefs.set("silent", on ? others : [...others, kind]);
  };
  return h(
    "details",
    { class: "fold set-in" },
    h("summary", null, t("web.menu.sounds")),
    SOUND_KINDS.map((kind) =>
      switchField(t(`web.menu.sounds.${kind}`), !prefs.get("silent").includes(kind), (on) => change(kind, on)),
    ),
  );
}
