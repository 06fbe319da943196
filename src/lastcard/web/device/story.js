/** A match told again with open cards: every moment of its rounds, who did what, what else could have been done. As `analysis/replayed_round.py`. */

import { REPORT } from "../local/constants.js";
import { Fields } from "../local/fields.js";
import { replay } from "../local/match.js";
import { seatsOf } from "../local/round.js";
import { parseSeed, toHex } from "../local/seeds.js";
import { fromHex, sha256 } from "../local/sha256.js";
import { isCall } from "./race.js";

/** @import { Area, Kernel } from "../local/kernel.js" */
/** @import { Match } from "../local/match.js" */
/** @import { Move } from "../local/notation.js" */
/** @import { RecordData } from "../local/record.js" */
/** @import { Event, Sight } from "../local/round.js" */

/**
 * An act and what it was chosen from; `nothing` is to let the table go on.
 * @typedef {object} Ply
 * @property {number} seat @property {Move} move as it was made
 * @property {number} plain the same without a call @property {number} usual what the rules of thumb do there
 * @property {number[]} moves what there was to choose from, calls and catches aside
 * @property {Sight | null} sight what the seat knew, where there was a choice
 * @property {Event[]} events what happened
 * @property {string | null} chance what chance had a part in it: `rule`, `lever`, `blind`, `draw`
 * @property {number[]} exposed who can be caught after it
 */

/**
 * A finished round.
 * @typedef {object} Story
 * @property {number} number in its match, from 0 @property {number} players
 * @property {boolean} teams whether partners win together (6.8)
 * @property {number | null} winner null where it was void
 * @property {Uint8Array[]} tables its moments: after the deal, and after each act
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
 * The finished rounds of a match; one that is going on is left out, for it would tell what others hold.
 * @param {Kernel} kernel @param {RecordData} record
 * @param {Area} weights of the rules of thumb for its table
 * @param {number} [from] the first round that is told
 * @returns {Story[]}
 */
export function tell(kernel, record, weights, from = 0) {
  /** @type {Story[]} */
  const stories = [];
  for (const match of replay(record, kernel)) {
    const { number, round, players } = match;
    if (number < from) continue;
    let story = stories[number - from];
    if (story) {
      const ply = story.plies[story.plies.length - 1];
      ply.events = match.events;
      ply.chance = chanceIn(match.events);
      ply.exposed = seatsOf(round.table.get("exposed"));
      story.winner = round.winner;
    } else {
      const teams = Boolean(match.rules.options.team_play);
      story = { number, players: players.length, teams, winner: null, tables: [], plies: [] };
      stories.push(story);
    }
    story.tables.push(openTable(match));
    const next = record.rounds[number].moves[story.plies.length];
    if (next !== undefined) story.plies.push(decisionOf(match, next, weights));
  }
  return stories.filter(({ number }) => record.rounds[number].void || record.rounds[number].winner !== null);
}

/** An act before it is made. @param {Match} match @param {string} text @param {Area} weights @returns {Ply} */
function decisionOf({ kernel, round }, text, weights) {
  const { acts, sizes } = kernel.description;
  const { seat, move } = round.notation.act(text);
  const onTurn = seat === round.turn;
  const out = kernel.room("usual", "int64", sizes.actions + sizes.dice);
  const action = round.notation.action(move);
  const moves = round.legalActions(seat).filter((each) => !isCall(round.notation.parts(each)));
  if (!onTurn) moves.push(acts.nothing);
  return {
    seat,
    move,
    plain: round.enter((table) => kernel.call("rollout.canonical_action", table, 0, seat, action)),
    usual: onTurn ? round.enter((table) => kernel.call("rollout.heuristic_action", table, 0, weights, out)) : acts.nothing,
    moves,
    sight: !isCall(move) && moves.length > 1 ? round.sight(seat) : null,
    events: [],
    chance: null,
    exposed: [],
  };
}

/** The table with every card, without its tape. @param {Match} match */
function openTable({ kernel, round }) {
  const table = new Fields(kernel, "ROUND_STATE", round.table.bytes.slice());
  table.set("record_events", 0);
  return table.bytes;
}

/** @param {readonly Event[]} events */
function chanceIn(events) {
  return CHANCE.find(([name]) => events.some(({ e }) => e === name))?.[1] ?? null;
}

/**
 * A seed of 32 bits for a part of what is worked out of a round.
 * @param {Story} story @param {number} part 0 for its chances, then one for each act
 */
export function numberOf({ number }, part) {
  const place = new TextEncoder().encode(`${number} ${part}`);
  const hash = fromHex(sha256(fromHex(parseSeed(REPORT.seed) + toHex(place))));
  return new DataView(hash.buffer, hash.byteOffset).getUint32(0);
}

/** Whether the chances are what they were: the rules of thumb would have done the same, or it is a call that costs nothing. @param {Ply} ply */
export function follows({ move, plain, usual, chance }) {
  return (move.verb === "uno" && chance === null) || (!isCall(move) && plain === usual);
}
