/** Figures of rules, measured as in `analysis/rule_figures.py`; their arithmetic is `ai/rounds.py`. */

import { FIGURES } from "../bindings/constants.js";
import { latestKernel } from "../bindings/latest.js";
import { Match } from "../bindings/match.js";

/** @import { Library } from "../bindings/bots.js" */
/** @import { RuleFigures } from "../net/protocol.js" */

const PLAYER = "sharp";

/**
 * Returns the figures of rules for a number of players.
 * @param {string} rules @param {number} seats @param {Library} library @returns {Promise<RuleFigures>}
 */
export async function measureRules(rules, seats, library) {
  const kernel = latestKernel();
  const { description } = kernel;
  const { actions, dice, seats: most } = description.sizes;
  const { round, rules: parsed } = new Match(rules, { players: seats, seed: FIGURES.seed, kernel });
  const [weights] = await library.weights(description.bots[PLAYER], parsed.game, seats);
  const [key, kinds] = [kernel.buffer("figures.key", "int64", FIGURES.dice.length), kernel.buffer("figures.kinds", "int64", most)];
  const out = kernel.buffer("figures.out", "int64", actions + dice);
  kernel.writeNumbers(key, FIGURES.dice);
  const sums = FIGURES.kinds.map((pair, i) => {
    const added = kernel.buffer(`figures.sums ${i}`, "int64", FIGURES.sums + most);
    kernel.writeNumbers(added, Array(FIGURES.sums + most).fill(0));
    kernel.writeNumbers(kinds, Array.from({ length: most }, (_, player) => pair[player % 2]));
    const end = performance.now() + FIGURES.budgetMs;
    for (let first = 0; first < FIGURES.rounds[i] && (!first || performance.now() < end); first += FIGURES.chunk) {
      round.runInKernel((table) =>
        kernel.call("rounds.watch_rounds", table, first, FIGURES.chunk, kinds, 1, weights, key, out, added, FIGURES.longest));
    }
    return added;
  });
  const found = kernel.buffer("figures", "float64", FIGURES.names.length);
  kernel.call("rounds.read_figures", ...sums, seats, found);
  const values = new Float64Array(kernel.memory.buffer, found.at, FIGURES.names.length);
  return /** @type {any} */ (Object.fromEntries(FIGURES.names.map((name, i) => [name, values[i]])));
}
