/** The highlights of a finished match. Mirrors `analysis/highlights.py`. */

import { JUDGE, MOMENTS, REPORT } from "../bindings/constants.js";
import { Workspace } from "../bindings/workspace.js";
import { latestKernel } from "../bindings/latest.js";
import { Notation } from "../bindings/notation.js";
import { parseRecord } from "../bindings/record.js";
import { isCertain, largest, roundHalfEven } from "./statistics.js";
import { Evaluator, evaluatorWeights, figureOf } from "./evaluate.js";
import { attributeRound, evaluatePly, replayRounds } from "./roundanalysis.js";

/** @import { Library } from "../bindings/bots.js" */
/** @import { ReplayedRound } from "./roundanalysis.js" */

/**
 * A highlight of a match: its kind (`cost`, `luck`, `comeback` or `lead`), its round from 0, its seat, a percentage; the decision's
 * number, from 1, with its verb and the card of a play; or the kind of chance.
 * @typedef {{kind: string, round: number, seat: number, points: number, ply: number | null, verb: string | null, card: string | null,
 *   chance: string | null}} Highlight
 */

/**
 * Returns the highlights of a match, most telling first: the costliest decision of each seat, then how the winner won the last
 * round. The server returns the same for `GET /api/matches/ID/moments`.
 * @param {string} text the record of a finished match
 * @param {readonly number[]} seats the seats of people; only their decisions are evaluated
 * @param {Library} library
 * @returns {Promise<() => Generator<void, Highlight[]>>} the work, which has pauses
 */
export async function findHighlights(text, seats, library) {
  const kernel = latestKernel();
  const record = parseRecord(kernel, text);
  const { rules, players } = record;
  const learnedWeights = await evaluatorWeights(library, rules.game, players.length);
  const [weights] = learnedWeights;
  return function* () {
    if (!record.winners) return []; // it was abandoned
    const rounds = replayRounds(kernel, record, weights);
    const last = rounds[rounds.length - 1];
    const { win } = yield* attributeRound(kernel, last, weights, MOMENTS.rollouts);
    const workspace = new Workspace(kernel, "search");
    const { rollouts, deals } = JUDGE.searchBudget;
    const share = { rollouts: Math.floor(rollouts / JUDGE.screenShare), deals: Math.floor(deals / JUDGE.screenShare) };
    const short = { ...JUDGE, searchBudget: { ...JUDGE.searchBudget, ...share }, onlyMistakes: JUDGE.onlySearch };
    const [screener, evaluator] = [short, { ...JUDGE, onlyMistakes: 1 }].map(
      (efforts) => new Evaluator(workspace, learnedWeights, efforts),
    );
    return [...(yield* costlyDecisions(rounds, seats, screener, evaluator)), ...winHighlights(last, win)];
  };
}

/**
 * Returns the worst decision of each seat in the match, evaluated from the seat's observation, as in the report. Short
 * searches show which decisions can be the worst; only these are measured.
 * @param {readonly ReplayedRound[]} rounds @param {readonly number[]} seats
 * @param {Evaluator} screener for short searches @param {Evaluator} evaluator
 * @returns {Generator<void, Highlight[]>}
 */
function* costlyDecisions(rounds, seats, screener, evaluator) {
  const screened = [];
  for (const round of rounds) {
    for (const [i, { record }] of round.plies.entries()) {
      if (!seats.includes(record.get("seat"))) continue;
      yield* evaluatePly(screener, round, i);
      if (record.get("is_evaluated")) screened.push({ round, i, record, estimate: figureOf(record, "lead") });
    }
  }
  const mistakes = [];
  /** @type {Map<number, number>} */
  const most = new Map();
  for (const { round, i, record, estimate } of largest(screened, (each) => each.estimate.value)) {
    const seat = record.get("seat");
    const least = most.get(seat) ?? MOMENTS.costly;
    if (estimate.value + MOMENTS.caution * estimate.error < least) continue;
    yield* evaluatePly(evaluator, round, i);
    const loss = figureOf(record, "lead");
    if (!isCertain(loss) || !record.get("prior_agrees") || loss.value < least) continue;
    most.set(seat, loss.value);
    mistakes.push({ round: round.number, i, record, loss: loss.value });
  }
  mistakes.sort((one, other) => one.round - other.round || one.i - other.i);
  const notation = new Notation(evaluator.workspace.kernel.description);
  /** @type {Map<number, Highlight>} */
  const worst = new Map();
  for (const { round, i, record, loss } of largest(mistakes, (mistake) => mistake.loss)) {
    const seat = record.get("seat");
    if (worst.has(seat)) continue;
    const { verb, card: played } = notation.moveOf(record.get("made"));
    const card = verb === "play" && played !== null ? notation.cardName(played) : null;
    const points = roundHalfEven(100 * loss);
    worst.set(seat, { kind: "cost", round, seat, points, ply: i + 1, verb, card, chance: null });
  }
  return [...worst.values()];
}

/**
 * Returns how the winner won: by luck, from far behind, or in the lead all the time.
 * @param {ReplayedRound} round @param {number[]} win the result of `explain_win` @returns {Highlight[]}
 */
function winHighlights({ number, winner }, [event, needed, isBehind, points]) {
  if (winner === null) return [];
  const about = { round: number, seat: winner, ply: null, verb: null, card: null, chance: null };
  const course = { ...about, kind: isBehind ? "comeback" : "lead", points };
  return event < 0 ? [course] : [{ ...about, kind: "luck", points: needed, chance: REPORT.events[event] }, course];
}
