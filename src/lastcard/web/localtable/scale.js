/** A text for an error rate: the bot levels with a similar loss. Mirrors `analysis/level_estimate.py`. */

import { REPORT } from "../bindings/constants.js";

/** @import { Estimate } from "./statistics.js" */

/**
 * Returns the weakest and the strongest level that fit an error rate, once if they are equal; none if it could be nearly any, or
 * no such table was measured.
 * @param {string} game @param {number} players the number of players @param {Estimate} rate the loss of 100 decisions, in rounds
 */
export function likeness(game, players, { value, error }) {
  const { levels, rates, widest } = REPORT;
  const near = Object.entries(rates[game]).find(([seats]) => Math.abs(Number(seats) - players) <= 1);
  if (!near) return [];
  const [, known] = near;
  const edges = known.slice(1).map((rate, i) => (known[i] + rate) / 2);
  const weakest = edges.filter((edge) => value + error < edge).length;
  const strongest = edges.filter((edge) => value - error < edge).length;
  if (strongest - weakest >= widest) return [];
  return [...new Set([levels[weakest], levels[strongest]])];
}
