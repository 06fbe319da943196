/** Seats of a table: people and bots take and leave them in the lobby. Mirrors `session/seating.py`. */

import { CONFUSABLES, PERSONAS, UNSEEN } from "../bindings/constants.js";
import { openLobby, withSeat } from "./tabledata.js";
import { CommandError } from "./refusals.js";

/** @import { TableData, Person, Seat } from "./tabledata.js" */

/** Adds a person at the device: they get a free seat, else a bot's. @param {TableData} table @param {Person} person */
export function addPerson(table, person) {
  const open = openLobby(table);
  const free = open.seats.indexOf(null);
  const seat = free >= 0 ? free : open.seats.findIndex((place) => place?.bot);
  if (seat < 0) throw new CommandError("not-now");
  return assignSeat({ ...open, people: [...open.people, person] }, seat, person);
}

/**
 * Removes a person from the device and their seat; the viewer always stays.
 * @param {TableData} table @param {string} player @returns {TableData}
 */
export function removePerson(table, player) {
  const seats = table.seats.map((place) => (place?.player === player ? null : place));
  return { ...openLobby(table), seats, people: table.people.filter(({ id }) => id !== player) };
}

/** Gives a seat to a person. @param {TableData} table @param {number} seat @param {Person} person */
export function assignSeat(table, seat, { id, name }) {
  const free = withSeat(table, seat, null);
  return withSeat(free, seat, { name: freeName(free, name), player: id, bot: null });
}

/**
 * Puts a bot into a seat without a person, or removes it.
 * @param {TableData} table @param {number} seat @param {string | null} level @param {string} [style] empty for the default
 */
export function setBot(table, seat, level, style = "") {
  const place = table.seats[seat];
  if (place && place.player !== null) throw new CommandError("seat-person", { name: place.name });
  if (level === null) return withSeat(table, seat, null);
  const name = place?.bot === level ? place.name : botName(table, seat, level);
  return withSeat(table, seat, { name, player: null, bot: level, style });
}

/** Returns the table with bots in all free seats. @param {TableData} table @param {string} level */
export function fillSeats(table, level) {
  table.seats.forEach((place, seat) => {
    if (place === null) table = setBot(table, seat, level);
  });
  return table;
}

/**
 * Changes the number of seats; people move together, bots make space.
 * @param {TableData} table @param {number} count @returns {TableData}
 */
export function resize(table, count) {
  const seats = [...table.seats];
  while (seats.length < count) seats.push(null);
  const spare = [(/** @type {Seat | null} */ p) => p === null, (/** @type {Seat | null} */ p) => p?.player === null];
  for (const isSpare of spare) {
    for (let seat = seats.length - 1; seat >= 0 && seats.length > count; seat--) {
      if (isSpare(seats[seat])) seats.splice(seat, 1);
    }
  }
  if (seats.length > count) throw new CommandError("too-few-seats", { n: seats.length });
  return { ...table, seats };
}

// --- names ------------------------------------------------------------------------------------------------

/** Returns the name of the persona for a seat. @param {TableData} table @param {number} seat @param {string} level */
function botName(table, seat, level) {
  const own = PERSONAS[level].map(({ name }) => name);
  const turned = own.map((_, i) => own[(seat + i) % own.length]);
  const others = Object.values(PERSONAS).flatMap((group) => group.map(({ name }) => name));
  const names = [...turned, ...others.filter((name) => !own.includes(name))];
  const taken = table.seats.map((place) => place?.name);
  return names.find((name) => !taken.includes(name)) ?? freeName(table, names[0]);
}

/** Returns a name that no one at the table has: the second Ana is `Ana 2`. @param {TableData} table @param {string} name */
function freeName(table, name) {
  const taken = new Set(table.seats.map((place) => place && skeleton(place.name)));
  for (let n = 1; ; n++) {
    const numbered = n === 1 ? name : `${name} ${n}`;
    if (!taken.has(skeleton(numbered))) return numbered;
  }
}

/** Returns the visual skeleton of a name: names that look alike have the same one. @param {string} name */
function skeleton(name) {
  const seen = [...name.normalize("NFKC")].filter((char) => !/\s/.test(char) && !UNSEEN.includes(char));
  return seen
    .map((char) => CONFUSABLES[char] ?? char)
    .join("")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
}
