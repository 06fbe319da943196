/** Transitions between table and match: rule cards, the start, the end of a match. Mirrors `session/`. */

import { LESSONS } from "../bindings/constants.js";
import { NotationError } from "../bindings/errors.js";
import { defaultRuleCards, parseRuleCard } from "../bindings/rulecards.js";
import { Rules } from "../bindings/rules.js";
import { openLobby, seatOf } from "./tabledata.js";
import { cardErrorText } from "./errortexts.js";
import { CommandError } from "./refusals.js";
import { fillSeats } from "./seating.js";

/** @import { Description } from "../bindings/kernel.js" */
/** @import { TableData, Seat } from "./tabledata.js" */

/**
 * Returns the number of rule cards that each person writes before a match; 0 if none are written.
 * @param {Description} description @param {TableData} table
 */
export function ruleCardsEach(description, { settings, seats }) {
  const { options } = Rules.parse(description, settings.rules);
  return options.wj_rules === "written" ? Math.floor(description.rule_cards.most / seats.length) : 0;
}

/**
 * Prepares a match: fills every seat; with written rule cards, writing comes first.
 * @param {Description} description @param {TableData} table @param {string} level @returns {TableData}
 */
export function prepareMatch(description, table, level) {
  const filled = { ...fillSeats(openLobby(table), level), level, quick: false };
  return ruleCardsEach(description, filled) ? { ...filled, phase: "writing" } : filled;
}

/**
 * Stores one person's rule cards.
 * @param {Description} description @param {TableData} table @param {string} player @param {readonly string[]} lines
 * @returns {TableData}
 */
export function writeCards(description, table, player, lines) {
  if (table.phase !== "writing") throw new CommandError("not-now");
  const most = ruleCardsEach(description, table);
  if (lines.length > most) throw new CommandError("too-many-cards", { n: most });
  const cards = lines.map((line) => readCard(description, line));
  return { ...table, cards: { ...table.cards, [player]: cards } };
}

/** Returns a rule card in its canonical form. @param {Description} description @param {string} line */
export function readCard(description, line) {
  try {
    return parseRuleCard(description, line).text;
  } catch (error) {
    if (error instanceof NotationError) throw new CommandError("bad-card", { reason: cardErrorText(description, error) });
    throw error;
  }
}

/** Whether everyone has written. @param {TableData} table */
export const allWritten = ({ people, cards }) => people.every(({ id }) => Object.hasOwn(cards, id));

/**
 * Returns a match before its first move, with all seats taken. The written rule cards are ordered by seat; built-in ones replace
 * missing ones (WJ-4).
 * @param {Description} description @param {TableData} table @param {string} id @param {number} now milliseconds since 1970
 * @returns {import("./matchlog.js").SavedMatch}
 */
export function newMatch(description, table, id, now) {
  const places = /** @type {Seat[]} */ (table.seats);
  const each = ruleCardsEach(description, table);
  const written = places.flatMap(({ player }) => table.cards[player ?? ""] ?? []);
  const builtIn = defaultRuleCards(description, "default").map(({ text }) => text);
  const spare = builtIn.filter((text) => !written.includes(text));
  return {
    id,
    rules: table.settings.rules,
    names: places.map(({ name }) => name),
    players: places.map(({ player }) => player),
    bots: places.map(({ bot }) => bot),
    host: seatOf(table, table.people[0].id) ?? 0,
    secret: table.secret,
    numbers: places.map(({ player }) => table.numbers[player ?? ""] ?? ""),
    position: LESSONS[table.settings.rules]?.[table.lesson - 1]?.position ?? null,
    ruleCards: each ? [...written, ...spare].slice(0, each * places.length) : null,
    started: now,
    finished: null,
    moves: [],
  };
}

/**
 * Returns the changed table, with a new secret if a player who gave a number has left the seat.
 * @param {TableData} before @param {TableData} after @param {() => string} fresh @returns {TableData}
 */
export function renewSecret(before, after, fresh) {
  const moved = Object.keys(before.numbers).some((player) => seatOf(before, player) !== seatOf(after, player));
  return moved && after.secret === before.secret ? { ...after, secret: fresh(), numbers: {} } : after;
}

/**
 * Returns the table after the first deal: secret and numbers are new for the next match.
 * @param {TableData} table @param {string} match @param {() => string} fresh @returns {TableData}
 */
export const startPlaying = (table, match, fresh) => ({
  ...table,
  phase: "playing",
  match,
  secret: fresh(),
  lesson: 0,
  numbers: {},
  cards: {},
});

/**
 * Returns the table after the match: wins are counted, unless it was a lesson.
 * @param {TableData} table @param {readonly number[]} winners @param {boolean} lesson @returns {TableData}
 */
export function endMatch(table, winners, lesson) {
  const wins = { ...table.wins };
  for (const seat of lesson ? [] : winners) {
    const player = table.seats[seat]?.player;
    if (player) wins[player] = (wins[player] ?? 0) + 1;
  }
  const played = table.played + (lesson ? 0 : 1);
  return { ...table, phase: "over", played, wins, paused: false };
}
