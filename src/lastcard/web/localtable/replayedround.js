/**
 * A replay of finished rounds with open cards: every state, each move and its alternatives. Mirrors `analysis/replayed_round.py`.
 */

import { REPORT } from "../bindings/constants.js";
import { KernelRecord } from "../bindings/kernelrecord.js";
import { replay } from "../bindings/match.js";
import { seatsOf } from "../bindings/round.js";
import { parseSeed, toHex } from "../bindings/seeds.js";
import { fromHex, sha256 } from "../bindings/sha256.js";
import { isCall } from "./unorace.js";

/** @import { Area, Kernel } from "../bindings/kernel.js" */
/** @import { Match } from "../bindings/match.js" */
/** @import { Move } from "../bindings/notation.js" */
/** @import { RecordData } from "../bindings/record.js" */
/** @import { Event, Observation } from "../bindings/round.js" */

/**
 * A move and its alternatives; `nothing` lets the table go on.
 * @typedef {object} Ply
 * @property {number} seat @property {Move} move the move made
 * @property {number} withoutCall the same move without a call @property {number} heuristic the heuristic policy's move
 * @property {number[]} moves the possible moves, without calls and catches
 * @property {Observation | null} observation the seat's observation, if there was a choice
 * @property {Event[]} events the events
 * @property {string | null} chance the kind of chance involved:`rule`, `lever`, `blind`, `draw`
 * @property {number[]} exposed the seats that can be caught after it
 */

/**
 * A finished round.
 * @typedef {object} ReplayedRound
 * @property {number} number the index in its match, from 0 @property {number} players
 * @property {boolean} teams whether partners win together (6.8)
 * @property {number | null} winner the winner; null if it was void
 * @property {Uint8Array[]} states its states: after the deal, and after each move
 * @property {Ply[]} plies
 */

/** Events in which chance has a part, weightiest first. */
const CHANCE = [
  ["rule", "rule"],
  ["lever", "lever"],
  ["took", "blind"],
  ["drew", "draw"],
];

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
      const ply = replayed.plies[replayed.plies.length - 1];
      ply.events = match.events;
      ply.chance = chanceIn(match.events);
      ply.exposed = seatsOf(round.state.get("exposed"));
      replayed.winner = round.winner;
    } else {
      const teams = Boolean(match.rules.options.team_play);
      replayed = { number, players: players.length, teams, winner: null, states: [], plies: [] };
      rounds.push(replayed);
    }
    replayed.states.push(openState(match));
    const next = record.rounds[number].moves[replayed.plies.length];
    if (next !== undefined) replayed.plies.push(decisionOf(match, next, weights));
  }
  return rounds.filter(({ number }) => record.rounds[number].void || record.rounds[number].winner !== null);
}

/** Returns a ply before its move is made. @param {Match} match @param {string} text @param {Area} weights @returns {Ply} */
function decisionOf({ kernel, round }, text, weights) {
  const { actions: codes, sizes } = kernel.description;
  const { seat, move } = round.notation.seatMove(text);
  const onTurn = seat === round.turn;
  const out = kernel.buffer("usual", "int64", sizes.actions + sizes.dice);
  const action = round.notation.action(move);
  const moves = round.legalActions(seat).filter((each) => !isCall(round.notation.moveOf(each)));
  if (!onTurn) moves.push(codes.nothing);
  return {
    seat,
    move,
    withoutCall: round.runInKernel((table) => kernel.call("rollout.canonical_action", table, 0, seat, action)),
    heuristic: onTurn
      ? round.runInKernel((table) => kernel.call("rollout.heuristic_action", table, 0, weights, out))
      : codes.nothing,
    moves,
    observation: !isCall(move) && moves.length > 1 ? round.observe(seat) : null,
    events: [],
    chance: null,
    exposed: [],
  };
}

/** Returns the round state with every card, without its event log. @param {Match} match */
function openState({ kernel, round }) {
  const state = new KernelRecord(kernel, "ROUND_STATE", round.state.bytes.slice());
  state.set("record_events", 0);
  return state.bytes;
}

/** @param {readonly Event[]} events */
function chanceIn(events) {
  return CHANCE.find(([name]) => events.some(({ e }) => e === name))?.[1] ?? null;
}

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
 * Whether the chances are unchanged: the heuristic policy would have moved the same, or it is a call that costs nothing.
 * @param {Ply} ply
 */
export function hasSameChances({ move, withoutCall, heuristic, chance }) {
  return (move.verb === "uno" && chance === null) || (!isCall(move) && withoutCall === heuristic);
}
