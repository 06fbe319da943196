/** The page of puzzles: the solver's progress, the puzzle of the day, the next one, and those of their own games. */

import { GAMES, PUZZLE_THEMES } from "../bindings/constants.js";
import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { selectField } from "../ui/fields.js";
import { need } from "../ui/resources.js";
import { titledPage } from "../ui/router.js";
import { isolated, number, t, useTexts } from "../ui/texts.js";
import { deletePuzzle, readPuzzles } from "../offline/store.js";
import { puzzlePage } from "./puzzle.js";
import { dayOf } from "../offline/streak.js";
import { goToNext, progress, wanted } from "./puzzleprogress.js";

export { makeOwnPuzzle } from "./ownpuzzles.js";

/** @import { Page } from "../ui/router.js" */
/** @import { StoredPuzzle } from "../offline/store.js" */

need(useTexts("puzzles"), stylesheet("pages/puzzles.css"));

/** @param {string} id of a puzzle; empty for the overview @returns {Promise<Page>} */
export async function page(id) {
  if (id) return puzzlePage(id);
  const own = await readPuzzles();
  return titledPage(t("web.puzzles.title"), "puzzles", figures(), choice(), ownPuzzles(own));
}

/** Returns the rating and the streaks. */
function figures() {
  const { rating, streak, longest, done } = progress();
  const solved = Object.values(done).filter(Boolean).length;
  const values = { rating: Math.round(rating[0]), streak, longest, solved };
  const items = Object.entries(values).map(([name, value]) => h("div", null, h("dt", null, t(`web.puzzles.${name}`)), h("dd", null, number(value))));
  return h("dl", { class: "panel puzzle-figures" }, items);
}

/** Returns the panel from which puzzles are opened. */
function choice() {
  const any = { value: "", text: t("web.puzzles.any") };
  const games = GAMES.map((game) => ({ value: game, text: t(`game.${game}`) }));
  const themes = PUZZLE_THEMES.map((theme) => ({ value: theme, text: t(`web.puzzles.theme.${theme}`) }));
  const isDone = progress().day === dayOf();
  return h(
    "section",
    { class: "panel stack" },
    h("p", { class: "soft" }, t("web.puzzles.about")),
    h("a", { class: "button big wide", href: "/puzzles/daily" }, t(isDone ? "web.puzzles.daily.done" : "web.puzzles.daily")),
    h(
      "div",
      { class: "row puzzle-choice" },
      selectField({ label: t("web.home.game"), choices: [any, ...games], value: wanted.game, onchange: (game) => (wanted.game = game) }),
      selectField({ label: t("web.puzzles.theme"), choices: [any, ...themes], value: wanted.theme, onchange: (theme) => (wanted.theme = theme) }),
    ),
    button(t("web.puzzles.next"), goToNext, { look: "primary big wide" }),
  );
}

/** Returns the list of puzzles made from mistakes. @param {StoredPuzzle[]} puzzles */
function ownPuzzles(puzzles) {
  const hint = h("p", { class: "soft" }, t("web.puzzles.own.none"));
  const items = puzzles.map(({ id, names, step }) => {
    const line = t("web.puzzles.own.line", { move: step + 1, players: names.map(isolated).join(", ") });
    const item = h("li", { class: "row" }, h("a", { class: "grow", href: `/puzzles/${id}` }, line));
    item.append(button(t("web.puzzles.remove"), async () => (await deletePuzzle(id), item.remove()), { look: "quiet" }));
    return item;
  });
  return h("section", { class: "panel stack" }, h("h2", null, t("web.puzzles.own")), hint, items.length > 0 && h("ul", { class: "stack tight" }, items));
}
