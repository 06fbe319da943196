/** A new table, its settings, and who is at the device. As the server's. */

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

/** The settings of a lesson: as many seats as it has, no call beats a catch. @param {Settings} settings */
function forLesson(settings) {
  const lesson = LESSONS[settings.rules];
  if (!lesson) throw new CommandError("no-lesson");
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

/** Other settings, between matches. How fast bots play may change at any time. @param {Description} description @param {TableData} table @param {Settings} wanted */
export function configure(description, table, wanted) {
  const settings = checkSettings(description, wanted);
  if (same(settings, { ...table.settings, bots: settings.bots })) return { ...table, settings };
  checkBetweenMatches(table);
  return { ...resize(table, settings.seats), settings, phase: /** @type {Phase} */ ("lobby"), playedBy: [] };
}

// --- people at the device -----------------------------------------------------------------------------------

/** Somebody else is at the device, and has a seat where one can be had, maybe after the round; or waits for one. @param {TableData} table @param {Person} person @param {number | null} seat */
export function addPerson(table, person, seat) {
  const avatars = person.look ? { ...table.avatars, [person.id]: person.look } : table.avatars;
  return sit({ ...table, people: [...table.people, person], avatars }, person, seat);
}

/** Somebody has left the device; in a match a bot goes on with the hand. @param {TableData} table @param {string} player @returns {TableData} */
export function removePerson(table, player) {
  if (!table.people.some(({ id }) => id === player)) throw new CommandError("no-such-player");
  if (table.people.length === 1) throw new CommandError("kick-self");
  return { ...leave(table, player, "stood"), people: table.people.filter(({ id }) => id !== player) };
}

/** Somebody has another name; a seat keeps the old one until the match is over. @param {TableData} table @param {string} player @param {string} name */
export function renamePerson(table, player, name) {
  const people = table.people.map((person) => (person.id === player ? { ...person, name } : person));
  const renamed = { ...table, people };
  return people.reduce(rename, renamed);
}
