/** The rules of a game or a table as text and pictures, from the same source as `lastcard rules`. */

import { GAMES } from "../bindings/constants.js";
import { gameOf } from "../bindings/rulename.js";
import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { chips, switchField } from "../ui/fields.js";
import { load, need } from "../ui/resources.js";
import { prefs } from "../ui/prefs.js";
import { titledPage } from "../ui/router.js";
import { LANGUAGE_CHOICES, language, t, useTexts } from "../ui/texts.js";
import { ApiError, get } from "../net/api.js";
import { cardFace } from "../cards/art.js";
import { figureList } from "../guide/figurelist.js";

/** @import { Page } from "../ui/router.js" */

need(useTexts("rules"));

/** The number of players for which the figures are shown. */
const FIGURE_SEATS = 4;

/**
 * The answer of GET /api/rules/NAME.
 * @typedef {{text: string, clauses: string[], changed: boolean, sub?: string, cards: string[]}} RuleLine
 * @typedef {{head: string, lines: RuleLine[]}} RuleSection
 * @typedef {{title: string, name: string, about_name: string, sections: RuleSection[]}} Rules
 */

/** @param {string} name a ruleset's name; empty for the first game @returns {Promise<Page>} */
export async function page(name) {
  await Promise.all([stylesheet("ui/controls.css"), stylesheet("pages/rules.css"), stylesheet("cards/art.css")]);
  const rules = name ? decodeURIComponent(name) : GAMES[0];
  const game = GAMES.find((known) => known === gameOf(rules));
  if (!game) return unknownPage("");
  const article = h("article", { class: "stack rules-text" });
  let title = "";
  try {
    title = await fill(article, rules, language());
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return unknownPage(error.message);
  }
  requestAnimationFrame(() => mark(location.hash.slice(1)));
  const tabs = GAMES.map((other) => {
    const current = other === game ? "page" : null;
    return h("a", { class: "tab", href: `/rules/${other}`, "aria-current": current }, t(`game.${other}`));
  });
  const languages = chips({
    label: t("web.rules.language"),
    labelHidden: true,
    choices: LANGUAGE_CHOICES,
    value: language(),
    onchange: (wanted) => fill(article, rules, wanted),
  });
  const changedKey = h("span", { class: "changed-key" }, t("web.rules.changed"));
  const { element } = titledPage(
    t("web.rules.title"),
    "rules",
    h("nav", { class: "tabs", "aria-label": t("web.rules.games") }, tabs),
    h("div", { class: "rules-tools" }, languages, button(t("web.rules.print"), () => print())),
    h("p", { class: "small soft" }, t("web.rules.switches"), " ", h("a", { href: "/" }, t("web.home.create"))),
    rules !== game && h("p", { class: "panel small" }, t("web.rules.table"), " ", changedKey),
    h("div", { class: "panel" }, figureList(rules, FIGURE_SEATS)),
    article,
    clauseSwitch(article),
  );
  return { title, element };
}

/** @param {string} why */
const unknownPage = async (why) => (await load(import("./unknown.js"))).page(why);

/** Returns the switch that shows clauses, here and in refusals. @param {HTMLElement} article */
function clauseSwitch(article) {
  const show = (/** @type {boolean} */ on) => article.classList.toggle("with-clauses", on);
  const change = (/** @type {boolean} */ on) => (prefs.set("clauses", on), show(on));
  show(prefs.get("clauses"));
  const field = switchField(t("web.rules.clauses"), prefs.get("clauses"), change, { about: t("web.rules.clauses.about") });
  return h("div", { class: "panel rules-switch" }, field);
}

/**
 * Fills the article with the rules, in a language of its own.
 * @param {HTMLElement} article @param {string} rules @param {string} wanted
 */
async function fill(article, rules, wanted) {
  article.dataset.wanted = wanted;
  /** @type {Rules} */
  const { title, name, about_name: about, sections } = await get(`/api/rules/${encodeURIComponent(rules)}?lang=${wanted}`);
  if (article.dataset.wanted !== wanted) return title; // another language was chosen and loaded meanwhile
  article.lang = wanted;
  const seen = new Set();
  article.replaceChildren(
    h(
      "header",
      { class: "stack tight" },
      h("h2", null, title),
      h("code", { class: "small soft" }, name),
      about && h("p", { class: "small soft" }, about),
    ),
    ...sections.map(({ head, lines }, index) => {
      const items = lines.map((line) => ruleLine(line, gameOf(name), seen));
      const list = h("ul", { class: "rule-lines" }, items);
      if (index < sections.length - 1) return h("section", { class: "panel stack tight" }, h("h3", null, head), list);
      // Options by name are folded unless the table has changed some.
      const open = lines.some(({ changed }) => changed);
      return h("details", { class: "panel", open }, h("summary", null, h("h3", null, head)), list);
    }),
  );
  return title;
}

/** @param {RuleLine} line @param {string} game @param {Set<string>} seen clauses that are already on the page */
function ruleLine({ text, clauses, changed, sub, cards }, game, seen) {
  return h(
    "li",
    { class: `${changed ? "changed" : ""} ${cards.length ? "pictured" : ""}` },
    // The line's text names the cards.
    cards.length > 0 && h("span", { class: "rule-cards", "aria-hidden": "true" }, cards.map((card) => cardFace(card, { game }))),
    h(
      "span",
      { class: "rule-words" },
      changed && h("span", { class: "visually-hidden" }, `${t("web.rules.changed")}: `),
      text,
      clauses.map((clause) => [" ", clauseLink(clause, seen)]),
      sub && h("small", { class: "soft" }, sub),
    ),
  );
}

/** @param {string} clause @param {Set<string>} seen */
function clauseLink(clause, seen) {
  const id = seen.has(clause) ? null : clause;
  seen.add(clause);
  const point = (/** @type {Event} */ event) => {
    event.preventDefault(); // following it would reload the page, in the screen's language
    history.replaceState(history.state, "", `#${clause}`);
    mark(clause);
  };
  return h("a", { class: "clause", id, href: `#${clause}`, onclick: point }, clause);
}

/** Shows the place of a clause. @param {string} clause */
function mark(clause) {
  const place = clause && document.getElementById(clause);
  if (!place) return;
  for (const last of document.querySelectorAll(".rules-text .here")) last.classList.remove("here");
  const line = place.closest("li");
  place.closest("details")?.setAttribute("open", "");
  for (const found of [place, line]) found?.classList.add("here");
  line?.scrollIntoView({ block: "center" });
}
