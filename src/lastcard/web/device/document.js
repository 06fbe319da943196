/** A table as it is kept, all but the moves: who sits where, settings, phase, the secret of the next match. */

import { LastcardError } from "../local/errors.js";
import { Rules } from "../local/rules.js";
import { checkPlayers } from "../local/round.js";
import { defaultRuleCards, parseRuleCard } from "../local/rulecards.js";
import { FACTS } from "./facts.js";
import { Denied } from "./refusals.js";

/** @import { Settings } from "../line/protocol.js" */
/** @import { Description } from "../local/kernel.js" */

/** Somebody at the device. @typedef {{id: string, name: string, look?: string}} Person */

/**
 * A taken seat: a person's, or a bot's of some level. `away` is why a bot plays a person's hand: `stood` or `kicked`.
 * @typedef {{name: string, player: string | null, bot: string | null, away: string | null}} Place
 */

/** @typedef {"lobby" | "writing" | "dealing" | "playing" | "between" | "over"} Phase */

/**
 * Values that never change: the functions below make new ones, or throw `Denied`. By the names of the server's.
 * @typedef {object} Document
 * @property {readonly Person[]} people at the device; the first is the host
 * @property {Settings} settings
 * @property {readonly (Place | null)[]} seats
 * @property {string} secret what the next match will be shuffled with
 * @property {Phase} phase
 * @property {string | null} match
 * @property {number} round that `playing` or `between` is about
 * @property {number} played
 * @property {Record<string, number>} wins
 * @property {Record<string, string>} numbers for the next shuffle, by person
 * @property {Record<string, string>} looks
 * @property {Record<string, readonly string[]>} cards rule cards written so far, by person
 * @property {string} level of the bots that fill free seats
 * @property {readonly string[]} ready
 * @property {boolean} paused
 * @property {boolean} lesson whether the next match is the lesson of its game
 * @property {boolean} quick whether the first match starts by itself
 */

/**
 * A table that is to be made.
 * @typedef {object} Setup
 * @property {Partial<Settings>} settings
 * @property {readonly {id?: string, name: string, look?: string}[]} people by seat; the first is the host
 * @property {string | readonly string[]} [bots] their level for the other seats, one or one each; none: those are free
 * @property {boolean} [quick] whether the match starts by itself
 * @property {boolean} [lesson] whether that match is the lesson of its game
 */

/**
 * @param {Description} description @param {Setup} setup @param {() => string} fresh a new secret
 * @returns {Document}
 */
export function newDocument(description, { settings, people, bots, quick = false, lesson = false }, fresh) {
  if (people.length === 0) throw new Denied("no-name");
  const wanted = { ...FACTS.settings, ...settings };
  const fitting = checkSettings(description, lesson ? forLesson(wanted) : wanted);
  if (people.length > fitting.seats) throw new Denied("too-few-seats", { n: people.length });
  const persons = people.map(({ id, name, look = "" }, i) => ({ id: id ?? `person-${i + 1}`, name, look }));
  const levels = typeof bots === "string" ? Array(fitting.seats).fill(bots) : (bots ?? []);
  /** @type {Document} */
  let table = {
    people: persons,
    settings: fitting,
    seats: Array(fitting.seats).fill(null),
    secret: fresh(),
    phase: "lobby",
    match: null,
    round: 0,
    played: 0,
    wins: {},
    numbers: {},
    looks: Object.fromEntries(persons.filter(({ look }) => look).map(({ id, look }) => [id, look])),
    cards: {},
    level: FACTS.levels.quick,
    ready: [],
    paused: false,
    lesson,
    quick: quick || lesson,
  };
  persons.forEach((person, seat) => (table = give(table, seat, person)));
  for (let seat = persons.length; seat < fitting.seats; seat++) {
    const level = levels[seat - persons.length] ?? (table.quick ? FACTS.levels.quick : undefined);
    if (level !== undefined) table = setBot(table, seat, checkLevel(level));
  }
  return table;
}

/** The settings of a lesson: as many seats as it has, no call beats a catch. @param {Settings} settings */
function forLesson(settings) {
  const lesson = FACTS.lessons[settings.rules];
  if (!lesson) throw new Denied("no-lesson");
  const seats = 1 + Object.keys(lesson.script).length;
  return { ...settings, seats, grace: 0, take_backs: false };
}

/**
 * Settings with the ruleset by its shortest name. At a device nobody is hurried, nobody watches and nobody types.
 * @param {Description} description @param {Settings} settings
 */
export function checkSettings(description, settings) {
  try {
    const rules = Rules.parse(description, settings.rules);
    checkPlayers(description, rules, settings.seats);
    return { ...settings, rules: String(rules), pace: "untimed", spectators: false, chat: false };
  } catch (error) {
    if (error instanceof LastcardError) throw new Denied("bad-settings", { reason: error.message });
    throw error;
  }
}

/** @param {string} level */
export function checkLevel(level) {
  if (!Object.hasOwn(FACTS.regulars, level)) throw new Denied("no-such-level", { name: level });
  return level;
}

// --- who sits where ---------------------------------------------------------------------------------------

/** The seat that belongs to a person, also one who has left it. @param {Document} table @param {string | null} player */
export function seatOf({ seats }, player) {
  const seat = player === null ? -1 : seats.findIndex((place) => place?.player === player);
  return seat < 0 ? null : seat;
}

/** The seat a person plays; null for whoever has left it. @param {Document} table @param {string | null} player */
export function playingSeat(table, player) {
  const seat = seatOf(table, player);
  return seat !== null && table.seats[seat]?.away === null ? seat : null;
}

/** @param {Document} table @param {number} seat @param {Place | null} place @returns {Document} */
const withSeat = (table, seat, place) => ({
  ...table,
  seats: table.seats.map((other, i) => (i === seat ? place : other)),
});

/** How many persons have seats. @param {Document} table */
export const countPersons = ({ seats }) => seats.filter((place) => place && place.player !== null).length;

/** Whether a match is being played. @param {Document} table */
export const inMatch = ({ phase }) => phase === "playing" || phase === "between";

/** @param {Document} table */
export function checkBetweenMatches({ phase }) {
  if (phase !== "lobby" && phase !== "over") throw new Denied("in-match");
}

/** Seats a person, between matches, or gives the own seat back. @param {Document} table @param {Person} person @param {number | null} seat null for anywhere */
export function sit(table, person, seat) {
  const own = seatOf(table, person.id);
  if (own !== null && (seat === null || seat === own)) return comeBack(table, person.id);
  checkBetweenMatches(table);
  const wanted = seat ?? bestSeat(table);
  if (wanted === null) return table;
  if (wanted >= table.seats.length) throw new Denied("no-such-seat");
  const place = table.seats[wanted];
  if (place && place.player !== null) throw new Denied("seat-person", { name: place.name });
  return give(own === null ? table : withSeat(table, own, null), wanted, person);
}

/** A free seat, else a bot's. @param {Document} table */
function bestSeat({ seats }) {
  const free = seats.findIndex((place) => place === null);
  const found = free >= 0 ? free : seats.findIndex((place) => place?.player === null);
  return found < 0 ? null : found;
}

/** @param {Document} table @param {number} seat @param {Person} person */
function give(table, seat, person) {
  const free = withSeat(table, seat, null);
  return withSeat(free, seat, { name: freeName(free, person.name), player: person.id, bot: null, away: null });
}

/** Lets the owner of a seat have it back (a kicked one only after the round). @param {Document} table @param {string} player */
export function comeBack(table, player) {
  const seat = seatOf(table, player);
  const place = seat === null ? null : table.seats[seat];
  if (seat === null || !place || place.away === null) return table;
  if (place.away === "kicked" && table.phase === "playing") throw new Denied("after-round");
  return withSeat(table, seat, { ...place, away: null });
}

/** Takes a person from the seat; in a match a bot goes on with the hand. @param {Document} table @param {string} player @param {"stood" | "kicked"} why */
export function leave(table, player, why) {
  const seat = seatOf(table, player);
  const place = seat === null ? null : table.seats[seat];
  if (seat === null || !place) return table;
  if (!inMatch(table)) return withSeat(table, seat, null);
  return withSeat(table, seat, { ...place, away: place.away === "kicked" ? "kicked" : why });
}

/** Puts a bot in a seat where no person sits, or sends it away. @param {Document} table @param {number} seat @param {string | null} level */
export function setBot(table, seat, level) {
  if (seat >= table.seats.length) throw new Denied("no-such-seat");
  const place = table.seats[seat];
  if (place && place.player !== null) throw new Denied("seat-person", { name: place.name });
  if (level === null) return withSeat(table, seat, null);
  const name = place?.bot === level ? place.name : botName(table, seat, level);
  return withSeat(table, seat, { name, player: null, bot: level, away: null });
}

/** Which of the regulars comes to a seat. @param {Document} table @param {number} seat @param {string} level */
function botName(table, seat, level) {
  const own = FACTS.regulars[level].map(({ name }) => name);
  const turned = own.map((_, i) => own[(seat + i) % own.length]);
  const others = Object.values(FACTS.regulars).flatMap((group) => group.map(({ name }) => name));
  const names = [...turned, ...others.filter((name) => !own.includes(name))];
  const taken = table.seats.map((place) => place?.name);
  return names.find((name) => !taken.includes(name)) ?? freeName(table, names[0]);
}

/** A name that nobody has yet: the second Ana is `Ana 2`. @param {Document} table @param {string} name */
function freeName(table, name) {
  const same = (/** @type {string} */ text) => text.normalize("NFKC").replace(/\s/g, "").toLowerCase();
  const taken = table.seats.map((place) => place && same(place.name));
  for (let n = 1; ; n++) {
    const numbered = n === 1 ? name : `${name} ${n}`;
    if (!taken.includes(same(numbered))) return numbered;
  }
}

/** Another number of seats; persons move together, bots make room. @param {Document} table @param {number} count @returns {Document} */
function resize(table, count) {
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

/** Other settings, between matches. How fast bots play may change at any time. @param {Description} description @param {Document} table @param {Settings} wanted */
export function configure(description, table, wanted) {
  const settings = checkSettings(description, wanted);
  if (same(settings, { ...table.settings, bots: settings.bots })) return { ...table, settings };
  checkBetweenMatches(table);
  return { ...resize(table, settings.seats), settings, phase: /** @type {Phase} */ ("lobby") };
}

/** Whether two values are the same all through. @param {unknown} one @param {unknown} other */
export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// --- people at the device -----------------------------------------------------------------------------------

/** Somebody else is at the device, and has a seat where one can be had. @param {Document} table @param {Person} person @param {number | null} seat */
export function addPerson(table, person, seat) {
  checkBetweenMatches(table);
  const looks = person.look ? { ...table.looks, [person.id]: person.look } : table.looks;
  return sit({ ...table, people: [...table.people, person], looks }, person, seat);
}

/** Somebody has left the device; in a match a bot goes on with the hand. @param {Document} table @param {string} player */
export function removePerson(table, player) {
  if (!table.people.some(({ id }) => id === player)) throw new Denied("no-such-player");
  if (table.people.length === 1) throw new Denied("kick-self");
  return { ...leave(table, player, "stood"), people: table.people.filter(({ id }) => id !== player) };
}

/** Somebody has another name; a seat keeps the old one until the match is over. @param {Document} table @param {string} player @param {string} name */
export function renamePerson(table, player, name) {
  const people = table.people.map((person) => (person.id === player ? { ...person, name } : person));
  return withNames({ ...table, people });
}

/** The table with the names of today in its seats, unless a match is on. @param {Document} table */
function withNames(table) {
  if (inMatch(table)) return table;
  for (const [seat, place] of table.seats.entries()) {
    const person = table.people.find(({ id }) => id === place?.player);
    if (place && person && place.name.replace(/ \d+$/, "") !== person.name) table = give(table, seat, person);
  }
  return table;
}

// --- from table to match and back ---------------------------------------------------------------------------

/** How many rule cards each person writes before a match; 0 where none are written. @param {Description} description @param {Document} table */
export function writes(description, { settings, seats }) {
  const { options } = Rules.parse(description, settings.rules);
  return options.wj_rules === "written" ? Math.floor(description.rule_cards.most / seats.length) : 0;
}

/** A match is to start: every seat is taken; with written rule cards they are written first. @param {Description} description @param {Document} table @param {string} level @returns {Document} */
export function begin(description, table, level) {
  const filled = { ...fill(table, level), level, quick: false, ready: [], cards: {} };
  return { ...filled, phase: writes(description, filled) ? "writing" : "dealing" };
}

/** Whoever has left a seat owns it no longer; free ones get bots. @param {Document} table @param {string} level */
export function fill(table, level) {
  table = release(table, level);
  table.seats.forEach((place, seat) => {
    if (place === null) table = setBot(table, seat, level);
  });
  return table;
}

/** @param {Document} table @param {string} level */
function release(table, level) {
  for (const [seat, place] of table.seats.entries()) {
    if (place && place.away !== null)
      table = withSeat(table, seat, { name: botName(table, seat, level), player: null, bot: level, away: null });
  }
  return table;
}

/** The rule cards of one person. @param {Description} description @param {Document} table @param {string} player @param {readonly string[]} lines @returns {Document} */
export function writeCards(description, table, player, lines) {
  if (table.phase !== "writing") throw new Denied("not-now");
  if (playingSeat(table, player) === null) throw new Denied("not-seated");
  const most = writes(description, table);
  if (lines.length > most) throw new Denied("too-many-cards", { n: most });
  try {
    const cards = lines.map((line) => parseRuleCard(description, line).text);
    return { ...table, cards: { ...table.cards, [player]: cards } };
  } catch (error) {
    if (error instanceof LastcardError) throw new Denied("bad-card", { reason: error.message });
    throw error;
  }
}

/** Whether everybody who plays has written. @param {Document} table */
export const allWritten = (table) =>
  table.people.every(({ id }) => playingSeat(table, id) === null || Object.hasOwn(table.cards, id));

/** Somebody wants the next round, or after a match another one. @param {Document} table @param {string} player @returns {Document} */
export function beReady(table, player) {
  if (playingSeat(table, player) === null) throw new Denied("not-seated");
  if (table.phase !== "between" && table.phase !== "over") throw new Denied("not-now");
  return table.ready.includes(player) ? table : { ...table, ready: [...table.ready, player] };
}

/**
 * What of a match there is before its first move, the seats all taken. The written rule cards come seat by seat, missing
 * ones filled with built-in ones (WJ-4).
 * @param {Description} description @param {Document} table @param {string} id @param {number} now milliseconds since 1970
 * @returns {import("./log.js").KeptMatch}
 */
export function newMatch(description, table, id, now) {
  const places = /** @type {Place[]} */ (table.seats);
  const each = writes(description, table);
  const written = places.flatMap(({ player }) => table.cards[player ?? ""] ?? []);
  const builtIn = defaultRuleCards(description, "default").map(({ text }) => text);
  const spare = builtIn.filter((text) => !written.includes(text));
  const lesson = table.lesson ? FACTS.lessons[table.settings.rules] : undefined;
  return {
    id,
    rules: table.settings.rules,
    names: places.map(({ name }) => name),
    players: places.map(({ player }) => player),
    bots: places.map(({ bot }) => bot),
    host: seatOf(table, table.people[0].id) ?? 0,
    secret: table.secret,
    numbers: places.map(({ player }) => table.numbers[player ?? ""] ?? ""),
    position: lesson?.position ?? null,
    ruleCards: each ? [...written, ...spare].slice(0, each * places.length) : null,
    started: now,
    finished: null,
    moves: [],
  };
}

/** The table after a change, with a new secret where somebody has left the seat a number was given in. @param {Document} before @param {Document} after @param {() => string} fresh @returns {Document} */
export function reseal(before, after, fresh) {
  const moved = Object.keys(before.numbers).some((player) => seatOf(before, player) !== seatOf(after, player));
  return moved && after.secret === before.secret ? { ...after, secret: fresh(), numbers: {} } : after;
}

/** Its first round is dealt: secret and numbers are new for the next match. @param {Document} table @param {string} match @param {() => string} fresh @returns {Document} */
export const dealt = (table, match, fresh) => ({
  ...table,
  phase: "playing",
  match,
  round: 0,
  secret: fresh(),
  lesson: false,
  numbers: {},
  cards: {},
  ready: [],
});

/** A round is over and the match goes on. @param {Document} table @param {number} number @returns {Document} */
export const endRound = (table, number) => ({
  ...table,
  phase: "between",
  seats: table.seats.map((place) => place && (place.away === "kicked" ? { ...place, away: "stood" } : place)),
  round: number,
  ready: [],
});

/** The next round has been dealt. @param {Document} table @param {number} number @returns {Document} */
export const nextRound = (table, number) => ({ ...table, phase: "playing", round: number, ready: [] });

/** The match is won: wins are counted, unless it was a lesson. @param {Document} table @param {readonly number[]} winners @param {boolean} lesson @returns {Document} */
export function endMatch(table, winners, lesson) {
  const wins = { ...table.wins };
  for (const seat of lesson ? [] : winners) {
    const player = table.seats[seat]?.player;
    if (player) wins[player] = (wins[player] ?? 0) + 1;
  }
  const played = table.played + (lesson ? 0 : 1);
  return release(withNames({ ...table, phase: "over", played, wins, ready: [], paused: false }), table.level);
}
