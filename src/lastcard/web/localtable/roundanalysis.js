/** Finished rounds with open cards: luck and choices that add up to the result. See `ai/round_analysis.py`. */

import { CHANCES_STEP, REPORT } from "../bindings/constants.js";
import { first } from "../bindings/kernel.js";
import { KernelRecord } from "../bindings/kernelrecord.js";
import { replay } from "../bindings/match.js";
import { parseSeed, toHex } from "../bindings/seeds.js";
import { fromHex, sha256 } from "../bindings/sha256.js";
import { isCall } from "./unorace.js";

/** @import { Area, Kernel } from "../bindings/kernel.js" */
/** @import { Match } from "../bindings/match.js" */
/** @import { RecordData } from "../bindings/record.js" */
/** @import { Observation } from "../bindings/round.js" */
/** @import { Evaluator } from "./evaluate.js" */

/**
 * A move (a PLY), its alternatives, and the seat's observation if there was a choice.
 * @typedef {{record: KernelRecord, choices: number[], observation: Observation | null}} Ply
 */

/**
 * A finished round: the states are those after the deal and after each move; partners may win together (6.8).
 * @typedef {{number: number, players: number, teams: boolean, winner: number | null, states: Uint8Array[],
 *   plies: Ply[]}} ReplayedRound
 */

/**
 * Returns the finished rounds of a match; a running one is omitted, because it would reveal hidden cards.
 * @param {Kernel} kernel @param {RecordData} record
 * @param {Area} weights of the heuristic policy for its table
 * @returns {ReplayedRound[]}
 */
export function replayRounds(kernel, record, weights) {
  /** @type {ReplayedRound[]} */
  const rounds = [];
  for (const match of replay(record, kernel)) {
    const { number, round, players } = match;
    let replayed = rounds[number];
    if (replayed) {
      const last = replayed.plies[replayed.plies.length - 1].record;
      inKernel(kernel, [last], "ply", (ply) =>
        round.runInKernel((table) => kernel.call("round_analysis.read_outcome", table, ply)),
      );
      replayed.winner = round.winner;
    } else {
      const teams = Boolean(match.rules.options.team_play);
      replayed = { number, players: players.length, teams, winner: null, states: [], plies: [] };
      rounds.push(replayed);
    }
    const state = new KernelRecord(kernel, "ROUND_STATE", round.state.bytes.slice());
    state.set("record_events", 0);
    replayed.states.push(state.bytes);
    const next = record.rounds[number].moves[replayed.plies.length];
    if (next !== undefined) replayed.plies.push(readPly(match, next, weights));
  }
  return rounds.filter(({ number }) => record.rounds[number].void || record.rounds[number].winner !== null);
}

/** Returns a ply before its move. @param {Match} match @param {string} text @param {Area} weights @returns {Ply} */
function readPly({ kernel, round }, text, weights) {
  const { seat, move } = round.notation.seatMove(text);
  const out = kernel.buffer("analysis.out", "int64", kernel.description.sizes.actions);
  const record = new KernelRecord(kernel, "PLY");
  const action = round.notation.action(move);
  inKernel(kernel, [record], "ply", (ply) =>
    round.runInKernel((table) => kernel.call("round_analysis.read_choices", table, ply, seat, action, weights, out)),
  );
  const choices = kernel.readNumbers(out, record.get("choices"));
  return { record, choices, observation: !isCall(move) && choices.length > 1 ? round.observe(seat) : null };
}

/**
 * Copies PLY records into kernel memory for one piece of work, and back.
 * @param {Kernel} kernel @param {KernelRecord[]} records @param {string} name of the memory
 * @param {(plies: Area) => void} work
 */
function inKernel(kernel, records, name, work) {
  const plies = first(kernel.buffer(`analysis.${name}`, "PLY", capacityFor(records.length)), records.length);
  const places = records.map(({ bytes }, i) => plies.at + i * bytes.length);
  records.forEach(({ bytes }, i) => kernel.bytes.set(bytes, places[i]));
  work(plies);
  records.forEach(({ bytes }, i) => bytes.set(kernel.bytes.subarray(places[i], places[i] + bytes.length)));
}

/** Returns a power of two, so that one array is enough for most rounds. @param {number} count */
const capacityFor = (count) => 2 ** Math.ceil(Math.log2(count));

/**
 * Returns a 32-bit seed for one computation about a round.
 * @param {ReplayedRound} round @param {number} part 0 for its chances, then one for each ply
 */
export function seedOf({ number }, part) {
  const place = new TextEncoder().encode(`${number} ${part}`);
  const hash = fromHex(sha256(fromHex(parseSeed(REPORT.seed) + toHex(place))));
  return new DataView(hash.buffer, hash.byteOffset).getUint32(0);
}

/**
 * Evaluates the decision of a ply, and stores the result in its record.
 * @param {Evaluator} evaluator @param {ReplayedRound} round @param {number} i @returns {Generator<void, void>}
 */
export function* evaluatePly(evaluator, round, i) {
  const { record, choices, observation } = round.plies[i];
  if (!observation) return;
  const [made, usual] = [record.get("made"), record.get("usual")];
  const found = yield* evaluator.run(observation, choices, seedOf(round, i + 1), made, usual);
  for (const name of ["best", "prior_agrees"]) record.set(name, found.get(name));
  for (const name of ["chance", "lead"]) record.fill(name, found.list(name, 2));
  record.fill("changes", found.list("changes", 2 * observation.players));
  record.set("is_evaluated", 1);
}

/**
 * Attributes the result of a round: completes the records of its plies.
 * @param {Kernel} kernel @param {ReplayedRound} round
 * @param {Area} weights of the heuristic policy @param {number} rollouts the number of rollouts of each job
 * @returns {Generator<void, {accounts: KernelRecord[], calls: KernelRecord[], win: number[]}>} an ACCOUNT for each seat,
 *   the MISSED_CALL records, and the result of `explain_win`
 */
export function* attributeRound(kernel, round, weights, rollouts) {
  const { players, teams, states, winner } = round;
  const { actions, dice, seats } = kernel.description.sizes;
  const records = round.plies.map(({ record }) => record);
  const capacity = capacityFor(states.length) + seats;
  const moments = kernel.buffer("analysis.states", "ROUND_STATE", capacity);
  states.forEach((state, i) => kernel.bytes.set(state, moments.at + i * state.length));
  const jobs = kernel.buffer("analysis.jobs", "int64", 3 * capacity, 3);
  const calls = kernel.buffer("analysis.calls", "MISSED_CALL", capacity);
  const winners = kernel.buffer(`analysis.winners ${rollouts}`, "int8", 3 * capacity, rollouts);
  let count = 0;
  inKernel(kernel, records, "plies", (plies) => {
    count = kernel.call("round_analysis.plan_rollouts", plies, players, jobs, calls);
  });
  const state = kernel.buffer("analysis.state", "ROUND_STATE", 1);
  const scratch = [state, kernel.buffer("analysis.dice", "int64", actions + dice)];
  for (let from = 0; from < count; from += CHANCES_STEP) {
    yield;
    const range = [from, Math.min(from + CHANCES_STEP, count), seedOf(round, 0)];
    kernel.call("rollout.run_rollouts", moments, jobs, winners, weights, ...scratch, ...range);
  }
  const accounts = kernel.buffer("analysis.accounts", "ACCOUNT", seats);
  const sums = kernel.buffer(`analysis.sums ${rollouts}`, "float64", 4, rollouts);
  const out = kernel.buffer("analysis.win", "int64", 4);
  inKernel(kernel, records, "plies", (plies) => {
    const result = [plies, calls, accounts, winners, sums, players, teams];
    kernel.call("round_analysis.attribute_result", ...result);
    if (winner !== null) kernel.call("round_analysis.explain_win", ...result, winner, out);
  });
  const missed = recordsOf(kernel, calls);
  return {
    accounts: recordsOf(kernel, accounts).slice(0, players),
    calls: missed.slice(0, missed.findIndex((call) => call.get("seat") < 0)),
    win: kernel.readNumbers(out, 4),
  };
}

/** Returns copies of the records in an array. @param {Kernel} kernel @param {Area} area */
function recordsOf(kernel, { at, type, shape: [count] }) {
  const size = kernel.sizeOf(type);
  const bytes = (/** @type {number} */ i) => kernel.bytes.slice(at + i * size, at + (i + 1) * size);
  return Array.from({ length: count }, (_, i) => new KernelRecord(kernel, type, bytes(i)));
}
