/** The highlights of a finished match. Mirrors `analysis/highlights.py`. */

import { JUDGE, MOMENTS } from "../bindings/constants.js";
import { Workspace } from "../bindings/workspace.js";
import { latestKernel } from "../bindings/latest.js";
import { parseRecord } from "../bindings/record.js";
import { isMistake } from "./attribution.js";
import { Chances } from "./chances.js";
import { isCertain, largest, roundHalfEven } from "./statistics.js";
import { Evaluator, evaluatorWeights } from "./evaluate.js";
import { seedOf, replayRounds } from "./replayedround.js";

/** @import { Library } from "../bindings/bots.js" */
/** @import { Link } from "./chances.js" */
/** @import { Evaluation } from "./evaluate.js" */
/** @import { ReplayedRound } from "./replayedround.js" */

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
    const chances = new Chances(kernel, last, MOMENTS.rollouts);
    yield* chances.run(weights, seedOf(last, 0));
    const evaluator = new Evaluator(new Workspace(kernel, "search"), learnedWeights, JUDGE);
    return [...(yield* costlyDecisions(rounds, seats, evaluator)), ...winHighlights(last, chances)];
  };
}

/**
 * Returns the worst decision of each seat in the match, evaluated from the seat's observation, as in the report.
 * @param {readonly ReplayedRound[]} rounds @param {readonly number[]} seats @param {Evaluator} evaluator
 * @returns {Generator<void, Highlight[]>}
 */
function* costlyDecisions(rounds, seats, evaluator) {
  /** @type {{round: ReplayedRound, i: number, evaluation: Evaluation}[]} */
  const mistakes = [];
  for (const round of rounds) {
    for (const [i, { observation, seat, moves, withoutCall, heuristic }] of round.plies.entries()) {
      if (!observation || !seats.includes(seat)) continue;
      const evaluation = yield* evaluator.evaluate(observation, moves, withoutCall, heuristic, seedOf(round, i + 1));
      if (isMistake(evaluation) && evaluation.loss.value >= MOMENTS.costly) mistakes.push({ round, i, evaluation });
    }
  }
  const cards = Object.entries(evaluator.workspace.kernel.description.cards);
  /** @type {Map<number, Highlight>} */
  const worst = new Map();
  for (const { round, i, evaluation } of largest(mistakes, ({ evaluation }) => evaluation.loss.value)) {
    const { seat, move } = round.plies[i];
    if (worst.has(seat)) continue;
    const card = move.verb === "play" ? (cards.find(([, id]) => id === move.card)?.[0] ?? null) : null;
    const points = percent(evaluation.loss.value);
    worst.set(seat, { kind: "cost", round: round.number, seat, points, ply: i + 1, verb: move.verb, card, chance: null });
  }
  return [...worst.values()];
}

/**
 * Returns how the winner won: by luck, from far behind, or in the lead all the time.
 * @param {ReplayedRound} round @param {Chances} chances @returns {Highlight[]}
 */
function winHighlights({ number, winner, players, plies }, chances) {
  if (winner === null) return [];
  const { lucky, needy, behind } = MOMENTS;
  const { links } = chances;
  const about = { round: number, seat: winner, ply: null, verb: null, card: null, chance: null };
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
