/** The rating of a solver of puzzles; its arithmetic is `ai/glicko.py`. */

import { PUZZLE_RATINGS } from "../bindings/constants.js";
import { latestKernel } from "../bindings/latest.js";

/** Rating, deviation and volatility. @typedef {[rating: number, deviation: number, volatility: number]} Rating */

/** Returns the rating after a puzzle. @param {Rating} rating @param {number} grade @param {boolean} solved @returns {Rating} */
export function ratePuzzle(rating, grade, solved) {
  const kernel = latestKernel();
  const player = kernel.buffer("rating", "float64", rating.length);
  const values = new Float64Array(kernel.memory.buffer, player.at, rating.length);
  values.set(rating);
  kernel.call("glicko.rate_game", player, PUZZLE_RATINGS[grade], Number(solved));
  return /** @type {Rating} */ ([...new Float64Array(kernel.memory.buffer, player.at, rating.length)]);
}
