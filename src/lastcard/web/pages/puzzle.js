/** One puzzle: the table as its seat sees it, the answer with the chances of the moves, and how the round continues. */

import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { embedButton } from "../ui/embedding.js";
import { focusNew } from "../ui/repeats.js";
import { load, need } from "../ui/resources.js";
import { lost, show } from "../ui/router.js";
import { percent, t, useTexts } from "../ui/texts.js";
import { prefs } from "../ui/prefs.js";
import { loadGame } from "../game/loading.js";
import { Controls } from "../replay/controls.js";
import { ReplaySession } from "../replay/replaysession.js";
import { readPuzzles } from "../offline/store.js";
import { dayOf } from "../offline/streak.js";
import { dailyIndex, idOf, readPuzzleFile } from "./puzzlefile.js";
import { countAnswer, goToNext, progress } from "./puzzleprogress.js";
import { PuzzleSession } from "./puzzlesession.js";

/** @import { WordedPuzzle } from "../localtable/archive.js" */
/** @import { Puzzle } from "../localtable/puzzles.js" */
/** @import { Page } from "../ui/router.js" */
/** @import { StoredPuzzle } from "../offline/store.js" */

need(useTexts("puzzles"), stylesheet("pages/replay.css"), stylesheet("pages/puzzles.css"), stylesheet("ui/controls.css"));

/**
 * What the page needs of a puzzle.
 * @typedef {object} Task
 * @property {WordedPuzzle} opened
 * @property {string} theme @property {number | null} grade
 * @property {string} best the best move, perhaps with a call
 * @property {(move: string) => string} explain returns why the best move is better than another
 * @property {(solved: boolean) => Promise<void>} count counts the answer
 * @property {string} [path] its address, unless it is the person's own
 */

/** @param {string} id the line of a puzzle, `daily`, or that of an own puzzle @returns {Promise<Page>} */
export async function puzzlePage(id) {
  // The page of a table comes for its styles alone: as a sheet of two screens they would be another request of the first.
  const [task] = await Promise.all([findTask(id), load(import("../game/game.js")), load(import("./table.js"))]);
  if (!task) return lost(t("web.puzzles.unknown"), h("a", { href: "/puzzles" }, t("web.puzzles.title")));
  await loadGame(task.opened.replay.rules);
  const solver = new Solver(task);
  return { title: t("web.puzzles.title"), element: solver.element, close: () => solver.close() };
}

/** Opens puzzles, in a worker. */
const archive = () => load(import("../localtable/archive.js"));

/** @param {string} id @returns {Promise<Task | null>} */
async function findTask(id) {
  const puzzles = await readPuzzleFile();
  const isDaily = id === "daily";
  const puzzle = puzzles[isDaily ? dailyIndex(puzzles.length, dayOf()) : Number(id) - 1];
  if (puzzle) return { ...(await taskOf(puzzle, isDaily ? dayOf() : "")), path: `/puzzles/${id}` };
  const own = (await readPuzzles()).find((each) => each.id === id);
  return own ? ownTask(own) : null;
}

/** @param {Puzzle} puzzle @param {string} day @returns {Promise<Task>} */
async function taskOf(puzzle, day) {
  const { theme, grade, chances, moves, ply } = puzzle;
  const opened = await (await archive()).puzzle(puzzle, prefs.get("name") || t("web.home.guest"));
  const best = moves[ply];
  const [first, second] = chances;
  const explain = (/** @type {string} */ move) => {
    const [other, less] = chances.find(([each]) => each === bare(move) && each !== first[0]) ?? second;
    const named = { move: opened.words[first[0]], other: opened.words[other] };
    const line = t("web.puzzles.line", { ...named, chance: percent(first[1] / 100), less: percent(less / 100) });
    return `${line} ${opened.words[""]}`.trim();
  };
  return { opened, theme, grade, best, explain, count: (solved) => countAnswer(idOf(puzzle), grade, solved, day) };
}

/** @param {StoredPuzzle} own @returns {Promise<Task>} */
async function ownTask(own) {
  const opened = await (await archive()).ownPuzzle(own);
  return { opened, theme: "own", grade: null, best: own.best, explain: () => own.about, count: async () => {} };
}

/** Returns a move without its call. @param {string} move */
const bare = (move) => move.replace(/!$/, "");

/** The table with the question; after the answer the verdict, and the rest of the round. */
class Solver {
  #task;
  /** @type {Controls | null} */
  #controls = null;

  /** @param {Task} task */
  constructor(task) {
    this.#task = task;
    this.element = h("div", { class: "table-page" });
    this.#ask();
  }

  close() {
    this.#controls?.close();
    document.body.classList.remove("playing");
  }

  #ask() {
    const { opened } = this.#task;
    const game = h("lc-game");
    const why = async (/** @type {string} */ move) => (await archive()).whyNotInPuzzle(move);
    const session = new PuzzleSession(opened.game, opened.replay.bots, (move) => void this.#answer(move), why);
    Object.assign(game, { session });
    const title = h("h1", { class: "bar-title", tabindex: -1 }, t("web.puzzles.ask"));
    const back = h("a", { class: "button quiet", href: "/puzzles" }, t("web.puzzles.title"));
    document.body.classList.add("playing");
    this.element.className = "table-page";
    this.element.replaceChildren(h("header", { class: "bar" }, title, back), h("div", { class: "stage" }, game));
  }

  /** @param {string} move with a call if one was made */
  async #answer(move) {
    const { best, count, explain } = this.#task;
    const isBest = bare(move) === bare(best);
    const solved = isBest && (move.endsWith("!") || !best.endsWith("!"));
    await count(solved);
    const verdict = t(solved ? "web.puzzles.right" : isBest ? "web.puzzles.uncalled" : "web.puzzles.wrong");
    this.#show(verdict, explain(move), solved);
  }

  /** Shows the verdict and the round as a replay. @param {string} verdict @param {string} why @param {boolean} solved */
  #show(verdict, why, solved) {
    const { opened, theme, grade, path } = this.#task;
    const session = new ReplaySession(opened.replay);
    session.setViewer(opened.game.public.turn);
    session.go(session.plyOf(opened.round, opened.step));
    const controls = (this.#controls = new Controls(session));
    const game = h("lc-game", { replay: true });
    const updateViewer = () => Object.assign(game, { viewer: typeof session.viewer === "number" ? session.viewer : null });
    updateViewer();
    session.addEventListener("viewer", updateViewer);
    Object.assign(game, { session });
    const title = h("h1", { tabindex: -1 }, verdict);
    const { rating, streak } = progress();
    const figures = `${t("web.puzzles.rating")} ${Math.round(rating[0])} · ${t("web.puzzles.streak")} ${streak}`;
    const next = grade === null ? h("a", { class: "button primary", href: "/puzzles" }, t("web.puzzles.title")) : button(t("web.puzzles.next"), goToNext, { look: "primary" });
    document.body.classList.remove("playing");
    this.element.className = "replay puzzle-answer";
    this.element.replaceChildren(
      h("header", { class: "replay-head" }, title, h("p", { class: "soft small" }, t(`web.puzzles.theme.${theme}`))),
      h("div", { class: "replay-board on-table" }, game),
      controls.element,
      h(
        "aside",
        { class: "replay-side stack" },
        h(
          "section",
          { class: `panel stack puzzle-verdict ${solved ? "solved" : ""}` },
          h("p", { role: "status" }, why),
          grade !== null && h("p", { class: "soft small" }, t("web.puzzles.grade", { n: grade }), " ", figures),
          h("div", { class: "row" }, next, button(t("web.puzzles.watch"), () => controls.toggle()), button(t("web.puzzles.again"), show)),
        ),
        h(
          "div",
          { class: "row" },
          h("a", { class: "button quiet", href: "/puzzles" }, t("web.puzzles.title")),
          path && embedButton(path, t("web.puzzles.title")),
        ),
      ),
    );
    focusNew(title);
  }
}
