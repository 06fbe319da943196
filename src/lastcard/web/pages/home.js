/** The first page: a name, and three ways to a table. */

import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { chips, textField } from "../ui/fields.js";
import { playIcon, plusIcon } from "../ui/icons.js";
import { prefs } from "../ui/prefs.js";
import { go } from "../ui/router.js";
import { t } from "../ui/words.js";
import { get, post } from "../line/api.js";
import { introduce, languageField } from "../line/me.js";
import { cardFace } from "../cards/art.js";
import { GAMES } from "../cards/cards.js";

/** @import {Page} from "../ui/router.js" */

/** The cards fanned out at the top of the page, and how far each is turned, in degrees. */
const FAN = { R7: -14, "Y+2": -7, W: 0, Gr: 7, B1: 14 };

/** @returns {Promise<Page>} */
export async function page() {
  await Promise.all([stylesheet("pages/home.css"), stylesheet("cards/art.css")]);
  const form = new HomeForm();
  const fan = Object.entries(FAN).map(([code, turn]) => {
    const card = cardFace(code);
    card.style.setProperty("--turn", `${turn}deg`);
    return card;
  });
  const element = h(
    "div",
    { class: "page home" },
    h("div", { class: "fan", "aria-hidden": "true" }, fan),
    h("header", { class: "home-title" }, h("h1", null, "Last Card"), h("p", { class: "soft" }, t("web.home.lead"))),
    form.play(),
    form.friends(),
    h("footer", { class: "home-foot" }, links(), languageField({ labelHidden: true })),
  );
  return { title: "", element };
}

/** The fields of the first page and what its buttons do. */
class HomeForm {
  #error = h("p", { class: "error optional", role: "alert" });
  #friendsError = h("p", { class: "error optional", role: "alert" });
  #name = textField(t("web.home.name"), {
    value: prefs.get("name"),
    placeholder: t("web.home.guest"),
    maxlength: 24,
    autocomplete: "nickname",
    enterkeyhint: "go",
  });
  #code = textField(
    t("web.home.code"),
    { maxlength: 12, autocapitalize: "characters", spellcheck: "false", enterkeyhint: "go", class: "input code-input" },
    h("button", { class: "button" }, t("web.home.join")),
  );

  /** The form with a name and a game, and the button that begins a match with bots. */
  play() {
    return h(
      "form",
      { class: "panel stack", onsubmit: submit(() => this.#playNow()) },
      this.#name.element,
      chips({
        label: t("web.home.game"),
        choices: GAMES.map((game) => ({ value: game, text: t(`game.${game}`) })),
        value: prefs.get("game"),
        onchange: (game) => prefs.set("game", game),
      }),
      h("button", { class: "button primary big wide" }, playIcon(), t("web.home.play")),
      h("p", { class: "soft small center" }, t("web.home.play.about")),
      this.#error,
    );
  }

  /** The ways to a table for friends: make one, or join by its code. */
  friends() {
    return h(
      "section",
      { class: "panel stack", "aria-labelledby": "friends" },
      h("h2", { id: "friends" }, t("web.home.friends")),
      button([plusIcon(), t("web.home.create")], () => this.#create(), { look: "wide" }),
      h("form", { onsubmit: submit(() => this.#join()) }, this.#code.element),
      this.#friendsError,
    );
  }

  #playNow() {
    return this.#attempt(this.#error, async () => {
      await introduce(this.#name.input.value.trim() || t("web.home.guest"));
      const { code } = await post("/api/tables", { quick: true, settings: { rules: prefs.get("game") } });
      await go(`/t/${code}`, { quick: true });
    });
  }

  #create() {
    return this.#named(async () => {
      const { code } = await post("/api/tables", { settings: { rules: prefs.get("game") } });
      await go(`/t/${code}`);
    });
  }

  #join() {
    return this.#named(async () => {
      const code = this.#code.input.value.replace(/[^0-9a-z]/gi, "").toUpperCase();
      if (!code) return this.#code.input.focus();
      await get(`/api/tables/${code}`);
      await go(`/t/${code}`);
    });
  }

  /**
   * Among friends a name is needed.
   *
   * @param {() => Promise<void>} action
   */
  #named(action) {
    return this.#attempt(this.#friendsError, async () => {
      const name = this.#name.input.value.trim();
      if (!name) {
        this.#name.input.focus();
        throw new Error(t("web.home.name.missing"));
      }
      await introduce(name);
      await action();
    });
  }

  /**
   * @param {HTMLElement} place where it is said what went wrong
   * @param {() => Promise<void>} action
   */
  async #attempt(place, action) {
    place.textContent = "";
    try {
      await action();
    } catch (error) {
      place.textContent = error instanceof TypeError ? t("web.net.unreachable") : /** @type {Error} */ (error).message;
    }
  }
}

/** @param {() => void} action */
function submit(action) {
  return (/** @type {Event} */ event) => {
    event.preventDefault();
    action();
  };
}

function links() {
  const link = (/** @type {string} */ path, /** @type {string} */ text) => h("a", { href: path }, text);
  return h(
    "nav",
    { class: "home-links", "aria-label": t("web.home.more") },
    link("/matches", t("web.home.matches")),
    link("/rules", t("web.home.rules")),
    link("/about", t("web.home.about")),
  );
}
