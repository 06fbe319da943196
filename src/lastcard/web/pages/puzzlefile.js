/** The puzzles that come with the page, one a line, as `formats/puzzles.py` writes them. */

import { PUZZLE_FIRST_DAY, PUZZLE_STRIDE } from "../bindings/constants.js";
import { gameOf } from "../bindings/rulename.js";
import { once } from "../ui/resources.js";
import { DAY_MS } from "../offline/streak.js";

/** @import { Puzzle } from "../localtable/puzzles.js" */

/** The hex digits of the seed of a match of people; other seeds are numbers. */
const SEED_DIGITS = 64;

/** Returns all puzzles; loaded on first use. */
export const readPuzzleFile = once(async () => {
  const answer = await fetch(new URL("../puzzles.txt", import.meta.url));
  if (!answer.ok) throw new Error(`no puzzles: ${answer.status}`);
  return (await answer.text()).trimEnd().split("\n").map(parsePuzzle);
});

/** @param {string} line @returns {Puzzle} */
function parsePuzzle(line) {
  const [rules, players, seed, ply, theme, grade, chances, reason, moves] = line.split("\t");
  const words = chances.split(" ");
  return {
    rules,
    players: Number(players),
    seed: seed.length === SEED_DIGITS ? seed : Number(seed),
    ply: Number(ply),
    theme,
    grade: Number(grade),
    chances: words.filter((_, i) => i % 2 === 0).map((move, i) => [moveOf(move), Number(words[2 * i + 1])]),
    reason: reason.split(" "),
    moves: moves.split(" ").map(moveOf),
  };
}

/** Returns a move in a list that blanks separate. @param {string} word such as `throw_R5` */
const moveOf = (word) => word.replace("_", " ");

/** Returns the index of the puzzle of a day. @param {number} count @param {string} day */
export function dailyIndex(count, day) {
  const days = (Date.parse(day) - Date.parse(PUZZLE_FIRST_DAY)) / DAY_MS;
  return (days * PUZZLE_STRIDE) % count;
}

/**
 * Returns the index of a random puzzle that is new to the solver, of a rating near theirs; of any if all are solved.
 * @param {readonly Puzzle[]} puzzles
 * @param {{game: string, theme: string, grade: number, done: Record<string, number>}} wanted empty texts for any
 */
export function nextIndex(puzzles, { game, theme, grade, done }) {
  const fitting = puzzles.flatMap((puzzle, i) =>
    (!game || gameOf(puzzle.rules) === game) && (!theme || puzzle.theme === theme) ? [i] : [],
  );
  const fresh = fitting.filter((i) => !(idOf(puzzles[i]) in done));
  const among = fresh.length ? fresh : fitting;
  const distance = (/** @type {number} */ i) => Math.abs(puzzles[i].grade - grade);
  const least = Math.min(...among.map(distance));
  const near = among.filter((i) => distance(i) === least);
  return near[Math.floor(Math.random() * near.length)];
}

/** Returns what names a puzzle, whatever others are in the file. @param {Puzzle} puzzle */
export const idOf = ({ rules, players, seed, ply }) => `${rules} ${players} ${seed} ${ply}`;
