/** Evaluates moves from the observation of their seat, in pieces. Its arithmetic is `ai/evaluation.py`. */

import { JUDGE } from "../bindings/constants.js";
import { KernelRecord } from "../bindings/kernelrecord.js";

/** @import { Area, Effort } from "../bindings/kernel.js" */
/** @import { Library } from "../bindings/bots.js" */
/** @import { Workspace } from "../bindings/workspace.js" */
/** @import { Observation } from "../bindings/round.js" */
/** @import { Estimate } from "./statistics.js" */

/** The level of the evaluator, the strongest one. */
const EVALUATOR_LEVEL = "master";
const CHUNK_DEALS = 64; // deals between two pauses

/**
 * Returns the evaluator's weights; those of the heuristic policy come first.
 * @param {Library} library @param {string} game @param {number} players
 */
export const evaluatorWeights = (library, game, players) =>
  library.weights(library.kernel.description.bots[EVALUATOR_LEVEL], game, players);

/** Evaluates moves with a search, and measures the best on fresh deals. */
export class Evaluator {
  /**
   * @param {Workspace} workspace a workspace that no other search uses meanwhile
   * @param {readonly Area[]} weights of the strongest level
   * @param {{searchBudget: Effort, measureBudget: Effort, seconds?: number | null, onlyMistakes?: number}} efforts the
   *   effort of the search and of the measurement; the seconds after which fewer chains are enough; `only_mistakes` of
   *   `EvaluationSettings`
   */
  constructor(workspace, weights, { searchBudget, measureBudget, seconds, onlyMistakes = 0 }) {
    this.workspace = workspace;
    this.weights = weights;
    const efforts = [searchBudget, measureBudget];
    const [search, measure] = efforts.map((effort) => [...workspace.settings(effort), effort.deals]);
    this.settings = [...search, searchBudget.milliseconds ?? 0, ...measure, 1000 * (seconds ?? 0), onlyMistakes];
    this.deals = Math.max(searchBudget.deals, JUDGE.chains * measureBudget.deals);
  }

  /** The input of the last decision and the evaluation of it, for exports that read them. @type {(Area | number)[]} */
  input = [];
  get evaluations() {
    return this.workspace.kernel.buffer("evaluation", "EVALUATION", 1);
  }

  /**
   * Evaluates the choices of a decision; without a move made it measures the best few. Returns an EVALUATION.
   * @param {Observation} observation @param {readonly number[]} actions
   * @param {number} seed of all chance, 0 to 2**32 - 1 @param {number} [made] @param {number} [usual] the heuristic policy's choice
   * @returns {Generator<void, KernelRecord>}
   */
  *run(observation, actions, seed, made = JUDGE.noMoveMade, usual = 0) {
    const { workspace, evaluations } = this;
    const { kernel } = workspace;
    const { chains, measured } = JUDGE;
    this.input = workspace.setInput(observation);
    workspace.setCandidates(actions, seed);
    const record = new KernelRecord(kernel, "EVALUATION");
    record.set("made", made);
    record.set("usual", usual);
    record.set("chains", JUDGE.notBegun);
    kernel.write(evaluations, record.bytes);
    const shares = kernel.buffer("shares", "float64", chains, measured, kernel.description.sizes.seats);
    const memory = [evaluations, shares, ...workspace.searchArrays(this.deals), ...workspace.scratch];
    const args = [...this.input, ...this.weights, ...this.settings, ...memory];
    const began = performance.now();
    do yield;
    while (!kernel.call("evaluation.continue_evaluation", ...args, CHUNK_DEALS, performance.now() - began));
    record.bytes.set(kernel.bytes.subarray(evaluations.at, evaluations.at + evaluations.bytes));
    return record;
  }
}

/** @param {KernelRecord} record @param {string} name @param {number} [index] @returns {Estimate} */
export function figureOf(record, name, index = 0) {
  const [value, error] = record.list(name, 2, 2 * index);
  return { value, error };
}
