/** A match folded from its log of moves; and what of it is kept, as a value that can be stored. */

import { REMEMBERED_ACTS } from "../bindings/constants.js";
import { Match } from "../bindings/match.js";
import { recordText } from "../bindings/record.js";
import { commitment, mixSeed } from "../bindings/seeds.js";

/** @import { Kernel } from "../bindings/kernel.js" */
/** @import { Event } from "../bindings/round.js" */

/** The row that deals the next round, and the one with which a seat takes its last act back. */
export const NEXT_ROUND = "next";
export const TAKE_BACK = "back";

/**
 * A row of the log: the id of the command, the seat, the move as text or one of the two above, and when it was made in
 * milliseconds since 1970.
 * @typedef {[command: string, seat: number, move: string, at: number]} LogEntry
 */

/**
 * A match as it is kept.
 * @typedef {object} SavedMatch
 * @property {string} id
 * @property {string} rules
 * @property {string[]} names by seat
 * @property {(string | null)[]} players the ids of the persons, by seat
 * @property {(string | null)[]} bots levels, by seat
 * @property {number} host
 * @property {string} secret that the seed was mixed of, with `numbers`
 * @property {string[]} numbers
 * @property {string | null} position where a lesson begins
 * @property {string[] | null} ruleCards
 * @property {number} started in milliseconds since 1970
 * @property {number | null} finished
 * @property {LogEntry[]} moves
 * @property {boolean} [inherited] whether somebody has taken over a seat
 */

export class MatchLog {
  /** @type {Map<string, number>} */
  #plies = new Map();
  /** Round, seat and events of the last acts that stand, the deal among them. @type {[round: number, seat: number, events: Event[]][]} */
  #history = [];

  /** @param {Kernel} kernel @param {SavedMatch} saved */
  constructor(kernel, saved) {
    this.saved = { ...saved, moves: /** @type {LogEntry[]} */ ([]) };
    this.seed = mixSeed(saved.secret, saved.numbers);
    this.promise = commitment(saved.secret);
    this.match = new Match(saved.rules, {
      players: saved.names,
      seed: this.seed,
      host: saved.host,
      ruleCards: saved.ruleCards,
      position: saved.position ?? undefined,
      kernel,
    });
    this.#addHistory(-1, this.match.round.events());
    for (const row of saved.moves) this.add(row);
  }

  /** How many rows it has. */
  get ply() {
    return this.saved.moves.length;
  }

  /**
   * Does what a row says and keeps it; a refused one changes nothing.
   * @param {LogEntry} row
   * @returns {Event[]} what happened, unabridged
   */
  add(row) {
    const events = this.#apply(row);
    if (row[2] === TAKE_BACK) this.#dropHistory(row[1]);
    else this.#addHistory(row[1], events);
    this.#plies.set(row[0], this.ply);
    this.saved.moves.push(row);
    return events;
  }

  /** @param {number} seat @param {Event[]} events */
  #addHistory(seat, events) {
    this.#history.push([this.match.number, seat, events]);
    if (this.#history.length > REMEMBERED_ACTS) this.#history.shift();
  }

  /** The last act of a seat is taken back. @param {number} seat */
  #dropHistory(seat) {
    while (this.#history.length && this.#history.pop()?.[1] !== seat);
  }

  /**
   * What the last acts that stand did, the oldest first, unabridged.
   * @param {boolean} whole of all rounds, unless somebody has taken over a seat: what others did there would bear a wrong
   *   name; else of the last round
   */
  events(whole) {
    const all = whole && !this.saved.inherited;
    return this.#history.flatMap(([number, , events]) => (all || number === this.match.number ? events : []));
  }

  /** @param {LogEntry} row */
  #apply([, seat, move]) {
    const { match } = this;
    if (move === NEXT_ROUND) return match.nextRound().events();
    if (move !== TAKE_BACK) return match.do(seat, move);
    match.takeBack(seat);
    return [];
  }

  /** Ply and row of a command; null where it is not in the log. @param {string} command */
  find(command) {
    const ply = this.#plies.get(command);
    return ply === undefined ? null : { ply, row: this.saved.moves[ply] };
  }

  /** Whoever has taken over a bot's seat has played the match too. @param {(string | null)[]} players who sit there now, by seat */
  recordTakeovers(players) {
    const { bots } = this.saved;
    this.saved.inherited ||= players.some((player, seat) => player !== null && player !== this.saved.players[seat]);
    this.saved.players = this.saved.players.map((player, seat) => player ?? (bots[seat] === null ? null : players[seat]));
  }

  /** Whether moves were taken back, so that it counts nowhere. */
  get takenBack() {
    return this.saved.moves.some(([, , move]) => move === TAKE_BACK);
  }

  /** The whole match as a record, seed included. */
  record() {
    const { secret, numbers } = this.saved;
    return recordText(this.match.kernel, {
      ...this.match.recordData(),
      shuffle: { promise: this.promise, numbers, secret },
    });
  }
}
