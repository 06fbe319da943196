/** The home page: a name, and three ways to a table. */

import { GAMES, LEVELS, MAX_PLAYERS, NAME_CHARS } from "../bindings/constants.js";
import { hasOpenTables, isStaticSite, playsLocally } from "../ui/address.js";
import { button } from "../ui/button.js";
import { h, stylesheet, uniqueId } from "../ui/dom.js";
import { errorWords } from "../ui/failures.js";
import { form, problemLine, selectField, textField } from "../ui/fields.js";
import { playIcon, plusIcon, sealIcon } from "../ui/icons.js";
import { later, load } from "../ui/resources.js";
import { prefs } from "../ui/prefs.js";
import { go } from "../ui/router.js";
import { t } from "../ui/texts.js";
import { get, post } from "../net/api.js";
import { codeField } from "../guide/codefield.js";
import { dealNow, hasPlayed } from "../guide/quick.js";
import { introduce, languageField } from "../net/me.js";
import { cardFace } from "../cards/art.js";
import { cardFan } from "../cards/fan.js";

/** @import {Page} from "../ui/router.js" */

/** A card of each game, and how many minutes a match with three bots takes: moves of simulated matches, 2.4 s each. */
const PICTURES = { "all-wild": "Wx", classic: "R7", "wild-jackpot": "Bj" };
const MINUTES = { "all-wild": 3, classic: 25, "wild-jackpot": 20 };
/** Suggestions for a name. */
const NAMES = ["Alex", "Andrea", "Charlie", "Jo", "Kim", "Mika", "Noa", "Robin", "Sam", "Toni"];

/** @returns {Promise<Page>} */
export async function page() {
  const [fan, { back, deals }, open] = await Promise.all([
    cardFan(),
    stateOfPerson(),
    hasOpenTables ? load(import("./opentables.js")) : null,
    stylesheet("pages/home.css"),
  ]);
  const form = new HomeForm();
  const parts = isStaticSite
    ? await offlineParts(form, deals)
    : [...back, playsLocally && continueGame(), form.play(), open?.openTables(form), form.daily(deals), form.friends(), leaderboard()];
  const element = h(
    "div",
    { class: "page home" },
    fan,
    h("header", { class: "home-title" }, h("h1", null, "Last Card"), h("p", { class: "soft" }, t(isStaticSite ? "web.home.lead.alone" : "web.home.lead"))),
    ...parts,
    h("p", { class: "home-fair small" }, h("a", { href: "/about" }, sealIcon(), t("web.home.fair"))),
    h("footer", { class: "stack tight home-foot" }, links(), languageField({ labelHidden: true })),
  );
  return { title: "", element };
}

/** Returns the panels of a static site. @param {HomeForm} form @param {string} deals */
async function offlineParts(form, deals) {
  // Preloads what the first table needs: the kernel first, which is largest and needs no texts.
  void import("../localtable/workerpool.js").then(({ prepareSpare }) => prepareSpare());
  const { continueGame, passAroundPanel, recordPanel, updateNotice } = await load(import("../offline/homepanels.js"));
  void later(() => import("./table.js"));
  void later(() => import("../offline/passdevice.js"));
  const side = h("div", { class: "stack home-side" }, form.friends(passAroundPanel), recordPanel(), leaderboard());
  return [await continueGame(), form.play(), form.daily(deals), side, updateNotice()];
}

/**
 * Returns what the page has for a person with a name, before it is shown, so that nothing moves later.
 * @returns {Promise<{back: HTMLElement[], deals: string}>}
 */
const stateOfPerson = async () => (prefs.get("name") ? (await load(import("./homestate.js"))).homeState() : { back: [], deals: "" });

/** Preloads *Play now*, and shows the link to a running game in the page of a server. */
function continueGame() {
  const place = h("div", { class: "optional" });
  const fill = async () => {
    const [{ prepareSpare }, welcome] = await Promise.all([
      later(() => import("../localtable/workerpool.js")),
      later(() => import("../offline/homepanels.js")),
    ]);
    prepareSpare();
    place.append((await welcome.continueGame()) ?? "");
  };
  fill().catch(() => {});
  return place;
}

/** The fields of the home page and the actions of its buttons. */
class HomeForm {
  #nameError = problemLine();
  #error = problemLine();
  #friendsError = problemLine();
  #codeError = problemLine();
  #name = textField(t("web.home.name"), {
    value: prefs.get("name") || NAMES[Math.floor(Math.random() * NAMES.length)],
    placeholder: t("web.home.guest"),
    maxlength: NAME_CHARS,
    autocomplete: "nickname",
    enterkeyhint: "go",
    onkeydown: (/** @type {KeyboardEvent} */ event) => this.#goOn(event),
  });
  #code = codeField();

  /** Whether a table is being opened. */
  #isBusy = false;
  /** The action that needs a name first. @type {(() => unknown) | null} */
  #wanted = null;
  /** Below *Play now*: the lesson for people who have never played the game. */
  #about = h("div", { class: "row home-about optional" });

  #showAbout() {
    const game = prefs.get("game");
    if (hasPlayed(game)) return this.#about.replaceChildren();
    this.#about.replaceChildren(
      h("p", null, h("strong", null, t(`web.home.lesson.${game}`))),
      button(t("web.home.lesson.show"), () => this.#deal({ lesson: 1 })),
    );
  }

  /** Returns the form with a name and a game, and the button that begins a match with bots. */
  play() {
    this.#showAbout();
    return form(
      { class: "panel stack" },
      () => this.#deal(),
      this.#nameError,
      this.#name.element,
      gameChoice((game) => {
        prefs.set("game", game);
        this.#showAbout();
      }),
      this.#error,
      h("button", { class: "button primary big wide" }, playIcon(), t("web.home.play")),
      botFields(),
      this.#about,
    );
  }

  /** Runs an action among strangers, with the person's name. @param {() => Promise<void>} action */
  meet(action) {
    return this.#withName(this.#error, action);
  }

  /** Returns the button that leads to the deals of the day, with the person's name. @param {string} deals their state */
  daily(deals) {
    return button([t("web.home.daily"), h("small", null, deals)], () => this.#withName(this.#error, () => go("/daily")), { look: "wide" });
  }

  /**
   * Returns the forms for tables with friends: make one, or join by its code.
   * @param {(create: () => void, complaint: HTMLElement) => HTMLElement} [drawOffline] draws the panels of a static site
   */
  friends(drawOffline) {
    if (drawOffline) return drawOffline(() => this.#create(), this.#friendsError);
    return h(
      "section",
      { class: "panel stack", "aria-labelledby": "friends" },
      h("h2", { id: "friends" }, t("web.home.friends")),
      this.#friendsError,
      button([plusIcon(), t("web.home.create")], () => this.#create(), { look: "wide" }),
      h("a", { class: "button wide", href: "/duplicate" }, t("web.home.duplicate")),
      this.#codeError,
      form({}, () => this.#join(), this.#code.element),
    );
  }

  /** @param {{lesson?: number}} [how] */
  #deal(how) {
    return this.#attempt(this.#error, async () => {
      const name = this.#name.input.value.trim() || t("web.home.guest");
      // The server does not need to know about a match in its page.
      if (playsLocally && !isStaticSite) prefs.set("name", name);
      else await introduce(name);
      await dealNow(prefs.get("game"), how);
    });
  }

  #create() {
    return this.#withName(this.#friendsError, async () => {
      const { code } = await post("/api/tables", { settings: { rules: prefs.get("game") } });
      await go(`/t/${code}`);
    });
  }

  #join() {
    const code = this.#code.code();
    const join = async () => {
      await get(`/api/tables/${code || "-"}`); // the server says what a code looks like
      await go(`/t/${code}`);
    };
    return this.#withName(this.#codeError, join, code.slice(0, 20));
  }

  /**
   * Runs an action among friends, which needs a name.
   * @param {HTMLElement} place the element for error messages
   * @param {() => Promise<void>} action
   * @param {string} [table] the code of the table to join
   */
  async #withName(place, action, table) {
    const name = this.#name.input.value.trim();
    if (!name) {
      this.#wanted = () => this.#withName(place, action, table);
      this.#complain(this.#nameError, t("web.home.name.missing"));
      return this.#name.input.focus();
    }
    await this.#attempt(place, async () => {
      await introduce(name, table);
      await action();
    });
  }

  /** Enter in the name field runs the action that needed the name. @param {KeyboardEvent} event */
  #goOn(event) {
    if (event.key !== "Enter" || event.isComposing || !this.#wanted) return;
    event.preventDefault();
    void this.#wanted();
  }

  /**
   * Runs one action at a time: a second press must not open a second table.
   * @param {HTMLElement} place the element for error messages
   * @param {() => Promise<void>} action
   */
  async #attempt(place, action) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#wanted = null;
    this.#forgive();
    try {
      await action();
    } catch (error) {
      this.#complain(place, errorWords(error));
    } finally {
      this.#isBusy = false;
    }
  }

  /**
   * Shows an error above the field, because an on-screen keyboard covers what is below.
   * @param {HTMLElement} place @param {string} text
   */
  #complain(place, text) {
    this.#forgive();
    place.textContent = text;
    place.scrollIntoView({ block: "nearest" });
  }

  /** Removes the error of the previous attempt. */
  #forgive() {
    for (const place of [this.#nameError, this.#error, this.#friendsError, this.#codeError]) place.textContent = "";
  }
}

/** Returns the choice of a game, each with a picture, a line and its duration. @param {(game: string) => void} onchange */
function gameChoice(onchange) {
  const name = uniqueId();
  const choices = GAMES.map((game) => {
    const checked = game === prefs.get("game");
    const [id, label] = [uniqueId(), t(`game.${game}`)];
    const named = { "aria-label": label, "aria-describedby": id };
    const input = h("input", { type: "radio", name, value: game, checked, onchange: () => onchange(game), ...named });
    const title = h("strong", null, label);
    const about = h("small", { id }, t(`web.home.about.${game}`));
    const time = h("small", { class: "home-time" }, t("web.home.minutes", { n: MINUTES[game] }));
    return h("label", { class: "chip home-game" }, input, h("span", null, h("i", null, cardFace(PICTURES[game], { game })), title, about, time));
  });
  return h("fieldset", { class: "field" }, h("legend", { class: "visually-hidden" }, t("web.home.game")), choices);
}

/** Returns the fields for the number and the level of the bots. */
function botFields() {
  const counts = Array.from({ length: MAX_PLAYERS - 1 }, (_, i) => ({ value: String(i + 1), text: t("web.home.bots", { n: i + 1 }) }));
  const levels = LEVELS.map((level) => ({ value: level, text: t(`web.level.${level}`) }));
  return h(
    "div",
    { class: "row home-bots" },
    selectField({ label: t("web.home.bots.label"), choices: counts, value: String(prefs.get("bots")), onchange: (n) => prefs.set("bots", Number(n)), labelHidden: true }),
    selectField({ label: t("web.home.level"), choices: levels, value: prefs.get("level"), onchange: (level) => prefs.set("level", level), labelHidden: true }),
  );
}

/** Returns the leaderboard of people who have played together here; it loads after the page is shown. */
function leaderboard() {
  const place = h("div", { class: "optional" });
  const fill = async () => {
    const [{ leaderboardPanel }, lines] = await Promise.all([load(import("./leaderboard.js")), get("/api/me/honors")]);
    place.append(leaderboardPanel(lines) ?? "");
  };
  // The name exists once the person has played; before that there is nothing to show.
  if (prefs.get("name")) fill().catch(() => {});
  return place;
}

function links() {
  const link = (/** @type {string} */ path, /** @type {string} */ text) => h("a", { href: path }, text);
  return h(
    "nav",
    { class: "home-links", "aria-label": t("web.home.more") },
    link("/me", t("web.home.me")),
    link("/puzzles", t("web.home.puzzles")),
    link("/rules", t("web.home.rules")),
    link("/about", t("web.home.about")),
    isStaticSite ? link("/program", t("web.home.program")) : link("/privacy", t("web.home.privacy")),
  );
}
