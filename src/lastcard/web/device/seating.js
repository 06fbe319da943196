/** Who sits where: taking a seat, leaving it, waiting for one, and who takes whose place between rounds. As the server's. */

import { LOOKALIKES, REGULARS, UNSEEN } from "../local/constants.js";
import { inMatch, seatOf, withSeat } from "./document.js";
import { Denied } from "./refusals.js";

/** @import { Document, Person, Place } from "./document.js" */

/**
 * Seats a person, now or after the round, or lets them wait in the queue.
 * @param {Document} table @param {Person} person @param {number | null} seat null for anywhere
 */
export function sit(table, person, seat) {
  const own = seatOf(table, person.id);
  if (own !== null && (seat === null || seat === own)) return comeBack(table, person.id);
  if (own !== null && inMatch(table)) throw new Denied("seated");
  if (seat === null) return sitAnywhere(table, person);
  if (seat >= table.seats.length) throw new Denied("no-such-seat");
  const place = table.seats[seat];
  const playing = table.phase === "playing";
  if (place && place.player !== null && !isForfeit(table, place))
    throw new Denied("seat-person", { name: place.name });
  if (place && playing) {
    if (place.heir && place.heir.id !== person.id) throw new Denied("seat-taken", { name: place.heir.name });
    return withSeat(forget(table, person.id), seat, { ...place, heir: person });
  }
  return give(own === null ? table : withSeat(table, own, null), seat, person);
}

/** @param {Document} table @param {Person} person @returns {Document} */
function sitAnywhere(table, person) {
  const seat = bestSeat(table);
  if (seat === null) {
    if (table.queue.some(({ id, name }) => id === person.id && name === person.name)) return table;
    return { ...table, queue: [...table.queue.filter(({ id }) => id !== person.id), person] };
  }
  const place = table.seats[seat];
  if (!place || table.phase !== "playing") return give(table, seat, person);
  return withSeat(forget(table, person.id), seat, { ...place, heir: person });
}

/**
 * A free seat, else a bot's, else (between rounds) one whose owner was sent away; none that has an heir already. The seat of
 * somebody who has left stays theirs while the match lasts.
 * @param {Document} table
 */
function bestSeat(table) {
  const kinds = [
    (/** @type {Place | null} */ place) => place === null,
    (/** @type {Place | null} */ place) => place !== null && place.bot !== null && !place.heir,
    (/** @type {Place | null} */ place) => place !== null && isForfeit(table, place) && !place.heir,
  ];
  const found = kinds.map((fits) => table.seats.findIndex(fits)).find((seat) => seat >= 0);
  return found ?? null;
}

/** Whether a person has a seat no longer for themselves: after the match, or where they were sent away. @param {Document} table @param {Place} place */
function isForfeit(table, { away }) {
  if (away === null || table.phase === "playing") return false;
  return away === "kicked" || !inMatch(table);
}

/** The seat belongs to a person from now on, who waits nowhere any more. @param {Document} table @param {number} seat @param {Person} person */
export function give(table, seat, person) {
  const free = forget(withSeat(table, seat, null), person.id);
  return withSeat(free, seat, { name: freeName(free, person.name), player: person.id, bot: null, away: null, heir: null });
}

/** Lets the owner of a seat have it back (a kicked one only after the round). @param {Document} table @param {string} player */
export function comeBack(table, player) {
  const seat = seatOf(table, player);
  const place = seat === null ? null : table.seats[seat];
  if (seat === null || !place || place.away === null) return table;
  if (place.away === "kicked" && table.phase === "playing") throw new Denied("after-round");
  return withSeat(table, seat, { ...place, away: null, heir: null });
}

/** Takes a person from the seat, and from the queue; in a match a bot goes on with the hand. @param {Document} table @param {string} player @param {"stood" | "kicked"} why */
export function leave(table, player, why) {
  const seat = seatOf(table, player);
  const place = seat === null ? null : table.seats[seat];
  table = forget(table, player);
  if (seat === null || !place) return table;
  if (!inMatch(table)) return withSeat(table, seat, null);
  return withSeat(table, seat, { ...place, away: place.away === "kicked" ? "kicked" : why });
}

/** The table without a person among those who wait, or will inherit a seat. @param {Document} table @param {string} player @returns {Document} */
const forget = (table, player) => ({
  ...table,
  seats: table.seats.map((place) => (place?.heir?.id === player ? { ...place, heir: null } : place)),
  queue: table.queue.filter(({ id }) => id !== player),
});

/**
 * Puts a bot in a seat where no person sits, or sends it away.
 * @param {Document} table @param {number} seat @param {string | null} level @param {string} [style] empty for none of its own
 */
export function setBot(table, seat, level, style = "") {
  if (seat >= table.seats.length) throw new Denied("no-such-seat");
  const place = table.seats[seat];
  if (place && place.player !== null) throw new Denied("seat-person", { name: place.name });
  if (level === null) return withSeat(table, seat, null);
  const name = place?.bot === level ? place.name : botName(table, seat, level);
  return withSeat(table, seat, { ...botPlace(name, level), style });
}

/** @param {string} name @param {string} bot its level @param {Person | null} [heir] @returns {Place} */
const botPlace = (name, bot, heir = null) => ({ name, player: null, bot, away: null, heir });

/** Ready for a match: who waits gets a seat, the rest of the free ones get bots. @param {Document} table @param {string} level */
export function fill(table, level) {
  table = seatWaiting(release(table, level));
  table.seats.forEach((place, seat) => {
    if (place === null) table = setBot(table, seat, level);
  });
  return table;
}

/** The table after a match: whoever has left a seat owns it no longer. @param {Document} table @param {string} level */
export function release(table, level) {
  table.seats.forEach((place, seat) => {
    if (place && place.away !== null)
      table = withSeat(table, seat, botPlace(botName(table, seat, level), level, place.heir));
  });
  return table;
}

/** Between rounds: heirs get their seats, then those in the queue. @param {Document} table */
export function seatWaiting(table) {
  table.seats.forEach((place, seat) => {
    if (place?.heir) table = give(table, seat, place.heir);
  });
  for (const person of table.queue) {
    const best = bestSeat(table);
    if (best !== null) table = give(table, best, person);
  }
  return table;
}

/** The table with the next round: whoever was sent from a seat that is still theirs may come back. @param {Document} table @returns {Document} */
export const pardon = (table) => ({
  ...table,
  seats: table.seats.map((place) => (place?.away === "kicked" ? { ...place, away: "stood" } : place)),
});

/** Another number of seats; persons move together, bots make room. @param {Document} table @param {number} count @returns {Document} */
export function resize(table, count) {
  const seats = [...table.seats];
  while (seats.length < count) seats.push(null);
  const spare = [(/** @type {Place | null} */ p) => p === null, (/** @type {Place | null} */ p) => p?.player === null];
  for (const isSpare of spare) {
    for (let seat = seats.length - 1; seat >= 0 && seats.length > count; seat--) {
      if (isSpare(seats[seat])) seats.splice(seat, 1);
    }
  }
  if (seats.length > count) throw new Denied("too-few-seats", { n: seats.length });
  return { ...table, seats };
}

// --- names ------------------------------------------------------------------------------------------------

/** Which of the regulars comes to a seat. @param {Document} table @param {number} seat @param {string} level */
function botName(table, seat, level) {
  const own = REGULARS[level].map(({ name }) => name);
  const turned = own.map((_, i) => own[(seat + i) % own.length]);
  const others = Object.values(REGULARS).flatMap((group) => group.map(({ name }) => name));
  const names = [...turned, ...others.filter((name) => !own.includes(name))];
  const taken = table.seats.map((place) => place?.name);
  return names.find((name) => !taken.includes(name)) ?? freeName(table, names[0]);
}

/** A name that nobody takes for that of somebody else at the table: the second Ana is `Ana 2`. @param {Document} table @param {string} name */
function freeName(table, name) {
  return free(name, seated(table));
}

/**
 * What those without a seat are called, by id: those who wait in their order, then those who watch. No name looks like another.
 * @param {Document} table @returns {Map<string, string>}
 */
export function nameGuests(table) {
  const waits = new Set(table.queue.map(({ id }) => id));
  const watch = table.people.filter(({ id }) => !waits.has(id) && seatOf(table, id) === null);
  const taken = seated(table);
  const names = new Map();
  for (const { id, name } of [...table.queue, ...watch.sort((a, b) => (a.id < b.id ? -1 : 1))]) {
    names.set(id, free(name, taken));
    taken.add(looks(names.get(id)));
  }
  return names;
}

/** What somebody is called at the table: those who sit as in the record, others as `nameGuests` says. @param {Document} table @param {Person} person */
export function shownName(table, { id, name }) {
  const seat = seatOf(table, id);
  return (seat === null ? null : table.seats[seat])?.name ?? nameGuests(table).get(id) ?? name;
}

/** What the names of those who sit look like. @param {Document} table @returns {Set<string>} */
function seated(table) {
  return new Set(table.seats.flatMap((place) => (place ? [looks(place.name)] : [])));
}

/** A name, with a number where it looks like one that is taken. @param {string} name @param {Set<string>} taken */
function free(name, taken) {
  for (let n = 1; ; n++) {
    const numbered = n === 1 ? name : `${name} ${n}`;
    if (!taken.has(looks(numbered))) return numbered;
  }
}

/** The seat of a person has the name of today, unless a match is on. @param {Document} table @param {Person} person @returns {Document} */
export function rename(table, person) {
  /** @template {Person | null} T @param {T} other */
  const named = (other) => (other?.id === person.id ? person : other);
  table = {
    ...table,
    queue: table.queue.map(named),
    seats: table.seats.map((place) => place && { ...place, heir: named(place.heir) }),
  };
  const seat = seatOf(table, person.id);
  const place = seat === null ? null : table.seats[seat];
  if (seat === null || !place || inMatch(table) || place.name.replace(/(?<=.) \d+$/, "") === person.name) return table;
  return withSeat(table, seat, { ...place, name: freeName(withSeat(table, seat, null), person.name) });
}

/** What the eye takes a name for: names that look alike give the same. @param {string} name */
function looks(name) {
  const seen = [...name.normalize("NFKC")].filter((char) => !/\s/.test(char) && !UNSEEN.includes(char));
  return seen
    .map((char) => LOOKALIKES[char] ?? char)
    .join("")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
}
