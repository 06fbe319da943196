/** Match records: reads and writes the TOML of docs/record-format.md, and refuses changed records. */

import { strip } from "./blanks.js";
import { RECORD_KEYS } from "./constants.js";
import { LastcardError, NotationError, RecordError } from "./errors.js";
import { Notation } from "./notation.js";
import { Rules } from "./rules.js";
import { parseRuleCard } from "./rulecards.js";
import { commitment, mixSeed } from "./seeds.js";
import { sha256Text } from "./sha256.js";
import { isTable, parseToml, tomlLines, tomlRows, tomlValue } from "./toml.js";

/** @import { Kernel } from "./kernel.js" */
/** @import { Table } from "./toml.js" */

/**
 * One round of a record; `extra` are the keys that start with `_`.
 * @typedef {{dealer: number, moves: readonly string[], winner: number | null, void: boolean,
 *   held: readonly number[] | null, scores: readonly number[] | null, extra: Table}} RoundData
 */

/**
 * @typedef {object} RecordData
 * @property {Rules} rules
 * @property {readonly string[]} players
 * @property {number} host
 * @property {string} commitment
 * @property {string | null} seed 64 hex digits; null while the match is going on
 * @property {{promise: string, numbers: readonly string[], secret: string | null} | null} shuffle
 * @property {readonly string[] | null} ruleCards
 * @property {readonly RoundData[]} rounds
 * @property {readonly number[] | null} winners
 * @property {Table} extra keys that start with `_`, of the head and of the result
 * @property {Table} resultExtra
 */

const DIGITS = /^[\da-f]{64}$/;
const NUMBER = /^(?:[\da-f]{32})?$/;
const NO_NAME = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

// --- writing ------------------------------------------------------------------------------------------

/** Returns a record as TOML. @param {Kernel} kernel @param {RecordData} record */
export function recordText(kernel, record) {
  const checks = checksOf(kernel, record);
  const { seed, shuffle, winners } = record;
  const head = {
    ...headTable(kernel, record),
    ...(seed && { seed }),
    ...(shuffle?.secret && { secret: shuffle.secret }),
  };
  const blocks = [tomlLines({ ...head, check: checks[0], ...record.extra })];
  record.rounds.forEach((played, i) => blocks.push(roundText(i + 1, played, checks[i + 1])));
  if (winners)
    blocks.push(`[result]\n${tomlLines({ winners, check: checks[checks.length - 1], ...record.resultExtra })}`);
  return blocks.join("\n");
}

/** Returns the head without seed and secret. @param {Kernel} kernel @param {RecordData} record @returns {Table} */
function headTable({ description }, { rules, players, host, commitment: committed, shuffle, ruleCards }) {
  const { format } = description.record;
  const mixed = shuffle && { promise: shuffle.promise, numbers: shuffle.numbers };
  return {
    format,
    rules: rules.storedName,
    players,
    host,
    commitment: committed,
    ...mixed,
    ...(ruleCards && { rule_cards: ruleCards }),
  };
}

/** @param {number} number @param {RoundData} played @returns {Table} */
function roundTable(number, { dealer, moves, winner, void: isVoid, held, scores }) {
  const end = {
    ...(winner !== null && { winner }),
    ...(isVoid && { void: true }),
    ...(held && { held }),
    ...(scores && { scores }),
  };
  return { number, dealer, moves, ...end };
}

/** @param {number} number @param {RoundData} played @param {string} check */
function roundText(number, played, check) {
  const lines = Object.entries(roundTable(number, played)).map(([key, value]) =>
    key === "moves" ? `moves = ${tomlRows(played.moves)}\n` : `${key} = ${tomlValue(value)}\n`,
  );
  return `[[round]]\n${lines.join("")}${tomlLines({ check, ...played.extra })}`;
}

/**
 * Returns the checks of the head, of every round and of the result; each covers everything before it.
 * @param {Kernel} kernel @param {RecordData} record
 */
function checksOf(kernel, record) {
  const blocks = [headTable(kernel, record), ...record.rounds.map((played, i) => roundTable(i + 1, played))];
  if (record.winners) blocks.push({ winners: record.winners });
  let before = "";
  return blocks.map((block) => {
    const lines = tomlLines(Object.fromEntries(Object.entries(block).sort(([a], [b]) => (a < b ? -1 : 1))));
    before = sha256Text(`${before}\n${lines}`).slice(0, kernel.description.record.digits);
    return before;
  });
}

// --- reading ------------------------------------------------------------------------------------------

/**
 * Returns the record of a TOML text. Only `replay` checks that its moves are legal.
 * @param {Kernel} kernel @param {string} text @returns {RecordData}
 */
export function parseRecord(kernel, text) {
  const document = withPlace("the record", () => parseToml(text));
  const { format } = kernel.description.record;
  if (typeof document.format !== "number" || !(document.format >= 1))
    throw new RecordError("head: format: expected a whole number from 1");
  if (document.format > format)
    throw new RecordError(`head: format: ${document.format} is newer than this reads; it reads up to ${format}`);
  const head = Object.fromEntries(Object.entries(document).filter(([key]) => !RECORD_KEYS.blocks.includes(key)));
  const rounds = document.round ?? [];
  if (!Array.isArray(rounds) || !rounds.every(isTable)) throw new RecordError("round: expected an array of [[round]]");
  const record = withPlace("head", () => readHead(kernel, head));
  const players = record.players.length;
  record.rounds = rounds.map((table, i) =>
    withPlace(`round ${i + 1}`, () => readRound(kernel, table, i + 1, players, i + 1 === rounds.length)),
  );
  const result = document.result;
  if (result !== undefined) withPlace("result", () => readResult(record, result));
  compare(
    kernel,
    record,
    [head, ...rounds, ...(isTable(result) ? [result] : [])].map((table) => table.check),
  );
  return record;
}

/** @param {Kernel} kernel @param {Table} head @returns {RecordData} */
function readHead(kernel, head) {
  const extra = own(head, RECORD_KEYS.head);
  const { sizes } = kernel.description;
  const players = texts(head.players, "players");
  if (players.some((name) => !strip(name) || NO_NAME.test(name)))
    throw new NotationError("players: a name is one line of text");
  if (players.length < sizes.min_players || players.length > sizes.max_players)
    throw new NotationError(`players: ${players.length} of them`);
  const cards = head.rule_cards === undefined ? null : texts(head.rule_cards, "rule_cards");
  return {
    rules: Rules.stored(kernel.description, a(head.rules, "string", "rules")),
    players,
    host: head.host === undefined ? 0 : seatOf(head.host, players.length),
    commitment: digest(head.commitment, "commitment"),
    seed: head.seed === undefined ? null : digest(head.seed, "seed"),
    shuffle: readShuffle(head, players.length),
    ruleCards: cards && cards.map((card) => parseRuleCard(kernel.description, card).text),
    rounds: [],
    winners: null,
    extra,
    resultExtra: {},
  };
}

/** @param {Table} head @param {number} players @returns {RecordData["shuffle"]} */
function readShuffle(head, players) {
  if (head.promise === undefined && head.numbers === undefined && head.secret === undefined) return null;
  const numbers = texts(head.numbers, "numbers");
  if (numbers.length !== players || !numbers.every((number) => NUMBER.test(number))) {
    throw new NotationError("numbers: one for every player, each empty or 32 hex digits");
  }
  return {
    promise: digest(head.promise, "promise"),
    numbers,
    secret: head.secret === undefined ? null : digest(head.secret, "secret"),
  };
}

/**
 * @param {Kernel} kernel @param {Table} table @param {number} number @param {number} players @param {boolean} last
 * @returns {RoundData}
 */
function readRound(kernel, table, number, players, last) {
  const notation = new Notation(kernel.description);
  const extra = own(table, RECORD_KEYS.round);
  if (table.number !== number) throw new NotationError(`number: rounds are numbered in order; expected ${number}`);
  const moves = texts(table.moves, "moves").map((text) => {
    const { seat, move } = notation.seatMove(text);
    return `${seatOf(seat, players)}:${notation.text(move)}`;
  });
  const winner = table.winner === undefined ? null : seatOf(table.winner, players);
  const isVoid = table.void === undefined ? false : a(table.void, "boolean", "void");
  const [held, scores] = [points(table.held, players), points(table.scores, players)];
  if (isVoid && winner !== null) throw new NotationError("void: a void round has no winner");
  if (!isVoid && winner === null && (!last || held || scores))
    throw new NotationError("winner: missing; only the last round may be going on");
  return { dealer: seatOf(table.dealer, players), moves, winner, void: isVoid, held, scores, extra };
}

/** @param {RecordData} record @param {unknown} result */
function readResult(record, result) {
  if (!isTable(result)) throw new NotationError("expected a table, [result]");
  const last = record.rounds[record.rounds.length - 1];
  if (!last || (last.winner === null && !last.void))
    throw new NotationError("a match cannot be over before its last round is");
  record.resultExtra = own(result, RECORD_KEYS.result);
  if (!Array.isArray(result.winners)) throw new NotationError("winners: expected a list");
  record.winners = result.winners.map((seat) => seatOf(seat, record.players.length)).sort((one, other) => one - other);
}

/**
 * Refuses a record whose checks or seed do not match its content.
 * @param {Kernel} kernel @param {RecordData} record @param {unknown[]} found
 */
function compare(kernel, record, found) {
  const { seed, shuffle } = record;
  if (seed !== null) {
    if (commitment(seed) !== record.commitment) throw new RecordError("head: the commitment does not match the seed");
    if (shuffle) {
      if (shuffle.secret === null) throw new RecordError("head: secret: left out, though the seed is there");
      if (commitment(shuffle.secret) !== shuffle.promise)
        throw new RecordError("head: the promise does not match the secret");
      if (mixSeed(shuffle.secret, shuffle.numbers) !== seed)
        throw new RecordError("head: the secret and the numbers do not give the seed");
    }
  }
  checksOf(kernel, record).forEach((right, i) => {
    if (found[i] === right) return;
    const place = i === 0 ? "head" : i <= record.rounds.length ? `round ${i}` : "result";
    throw new RecordError(
      `${place}: the check does not match: something in this part was changed after it was written`,
    );
  });
}

/**
 * Returns the result of some work on a part of a record; adds the part's place to any error.
 * @template T
 * @param {string} place @param {() => T} work @returns {T}
 */
export function withPlace(place, work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof LastcardError) throw new RecordError(`${place}: ${error.message}`);
    throw error;
  }
}

/**
 * Returns the keys of a table that start with `_`; refuses any other unknown key.
 * @param {Table} table @param {readonly string[]} known @returns {Table}
 */
function own(table, known) {
  const others = Object.entries(table).filter(([key]) => !known.includes(key));
  const strange = others.find(([key]) => !key.startsWith("_"));
  if (strange) throw new NotationError(`${strange[0]}: unknown key; the keys are ${known.join(", ")}`);
  return Object.fromEntries(others);
}

/** @overload @param {unknown} value @param {"string"} kind @param {string} key @returns {string} */
/** @overload @param {unknown} value @param {"boolean"} kind @param {string} key @returns {boolean} */
/** @param {unknown} value @param {string} kind @param {string} key */
function a(value, kind, key) {
  if (typeof value !== kind) throw new NotationError(`${key}: missing, or no ${kind}`);
  return value;
}

/** @param {unknown} value @param {string} key @returns {string[]} */
function texts(value, key) {
  if (!Array.isArray(value) || !value.every((member) => typeof member === "string"))
    throw new NotationError(`${key}: expected a list of texts`);
  return value;
}

/** @param {unknown} value @param {string} key */
function digest(value, key) {
  const text = strip(a(value, "string", key)).toLowerCase();
  if (!DIGITS.test(text)) throw new NotationError(`${key}: expected 64 hex digits`);
  return text;
}

/** @param {unknown} value @param {number} players */
function seatOf(value, players) {
  if (typeof value !== "number" || !(value >= 0 && value < players))
    throw new NotationError(`there is no seat ${value}`);
  return value;
}

/** @param {unknown} value @param {number} players @returns {number[] | null} */
function points(value, players) {
  if (value === undefined) return null;
  if (!Array.isArray(value) || value.length !== players || !value.every(Number.isInteger))
    throw new NotationError(`expected ${players} numbers`);
  return value;
}
