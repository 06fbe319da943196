/** A solver's progress with puzzles on this device: the rating, streaks, and which puzzles are done. */

import { NEW_RATING, PUZZLE_RATINGS } from "../bindings/constants.js";
import { prefs } from "../ui/prefs.js";
import { load } from "../ui/resources.js";
import { go } from "../ui/router.js";
import { nextIndex, readPuzzleFile } from "./puzzlefile.js";

/** @import { Rating } from "../localtable/puzzlerating.js" */

/**
 * @typedef {object} Progress
 * @property {Rating} rating
 * @property {number} streak puzzles solved in a row
 * @property {number} longest the longest streak
 * @property {Record<string, number>} done 1 for a puzzle solved at the first try, 0 for a missed one
 * @property {string} day the last day whose puzzle is done
 */

/** @returns {Progress} */
export const progress = () => prefs.get("puzzles") ?? { rating: NEW_RATING, streak: 0, longest: 0, done: {}, day: "" };

/** The kinds of puzzles that the solver wants; empty for any. */
export const wanted = { game: "", theme: "" };

/** Goes to a new puzzle of the wanted kind; to the overview if there is none. */
export async function goToNext() {
  const index = nextIndex(await readPuzzleFile(), { ...wanted, grade: fittingGrade(), done: progress().done });
  await go(index === undefined ? "/puzzles" : `/puzzles/${index + 1}`);
}

/** Returns the grade whose puzzles are nearest to the solver's rating. */
function fittingGrade() {
  const [rating] = progress().rating;
  const distances = PUZZLE_RATINGS.map((each, grade) => (grade ? Math.abs(each - rating) : Infinity));
  return distances.indexOf(Math.min(...distances));
}

/**
 * Counts the first answer to a puzzle; later ones change nothing.
 * @param {string} id @param {number} grade @param {boolean} solved @param {string} day its day if it is that day's puzzle, else empty
 */
export async function countAnswer(id, grade, solved, day) {
  const isNew = !(id in progress().done);
  const { ratePuzzle } = await load(import("../localtable/archive.js"));
  const rating = isNew ? await ratePuzzle(progress().rating, grade, solved) : null;
  const before = progress();
  const streak = solved ? before.streak + 1 : 0;
  const after = rating && { rating, streak, longest: Math.max(before.longest, streak), done: { ...before.done, [id]: Number(solved) } };
  prefs.set("puzzles", { ...before, ...after, day: day || before.day });
}
