/** The menu of a table: what one may do here, the people, and how it looks and sounds. Covers no button of the game. */

import { button } from "../ui/button.js";
import { h, stylesheet, uniqueId } from "../ui/dom.js";
import { selectField, switchField } from "../ui/fields.js";
import { need } from "../ui/needs.js";
import { Popover } from "../ui/popover.js";
import { prefs } from "../ui/prefs.js";
import { go } from "../ui/router.js";
import { t, useTexts } from "../ui/words.js";
import { languageField } from "../line/me.js";
import { peopleOf, personActions } from "./people.js";

/** @import {Session} from "../line/session.js" */

need(stylesheet("ui/controls.css"), useTexts("side"));

const THEMES = /** @type {const} */ (["auto", "light", "dark", "contrast"]);

export class Menu {
  #session;

  /**
   * @param {Session} session
   * @param {HTMLButtonElement} button
   */
  constructor(session, button) {
    this.#session = session;
    this.popover = new Popover(button, "menu stack", t("web.table.menu"), () => this.#draw());
  }

  #draw() {
    this.popover.panel.replaceChildren(this.#actions(), this.#people(), this.#looks());
  }

  #actions() {
    const session = this.#session;
    const { table, seat } = session;
    const playing = table?.phase === "playing" || table?.phase === "between";
    const rules = `/rules/${encodeURIComponent(table?.settings.rules ?? "")}`;
    return h(
      "nav",
      { class: "menu-list", "aria-label": t("web.table.menu") },
      playing &&
        seat !== null &&
        this.#item(t(table.paused ? "web.menu.resume" : "web.menu.pause"), () => this.#pause()),
      h("a", { class: "button quiet", href: rules, target: "_blank" }, t("web.menu.rules")),
      h("a", { class: "button quiet", href: `/tv/${session.code}`, target: "_blank" }, t("web.menu.tv")),
      seat !== null && this.#item(t("web.menu.stand"), () => session.send({ type: "stand" })),
      this.#item(t("web.menu.leave"), () => this.#leave()),
    );
  }

  #pause() {
    this.#session.send({ type: "pause", on: !this.#session.table?.paused });
  }

  #leave() {
    this.#session.send({ type: "stand" });
    go("/");
  }

  #people() {
    const people = peopleOf(this.#session).filter((person) => person.player !== this.#session.you);
    if (!people.length) return "";
    const heading = uniqueId();
    return h(
      "section",
      { class: "stack tight", "aria-labelledby": heading },
      h("h2", { id: heading }, t("web.menu.people")),
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

  #looks() {
    const heading = uniqueId();
    return h(
      "section",
      { class: "stack tight", "aria-labelledby": heading },
      h("h2", { id: heading }, t("web.menu.look")),
      switchField(t("web.menu.sound"), prefs.get("sound"), (on) => prefs.set("sound", on)),
      switchField(t("web.menu.vibration"), prefs.get("vibration"), (on) => prefs.set("vibration", on)),
      switchField(t("web.menu.chat"), prefs.get("chat"), (on) => prefs.set("chat", on)),
      selectField({
        label: t("web.menu.theme"),
        choices: THEMES.map((theme) => ({ value: theme, text: t(`web.menu.theme.${theme}`) })),
        value: prefs.get("theme"),
        onchange: (theme) => prefs.set("theme", theme),
      }),
      languageField(),
    );
  }

  /**
   * @param {string} text
   * @param {() => void} action
   */
  #item(text, action) {
    const press = () => {
      this.popover.close();
      action();
    };
    return button(text, press, { look: "quiet" });
  }
}
