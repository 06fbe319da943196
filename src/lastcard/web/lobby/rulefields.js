/** A field for every rule option of a game: house rules by their known names, match length, then details. */

import { LEVER_OUTCOMES } from "../bindings/constants.js";
import { h, uniqueId } from "../ui/dom.js";
import { selectField, switchField, textField } from "../ui/fields.js";
import { need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";
import { SWITCHES, valueOf } from "./rulesets.js";

/** @import {GameOptions, Option, Rules} from "./rulesets.js" */

need(useTexts("lobby"), useTexts("jackpot"));

/** The options at the top, about the length of a match. */
const MATCH = ["match_mode", "winning_score", "hand_size"];
const SHORT_CHARS = 24;
const WEIGHTS = "wj_lever_weights";

export class RuleFields {
  #options;
  #rules;
  #changed;
  /** @type {{element: HTMLElement, text: string}[]} */
  #fields = [];
  #none = h("p", { class: "soft", hidden: true, role: "status" }, t("web.settings.none"));

  /**
   * @param {GameOptions} options
   * @param {Rules} rules the rules; their values are changed
   * @param {() => void} changed
   */
  constructor(options, rules, changed) {
    this.#options = options;
    this.#rules = rules;
    this.#changed = changed;
    const shown = options.options.filter((option) => option.choices.length > 1 || option.name === WEIGHTS);
    const search = textField(t("web.settings.search"), {
      type: "search",
      oninput: () => this.#filter(search.input.value),
    });
    const isMatch = (/** @type {Option} */ { name }) => MATCH.includes(name);
    const isNamed = (/** @type {Option} */ { name }) => name in SWITCHES;
    const names = Object.keys(SWITCHES);
    const switches = shown.filter(isNamed).sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
    this.element = h(
      "div",
      { class: "stack" },
      search.element,
      this.#group(t("web.settings.house"), switches, true),
      this.#group(t("web.settings.match"), shown.filter(isMatch), true),
      this.#group(t("web.settings.fine"), shown.filter((option) => !isMatch(option) && !isNamed(option)), false),
      this.#none,
    );
  }

  /** @param {string} title @param {Option[]} options @param {boolean} open */
  #group(title, options, open) {
    const changed = options.filter((option) => valueOf(option, this.#rules, this.#options) !== option.default).length;
    const count = changed > 0 && h("span", { class: "count" }, t("web.settings.changed", { n: changed }));
    return h(
      "details",
      { class: "fold rule-group", open: open || changed > 0 },
      h("summary", null, h("h3", null, title), count),
      options.map((option) => (option.name in SWITCHES ? this.#switch(option) : this.#field(option))),
    );
  }

  /** Returns a switch for a house rule, with a choice below it if the rule has several forms. @param {Option} option */
  #switch(option) {
    const [name, about] = [t(`web.switch.${option.name}`), t(`web.switch.${option.name}.about`)];
    const on = SWITCHES[option.name];
    const forms = h("div", { class: "optional" });
    const draw = (/** @type {string} */ value) => {
      const choices = distinct(option.choices.filter((choice) => on.includes(choice.value) === on.includes(value)), value);
      const onchange = (/** @type {string} */ form) => this.#set(option.name, form);
      forms.replaceChildren(choices.length > 1 ? selectField({ label: name, choices, value, onchange, labelHidden: true }) : "");
    };
    const turn = (/** @type {boolean} */ isOn) => {
      const value = isOn ? on[0] : option.default;
      this.#set(option.name, value);
      draw(value);
    };
    const now = valueOf(option, this.#rules, this.#options);
    draw(now);
    const element = h("div", { class: "stack tight rule" }, switchField(name, on.includes(now), turn, { about }), forms);
    this.#add(element, option, name, about);
    return element;
  }

  /** Makes a field searchable. @param {HTMLElement} element @param {Option} option @param {...string} more words of it */
  #add(element, option, ...more) {
    const text = [option.name, option.label, option.about, ...option.choices.map((choice) => choice.text), ...more].join(" ");
    this.#fields.push({ element, text: plain(text) });
  }

  /** @param {Option} option */
  #field(option) {
    const value = valueOf(option, this.#rules, this.#options);
    const id = uniqueId();
    const about = h("p", { class: "soft small", id: `${id}about` });
    const custom = option.name === WEIGHTS ? this.#weights(value) : null;
    const describe = (/** @type {string} */ now) => {
      const text = option.choices.find((choice) => choice.value === now)?.text ?? t("web.settings.weights");
      // A short choice is fully visible in the field itself.
      about.textContent = text.length > SHORT_CHARS ? text : "";
      if (custom) custom.element.hidden = now === option.default;
    };
    const change = () => {
      this.#set(option.name, select.value || (custom?.value() ?? ""));
      describe(select.value);
    };
    const known = option.choices.some((choice) => choice.value === value);
    const choices = distinct(option.choices, value).map((choice) =>
      h("option", { value: choice.value }, choice.text.replace(/\.$/, "")),
    );
    if (custom) choices.push(h("option", { value: "" }, t("web.settings.own")));
    const select = h(
      "select",
      { class: "input", id, value: known ? value : "", "aria-describedby": about.id, onchange: change },
      choices,
    );
    describe(select.value);
    const element = h(
      "div",
      { class: "field rule" },
      h("label", { for: id }, option.label),
      select,
      about,
      custom?.element,
    );
    this.#add(element, option);
    return element;
  }

  /** Returns six number fields for the lever. @param {string} value */
  #weights(value) {
    const given = value.split("/");
    const weight = (/** @type {string} */ text) => String(Math.min(99, Math.max(0, Math.round(Number(text) || 0))));
    const all = () => inputs.map(({ input }) => weight(input.value)).join("/");
    const inputs = LEVER_OUTCOMES.map((outcome, i) =>
      textField(t(`lever.${outcome}`), {
        type: "number",
        min: 0,
        max: 99,
        inputmode: "numeric",
        value: given.length === LEVER_OUTCOMES.length ? given[i] : "1",
        onchange: () => this.#set(WEIGHTS, all()),
      }),
    );
    return {
      element: h(
        "div",
        { class: "weights", hidden: true },
        inputs.map(({ element }) => element),
      ),
      value: all,
    };
  }

  /** @param {string} name @param {string} value */
  #set(name, value) {
    this.#rules.values[name] = value;
    this.#changed();
  }

  /** @param {string} words */
  #filter(words) {
    this.element.scrollIntoView({ block: "start" });
    const wanted = plain(words).split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { element, text } of this.#fields) {
      element.hidden = !wanted.every((word) => text.includes(word));
      found += element.hidden ? 0 : 1;
    }
    for (const group of this.element.querySelectorAll("details")) {
      group.hidden = !group.querySelector(".rule:not([hidden])");
      if (wanted.length) group.open = true;
    }
    this.#none.hidden = found > 0;
  }
}

/** Returns a text without accents and capitals, for the search. @param {string} text */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * Returns the choices without duplicates in meaning: the chosen one of them, else the first.
 * @param {Option["choices"]} choices @param {string} chosen
 */
const distinct = (choices, chosen) =>
  choices.filter((choice) => {
    const same = choices.filter(({ text }) => text === choice.text);
    return choice === (same.find(({ value }) => value === chosen) ?? same[0]);
  });
