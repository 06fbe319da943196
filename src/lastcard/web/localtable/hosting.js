/** A new table and its settings. Mirrors `session/hosting.py`. */

import { DEFAULT_SETTINGS, LESSONS, QUICK_LEVEL } from "../bindings/constants.js";
import { LastcardError } from "../bindings/errors.js";
import { Rules } from "../bindings/rules.js";
import { checkPlayers } from "../bindings/round.js";
import { openLobby, same } from "./tabledata.js";
import { errorText } from "./errortexts.js";
import { CommandError } from "./refusals.js";
import { assignSeat, fillSeats, resize } from "./seating.js";

/** @import { Settings } from "../net/protocol.js" */
/** @import { Description } from "../bindings/kernel.js" */
/** @import { TableData } from "./tabledata.js" */

/**
 * The description of a new table.
 * @typedef {object} Setup
 * @property {Partial<Settings>} settings
 * @property {readonly {id?: string, name: string, look?: string}[]} people by seat; the first is the host
 * @property {boolean} [quick] whether bots take the other seats and the match starts automatically
 * @property {string} [level] the level of these bots
 * @property {number} [lesson] the number of the lesson of its game that this match is; 0 for none
 */

/**
 * @param {Description} description @param {Setup} setup @param {() => string} fresh a new secret
 * @returns {TableData}
 */
export function newTableData(description, { settings, people, quick = false, level = QUICK_LEVEL, lesson = 0 }, fresh) {
  const wanted = { ...DEFAULT_SETTINGS, ...settings };
  const fitting = checkSettings(description, lesson ? forLesson(wanted, lesson) : wanted);
  const persons = people.map(({ id, name, look = "" }, i) => ({ id: id ?? `person-${i + 1}`, name, look }));
  /** @type {TableData} */
  const table = {
    people: persons.map(({ id, name }) => ({ id, name })),
    settings: fitting,
    seats: Array(fitting.seats).fill(null),
    secret: fresh(),
    phase: "lobby",
    match: null,
    played: 0,
    wins: {},
    numbers: {},
    avatars: Object.fromEntries(persons.filter(({ look }) => look).map(({ id, look }) => [id, look])),
    cards: {},
    level,
    paused: false,
    lesson,
    quick: quick || lesson > 0,
  };
  const seated = table.people.reduce((before, person, seat) => assignSeat(before, seat, person), table);
  return table.quick ? fillSeats(seated, level) : seated;
}

/**
 * Returns the settings of a lesson: its number of seats, and no grace for late calls.
 * @param {Settings} settings @param {number} number
 */
function forLesson(settings, number) {
  const lesson = LESSONS[settings.rules]?.[number - 1];
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

/**
 * Returns the table with other settings, between matches. The bots' speed may change at any time.
 * @param {Description} description @param {TableData} table @param {Settings} wanted
 */
export function configure(description, table, wanted) {
  const settings = checkSettings(description, wanted);
  if (same(settings, { ...table.settings, bots: settings.bots })) return { ...table, settings };
  return { ...resize(openLobby(table), settings.seats), settings };
}
