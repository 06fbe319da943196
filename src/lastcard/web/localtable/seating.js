/** Seats of a table: taking one, leaving it, the queue, and takeovers between rounds. Mirrors the server. */

import { LOOKALIKES, REGULARS, UNSEEN } from "../bindings/constants.js";
import { inMatch, seatOf, withSeat } from "./tabledata.js";
import { CommandError } from "./refusals.js";

/** @import { TableData, Person, Seat } from "./tabledata.js" */

/**
 * Seats a person now or after the round, or adds them to the queue.
 * @param {TableData} table @param {Person} person @param {number | null} seat the seat; null for any
 */
export function sit(table, person, seat) {
  const own = seatOf(table, person.id);
  if (own !== null && (seat === null || seat === own)) return returnToSeat(table, person.id);
  if (own !== null && inMatch(table)) throw new CommandError("seated");
  if (seat === null) return sitAnywhere(table, person);
  if (seat >= table.seats.length) throw new CommandError("no-such-seat");
  const place = table.seats[seat];
  const playing = table.phase === "playing";
  if (place && place.player !== null && !isForfeit(table, place))
    throw new CommandError("seat-person", { name: place.name });
  if (place && playing) {
    if (place.nextPlayer && place.nextPlayer.id !== person.id) throw new CommandError("seat-taken", { name: place.nextPlayer.name });
    return withSeat(forget(table, person.id), seat, { ...place, nextPlayer: person });
  }
  return assignSeat(own === null ? table : withSeat(table, own, null), seat, person);
}

/** @param {TableData} table @param {Person} person @returns {TableData} */
function sitAnywhere(table, person) {
  const seat = bestSeat(table);
  if (seat === null) {
    if (table.queue.some(({ id, name }) => id === person.id && name === person.name)) return table;
    return { ...table, queue: [...table.queue.filter(({ id }) => id !== person.id), person] };
  }
  const place = table.seats[seat];
  if (!place || table.phase !== "playing") return assignSeat(table, seat, person);
  return withSeat(forget(table, person.id), seat, { ...place, nextPlayer: person });
}

/**
 * Returns a free seat, else a bot's, else (between rounds) one whose owner was removed; none that has an heir already. The seat
 * of a person who has left remains theirs during the match.
 * @param {TableData} table
 */
function bestSeat(table) {
  const kinds = [
    (/** @type {Seat | null} */ place) => place === null,
    (/** @type {Seat | null} */ place) => place !== null && place.bot !== null && !place.nextPlayer,
    (/** @type {Seat | null} */ place) => place !== null && isForfeit(table, place) && !place.nextPlayer,
  ];
  const found = kinds.map((fits) => table.seats.findIndex(fits)).find((seat) => seat >= 0);
  return found ?? null;
}

/**
 * Whether a person has lost the right to a seat: after the match, or if they were removed.
 * @param {TableData} table @param {Seat} place
 */
function isForfeit(table, { away }) {
  if (away === null || table.phase === "playing") return false;
  return away === "kicked" || !inMatch(table);
}

/** Gives a seat to a person, who leaves the queue. @param {TableData} table @param {number} seat @param {Person} person */
export function assignSeat(table, seat, person) {
  const free = forget(withSeat(table, seat, null), person.id);
  return withSeat(free, seat, { name: freeName(free, person.name), player: person.id, bot: null, away: null, nextPlayer: null });
}

/** Returns its owner to a seat (a kicked one only after the round). @param {TableData} table @param {string} player */
export function returnToSeat(table, player) {
  const seat = seatOf(table, player);
  const place = seat === null ? null : table.seats[seat];
  if (seat === null || !place || place.away === null) return table;
  if (place.away === "kicked" && table.phase === "playing") throw new CommandError("after-round");
  return withSeat(table, seat, { ...place, away: null, nextPlayer: null });
}

/**
 * Removes a person from the seat and the queue; in a match a bot takes over the hand.
 * @param {TableData} table @param {string} player @param {"stood" | "kicked"} why
 */
export function leave(table, player, why) {
  const seat = seatOf(table, player);
  const place = seat === null ? null : table.seats[seat];
  table = forget(table, player);
  if (seat === null || !place) return table;
  if (!inMatch(table)) return withSeat(table, seat, null);
  return withSeat(table, seat, { ...place, away: place.away === "kicked" ? "kicked" : why });
}

/**
 * Returns the table without a person in the queue or as an heir.
 * @param {TableData} table @param {string} player @returns {TableData}
 */
const forget = (table, player) => ({
  ...table,
  seats: table.seats.map((place) => (place?.nextPlayer?.id === player ? { ...place, nextPlayer: null } : place)),
  queue: table.queue.filter(({ id }) => id !== player),
});

/**
 * Puts a bot into a seat without a person, or removes it.
 * @param {TableData} table @param {number} seat @param {string | null} level @param {string} [style] empty for the default
 */
export function setBot(table, seat, level, style = "") {
  if (seat >= table.seats.length) throw new CommandError("no-such-seat");
  const place = table.seats[seat];
  if (place && place.player !== null) throw new CommandError("seat-person", { name: place.name });
  if (level === null) return withSeat(table, seat, null);
  const name = place?.bot === level ? place.name : botName(table, seat, level);
  return withSeat(table, seat, { ...botSeat(name, level), style });
}

/** @param {string} name @param {string} bot its level @param {Person | null} [nextPlayer] @returns {Seat} */
const botSeat = (name, bot, nextPlayer = null) => ({ name, player: null, bot, away: null, nextPlayer });

/**
 * Fills the table for a match: people in the queue get seats, bots get the other free ones.
 * @param {TableData} table @param {string} level
 */
export function fill(table, level) {
  table = seatWaiting(releaseSeats(table, level));
  table.seats.forEach((place, seat) => {
    if (place === null) table = setBot(table, seat, level);
  });
  return table;
}

/**
 * Returns the table after a match: people who have left a seat no longer own it.
 * @param {TableData} table @param {string} level
 */
export function releaseSeats(table, level) {
  table.seats.forEach((place, seat) => {
    if (place && place.away !== null)
      table = withSeat(table, seat, botSeat(botName(table, seat, level), level, place.nextPlayer));
  });
  return table;
}

/** Between rounds, gives heirs their seats, then people in the queue. @param {TableData} table */
export function seatWaiting(table) {
  table.seats.forEach((place, seat) => {
    if (place?.nextPlayer) table = assignSeat(table, seat, place.nextPlayer);
  });
  for (const person of table.queue) {
    const best = bestSeat(table);
    if (best !== null) table = assignSeat(table, best, person);
  }
  return table;
}

/**
 * Returns the table with the next round: people who were removed from a seat that is still theirs may return.
 * @param {TableData} table @returns {TableData}
 */
export const readmitKicked = (table) => ({
  ...table,
  seats: table.seats.map((place) => (place?.away === "kicked" ? { ...place, away: "stood" } : place)),
});

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
  const own = REGULARS[level].map(({ name }) => name);
  const turned = own.map((_, i) => own[(seat + i) % own.length]);
  const others = Object.values(REGULARS).flatMap((group) => group.map(({ name }) => name));
  const names = [...turned, ...others.filter((name) => !own.includes(name))];
  const taken = table.seats.map((place) => place?.name);
  return names.find((name) => !taken.includes(name)) ?? freeName(table, names[0]);
}

/** Returns a name that no one at the table has: the second Ana is `Ana 2`. @param {TableData} table @param {string} name */
function freeName(table, name) {
  return free(name, seated(table));
}

/**
 * Returns the names of people without a seat, by id: the queue in order, then spectators. All names look different.
 * @param {TableData} table @returns {Map<string, string>}
 */
export function nameGuests(table) {
  const waits = new Set(table.queue.map(({ id }) => id));
  const watch = table.people.filter(({ id }) => !waits.has(id) && seatOf(table, id) === null);
  const taken = seated(table);
  const names = new Map();
  for (const { id, name } of [...table.queue, ...watch.sort((a, b) => (a.id < b.id ? -1 : 1))]) {
    names.set(id, free(name, taken));
    taken.add(skeleton(names.get(id)));
  }
  return names;
}

/**
 * Returns a person's name at the table: seated people as in the record, others as in `nameGuests`.
 * @param {TableData} table @param {Person} person
 */
export function shownName(table, { id, name }) {
  const seat = seatOf(table, id);
  return (seat === null ? null : table.seats[seat])?.name ?? nameGuests(table).get(id) ?? name;
}

/** Returns the skeletons of seated people's names. @param {TableData} table @returns {Set<string>} */
function seated(table) {
  return new Set(table.seats.flatMap((place) => (place ? [skeleton(place.name)] : [])));
}

/** Returns a name, with a number if it looks like a taken one. @param {string} name @param {Set<string>} taken */
function free(name, taken) {
  for (let n = 1; ; n++) {
    const numbered = n === 1 ? name : `${name} ${n}`;
    if (!taken.has(skeleton(numbered))) return numbered;
  }
}

/** Renames a person's seat, unless a match is running. @param {TableData} table @param {Person} person @returns {TableData} */
export function rename(table, person) {
  /** @template {Person | null} T @param {T} other */
  const named = (other) => (other?.id === person.id ? person : other);
  table = {
    ...table,
    queue: table.queue.map(named),
    seats: table.seats.map((place) => place && { ...place, heir: named(place.nextPlayer) }),
  };
  const seat = seatOf(table, person.id);
  const place = seat === null ? null : table.seats[seat];
  if (seat === null || !place || inMatch(table) || place.name.replace(/(?<=.) \d+$/, "") === person.name) return table;
  return withSeat(table, seat, { ...place, name: freeName(withSeat(table, seat, null), person.name) });
}

/** Returns the visual skeleton of a name: names that look alike have the same one. @param {string} name */
function skeleton(name) {
  const seen = [...name.normalize("NFKC")].filter((char) => !/\s/.test(char) && !UNSEEN.includes(char));
  return seen
    .map((char) => LOOKALIKES[char] ?? char)
    .join("")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
}
