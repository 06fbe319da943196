/** A new table, its settings, and the people at the device. Mirrors the server. */

import { DEFAULT_SETTINGS, LESSONS, QUICK_LEVEL, REGULARS, STYLES } from "../bindings/constants.js";
import { LastcardError } from "../bindings/errors.js";
import { Rules } from "../bindings/rules.js";
import { checkPlayers } from "../bindings/round.js";
import { checkBetweenMatches, same } from "./tabledata.js";
import { errorText } from "./errortexts.js";
import { CommandError } from "./refusals.js";
import { assignSeat, leave, rename, resize, setBot, sit } from "./seating.js";

/** @import { Settings } from "../net/protocol.js" */
/** @import { Description } from "../bindings/kernel.js" */
/** @import { TableData, Person, Phase } from "./tabledata.js" */

/**
 * The description of a new table.
 * @typedef {object} Setup
 * @property {Partial<Settings>} settings
 * @property {readonly {id?: string, name: string, look?: string}[]} people by seat; the first is the host
 * @property {string | readonly string[]} [bots] the level for the other seats, one for all or one each; by default they stay free
 * @property {boolean} [quick] whether the match starts automatically
 * @property {boolean} [lesson] whether that match is the lesson of its game
 */

/**
 * @param {Description} description @param {Setup} setup @param {() => string} fresh a new secret
 * @returns {TableData}
 */
export function newTableData(description, { settings, people, bots, quick = false, lesson = false }, fresh) {
  if (people.length === 0) throw new CommandError("no-name");
  const wanted = { ...DEFAULT_SETTINGS, ...settings };
  const fitting = checkSettings(description, lesson ? forLesson(wanted) : wanted);
  if (people.length > fitting.seats) throw new CommandError("too-few-seats", { n: people.length });
  const persons = people.map(({ id, name, look = "" }, i) => ({ id: id ?? `person-${i + 1}`, name, look }));
  const levels = typeof bots === "string" ? Array(fitting.seats).fill(bots) : (bots ?? []);
  /** @type {TableData} */
  let table = {
    people: persons,
    settings: fitting,
    seats: Array(fitting.seats).fill(null),
    queue: [],
    secret: fresh(),
    phase: "lobby",
    match: null,
    round: 0,
    played: 0,
    wins: {},
    numbers: {},
    avatars: Object.fromEntries(persons.filter(({ look }) => look).map(({ id, look }) => [id, look])),
    cards: {},
    level: QUICK_LEVEL,
    ready: [],
    paused: false,
    lesson,
    quick: quick || lesson,
  };
  persons.forEach((person, seat) => (table = assignSeat(table, seat, person)));
  for (let seat = persons.length; seat < fitting.seats; seat++) {
    const level = levels[seat - persons.length] ?? (table.quick ? QUICK_LEVEL : undefined);
    if (level !== undefined) table = setBot(table, seat, checkLevel(level));
  }
  return table;
}

/** Returns the settings of a lesson: its number of seats, and no grace for late calls. @param {Settings} settings */
function forLesson(settings) {
  const lesson = LESSONS[settings.rules];
  if (!lesson) throw new CommandError("no-lesson");
  const seats = 1 + Object.keys(lesson.script).length;
  return { ...settings, seats, grace: 0, take_backs: false };
}

/**
 * Returns settings with the ruleset's shortest name. A local table has no clock, no spectators and no text chat.
 * @param {Description} description @param {Settings} settings
 */
export function checkSettings(description, settings) {
  try {
    const rules = Rules.parse(description, settings.rules);
    checkPlayers(description, rules, settings.seats);
    return { ...settings, rules: String(rules), pace: "untimed", spectators: false, chat: false };
  } catch (error) {
    if (error instanceof LastcardError) throw new CommandError("bad-settings", { reason: errorText(description, error) });
    throw error;
  }
}

/** @param {string} level */
export function checkLevel(level) {
  if (!Object.hasOwn(REGULARS, level)) throw new CommandError("no-such-level", { name: level });
  return level;
}

/** @param {string} level @param {string} style empty for none of its own */
export function checkStyle(level, style) {
  if (style && !STYLES[level]?.includes(style)) throw new CommandError("no-such-style", { name: style });
}

/**
 * Returns the table with other settings, between matches. The bots' speed may change at any time.
 * @param {Description} description @param {TableData} table @param {Settings} wanted
 */
export function configure(description, table, wanted) {
  const settings = checkSettings(description, wanted);
  if (same(settings, { ...table.settings, bots: settings.bots })) return { ...table, settings };
  checkBetweenMatches(table);
  return { ...resize(table, settings.seats), settings, phase: /** @type {Phase} */ ("lobby"), playedBy: [] };
}

// --- people at the device -----------------------------------------------------------------------------------

/**
 * Adds a person at the device. They get a seat if one is free, possibly after the round, or wait for one.
 * @param {TableData} table @param {Person} person @param {number | null} seat
 */
export function addPerson(table, person, seat) {
  const avatars = person.look ? { ...table.avatars, [person.id]: person.look } : table.avatars;
  return sit({ ...table, people: [...table.people, person], avatars }, person, seat);
}

/**
 * Removes a person from the device; in a match a bot takes over the hand.
 * @param {TableData} table @param {string} player @returns {TableData}
 */
export function removePerson(table, player) {
  if (!table.people.some(({ id }) => id === player)) throw new CommandError("no-such-player");
  if (table.people.length === 1) throw new CommandError("kick-self");
  return { ...leave(table, player, "stood"), people: table.people.filter(({ id }) => id !== player) };
}

/**
 * Renames a person; their seat shows the old name until the match is over.
 * @param {TableData} table @param {string} player @param {string} name
 */
export function renamePerson(table, player, name) {
  const people = table.people.map((person) => (person.id === player ? { ...person, name } : person));
  const renamed = { ...table, people };
  return people.reduce(rename, renamed);
}
