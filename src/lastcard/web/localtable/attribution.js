/**
 * Attribution of a seat's result: luck and choices that add up to it. Mirrors `analysis/attribution.py` and `analysis/calls.py`.
 */

import { ACCOUNT_PARTS } from "../bindings/constants.js";
import { ZERO, isCertain, mean, total } from "./statistics.js";

/** @import { Chances, Job } from "./chances.js" */
/** @import { Estimate } from "./statistics.js" */
/** @import { Evaluation } from "./evaluate.js" */
/** @import { Ply, ReplayedRound } from "./replayedround.js" */

/** The parts that add up to the result. */

/**
 * An attribution in rounds won: its parts, the loss against the best choices, the number of decisions and mistakes.
 * @typedef {{result: number, given: Estimate, decisions: number, mistakes: number} & Record<typeof ACCOUNT_PARTS[number], Estimate>}
 *   Attribution
 */

/**
 * A call that was owed and not made in time: the ply it became due, the ply at which it ended, and the catcher.
 * @typedef {{seat: number, ply: number, end: number, by: number | null}} MissedCall
 */

/** Returns the seat responsible for a ply: being caught counts for the seat that forgot to call. @param {Ply} ply */
const responsible = ({ seat, events }) => Number(events.find(({ e }) => e === "caught")?.seat ?? seat);

/** Whether a decision was a mistake beyond its uncertainty. @param {Evaluation} evaluation */
export const isMistake = ({ loss, agreed }) => isCertain(loss) && agreed;

/**
 * Returns the attribution of a seat's result in a round.
 * @param {Chances} chances of a round, already run @param {ReadonlyMap<number, Evaluation>} evaluations by ply
 * @param {number} seat
 * @returns {Attribution}
 */
export function attributeRound(chances, evaluations, seat) {
  const { round, rollouts, links } = chances;
  const [draws, rated, own, others] = Array.from({ length: 4 }, () => /** @type {number[]} */ (Array(rollouts).fill(0)));
  round.plies.forEach((ply, i) => {
    const [before, chosen, after] = [links[i].before, links[i].chosen, links[i].after].map((job) => chances.won(job, seat));
    const part = evaluations.has(i) ? rated : responsible(ply) === seat ? own : others;
    for (let rollout = 0; rollout < rollouts; rollout++) {
      draws[rollout] += after[rollout] - chosen[rollout];
      part[rollout] += chosen[rollout] - before[rollout];
    }
  });
  const all = [...evaluations].map(([i, evaluation]) => ({ evaluation, isOwn: round.plies[i].seat === seat }));
  const ownEvaluations = all.filter((each) => each.isOwn).map(({ evaluation }) => evaluation);
  const skill = total(ownEvaluations.map(({ changes }) => changes[seat]));
  const theirs = total(all.filter((each) => !each.isOwn).map(({ evaluation }) => evaluation.changes[seat]));
  return {
    result: chances.result(seat),
    before: chances.chance(0, seat),
    deal: chances.change(0, 1, seat),
    draws: added(draws),
    hidden: total([added(rated), negative(skill), negative(theirs)]),
    own: total([skill, added(own)]),
    others: total([theirs, added(others)]),
    given: total(ownEvaluations.map(({ loss }) => loss)),
    decisions: ownEvaluations.length,
    mistakes: ownEvaluations.filter(isMistake).length,
  };
}

/** Returns the sum of several rounds' attributions. @param {readonly Attribution[]} accounts @returns {Attribution} */
export function addAttributions(accounts) {
  const sum = (/** @type {"result" | "decisions" | "mistakes"} */ key) =>
    accounts.reduce((count, account) => count + account[key], 0);
  const parts = /** @type {const} */ ([...ACCOUNT_PARTS, "given"]).map((part) => [part, total(accounts.map((each) => each[part]))]);
  return { ...Object.fromEntries(parts), result: sum("result"), decisions: sum("decisions"), mistakes: sum("mistakes") };
}

/** Returns the mean over rollouts; exactly zero if no ply contributed. @param {readonly number[]} values */
const added = (values) => (values.some(Boolean) ? mean(values, 1) : ZERO);

/** @param {Estimate} figure @returns {Estimate} */
const negative = ({ value, error }) => ({ value: -value, error });

// --- calls ------------------------------------------------------------------------------------------------

/**
 * Returns the missed calls of a round, in the order in which they became known.
 * @param {ReplayedRound} round @returns {MissedCall[]}
 */
export function missedCalls({ plies }) {
  /** @type {Map<number, number>} */
  const owed = new Map();
  /** @type {MissedCall[]} */
  const missed = [];
  plies.forEach(({ events, exposed }, end) => {
    for (const [seat, ply] of [...owed].filter(([each]) => !exposed.includes(each))) {
      owed.delete(seat);
      if (events.some((event) => event.e === "called" && event.seat === seat)) continue;
      const caught = events.find((event) => event.e === "caught" && event.seat === seat);
      missed.push({ seat, ply, end, by: caught ? Number(caught.other) : null });
    }
    for (const seat of exposed) if (!owed.has(seat)) owed.set(seat, end);
  });
  return missed;
}

/**
 * Returns the catch that no seat made, as a job.
 * @param {Chances["kernel"]} kernel @param {ReplayedRound} round @param {MissedCall} missed @returns {Job}
 */
export function possibleCatch({ description: { actions: codes } }, { players }, { seat, ply }) {
  return [ply + 1, (seat + 1) % players, codes.verbs.catch | (seat << codes.shifts.arg)];
}

/**
 * Returns the actual or possible cost of missed calls, as a loss of the chance to win.
 * @param {Chances} chances @param {readonly MissedCall[]} missed @returns {Estimate[]}
 */
export function costOfCalls(chances, missed) {
  const catches = [...chances.catches];
  return missed.map(({ seat, ply, end, by }) => {
    if (by !== null) return chances.change(chances.links[end].chosen, chances.links[end].before, seat);
    return chances.change(Number(catches.shift()), chances.links[ply].after, seat);
  });
}
