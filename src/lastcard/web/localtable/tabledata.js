/** A table as it is kept, all but the moves: who sits where, settings, phase, the secret of the next match. */

import { CommandError } from "./refusals.js";

/** @import { Settings } from "../net/protocol.js" */

/** Somebody at the device. @typedef {{id: string, name: string, look?: string}} Person */

/**
 * A taken seat: a person's, or a bot's of some level, maybe in some style. `away` is why a bot plays a person's hand: `stood` or `kicked`;
 * the heir has the seat after the round.
 * @typedef {{name: string, player: string | null, bot: string | null, style?: string, away: string | null, nextPlayer: Person | null}} Seat
 */

/** @typedef {"lobby" | "writing" | "dealing" | "playing" | "between" | "over"} Phase */

/**
 * Values that never change: the functions below make new ones, or throw `Denied`. By the names of the server's.
 * @typedef {object} TableData
 * @property {readonly Person[]} people at the device; the first is the host
 * @property {Settings} settings
 * @property {readonly (Seat | null)[]} seats
 * @property {readonly Person[]} queue who waits for a seat, first come first
 * @property {string} secret what the next match will be shuffled with
 * @property {Phase} phase
 * @property {string | null} match
 * @property {number} round that `playing` or `between` is about
 * @property {number} played
 * @property {Record<string, number>} wins
 * @property {Record<string, string>} numbers for the next shuffle, by person
 * @property {Record<string, string>} avatars
 * @property {Record<string, readonly string[]>} cards rule cards written so far, by person
 * @property {string} level of the bots that fill free seats
 * @property {readonly string[]} ready
 * @property {boolean} paused
 * @property {boolean} lesson whether the next match is the lesson of its game
 * @property {boolean} quick whether the first match starts by itself
 * @property {readonly (Seat | null)[]} [playedBy] who sat where when the round ended that `between` or `over` is about
 */

/** The seat that belongs to a person, also one who has left it. @param {Pick<TableData, "seats">} table @param {string | null} player */
export function seatOf({ seats }, player) {
  const seat = player === null ? -1 : seats.findIndex((place) => place?.player === player);
  return seat < 0 ? null : seat;
}

/** The seat a person plays; null for whoever has left it. @param {TableData} table @param {string | null} player */
export function playingSeat(table, player) {
  const seat = seatOf(table, player);
  return seat !== null && table.seats[seat]?.away === null ? seat : null;
}

/** @param {TableData} table @param {number} seat @param {Seat | null} place @returns {TableData} */
export const withSeat = (table, seat, place) => ({
  ...table,
  seats: table.seats.map((other, i) => (i === seat ? place : other)),
});

/** How many persons have seats. @param {Pick<TableData, "seats">} table */
export const countPersons = ({ seats }) => seats.filter((place) => place && place.player !== null).length;

/** Whether a match is being played. @param {TableData} table */
export const inMatch = ({ phase }) => phase === "playing" || phase === "between";

/** @param {TableData} table */
export function checkBetweenMatches({ phase }) {
  if (phase !== "lobby" && phase !== "over") throw new CommandError("in-match");
}

/** Whether two values are the same all through. @param {unknown} one @param {unknown} other */
export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
