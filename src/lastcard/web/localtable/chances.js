/**
 * Every seat's chances at every point of a round, from rollouts that are stored one by one for comparison. Mirrors
 * `analysis/chances.py`.
 */

import { CHANCES_STEP } from "../bindings/constants.js";
import { first } from "../bindings/kernel.js";
import { ZERO, mean, shareError } from "./statistics.js";
import { hasSameChances } from "./replayedround.js";

/** @import { Area, Kernel } from "../bindings/kernel.js" */
/** @import { Estimate } from "./statistics.js" */
/** @import { ReplayedRound } from "./replayedround.js" */

/** A point of the round, a seat and its action there. @typedef {[moment: number, seat: number, action: number]} Job */

/**
 * The jobs around a ply: before the move, with the move, and with the actual outcome of chance.
 * @typedef {{before: number, chosen: number, after: number}} Link
 */

/** The action of a job that deals the round again. */
const DEAL_ACTION = -2;

export class Chances {
  /** @type {Job[]} */
  jobs = [];
  /** One for each ply. @type {Link[]} */
  links = [];
  /** The job of each catch that no seat made. @type {number[]} */
  catches = [];
  /** The winners, by job and rollout. @type {Int8Array[]} */
  #winners = [];

  /**
   * Plans the rollouts of a round. Jobs that cannot differ are shared.
   * @param {Kernel} kernel @param {ReplayedRound} round @param {number} rollouts the number of rollouts of each job
   * @param {readonly Job[]} [catches] the possible catches
   */
  constructor(kernel, round, rollouts, catches = []) {
    this.kernel = kernel;
    this.round = round;
    this.rollouts = rollouts;
    const { nothing } = kernel.description.actions;
    const add = (/** @type {Job} */ ...job) => this.jobs.push(job) - 1;
    add(0, 0, DEAL_ACTION);
    let now = add(0, 0, nothing);
    round.plies.forEach((ply, i) => {
      let chosen = now;
      // A move without chance leads to one state: the one after it.
      if (!hasSameChances(ply)) chosen = ply.chance === null ? add(i + 1, 0, nothing) : add(i, ply.seat, ply.withoutCall);
      const after = ply.chance === null ? chosen : add(i + 1, 0, nothing);
      this.links.push({ before: now, chosen, after });
      now = after;
    });
    this.catches = catches.map((job) => add(...job));
  }

  /**
   * Runs all jobs.
   * @param {Area} weights the heuristic policy's weights @param {number} seed the seed of all chance, 0 to 2**32 - 1
   * @returns {Generator<void, void>}
   */
  *run(weights, seed) {
    const { kernel, round, rollouts } = this;
    const { actions, dice } = kernel.description.sizes;
    const size = kernel.sizeOf("ROUND_STATE");
    const moments = kernel.buffer("moments", "ROUND_STATE", 2 ** Math.ceil(Math.log2(round.states.length)));
    const jobs = kernel.buffer("jobs", "int64", CHANCES_STEP, 3);
    const winners = kernel.buffer(`winners ${rollouts}`, "int8", CHANCES_STEP, rollouts);
    const scratch = [kernel.buffer("bench", "ROUND_STATE", 1), kernel.buffer("bench.out", "int64", actions + dice)];
    for (let from = 0; from < this.jobs.length; from += CHANCES_STEP) {
      yield;
      // Written again each time: other users of this kernel may have overwritten the memory meanwhile.
      round.states.forEach((table, i) => kernel.write({ ...moments, at: moments.at + i * size }, table));
      const part = this.jobs.slice(from, from + CHANCES_STEP);
      kernel.writeNumbers(jobs, part.flat());
      const count = part.length;
      kernel.call("rollout.run_rollouts", moments, first(jobs, count), first(winners, count), weights, ...scratch, 0, count, seed);
      const won = kernel.bytes.slice(winners.at, winners.at + count * rollouts).buffer;
      for (let job = 0; job < count; job++) this.#winners.push(new Int8Array(won, job * rollouts, rollouts));
    }
  }

  /** Returns the chance of a seat to win. @param {number} job @param {number} seat @returns {Estimate} */
  chance(job, seat) {
    const value = this.won(job, seat).reduce((sum, won) => sum + won, 0) / this.rollouts;
    return { value, error: shareError(value, this.rollouts) };
  }

  /**
   * Returns the difference of a seat's chance between two jobs.
   * @param {number} before @param {number} after @param {number} seat
   */
  change(before, after, seat) {
    if (before === after) return ZERO;
    const was = this.won(before, seat);
    return mean(
      this.won(after, seat).map((won, rollout) => won - was[rollout]),
      1,
    );
  }

  /**
   * Returns 1 for every rollout of a job that a seat, or its partner (6.8), wins, else 0.
   * @param {number} job @param {number} seat
   */
  won(job, seat) {
    const { teams, players } = this.round;
    const partner = teams ? (seat + 2) % players : seat;
    return Array.from(this.#winners[job], (winner) => Number(winner === seat || winner === partner));
  }

  /** Returns 1 if a seat, or its partner, has won the round, else 0. @param {number} seat */
  result(seat) {
    return this.won(this.links[this.links.length - 1].after, seat)[0];
  }
}
