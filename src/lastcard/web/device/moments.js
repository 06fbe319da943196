/** What is worth saying of a match as soon as it is over, as `analysis/moments.py` finds it. */

import { Desk } from "../local/desk.js";
import { latestKernel } from "../local/latest.js";
import { parseRecord } from "../local/record.js";
import { Chances } from "./chances.js";
import { FACTS } from "./facts.js";
import { isCertain, roundHalfEven } from "./figures.js";
import { Judge, judgeLearned } from "./judge.js";
import { tell } from "./story.js";

/** @import { Library } from "../local/bots.js" */
/** @import { Story } from "./story.js" */

/**
 * Something worth saying of the last round: `cost`, `luck`, `comeback` or `lead`, whom it is about, percent; and the card
 * or the chance that it was.
 * @typedef {{kind: string, seat: number, points: number, card: string | null, chance: string | null}} Moment
 */

/**
 * What is worth saying of the last round of a match, most telling first: decisions that cost most, then how the winner
 * won; what the server answers to `GET /api/matches/ID/moments`.
 * @param {string} text the record of a match that is over
 * @param {Library} library
 * @returns {Promise<() => Generator<void, Moment[]>>} the work, which has pauses
 */
export async function findMoments(text, library) {
  const kernel = latestKernel();
  const record = parseRecord(kernel, text);
  const { rules, players } = record;
  const learned = await judgeLearned(library, rules.game, players.length);
  const [weights] = learned;
  return function* () {
    if (!record.winners) return []; // it was abandoned
    const [story] = tell(kernel, record, weights, record.rounds.length - 1);
    const chances = new Chances(kernel, story, FACTS.moments.rollouts);
    yield* chances.play(weights, FACTS.moments.seed);
    const judge = new Judge(new Desk(kernel, "search"), learned, FACTS.judge);
    return [...(yield* costs(story, chances, judge)), ...wins(story, chances)];
  };
}

/**
 * Cards whose play gave chance away, judged from what their players could know. With open cards many a good move looks
 * bad; so that only says which ones are worth a closer look.
 * @param {Story} story @param {Chances} chances @param {Judge} judge
 * @returns {Generator<void, Moment[]>}
 */
function* costs(story, chances, judge) {
  const { judged, costly } = FACTS.moments;
  const plays = story.plies.flatMap((ply, i) => {
    const { before, chosen } = chances.links[i];
    const { sight, seat } = ply;
    if (!sight || ply.move.verb !== "play") return [];
    return [{ i, ply, sight, lost: -chances.change(before, chosen, seat).value }];
  });
  plays.sort((one, other) => other.lost - one.lost);
  const found = [];
  for (const { i, ply, sight, lost } of plays.slice(0, judged)) {
    if (lost < costly) continue;
    const { loss, agreed } = yield* judge.judge(sight, ply.moves, ply.plain, ply.usual, i);
    if (!isCertain(loss) || !agreed || loss.value < costly) continue;
    const card = chances.kernel.description.cards;
    const name = Object.keys(card).find((each) => card[each] === ply.move.card) ?? null;
    found.push({ kind: "cost", seat: ply.seat, points: percent(loss.value), card: name, chance: null });
  }
  return found.sort((one, other) => other.points - one.points);
}

/** How the winner won: by luck, from far behind, or in the lead all the time. @param {Story} story @param {Chances} chances @returns {Moment[]} */
function wins({ winner, players, plies }, chances) {
  if (winner === null) return [];
  const { lucky, behind } = FACTS.moments;
  const { links } = chances;
  const about = { seat: winner, card: null, chance: null };
  /** @type {Moment[]} */
  const found = [];
  const strokes = links.map((link, i) => ({ link, chance: plies[i].chance })).reverse();
  const stroke = strokes.find(({ link, chance }) => {
    const luck = chances.change(link.chosen, link.after, winner);
    return chance !== null && isCertain(luck) && luck.value >= lucky;
  });
  if (stroke) {
    const points = percent(chances.chance(stroke.link.chosen, winner).value);
    found.push({ ...about, kind: "luck", points, chance: stroke.chance });
  }
  const course = [1, ...links.map(({ after }) => after)].map((job) => chances.chance(job, winner).value);
  const worst = Math.min(...course);
  if (worst < behind / players) found.push({ ...about, kind: "comeback", points: Math.max(1, percent(worst)) });
  else found.push({ ...about, kind: "lead", points: percent(course[0]) });
  return found;
}

/** @param {number} share */
const percent = (share) => roundHalfEven(100 * share);
