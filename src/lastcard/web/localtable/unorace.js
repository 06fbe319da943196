/**
 * The UNO race: a catch waits briefly for a late call, and a late press gets an answer with its delay. A catcher cannot shorten
 * the wait: their next moves wait too. Mirrors `session/uno_race.py`.
 */

import { LATENESS_S } from "../bindings/constants.js";

/** @import { Move } from "../bindings/notation.js" */

/** @typedef {{command: string, seat: number, move: Move, until: number}} HeldMove a move that waits for the end of the grace */

/** @typedef {{at: number, called: boolean}} ClosedWindow the end of a window, by a call or otherwise */

/** Calls and catches, which may come out of turn. @param {Move} move */
export const isCall = ({ verb }) => verb === "uno" || verb === "catch";

export class UnoRace {
  /** The seats that can be caught, with times. @type {Map<number, number>} */
  since = new Map();
  /** Held moves, in the order in which they are made. @type {HeldMove[]} */
  held = [];
  /** @type {Map<number, ClosedWindow>} */
  #closed = new Map();
  /** Seats whose call counted until another seat's move, with the time of that move. @type {Map<number, number>} */
  #interrupted = new Map();

  /** @param {number} grace seconds in which a call beats an earlier catch (CO-15) */
  constructor(grace) {
    this.grace = grace;
  }

  /**
   * Updates the windows after a move.
   * @param {readonly number[]} exposed @param {readonly number[]} called @param {number} now
   * @returns {HeldMove[]} the held catches that failed
   */
  follow(exposed, called, now) {
    for (const seat of [...this.since.keys()].filter((seat) => !exposed.includes(seat))) {
      this.since.delete(seat);
      this.#closed.set(seat, { at: now, called: called.includes(seat) });
    }
    for (const seat of exposed) {
      if (this.since.has(seat)) continue;
      this.since.set(seat, now);
      this.#closed.delete(seat);
    }
    const beaten = this.held.filter(({ move }) => move.verb === "catch" && !exposed.includes(Number(move.target)));
    this.held = this.held.filter((held) => !beaten.includes(held));
    const catchers = this.#catchers();
    this.held = this.held.map((held) => (catchers.has(held.seat) ? held : { ...held, until: now }));
    return beaten;
  }

  /** Records that a seat's call counted until another seat's move. @param {number} seat @param {number} now */
  interrupt(seat, now) {
    this.#interrupted.set(seat, now);
  }

  /**
   * Holds a catch that came within the grace, and its sender's later moves.
   * @param {string} command @param {number} seat @param {Move} move @param {number} now
   * @returns {boolean} false if it may be made at once
   */
  hold(command, seat, move, now) {
    let until = now;
    if (move.verb === "catch") {
      const began = this.since.get(move.target ?? -1);
      if (began !== undefined) until = began + this.grace;
    } else if (!isCall(move)) until = this.#catchers().get(seat) ?? now;
    if (until <= now) return false;
    if (this.held.every((held) => held.command !== command)) this.held.push({ command, seat, move, until });
    return true;
  }

  /** Returns the seats with a held catch, and when the last of each is due. */
  #catchers() {
    const held = this.held.filter(({ move }) => move.verb === "catch").sort((a, b) => a.until - b.until);
    return new Map(held.map(({ seat, until }) => [seat, until]));
  }

  /** Removes and returns the first held move that is due (null: the first of all). @param {number | null} now */
  pop(now) {
    const found = this.held.find(({ until }) => now === null || until <= now) ?? null;
    if (found) this.held.splice(this.held.indexOf(found), 1);
    return found;
  }

  /** The time at which the next held move is due; infinite for none. */
  get first() {
    return Math.min(Infinity, ...this.held.map(({ until }) => until));
  }

  /**
   * Returns how the window closed, or the chance to call ended, before a late call or catch.
   * @param {number} seat @param {Move} move @param {number} now @returns {ClosedWindow | null}
   */
  lateness(seat, move, now) {
    const lost = move.verb === "uno" ? this.#interrupted.get(seat) : undefined;
    let closed = this.#closed.get(move.target ?? seat) ?? null;
    if (lost !== undefined && (closed === null || closed.at < lost)) closed = { at: lost, called: false };
    return closed && now - closed.at <= LATENESS_S ? closed : null;
  }

  /** Resets the race for a new round. */
  reset() {
    this.since.clear();
    this.held = [];
    this.#closed.clear();
    this.#interrupted.clear();
  }
}
