/** The form of /duplicate, which opens a duplicate match, in which several tables play the same deals. */

import { GAMES, LEVELS, MAX_PLAYERS, MIN_PLAYERS, NAME_CHARS, PACES } from "../bindings/constants.js";
import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { chips, problemLine, selectField, textField } from "../ui/fields.js";
import { attempt } from "../ui/panels.js";
import { prefs } from "../ui/prefs.js";
import { need } from "../ui/resources.js";
import { go, titledPage } from "../ui/router.js";
import { t, useTexts } from "../ui/texts.js";
import { post } from "../net/api.js";
import { introduce } from "../net/me.js";
import { RuleFields } from "../lobby/rulefields.js";
import { optionsOf, parseRules, writeRules } from "../lobby/rulesets.js";

/** @import { Page } from "../ui/router.js" */

need(useTexts("duplicate"), useTexts("lobby"), stylesheet("ui/controls.css"), stylesheet("lobby/settings.css"));

const MAX_TABLES = 10;
const DEALS = [2, 3, 4, 5, 6, 8, 10, 12, 16, 20];

/** @returns {Promise<Page>} */
export async function formPage() {
  const form = new DuplicateForm();
  await form.drawRules();
  return titledPage(t("web.home.duplicate"), "duplicate", h("p", null, t("web.duplicate.lead")), form.element);
}

class DuplicateForm {
  #rules = parseRules(prefs.get("game"));
  #wanted = { seats: 4, tables: 2, deals: 4, level: "casual", pace: "normal" };
  #ruleBox = h("div");
  #problem = problemLine();
  #name = textField(t("web.home.name"), { value: prefs.get("name"), placeholder: t("web.home.guest"), maxlength: NAME_CHARS, autocomplete: "nickname" });
  element = h("section", { class: "panel stack", "aria-label": t("web.home.duplicate") });

  constructor() {
    const { seats, tables, deals, level, pace } = this.#wanted;
    const count = (/** @type {number} */ n) => ({ value: String(n), text: String(n) });
    const range = (/** @type {number} */ first, /** @type {number} */ last) => Array.from({ length: last - first + 1 }, (_, i) => count(first + i));
    this.element.append(
      prefs.get("name") ? "" : this.#name.element,
      chips({
        label: t("web.home.game"),
        choices: GAMES.map((game) => ({ value: game, text: t(`game.${game}`) })),
        value: this.#rules.game,
        onchange: (game) => {
          this.#rules = parseRules(game);
          void this.drawRules();
        },
      }),
      selectField({
        label: t("web.duplicate.tables"),
        choices: range(1, MAX_TABLES).map(({ value }) => ({ value, text: value === "1" ? t("web.duplicate.tables.one") : value })),
        value: String(tables),
        onchange: (n) => (this.#wanted.tables = Number(n)),
      }),
      selectField({ label: t("web.settings.seats"), choices: range(MIN_PLAYERS, MAX_PLAYERS), value: String(seats), onchange: (n) => (this.#wanted.seats = Number(n)) }),
      selectField({ label: t("web.duplicate.deals"), choices: DEALS.map(count), value: String(deals), onchange: (n) => (this.#wanted.deals = Number(n)) }),
      selectField({
        label: t("web.duplicate.level"),
        choices: LEVELS.map((value) => ({ value, text: t(`web.level.${value}`) })),
        value: level,
        onchange: (value) => (this.#wanted.level = value),
      }),
      selectField({
        label: t("web.settings.pace"),
        choices: Object.keys(PACES).filter((value) => value !== "untimed").map((value) => ({ value, text: t(`web.pace.${value}`) })),
        value: pace,
        onchange: (value) => (this.#wanted.pace = value),
      }),
      h("details", { class: "fold" }, h("summary", null, t("web.lobby.rules")), this.#ruleBox),
      this.#problem,
      button(t("web.duplicate.open"), () => attempt(() => this.#open(), this.#problem), { look: "primary wide" }),
    );
  }

  /** Shows the options of the chosen game. */
  async drawRules() {
    const rules = this.#rules;
    const options = await optionsOf(rules.game);
    if (rules === this.#rules) this.#ruleBox.replaceChildren(new RuleFields(options, rules, () => {}).element);
  }

  async #open() {
    const { seats, pace, tables, deals, level } = this.#wanted;
    await introduce(this.#name.input.value.trim() || t("web.home.guest"));
    const { code } = await post("/api/duplicates", { settings: { rules: writeRules(this.#rules), seats, pace }, tables, deals, level });
    await go(`/duplicate/${code}`);
  }
}
