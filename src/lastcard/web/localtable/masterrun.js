/** The run of a *master* on a daily deal, and a person's luck in it. Mirrors `analysis/master_run.py`. */

import { makeBot, reaction } from "../bindings/bots.js";
import { ACCOUNT_PARTS, DAILY_LEVEL, JUDGE, LUCK_PARTS, MASTER_LEVEL, PERSON_SEAT, REPORT } from "../bindings/constants.js";
import { Workspace } from "../bindings/workspace.js";
import { latestKernel } from "../bindings/latest.js";
import { Match } from "../bindings/match.js";
import { parseRecord } from "../bindings/record.js";
import { personResult } from "./dailyresult.js";
import { Evaluator, evaluatorWeights, figureOf } from "./evaluate.js";
import { attributeRound, evaluatePly, replayRounds } from "./roundanalysis.js";

/** @import { Library } from "../bindings/bots.js" */
/** @import { MasterRun } from "../net/protocol.js" */

/**
 * Returns the work that plays the deal of a record again with a master in the person's seat.
 * @param {string} text the record of a finished daily deal @param {Library} library
 * @returns {Promise<() => Generator<void, MasterRun>>} the work, which has pauses
 */
export async function runMaster(text, library) {
  const kernel = latestKernel();
  const { rules, players, seed, host } = parseRecord(kernel, text);
  const match = new Match(rules, { players, seed, host, kernel });
  const levels = players.map((_, seat) => (seat === PERSON_SEAT ? MASTER_LEVEL : DAILY_LEVEL));
  const bots = await Promise.all(levels.map((level, seat) => makeBot(match, seat, library, level)));
  const weights = await evaluatorWeights(library, match.rules.game, players.length);
  return function* () {
    while (!match.over) {
      let { seat, move } = reaction(match, bots) ?? { seat: match.turn, move: null };
      move ??= yield* bots[seat].decide("decision.choose", match.round.observe(seat));
      match.do(seat, /** @type {string} */ (move));
    }
    return { ...personResult(match), luck: yield* luckOf(match.record(), weights) };
  };
}

/**
 * Returns the work that measures the luck of the person in a finished daily deal, in rounds won.
 * @param {string} text its record @param {Library} library @returns {Promise<() => Generator<void, number>>}
 */
export async function measureLuck(text, library) {
  const { rules, players } = parseRecord(latestKernel(), text);
  const weights = await evaluatorWeights(library, rules.game, players.length);
  return () => luckOf(text, weights);
}

/** @param {string} text @param {Awaited<ReturnType<typeof evaluatorWeights>>} weights @returns {Generator<void, number>} */
function* luckOf(text, weights) {
  const kernel = latestKernel();
  const evaluator = new Evaluator(new Workspace(kernel, "search"), weights, JUDGE);
  const [round] = replayRounds(kernel, parseRecord(kernel, text), weights[0]);
  for (const i of round.plies.keys()) yield* evaluatePly(evaluator, round, i);
  const { accounts } = yield* attributeRound(kernel, round, weights[0], REPORT.rollouts);
  const part = (/** @type {string} */ name) => figureOf(accounts[PERSON_SEAT], "parts", ACCOUNT_PARTS.indexOf(/** @type {any} */ (name)));
  return LUCK_PARTS.reduce((sum, name) => sum + part(name).value, 0);
}
