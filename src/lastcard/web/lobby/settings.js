/** The settings of a table: the game, all its rules, and the table itself. Changes take effect when they are applied. */

import { GAMES, MAX_PLAYERS, MIN_PLAYERS } from "../bindings/constants.js";
import { button } from "../ui/button.js";
import { openDialog } from "../ui/dialog.js";
import { h, stylesheet } from "../ui/dom.js";
import { errorWords } from "../ui/failures.js";
import { chips, selectField, switchField } from "../ui/fields.js";
import { need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";
import { voiceReach } from "../ui/voicereach.js";
import { post } from "../net/api.js";
import { dayPace } from "./pace.js";
import { paceField } from "./pacefield.js";
import { RuleFields } from "./rulefields.js";
import { optionsOf, parseRules, writeRules } from "./rulesets.js";

/**
 * @import {Session} from "../net/session.js"
 * @import {Settings} from "../net/protocol.js"
 * @import {GameOptions} from "./rulesets.js"
 */

need(useTexts("lobby"), useTexts("reach"));

const GRACES = [0, 500, 1000, 2000, 3000];

/** Lets the host change the settings. @param {Session} session */
export async function openSettings(session) {
  await Promise.all([stylesheet("ui/controls.css"), stylesheet("lobby/settings.css")]);
  const apply = (/** @type {Settings} */ settings) => {
    session.send({ type: "configure", settings });
    dialog.close();
  };
  const form = new SettingsForm(/** @type {Settings} */ (session.table?.settings), session.isLocal, apply);
  const dialog = openDialog({
    title: t("web.settings.title"),
    content: form.element,
    actions: form.footer,
    name: "settings",
  });
}

class SettingsForm {
  element = h("div", { class: "stack" });
  footer;
  #settings;
  #isLocal;
  #rules;
  #styleBox = h("div", { class: "stack" });
  #ruleBox = h("div");
  #problem = h("p", { class: "error", role: "alert" });
  /** Whether the rules are consistent, according to the last answer. */
  #checking = Promise.resolve(true);

  /**
   * @param {Settings} settings
   * @param {boolean} isLocal whether the table is in this page
   * @param {(settings: Settings) => void} done
   */
  constructor(settings, isLocal, done) {
    this.#isLocal = isLocal;
    this.#settings = { ...settings };
    this.#rules = parseRules(settings.rules);
    this.footer = [this.#problem, button(t("web.settings.apply"), () => this.#finish(done), { look: "primary" })];
    this.element.append(this.#gameField(), this.#styleBox, this.#ruleBox, this.#tableFields());
    this.#drawRules();
  }

  #gameField() {
    return chips({
      label: t("web.home.game"),
      choices: GAMES.map((game) => ({ value: game, text: t(`game.${game}`) })),
      value: this.#rules.game,
      onchange: (game) => {
        this.#rules = { game, preset: this.#rules.preset, values: {} };
        this.#drawRules();
        this.#check();
      },
    });
  }

  /** Returns the fields for the table: seats, pace, grace, spectators, chat, voice, hints. */
  #tableFields() {
    const settings = this.#settings;
    const seats = Array.from({ length: MAX_PLAYERS - MIN_PLAYERS + 1 }, (_, i) => String(i + MIN_PLAYERS));
    const change = (/** @type {Partial<Settings>} */ part) => {
      this.#settings = { ...this.#settings, ...part };
      this.#check();
    };
    const grace = this.#graceField(change);
    const showGrace = () => (grace.hidden = dayPace(this.#settings.pace) !== null); // by the day the table calls UNO
    showGrace();
    /** @param {"spectators" | "chat" | "voice" | "hints" | "take_backs"} name @param {string} label @param {string} about */
    const toggle = (name, label, about) =>
      switchField(label, settings[name], (on) => change({ [name]: on }), { about });
    return h(
      "section",
      { class: "stack", "aria-label": t("web.settings.table") },
      chips({
        label: t("web.settings.seats"),
        choices: seats.map((n) => ({ value: n, text: n })),
        value: String(settings.seats),
        onchange: (n) => change({ seats: Number(n) }),
      }),
      !this.#isLocal && paceField(settings.pace, (pace) => (change({ pace }), showGrace())),
      grace,
      !this.#isLocal && toggle("spectators", t("web.settings.spectators"), t("web.settings.spectators.about")),
      !this.#isLocal && toggle("chat", t("web.settings.chat"), t("web.settings.chat.about")),
      !this.#isLocal && toggle("voice", t("web.settings.voice"), `${t("web.settings.voice.about")} ${t(`web.reach.${voiceReach}`)}`),
      toggle("hints", t("web.settings.hints"), t("web.settings.hints.about")),
      toggle("take_backs", t("web.settings.take_backs"), t("web.settings.take_backs.about")),
    );
  }

  /** @param {(part: Partial<Settings>) => void} change */
  #graceField(change) {
    const known = [...new Set([...GRACES, this.#settings.grace])].sort((a, b) => a - b);
    return h(
      "div",
      { class: "stack tight" },
      selectField({
        label: t("web.settings.grace"),
        choices: known.map((ms) => ({ value: String(ms), text: t("web.settings.seconds", { n: ms / 1000 }) })),
        value: String(this.#settings.grace),
        onchange: (ms) => change({ grace: Number(ms) }),
      }),
      h("p", { class: "soft small" }, t("web.settings.grace.about")),
    );
  }

  async #drawRules() {
    const rules = this.#rules;
    let options;
    try {
      options = await optionsOf(rules.game);
    } catch (error) {
      if (rules !== this.#rules) return;
      this.#styleBox.replaceChildren();
      this.#ruleBox.replaceChildren(h("p", { class: "error", role: "alert" }, errorWords(error)));
      return;
    }
    if (rules !== this.#rules) return;
    const fields = new RuleFields(options, rules, () => this.#check());
    this.#styleBox.replaceChildren(
      h("p", { class: "soft small" }, options.about),
      this.#styles(options),
      this.#reset(),
    );
    this.#ruleBox.replaceChildren(fields.element);
  }

  /** Returns the field for the presets of a game. @param {GameOptions} options */
  #styles(options) {
    const rules = this.#rules;
    return chips({
      label: t("web.settings.preset"),
      choices: options.presets.map(({ name, text }) => ({ value: name, text })),
      value: rules.preset,
      onchange: (preset) => this.#usePreset(preset),
      about: h("p", { class: "soft small" }, options.presets.find(({ name }) => name === rules.preset)?.about ?? ""),
    });
  }

  /** Returns a button that resets all changes to the preset; empty if there are none. */
  #reset() {
    if (!Object.keys(this.#rules.values).length) return "";
    return button(t("web.settings.reset"), () => this.#usePreset(this.#rules.preset));
  }

  /** @param {string} preset */
  async #usePreset(preset) {
    this.#rules = { game: this.#rules.game, preset, values: {} };
    this.#check();
    await this.#drawRules();
    /** @type {HTMLElement | null} */ (this.#styleBox.querySelector("input:checked"))?.focus();
  }

  /** Checks whether the rules are consistent; the answer explains any conflict. */
  #check() {
    /** @type {Promise<boolean>} */
    const asked = this.#checkRules(() => asked === this.#checking);
    this.#checking = asked;
  }

  /**
   * @param {() => boolean} isLast whether this is the last change
   * @returns {Promise<boolean>} whether the rules are consistent
   */
  async #checkRules(isLast) {
    try {
      const { ok, rules, text } = await post("/api/rules", { rules: writeRules(this.#rules), seats: this.#settings.seats }, this.#isLocal);
      if (!isLast()) return false;
      if (ok) this.#settings = { ...this.#settings, rules };
      this.#problem.textContent = ok ? "" : text;
      return ok;
    } catch (error) {
      if (isLast()) this.#problem.textContent = errorWords(error);
      return false;
    }
  }

  /** Applies the settings, after the check of the last change. @param {(settings: Settings) => void} done */
  async #finish(done) {
    if (!(await this.#fit())) this.#check(); // there may have been no answer at all
    if (await this.#fit()) done(this.#settings);
  }

  /** Whether the rules are consistent, once the last change is checked. @returns {Promise<boolean>} */
  async #fit() {
    const asked = this.#checking;
    const fits = await asked;
    return asked === this.#checking ? fits : this.#fit();
  }
}
