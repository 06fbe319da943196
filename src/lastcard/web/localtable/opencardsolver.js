/**
 * Missed wins: with all cards open and chance as it was, a way to win that a seat missed. Mirrors `analysis/open_card_solver.py`.
 */

import { REPORT } from "../bindings/constants.js";
import { KernelRecord } from "../bindings/kernelrecord.js";

/** @import { Area, Kernel } from "../bindings/kernel.js" */
/** @import { ReplayedRound } from "./roundanalysis.js" */

/**
 * Returns the shortest win found for the seat that moved at a ply, by another move than theirs; empty if there is none.
 * @param {Kernel} kernel @param {ReplayedRound} round @param {number} i the ply @param {Area} weights of the heuristic policy
 * @returns {{seat: number, action: number}[]} the moves until the round is won
 */
export function findWin(kernel, round, i, weights) {
  const { actions } = kernel.description.sizes;
  const { longest } = REPORT;
  const { record } = round.plies[i];
  if (new KernelRecord(kernel, "ROUND_STATE", round.states[i]).get("turn") !== record.get("seat")) return [];
  const tables = kernel.buffer("line.tables", "ROUND_STATE", 3);
  kernel.write(tables, round.states[i]);
  const scratch = [
    kernel.buffer("line.choices", "int64", 2 * actions),
    kernel.buffer("line.out", "int64", actions),
    kernel.buffer("line.tried", "int64", longest, 2),
  ];
  const line = kernel.buffer("line.found", "int64", longest, 2);
  const length = kernel.call("open_card_solver.find_line", tables, ...scratch, line, record.get("made"), weights);
  const numbers = kernel.readNumbers(line, 2 * length);
  return Array.from({ length }, (_, n) => ({ seat: numbers[2 * n], action: numbers[2 * n + 1] }));
}
