/** A match as the fold of its log of moves, and its stored form. */

import { REMEMBERED_MOVES } from "../bindings/constants.js";
import { Match } from "../bindings/match.js";
import { recordText } from "../bindings/record.js";
import { commitment, mixSeed } from "../bindings/seeds.js";

/** @import { Kernel } from "../bindings/kernel.js" */
/** @import { Event } from "../bindings/round.js" */

/** The entry that deals the next round, and the one with which a seat takes its last move back. */
export const NEXT_ROUND = "next";
export const TAKE_BACK = "back";

/** The seat, and the move as text or one of the constants above. @typedef {[seat: number, move: string]} LogEntry */

/**
 * A match in its stored form.
 * @typedef {object} SavedMatch
 * @property {string} id
 * @property {string} rules
 * @property {string[]} names the names by seat
 * @property {(string | null)[]} players the ids of people, by seat
 * @property {(string | null)[]} bots levels, by seat
 * @property {number} host
 * @property {string} secret the table's secret, of which the seed is mixed with `numbers`
 * @property {string[]} numbers
 * @property {string | null} position the start position of a lesson
 * @property {string[] | null} ruleCards
 * @property {number} started in milliseconds since 1970
 * @property {number | null} finished
 * @property {LogEntry[]} moves
 */

export class MatchLog {
  /**
   * Round, seat and events of the last moves that were not taken back, including the deal.
   * @type {[round: number, seat: number, events: Event[]][]}
   */
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

  /** The number of entries. */
  get ply() {
    return this.saved.moves.length;
  }

  /**
   * Applies an entry and stores it; a refused one changes nothing.
   * @param {LogEntry} row
   * @returns {Event[]} the events, unabridged
   */
  add(row) {
    const events = this.#apply(row);
    if (row[1] !== TAKE_BACK) this.#addHistory(row[0], events);
    else while (this.#history.length && this.#history.pop()?.[1] !== row[0]);
    this.saved.moves.push(row);
    return events;
  }

  /** @param {number} seat @param {Event[]} events */
  #addHistory(seat, events) {
    this.#history.push([this.match.number, seat, events]);
    if (this.#history.length > REMEMBERED_MOVES) this.#history.shift();
  }

  /**
   * Returns the events of the last moves that were not taken back, oldest first, unabridged.
   * @param {boolean} whole events of all rounds; else of the last round
   */
  events(whole) {
    return this.#history.flatMap(([number, , events]) => (whole || number === this.match.number ? events : []));
  }

  /** @param {LogEntry} row */
  #apply([seat, move]) {
    const { match } = this;
    if (move === NEXT_ROUND) return match.nextRound().events();
    if (move !== TAKE_BACK) return match.do(seat, move);
    match.takeBack(seat);
    return [];
  }

  /** Whether moves were taken back, so that the match counts nowhere. */
  get takenBack() {
    return this.saved.moves.some(([, move]) => move === TAKE_BACK);
  }

  /** Returns the whole match as a record, including the seed. */
  record() {
    const { secret, numbers } = this.saved;
    return recordText(this.match.kernel, {
      ...this.match.recordData(),
      shuffle: { promise: this.promise, numbers, secret },
    });
  }
}
