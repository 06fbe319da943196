/** Checks and replays of records without a table, in the server's format. */

import { PERSONAS } from "../bindings/constants.js";
import { commitment } from "../bindings/seeds.js";
import { latestKernel } from "../bindings/latest.js";
import { replay } from "../bindings/match.js";
import { parseRecord } from "../bindings/record.js";
import { sha256Text } from "../bindings/sha256.js";
import { eventMessage, publicOf } from "./messages.js";

/** @import { Replay, ReplayRound, ReplayStart } from "../net/protocol.js" */
/** @import { Match } from "../bindings/match.js" */

/**
 * The content of a true record.
 * @typedef {{rules: string, names: readonly string[], commitment: string, winners: readonly number[] | null, rounds: number,
 *   moves: number}} Checked
 */

const ID_CHARS = 22;

/** Replays a record and verifies every part of it. @param {string} text @returns {Checked} */
export function checkRecord(text) {
  const kernel = latestKernel();
  const record = parseRecord(kernel, text);
  let match = null;
  for (const step of replay(record, kernel)) match = step;
  const moves = record.rounds.reduce((count, round) => count + round.moves.length, 0);
  const winners = match?.winners ?? null;
  const { rules, players: names, rounds } = record;
  return { rules: String(rules), names, commitment: record.commitment, winners, rounds: rounds.length, moves };
}

/**
 * Returns the match of a record, from its first card, as the server does for `GET /api/matches/ID/replay`.
 * @param {string} text
 * @param {{id?: string, started?: number, bots?: (string | null)[]}} [known] of the match; by default its id is derived from the
 *   text, and players named like a persona are that bot
 * @returns {Replay}
 */
export function replayOf(text, { id = sha256Text(text).slice(0, ID_CHARS), started = 0, bots } = {}) {
  const kernel = latestKernel();
  const record = parseRecord(kernel, text);
  /** @type {(ReplayRound & {steps: ReplayRound["steps"]})[]} */
  const rounds = [];
  /** @type {Match | null} */
  let match = null;
  for (match of replay(record, kernel)) {
    const { moves, round, number } = match;
    if (number === rounds.length) rounds.push({ dealer: match.dealer, first: snapshotOf(match), steps: [] });
    else {
      const { seat, move } = round.notation.seatMove(moves[moves.length - 1]);
      const step = { seat, move: round.notation.text(move), at: started, ...snapshotOf(match) };
      rounds[number].steps.push(step);
    }
  }
  const { seed, shuffle, winners, host } = record;
  return {
    id,
    rules: String(record.rules),
    names: [...record.players],
    bots: bots ?? record.players.map(levelNamed),
    host,
    live: false,
    promise: shuffle?.promise ?? "",
    numbers: [...(shuffle?.numbers ?? record.players.map(() => ""))],
    commitment: commitment(/** @type {string} */ (seed)),
    secret: shuffle?.secret ?? null,
    seed,
    rule_cards: record.ruleCards && [...record.ruleCards],
    winners: winners && [...winners],
    rounds,
    taken_back: 0,
  };
}

/** Returns the level of the persona of a name; null if there is none. @param {string} name */
function levelNamed(name) {
  const found = Object.entries(PERSONAS).find(([, group]) => group.some((each) => each.name === name));
  return found ? found[0] : null;
}

/** Returns the public game. @param {Match} match @returns {ReplayStart} */
function snapshotOf(match) {
  const { round, players, events } = match;
  const hands = players.map((_, seat) => round.hand(seat).map(round.notation.cardName));
  return { events: events.map(eventMessage), public: publicOf(match), hands };
}
