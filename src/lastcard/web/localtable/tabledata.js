/** The stored form of a table without its moves: seats, settings, phase, the secret of the next match. */

import { CommandError } from "./refusals.js";

/** @import { Settings } from "../net/protocol.js" */

/** A person at the device. @typedef {{id: string, name: string, look?: string}} Person */

/**
 * A taken seat: a person's, or a bot's of some level and optional style. `away` is why a bot plays a person's hand: `stood` or
 * `kicked`; the heir gets the seat after the round.
 * @typedef {{name: string, player: string | null, bot: string | null, style?: string, away: string | null, nextPlayer: Person | null}}
 *   Seat
 */

/** @typedef {"lobby" | "writing" | "dealing" | "playing" | "between" | "over"} Phase */

/**
 * Immutable values: the functions below return new ones, or throw `Denied`. The names are the server's.
 * @typedef {object} TableData
 * @property {readonly Person[]} people at the device; the first is the host
 * @property {Settings} settings
 * @property {readonly (Seat | null)[]} seats
 * @property {readonly Person[]} queue the people who wait for a seat, in order
 * @property {string} secret the table's secret for the next shuffle
 * @property {Phase} phase
 * @property {string | null} match
 * @property {number} round the index of the current round, in `playing` and `between`
 * @property {number} played
 * @property {Record<string, number>} wins
 * @property {Record<string, string>} numbers for the next shuffle, by person
 * @property {Record<string, string>} avatars
 * @property {Record<string, readonly string[]>} cards rule cards written so far, by person
 * @property {string} level the level of the bots that fill free seats
 * @property {readonly string[]} ready
 * @property {boolean} paused
 * @property {boolean} lesson whether the next match is the lesson of its game
 * @property {boolean} quick whether the first match starts automatically
 * @property {readonly (Seat | null)[]} [playedBy] the seats at the end of the last round, in `between` and `over`
 */

/**
 * Returns the seat that belongs to a person, even if they have left it.
 * @param {Pick<TableData, "seats">} table @param {string | null} player
 */
export function seatOf({ seats }, player) {
  const seat = player === null ? -1 : seats.findIndex((place) => place?.player === player);
  return seat < 0 ? null : seat;
}

/** Returns the seat a person plays; null if they have left it. @param {TableData} table @param {string | null} player */
export function playingSeat(table, player) {
  const seat = seatOf(table, player);
  return seat !== null && table.seats[seat]?.away === null ? seat : null;
}

/** @param {TableData} table @param {number} seat @param {Seat | null} place @returns {TableData} */
export const withSeat = (table, seat, place) => ({
  ...table,
  seats: table.seats.map((other, i) => (i === seat ? place : other)),
});

/** Returns the number of people with seats. @param {Pick<TableData, "seats">} table */
export const countPersons = ({ seats }) => seats.filter((place) => place && place.player !== null).length;

/** Whether a match is being played. @param {TableData} table */
export const inMatch = ({ phase }) => phase === "playing" || phase === "between";

/** @param {TableData} table */
export function checkBetweenMatches({ phase }) {
  if (phase !== "lobby" && phase !== "over") throw new CommandError("in-match");
}

/** Whether two values are deeply equal. @param {unknown} one @param {unknown} other */
export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
