/** What is worth saying of a match as soon as it is over, as `analysis/highlights.py` finds it. */

import { JUDGE, MOMENTS } from "../local/constants.js";
import { Desk } from "../local/desk.js";
import { latestKernel } from "../local/latest.js";
import { parseRecord } from "../local/record.js";
import { isMistake } from "./accounts.js";
import { Chances } from "./chances.js";
import { isCertain, roundHalfEven } from "./figures.js";
import { Judge, judgeLearned } from "./judge.js";
import { numberOf, tell } from "./story.js";

/** @import { Library } from "../local/bots.js" */
/** @import { Link } from "./chances.js" */
/** @import { Verdict } from "./judge.js" */
/** @import { Story } from "./story.js" */

/**
 * Something worth saying of the last round: `cost`, `luck`, `comeback` or `lead`, whom it is about, percent; the decision,
 * counted from 1, with its verb and the card of a play; or the chance that it was.
 * @typedef {{kind: string, seat: number, points: number, ply: number | null, verb: string | null, card: string | null,
 *   chance: string | null}} Moment
 */

/**
 * What is worth saying of the last round of a match, most telling first: the decisions that cost most, one of a seat, then
 * how the winner won; what the server answers to `GET /api/matches/ID/moments`.
 * @param {string} text the record of a match that is over
 * @param {readonly number[]} seats whose decisions are judged: those of persons
 * @param {Library} library
 * @returns {Promise<() => Generator<void, Moment[]>>} the work, which has pauses
 */
export async function findMoments(text, seats, library) {
  const kernel = latestKernel();
  const record = parseRecord(kernel, text);
  const { rules, players } = record;
  const learned = await judgeLearned(library, rules.game, players.length);
  const [weights] = learned;
  return function* () {
    if (!record.winners) return []; // it was abandoned
    const [story] = tell(kernel, record, weights, record.rounds.length - 1);
    const chances = new Chances(kernel, story, MOMENTS.rollouts);
    yield* chances.play(weights, numberOf(story, 0));
    const judge = new Judge(new Desk(kernel, "search"), learned, JUDGE);
    return [...(yield* costs(story, seats, judge)), ...wins(story, chances)];
  };
}

/**
 * The worst decision of each seat in the round, judged from what the seat could know, as in the report.
 * @param {Story} story @param {readonly number[]} seats @param {Judge} judge
 * @returns {Generator<void, Moment[]>}
 */
function* costs(story, seats, judge) {
  /** @type {Map<number, {i: number, verdict: Verdict}>} */
  const worst = new Map();
  for (const [i, { sight, seat, moves, plain, usual }] of story.plies.entries()) {
    if (!sight || !seats.includes(seat)) continue;
    const verdict = yield* judge.judge(sight, moves, plain, usual, numberOf(story, i + 1));
    const least = worst.get(seat)?.verdict.loss.value ?? 0;
    if (isMistake(verdict) && verdict.loss.value > least) worst.set(seat, { i, verdict });
  }
  const found = [...worst.values()].filter(({ verdict }) => verdict.loss.value >= MOMENTS.costly);
  found.sort((one, other) => other.verdict.loss.value - one.verdict.loss.value);
  const cards = Object.entries(judge.desk.kernel.description.cards);
  return found.map(({ i, verdict }) => {
    const { seat, move } = story.plies[i];
    const card = move.verb === "play" ? (cards.find(([, id]) => id === move.card)?.[0] ?? null) : null;
    return { kind: "cost", seat, points: percent(verdict.loss.value), ply: i + 1, verb: move.verb, card, chance: null };
  });
}

/** How the winner won: by luck, from far behind, or in the lead all the time. @param {Story} story @param {Chances} chances @returns {Moment[]} */
function wins({ winner, players, plies }, chances) {
  if (winner === null) return [];
  const { lucky, needy, behind } = MOMENTS;
  const { links } = chances;
  const about = { seat: winner, ply: null, verb: null, card: null, chance: null };
  /** @type {Moment[]} */
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
