/** What would have won: with all cards open and chance as it was, a way to win that a seat let go. As `analysis/open_card_solver.py`. */

import { REPORT } from "../local/constants.js";
import { Fields } from "../local/fields.js";

/** @import { Area, Kernel } from "../local/kernel.js" */
/** @import { Story } from "./story.js" */

/**
 * The shortest way to win found for whoever acted in a ply of a round, by another act than theirs; none is empty.
 * @param {Kernel} kernel @param {Story} story @param {number} i which ply @param {Area} weights of the rules of thumb
 * @returns {{seat: number, action: number}[]} who does what until the round is won
 */
export function findLine(kernel, story, i, weights) {
  const { actions } = kernel.description.sizes;
  const { longest } = REPORT;
  const { seat, plain } = story.plies[i];
  if (new Fields(kernel, "ROUND_STATE", story.tables[i]).get("turn") !== seat) return [];
  const tables = kernel.room("line.tables", "ROUND_STATE", 3);
  kernel.write(tables, story.tables[i]);
  const room = [
    kernel.room("line.choices", "int64", 2 * actions),
    kernel.room("line.out", "int64", actions),
    kernel.room("line.tried", "int64", longest, 2),
  ];
  const line = kernel.room("line.found", "int64", longest, 2);
  const length = kernel.call("open_card_solver.find_line", tables, ...room, line, plain, weights);
  const numbers = kernel.readNumbers(line, 2 * length);
  return Array.from({ length }, (_, n) => ({ seat: numbers[2 * n], action: numbers[2 * n + 1] }));
}
