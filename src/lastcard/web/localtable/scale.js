/** A word for an error rate: the levels of bots that give away as much. As `analysis/level_estimate.py`. */

import { REPORT } from "../bindings/constants.js";


/** @import { Estimate } from "./statistics.js" */

/**
 * The weakest and the strongest level between which somebody has played, once where they are the same; none where it could be nearly any, or no such table was measured.
 * @param {string} game @param {number} players at the table @param {Estimate} rate what 100 decisions gave away, in rounds
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
