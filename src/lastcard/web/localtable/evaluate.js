/**
 * Evaluates moves from the observation of their seat. The best of many estimates is also the luckiest, so the search only selects
 * a move, and fresh deals measure it. Mirrors `bots/evaluation.py`.
 */

import { JUDGE } from "../bindings/constants.js";
import { ZERO, mean, shareError } from "./statistics.js";

/** @import { Area, Effort } from "../bindings/kernel.js" */
/** @import { Library } from "../bindings/bots.js" */
/** @import { Choice, Workspace } from "../bindings/workspace.js" */
/** @import { Observation } from "../bindings/round.js" */
/** @import { Estimate } from "./statistics.js" */

/**
 * The evaluation of a decision from its seat's observation: the best move found, the chance of the made move and its loss to the
 * best; whether the prior net agrees or is not used; and each seat's gain from the made move over the heuristic policy's.
 * @typedef {{best: number, chance: Estimate, loss: Estimate, agreed: boolean, changes: Estimate[]}} Evaluation
 */

/** The level of the evaluator, the strongest one. */
const EVALUATOR_LEVEL = "master";

/**
 * Returns the evaluator's weights; those of the heuristic policy come first.
 * @param {Library} library @param {string} game @param {number} players
 */
export const evaluatorWeights = (library, game, players) =>
  library.weights(library.kernel.description.bots[EVALUATOR_LEVEL], game, players);

/** Moves measured on the same fresh deals. */
export class MeasuredMoves {
  /**
   * @param {readonly number[]} actions
   * @param {number[][][]} won the share of deals that each seat won, by chain and action
   * @param {number} deals the number of deals of a chain
   */
  constructor(actions, won, deals) {
    this.actions = actions;
    this.won = won;
    this.step = 1 / deals;
    this.tried = won.length * deals;
  }

  /** Returns a seat's chance to win the round after a move. @param {number} action @param {number} seat */
  chance(action, seat) {
    return mean(this.#won(action, seat), this.step);
  }

  /**
   * Returns by how much more often a seat wins with one move than with another.
   * @param {number} action @param {number} other @param {number} seat @returns {Estimate}
   */
  more(action, other, seat) {
    if (action === other) return ZERO;
    const others = this.#won(other, seat);
    return mean(
      this.#won(action, seat).map((share, chain) => share - others[chain]),
      this.step,
    );
  }

  /** @param {number} action @param {number} seat */
  #won(action, seat) {
    const place = this.actions.indexOf(action);
    return this.won.map((chain) => chain[place][seat]);
  }
}

/** Measures moves on fresh deals. */
export class Evaluator {
  /**
   * @param {Workspace} workspace a workspace that no other search uses meanwhile
   * @param {readonly Area[]} weights of the strongest level
   * @param {{searchBudget: Effort, measureBudget: Effort}} efforts the effort of the search, and of the measurement
   */
  constructor(workspace, weights, { searchBudget, measureBudget }) {
    this.workspace = workspace;
    this.weights = weights;
    this.searchBudget = searchBudget;
    this.measureBudget = { ...measureBudget, horizon: 0, prior: 0, habits: 0 };
  }

  /**
   * Returns the moves as the search evaluates them, best first.
   * @param {Observation} observation @param {readonly number[]} actions @param {number} seed @returns {Generator<void, Choice[]>}
   */
  *find(observation, actions, seed) {
    this.workspace.setCandidates(actions, seed);
    yield* this.workspace.search(this.workspace.setInput(observation), this.weights, this.searchBudget);
    return this.workspace.choices;
  }

  /**
   * Measures moves on deals that differ from those of a search with the same seed.
   * @param {Observation} observation of the seat at the decision
   * @param {readonly number[]} actions one or more
   * @param {number} seed of all chance, 0 to 2**32 - 1
   * @param {number | null} [seconds] the time limit, after which fewer chains are enough; null for none
   * @returns {Generator<void, MeasuredMoves>}
   */
  *measure(observation, actions, seed, seconds = null) {
    const { chains, fewest, seedXor } = JUDGE;
    const began = performance.now();
    const won = [];
    while (won.length < chains) {
      if (seconds !== null && won.length >= fewest && performance.now() - began > 1000 * seconds) break;
      this.workspace.setCandidates(actions, ((seed ^ seedXor) + won.length) >>> 0);
      won.push(yield* this.workspace.sample(this.workspace.setInput(observation), this.weights, this.measureBudget, observation.players));
    }
    return new MeasuredMoves(actions, won, this.measureBudget.deals);
  }

  /**
   * Evaluates one decision.
   * @param {Observation} observation of the seat at the decision
   * @param {readonly number[]} actions its possible moves
   * @param {number} made its choice @param {number} usual the heuristic policy's choice
   * @param {number} seed of all chance, 0 to 2**32 - 1
   * @returns {Generator<void, Evaluation>}
   */
  *evaluate(observation, actions, made, usual, seed) {
    const { seat, players } = observation;
    const seats = Array.from({ length: players }, (_, other) => other);
    const found = yield* this.find(observation, actions, seed);
    const [{ action: best, chance: value, tried }] = found;
    const picked = [...new Set([made, best, usual])];
    if (picked.length === 1) {
      const chance = { value, error: shareError(value, tried) };
      return { best, chance, loss: ZERO, agreed: true, changes: seats.map(() => ZERO) };
    }
    const measured = yield* this.measure(observation, picked, seed);
    const priors = new Map(found.map(({ action, prior }) => [action, prior]));
    const asked = [...priors.values()].some((prior) => prior !== 0);
    return {
      best,
      chance: measured.chance(made, seat),
      loss: measured.more(best, made, seat),
      agreed: !asked || Number(priors.get(best)) > Number(priors.get(made)),
      changes: seats.map((other) => measured.more(made, usual, other)),
    };
  }
}
