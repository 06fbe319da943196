/**
 * What moves are worth, judged from what their seat could know. The best of many is also the luckiest: so a search only
 * names it, and fresh deals measure. As `bots/evaluation.py` has it.
 */

import { JUDGE } from "../bindings/constants.js";
import { ZERO, mean, shareError } from "./statistics.js";

/** @import { Area, Effort } from "../bindings/kernel.js" */
/** @import { Library } from "../bindings/bots.js" */
/** @import { Choice, Workspace } from "../bindings/workspace.js" */
/** @import { Observation } from "../bindings/round.js" */
/** @import { Estimate } from "./statistics.js" */

/**
 * What became of a decision, from what its seat could know: the best move that was found, the chance of the one that was
 * made and how much more the best wins; whether the adviser too rates that higher, or is not asked; and how much more each
 * seat wins by the move that was made than by that of the rules of thumb.
 * @typedef {{best: number, chance: Estimate, loss: Estimate, agreed: boolean, changes: Estimate[]}} Evaluation
 */

/** The strongest: it judges all others. */
const EVALUATOR_LEVEL = "master";

/**
 * What the judge has learned; the weights of the rules of thumb come first.
 * @param {Library} library @param {string} game @param {number} players
 */
export const evaluatorWeights = (library, game, players) =>
  library.weights(library.kernel.description.bots[EVALUATOR_LEVEL], game, players);

/** Moves that met the same fresh deals. */
export class MeasuredMoves {
  /**
   * @param {readonly number[]} actions
   * @param {number[][][]} won what part of its deals each seat won, by chain and action
   * @param {number} deals how many a chain has
   */
  constructor(actions, won, deals) {
    this.actions = actions;
    this.won = won;
    this.step = 1 / deals;
    this.tried = won.length * deals;
  }

  /** Of a seat to win the round, where the move is made. @param {number} action @param {number} seat */
  chance(action, seat) {
    return mean(this.#won(action, seat), this.step);
  }

  /** By how much a move wins more rounds for a seat than another one does. @param {number} action @param {number} other @param {number} seat @returns {Estimate} */
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
   * @param {Workspace} workspace nobody else sits at meanwhile
   * @param {readonly Area[]} weights by the strongest level
   * @param {{searchBudget: Effort, measureBudget: Effort}} efforts how hard the best move is searched for, and measured
   */
  constructor(workspace, weights, { searchBudget, measureBudget }) {
    this.workspace = workspace;
    this.weights = weights;
    this.searchBudget = searchBudget;
    this.measureBudget = { ...measureBudget, horizon: 0, prior: 0, habits: 0 };
  }

  /** Moves as the search weighs them, best first. @param {Observation} observation @param {readonly number[]} actions @param {number} seed @returns {Generator<void, Choice[]>} */
  *find(observation, actions, seed) {
    this.workspace.setCandidates(actions, seed);
    yield* this.workspace.search(this.workspace.setInput(observation), this.weights, this.searchBudget);
    return this.workspace.choices;
  }

  /**
   * Measures moves on deals that are fresh wherever the seed is that of a search.
   * @param {Observation} observation of the seat, as it decides
   * @param {readonly number[]} actions one or more
   * @param {number} seed of all chance, 0 to 2**32 - 1
   * @param {number | null} [seconds] after how many to stop with fewer chains; null for never
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
   * Judges one decision.
   * @param {Observation} observation of the seat, as it decided
   * @param {readonly number[]} actions what it could choose from
   * @param {number} made what it chose @param {number} usual what the rules of thumb choose
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
