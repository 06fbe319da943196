/** A new table and its settings. Mirrors `session/hosting.py`. */

import { DAILY_LEVEL, DAILY_SEATS, DEFAULT_SETTINGS, LESSONS, ONE_ROUND, QUICK_LEVEL } from "../bindings/constants.js";
import { LastcardError } from "../bindings/errors.js";
import { dailySecret } from "../bindings/seeds.js";
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
 * @property {string} [daily] the day whose deal this match is, of the game that the settings name; empty for none
 */

/**
 * @param {Description} description @param {Setup} setup @param {() => string} fresh a new secret
 * @returns {TableData}
 */
export function newTableData(description, { settings, people, quick = false, level = QUICK_LEVEL, lesson = 0, daily = "" }, fresh) {
  const chosen = { ...DEFAULT_SETTINGS, ...settings };
  const wanted = daily ? { ...chosen, rules: chosen.rules + ONE_ROUND, seats: DAILY_SEATS } : chosen;
  const fitting = checkSettings(description, lesson ? forLesson(wanted, lesson) : wanted);
  const persons = people.map(({ id, name, look = "" }, i) => ({ id: id ?? `person-${i + 1}`, name, look }));
  /** @type {TableData} */
  const table = {
    people: persons.map(({ id, name }) => ({ id, name })),
    settings: fitting,
    seats: Array(fitting.seats).fill(null),
    secret: daily ? dailySecret(daily, chosen.rules) : fresh(),
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
    quick: quick || lesson > 0 || daily !== "",
    daily,
  };
  const seated = table.people.reduce((before, person, seat) => assignSeat(before, seat, person), table);
  return table.quick ? fillSeats(seated, daily ? DAILY_LEVEL : level) : seated;
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
 * Returns settings with the ruleset's shortest name. A local table has no clock, no spectators, no text chat and no voice.
 * @param {Description} description @param {Settings} settings
 */
export function checkSettings(description, settings) {
  try {
    const rules = Rules.parse(description, settings.rules);
    checkPlayers(description, rules, settings.seats);
    return { ...settings, rules: String(rules), pace: "untimed", spectators: false, chat: false, voice: false };
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
  refuseDaily(table);
  const settings = checkSettings(description, wanted);
  if (same(settings, { ...table.settings, bots: settings.bots })) return { ...table, settings };
  return { ...resize(openLobby(table), settings.seats), settings };
}

/** Refuses to change a daily deal, which is the same for everybody. @param {TableData} table */
export function refuseDaily({ daily }) {
  if (daily) throw new CommandError("daily");
}
