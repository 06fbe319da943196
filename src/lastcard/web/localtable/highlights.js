/** The highlights of a finished match. Mirrors `analysis/highlights.py`. */

import { JUDGE, MOMENTS } from "../bindings/constants.js";
import { Workspace } from "../bindings/workspace.js";
import { latestKernel } from "../bindings/latest.js";
import { parseRecord } from "../bindings/record.js";
import { isMistake } from "./attribution.js";
import { Chances } from "./chances.js";
import { isCertain, roundHalfEven } from "./statistics.js";
import { Evaluator, evaluatorWeights } from "./evaluate.js";
import { seedOf, replayRounds } from "./replayedround.js";

/** @import { Library } from "../bindings/bots.js" */
/** @import { Link } from "./chances.js" */
/** @import { Evaluation } from "./evaluate.js" */
/** @import { ReplayedRound } from "./replayedround.js" */

/**
 * A highlight of the last round: its kind (`cost`, `luck`, `comeback` or `lead`), its seat, a percentage; the decision's number,
 * from 1, with its verb and the card of a play; or the kind of chance.
 * @typedef {{kind: string, seat: number, points: number, ply: number | null, verb: string | null, card: string | null,
 *   chance: string | null}} Highlight
 */

/**
 * Returns the highlights of a match's last round, most telling first: the costliest decision of each seat, then how the winner
 * won. The server returns the same for `GET /api/matches/ID/moments`.
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
    const [round] = replayRounds(kernel, record, weights, record.rounds.length - 1);
    const chances = new Chances(kernel, round, MOMENTS.rollouts);
    yield* chances.run(weights, seedOf(round, 0));
    const evaluator = new Evaluator(new Workspace(kernel, "search"), learnedWeights, JUDGE);
    return [...(yield* costlyDecisions(round, seats, evaluator)), ...winHighlights(round, chances)];
  };
}

/**
 * Returns the worst decision of each seat in the round, evaluated from the seat's observation, as in the report.
 * @param {ReplayedRound} round @param {readonly number[]} seats @param {Evaluator} evaluator
 * @returns {Generator<void, Highlight[]>}
 */
function* costlyDecisions(round, seats, evaluator) {
  /** @type {Map<number, {i: number, evaluation: Evaluation}>} */
  const worst = new Map();
  for (const [i, { observation, seat, moves, withoutCall, heuristic }] of round.plies.entries()) {
    if (!observation || !seats.includes(seat)) continue;
    const evaluation = yield* evaluator.evaluate(observation, moves, withoutCall, heuristic, seedOf(round, i + 1));
    const least = worst.get(seat)?.evaluation.loss.value ?? 0;
    if (isMistake(evaluation) && evaluation.loss.value > least) worst.set(seat, { i, evaluation });
  }
  const found = [...worst.values()].filter(({ evaluation }) => evaluation.loss.value >= MOMENTS.costly);
  found.sort((one, other) => other.evaluation.loss.value - one.evaluation.loss.value);
  const cards = Object.entries(evaluator.workspace.kernel.description.cards);
  return found.map(({ i, evaluation }) => {
    const { seat, move } = round.plies[i];
    const card = move.verb === "play" ? (cards.find(([, id]) => id === move.card)?.[0] ?? null) : null;
    return { kind: "cost", seat, points: percent(evaluation.loss.value), ply: i + 1, verb: move.verb, card, chance: null };
  });
}

/**
 * Returns how the winner won: by luck, from far behind, or in the lead all the time.
 * @param {ReplayedRound} round @param {Chances} chances @returns {Highlight[]}
 */
function winHighlights({ winner, players, plies }, chances) {
  if (winner === null) return [];
  const { lucky, needy, behind } = MOMENTS;
  const { links } = chances;
  const about = { seat: winner, ply: null, verb: null, card: null, chance: null };
  /** @type {Highlight[]} */
  const found = [];
  const had = (/** @type {Link} */ { chosen }) => percent(chances.chance(chosen, winner).value);
  const strokes = links.map((link, i) => ({ link, chance: plies[i].chance })).reverse();
  const stroke = strokes.find(({ link, chance }) => {
    const luck = chances.change(link.chosen, link.after, winner);
    return chance !== null && isCertain(luck) && luck.value >= lucky && had(link) < needy;
  });
  if (stroke) found.push({ ...about, kind: "luck", points: had(stroke.link), chance: stroke.chance });
  const course = [1, ...links.map(({ after }) => after)].map((job) => chances.chance(job, winner).value);
  const worst = Math.min(...course);
  if (worst < behind / players) found.push({ ...about, kind: "comeback", points: Math.max(1, percent(worst)) });
  else found.push({ ...about, kind: "lead", points: percent(course[0]) });
  return found;
}

/** @param {number} share */
const percent = (share) => roundHalfEven(100 * share);
