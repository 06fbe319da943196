/** The first page: a name, and three ways to a table. */

import { GAMES, NAME_CHARS } from "../bindings/constants.js";
import { isStaticSite, playsLocally } from "../ui/address.js";
import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { errorWords } from "../ui/failures.js";
import { chips, textField } from "../ui/fields.js";
import { playIcon, plusIcon } from "../ui/icons.js";
import { later, load } from "../ui/resources.js";
import { prefs } from "../ui/prefs.js";
import { oneAtATime } from "../ui/repeats.js";
import { go } from "../ui/router.js";
import { t } from "../ui/texts.js";
import { get, post } from "../net/api.js";
import { dealNow, hasPlayed } from "../guide/quick.js";
import { introduce, languageField } from "../net/me.js";
import { cardFan } from "../cards/fan.js";

/** @import {Page} from "../ui/router.js" */

/** @returns {Promise<Page>} */
export async function page() {
  const [fan, back] = await Promise.all([cardFan(), running(), stylesheet("pages/home.css")]);
  const form = new HomeForm();
  const element = h(
    "div",
    { class: "page home" },
    fan,
    h("header", { class: "home-title" }, h("h1", null, "Last Card"), h("p", { class: "soft" }, t(isStaticSite ? "web.home.lead.alone" : "web.home.lead"))),
    ...(isStaticSite ? await offlineParts(form) : [...back, playsLocally && continueGame(), form.play(), form.friends(), leaderboard()]),
    h("footer", { class: "home-foot" }, links(), languageField({ labelHidden: true })),
  );
  return { title: "", element };
}

/** What stands there where there is no server. @param {HomeForm} form */
async function offlineParts(form) {
  // What the first table needs comes meanwhile: the rules first, which are largest and need no texts.
  void import("../localtable/workerpool.js").then(({ prepareSpare }) => prepareSpare());
  const { continueGame, passAroundPanel, recordPanel, updateNotice } = await load(import("../offline/homepanels.js"));
  void later(() => import("./table.js"));
  void later(() => import("../offline/passdevice.js"));
  const side = h("div", { class: "stack home-side" }, form.friends(passAroundPanel), recordPanel(), leaderboard());
  return [await continueGame(), form.play(), side, updateNotice()];
}

/** The ways back to matches on the server; before the page stands, or all of it would move. @returns {Promise<HTMLElement[]>} */
async function running() {
  // Whoever has no name here plays nowhere.
  if (isStaticSite || !prefs.get("name")) return [];
  /** @type {import("../net/protocol.js").RunningMatch[]} */
  const matches = await get("/api/me/tables").catch(() => []);
  if (!matches.length) return [];
  const { continueLink } = await load(import("../offline/continuelink.js"));
  return matches.map(continueLink);
}

/** What *Play now* needs comes meanwhile, and the way to a game that goes on in the page of a server. */
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

/** The fields of the first page and what its buttons do. */
class HomeForm {
  #nameError = complaint();
  #error = complaint();
  #friendsError = complaint();
  #codeError = complaint();
  #name = textField(t("web.home.name"), {
    value: prefs.get("name"),
    placeholder: t("web.home.guest"),
    maxlength: NAME_CHARS,
    autocomplete: "nickname",
    enterkeyhint: "go",
    onkeydown: (/** @type {KeyboardEvent} */ event) => this.#goOn(event),
  });
  #code = textField(
    t("web.home.code"),
    { maxlength: 12, autocapitalize: "characters", spellcheck: "false", enterkeyhint: "go", class: "input code-input" },
    h("button", { class: "button" }, t("web.home.join")),
  );

  /** Whether the way to a table is being made. */
  #isBusy = false;
  /** What was asked for when the name was missing. @type {(() => unknown) | null} */
  #wanted = null;
  /** Below *Play now*: what it does, or for whoever has never played the game its lesson. */
  #about = h("div", { class: "home-about" });

  #showAbout() {
    const game = prefs.get("game");
    if (hasPlayed(game)) return this.#about.replaceChildren(h("p", { class: "soft small" }, t("web.home.play.about")));
    this.#about.replaceChildren(
      h("p", null, h("strong", null, t(`web.home.lesson.${game}`))),
      button(t("web.home.lesson.show"), () => this.#deal({ lesson: true })),
    );
  }

  /** The form with a name and a game, and the button that begins a match with bots. */
  play() {
    this.#showAbout();
    return h(
      "form",
      { class: "panel stack", onsubmit: submit(() => this.#deal()) },
      this.#nameError,
      this.#name.element,
      chips({
        label: t("web.home.game"),
        choices: GAMES.map((game) => ({ value: game, text: t(`game.${game}`) })),
        value: prefs.get("game"),
        onchange: (game) => {
          prefs.set("game", game);
          this.#showAbout();
        },
      }),
      this.#error,
      h("button", { class: "button primary big wide" }, playIcon(), t("web.home.play")),
      this.#about,
    );
  }

  /**
   * The ways to a table for friends: make one, or join by its code.
   *
   * @param {(create: () => void, complaint: HTMLElement) => HTMLElement} [drawOffline] draws what there is without a server
   */
  friends(drawOffline) {
    if (drawOffline) return drawOffline(() => this.#create(), this.#friendsError);
    return h(
      "section",
      { class: "panel stack", "aria-labelledby": "friends" },
      h("h2", { id: "friends" }, t("web.home.friends")),
      this.#friendsError,
      button([plusIcon(), t("web.home.create")], () => this.#create(), { look: "wide" }),
      this.#codeError,
      h("form", { onsubmit: submit(() => this.#join()) }, this.#code.element),
    );
  }

  /** @param {{lesson?: boolean}} [how] */
  #deal(how) {
    return this.#attempt(this.#error, async () => {
      const name = this.#name.input.value.trim() || t("web.home.guest");
      // A match in the page of a server is none of its business.
      if (playsLocally && !isStaticSite) prefs.set("name", name);
      else await introduce(name);
      await dealNow(prefs.get("game"), how);
    });
  }

  #create() {
    return this.#named(this.#friendsError, async () => {
      const { code } = await post("/api/tables", { settings: { rules: prefs.get("game") } });
      await go(`/t/${code}`);
    });
  }

  #join() {
    const code = this.#code.input.value.replace(/[^0-9a-z]/gi, "").toUpperCase();
    const join = async () => {
      if (!code) return this.#code.input.focus();
      await get(`/api/tables/${code}`);
      await go(`/t/${code}`);
    };
    return this.#named(this.#codeError, join, code.slice(0, 20));
  }

  /**
   * Among friends a name is needed.
   *
   * @param {HTMLElement} place where it is said what went wrong
   * @param {() => Promise<void>} action
   * @param {string} [table] the code of the table it leads to
   */
  async #named(place, action, table) {
    const name = this.#name.input.value.trim();
    if (!name) {
      this.#wanted = () => this.#named(place, action, table);
      this.#complain(this.#nameError, t("web.home.name.missing"));
      return this.#name.input.focus();
    }
    await this.#attempt(place, async () => {
      await introduce(name, table);
      await action();
    });
  }

  /** Enter in the field of the name goes on with what the name was asked for. @param {KeyboardEvent} event */
  #goOn(event) {
    if (event.key !== "Enter" || event.isComposing || !this.#wanted) return;
    event.preventDefault();
    void this.#wanted();
  }

  /**
   * Do one thing at a time: whoever has pressed a button that leads to a table wants one table.
   *
   * @param {HTMLElement} place where it is said what went wrong
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
   * Say what is wrong where the person looks: above the field, for a keyboard on the screen covers what is below.
   *
   * @param {HTMLElement} place
   * @param {string} text
   */
  #complain(place, text) {
    this.#forgive();
    place.textContent = text;
    place.scrollIntoView({ block: "nearest" });
  }

  /** Take back what was said: it was about the try before. */
  #forgive() {
    for (const place of [this.#nameError, this.#error, this.#friendsError, this.#codeError]) place.textContent = "";
  }
}

/** The table of honor of those with whom one has played here; it comes when the page stands. */
function leaderboard() {
  const place = h("div", { class: "optional" });
  const fill = async () => {
    const [{ leaderboardPanel }, lines] = await Promise.all([load(import("./leaderboard.js")), get("/api/me/honors")]);
    place.append(leaderboardPanel(lines) ?? "");
  };
  // A name stands there once the person has played; to anybody else there is nothing to show.
  if (prefs.get("name")) fill().catch(() => {});
  return place;
}

/** A place where it is said what went wrong. */
const complaint = () => h("p", { class: "error optional", role: "alert" });

/** @param {() => unknown} action */
const submit = (action) =>
  oneAtATime((/** @type {Event} */ event) => {
    event.preventDefault();
    return action();
  });

function links() {
  const link = (/** @type {string} */ path, /** @type {string} */ text) => h("a", { href: path }, text);
  return h(
    "nav",
    { class: "home-links", "aria-label": t("web.home.more") },
    link("/me", t("web.home.me")),
    link("/rules", t("web.home.rules")),
    link("/about", t("web.home.about")),
    isStaticSite ? link("/program", t("web.home.program")) : link("/privacy", t("web.home.privacy")),
  );
}
