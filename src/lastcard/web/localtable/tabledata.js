/** The stored form of a table without its moves: seats, settings, phase, the secret of the next match. */

import { CommandError } from "./refusals.js";

/** @import { Settings } from "../net/protocol.js" */

/** A person at the device. @typedef {{id: string, name: string}} Person */

/**
 * A taken seat: a person's, or a bot's of some level and optional style.
 * @typedef {{name: string, player: string | null, bot: string | null, style?: string}} Seat
 */

/** @typedef {"lobby" | "writing" | "playing" | "between" | "over"} Phase */

/**
 * Immutable values: the functions of `seating`, `hosting` and `dealing` return new ones, or throw `CommandError`.
 * @typedef {object} TableData
 * @property {readonly Person[]} people at the device, each with a seat; the first is the host
 * @property {Settings} settings
 * @property {readonly (Seat | null)[]} seats they change only in the lobby
 * @property {string} secret the table's secret for the next shuffle
 * @property {Phase} phase
 * @property {string | null} match
 * @property {number} played
 * @property {Record<string, number>} wins
 * @property {Record<string, string>} numbers for the next shuffle, by person
 * @property {Record<string, string>} avatars
 * @property {Record<string, readonly string[]>} cards rule cards written so far, by person
 * @property {string} level the level of the bots that fill free seats
 * @property {boolean} paused
 * @property {number} lesson the number of the lesson of its game that the next match is; 0 for none
 * @property {boolean} quick whether the first match starts automatically
 * @property {string} daily the day of the daily deal that is played here, as in `2026-11-30`; empty at any other table
 */

/** @param {Pick<TableData, "seats">} table @param {string | null} player */
export function seatOf({ seats }, player) {
  const seat = player === null ? -1 : seats.findIndex((place) => place?.player === player);
  return seat < 0 ? null : seat;
}

/** @param {TableData} table @param {number} seat @param {Seat | null} place @returns {TableData} */
export const withSeat = (table, seat, place) => ({
  ...table,
  seats: table.seats.map((other, i) => (i === seat ? place : other)),
});

/** Returns the table in its lobby, where seats and settings change. @param {TableData} table @returns {TableData} */
export function openLobby(table) {
  if (table.phase !== "lobby" && table.phase !== "over") throw new CommandError("in-match");
  return { ...table, phase: "lobby" };
}

/** Whether two values are deeply equal. @param {unknown} one @param {unknown} other */
export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
