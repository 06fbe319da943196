/** A match: rounds until a player has won. Its seed and its moves determine everything. */

import { RecordError, UsageError } from "./errors.js";
import { commitment, parseSeed } from "./seeds.js";
import { Round, seatsOf } from "./round.js";
import { Rules } from "./rules.js";
import { defaultRuleCards, parseRuleCard } from "./rulecards.js";
import { parsePosition } from "./position.js";
import { parseRecord, recordText, withPlace } from "./record.js";
import { latestKernel } from "./latest.js";

/** @import { Kernel } from "./kernel.js" */
/** @import { Position } from "./position.js" */
/** @import { RecordData, RoundData } from "./record.js" */
/** @import { Event, View } from "./round.js" */
/** @import { Seed } from "./seeds.js" */

/**
 * @typedef {object} Setup
 * @property {number | readonly string[]} [players] the number of players, or their names by seat; 2 by default
 * @property {Seed} [seed] 32 bytes, 64 hex digits, or any text or number; a fresh one where it is left out
 * @property {number} [host] the seat of the host, for `first_dealer=host`
 * @property {readonly string[] | null} [ruleCards] written rule cards, for `wj_rules=written`
 * @property {string | Record<string, unknown>} [position] the position of a prepared round, as TOML or as keys and values
 * @property {Kernel} [kernel] by default the one loaded last
 */

export class Match {
  /** @type {RoundData[]} */
  #finished = [];
  /** @type {string[]} */
  #moves = [];
  #counted = false;
  /** The events of the last move or the deal, in order, unabridged. @type {Event[]} */
  events = [];

  /** @param {string | Rules} rules a ruleset or its name, such as `classic+stacking=same` @param {Setup} [setup] */
  constructor(rules, { players = 2, seed, host = 0, ruleCards = null, position, kernel = latestKernel() } = {}) {
    this.kernel = kernel;
    const { description } = kernel;
    this.rules = typeof rules === "string" ? Rules.parse(description, rules) : rules;
    this.players =
      typeof players === "number" ? Array.from({ length: players }, (_, i) => `Player ${i + 1}`) : [...players];
    this.seed = parseSeed(seed);
    if (!(host >= 0 && host < Math.max(1, this.players.length)))
      throw new UsageError(`there is no seat ${host} for the host`);
    this.host = host;
    const cards = ruleCards?.map((text) => parseRuleCard(description, text)) ?? [];
    if (cards.length > 0 && this.rules.options.wj_rules !== "written")
      throw new UsageError(`${this.rules} does not use written rule cards`);
    if (cards.length > description.rule_cards.most)
      throw new UsageError(`there are ${description.rule_cards.most} rule cards to write (WJ-4)`);
    this.written = cards.length > 0;
    this.ruleCards = this.written ? cards : defaultRuleCards(description, this.rules.options.wj_rules);
    /** @type {Position | null} */
    this.position = position === undefined ? null : parsePosition(kernel, position);
    if (
      this.position &&
      (String(this.position.rules) !== String(this.rules) || this.position.hands.length !== this.players.length)
    ) {
      throw new UsageError("a prepared round has other rules or another number of players than its match");
    }
    /** The index of the current round, from 0. */
    this.number = 0;
    /** @type {number[]} */
    this.scores = this.players.map(() => 0);
    /** @type {number[] | null} who has won the match */
    this.winners = null;
    /** @type {number} */
    this.dealer = this.#firstDealer();
    /** @type {Round} */
    this.round = this.#deal();
  }

  /** The SHA-256 of the seed, which is shown before the match. */
  get commitment() {
    return commitment(this.seed);
  }

  /** Whether the match has been won. */
  get over() {
    return this.winners !== null;
  }

  /** The pending decision: `play`, `drawn`, `challenge`, …, `over`. */
  get decision() {
    return this.round.decision;
  }

  /** The seat that must decide. */
  get turn() {
    return this.round.turn;
  }

  /** The moves of the current round as text, such as `0:R5!`. */
  get moves() {
    return [...this.#moves];
  }

  /** Returns the legal moves of a seat, by default of the one on turn. @param {number} [seat] */
  legal(seat) {
    return this.round.legal(seat);
  }

  /** Returns everything that a seat, or a spectator (null), may know. @param {number | null} [seat] @returns {View} */
  view(seat = null) {
    return this.round.view(seat);
  }

  /** Returns an event as a seat (null: a spectator) may see it. @param {Event} event @param {number | null} seat */
  seenBy(event, seat) {
    return this.round.seenBy(event, seat);
  }

  /**
   * Makes a move; at the end of a round the scores are counted.
   * @param {number} seat
   * @param {string} text such as `R5!`, `W=G`, `catch>2`
   * @returns {Event[]} the events, in order; pass them to other people through `seenBy`
   * @throws {import("./errors.js").IllegalMove} with code and clause; the match is unchanged
   */
  do(seat, text) {
    const { notation } = this.round;
    const move = notation.move(text);
    const events = this.round.do(seat, move);
    this.#moves.push(`${seat}:${notation.text(move)}`);
    if (this.round.over) this.#count();
    this.events = events;
    return events;
  }

  /** Whether a seat has a move in the current round that can be taken back. @param {number} seat */
  canTakeBack(seat) {
    return !this.round.over && this.#moves.some((text) => this.round.notation.seatMove(text).seat === seat);
  }

  /** Takes back the last move of a seat in the current round, and all later moves. @param {number} seat */
  takeBack(seat) {
    if (!this.canTakeBack(seat)) throw new UsageError("there is nothing to take back");
    const made = this.#moves.map((text) => this.round.notation.seatMove(text));
    this.#moves = [];
    this.round = this.#deal();
    const last = made.map((move) => move.seat).lastIndexOf(seat);
    for (const { seat: by, move } of made.slice(0, last)) this.do(by, this.round.notation.text(move));
  }

  /** Deals the next round. */
  nextRound() {
    if (!this.round.over) throw new UsageError("the round is still being played");
    if (this.over) throw new UsageError("the match is over");
    this.dealer = this.nextDealer() ?? this.#drawDealer(this.round, this.number + 1);
    this.#finished.push(this.#roundData());
    this.number++;
    this.#moves = [];
    this.#counted = false;
    this.round = this.#deal();
    return this.round;
  }

  /** Returns the match so far as a record, including the seed: it is secret until the match is over. */
  record() {
    return recordText(this.kernel, this.recordData());
  }

  /** Returns the same record as values. @returns {RecordData} */
  recordData() {
    if (this.position) throw new UsageError("a prepared round has no record: it was not shuffled");
    return {
      rules: this.rules,
      players: this.players,
      host: this.host,
      commitment: this.commitment,
      seed: this.seed,
      shuffle: null,
      ruleCards: this.written ? this.ruleCards.map((card) => card.text) : null,
      rounds: [...this.#finished, this.#roundData()],
      winners: this.winners,
      extra: {},
      resultExtra: {},
    };
  }

  /**
   * Returns the match of a record, replayed to its end; every part of the record is verified.
   * @param {string} text @param {Kernel} [kernel]
   * @throws {import("./errors.js").RecordError} at the first false statement
   */
  static fromRecord(text, kernel = latestKernel()) {
    let match = null;
    for (const step of replay(parseRecord(kernel, text), kernel)) match = step;
    return /** @type {Match} */ (match);
  }

  // --- rounds ---------------------------------------------------------------------------------------

  #firstDealer() {
    if (this.position) return this.position.dealer;
    const choice = this.rules.options.first_dealer;
    if (choice === "seat_0" || choice === "host") return choice === "host" ? this.host : 0;
    return this.#drawDealer(new Round(this.kernel, this.rules, this.players.length, this.seed, this.ruleCards), 0);
  }

  /** Draws the next dealer. @param {Round} round @param {number} number the round's index */
  #drawDealer(round, number) {
    const buffer = this.kernel.buffer("drawing", "int64", this.kernel.description.sizes.drawing);
    return round.runInKernel((table) => this.kernel.call("exports.draw_dealer", table, 0, number, buffer));
  }

  /** Returns the dealer of the next round; null if chance must decide, as in `nextRound`. @returns {number | null} */
  nextDealer() {
    const dealer = this.round.runInKernel((table) => this.kernel.call("exports.find_dealer", table, 0, this.#held()));
    return dealer < 0 ? null : dealer;
  }

  #deal() {
    const round = this.position
      ? Round.at(this.kernel, this.position, this.seed)
      : new Round(this.kernel, this.rules, this.players.length, this.seed, this.ruleCards);
    if (!this.position) round.deal(this.dealer, this.number);
    this.events = round.events();
    return round;
  }

  /** Returns the points left in each hand, in kernel memory. */
  #held() {
    const held = this.round.held();
    const area = this.kernel.buffer("held", "int64", this.kernel.description.sizes.seats);
    this.kernel.writeNumbers(area, held);
    return area;
  }

  /** Scores a finished round, once. */
  #count() {
    if (this.#counted) return;
    this.#counted = true;
    const { scores, winners } = this.countFrom(this.scores);
    this.scores = scores;
    this.winners = this.position
      ? seatsOf(this.round.runInKernel((table) => this.kernel.call("exports.round_winners", table, 0)))
      : winners;
  }

  /**
   * Returns the scores after the current, finished round, and the winners of the match by them.
   * @param {readonly number[]} before the scores before the round
   * @returns {{scores: number[], winners: number[] | null}}
   */
  countFrom(before) {
    const { round, kernel } = this;
    const scores = kernel.buffer("scores", "int64", kernel.description.sizes.seats);
    const points = this.#held();
    kernel.writeNumbers(scores, before);
    const won = round.runInKernel((table) => kernel.call("exports.score_round", table, 0, points, scores));
    return { scores: kernel.readNumbers(scores, before.length), winners: won === 0 ? null : seatsOf(won) };
  }

  /** @returns {RoundData} */
  #roundData() {
    const { round } = this;
    const head = { dealer: round.state.get("dealer"), moves: this.moves, extra: {} };
    if (!round.over) return { ...head, winner: null, void: false, held: null, scores: null };
    return { ...head, winner: round.winner, void: round.winner === null, held: round.held(), scores: [...this.scores] };
  }
}

/**
 * Replays a record. Yields the match after its deal and after every move; it is the same object each time.
 * @param {RecordData} record @param {Kernel} [kernel] @returns {Generator<Match, void>}
 */
export function* replay(record, kernel = latestKernel()) {
  const match = start(record, kernel);
  yield match;
  for (const [index, played] of record.rounds.entries()) {
    const place = `round ${index + 1}`;
    if (index > 0) {
      withPlace(place, () => match.nextRound());
      yield match;
    }
    if (match.dealer !== played.dealer)
      throw new RecordError(`${place}: seat ${match.dealer} deals, not seat ${played.dealer}`);
    for (const [count, text] of played.moves.entries()) {
      withPlace(`${place}, move ${count + 1} ${text}`, () => {
        const { seat, move } = match.round.notation.seatMove(text);
        match.do(seat, match.round.notation.text(move));
      });
      yield match;
    }
    checkEnd(match, played, place);
  }
  const winners = JSON.stringify(match.winners);
  if (record.rounds.length > 0 && winners !== JSON.stringify(record.winners)) {
    throw new RecordError(
      `result: the winners differ: the moves give ${winners}, the record says ${JSON.stringify(record.winners)}`,
    );
  }
}

/** @param {RecordData} record @param {Kernel} kernel */
function start(record, kernel) {
  const { seed, rules, players, host, ruleCards } = record;
  if (seed === null)
    throw new RecordError("head: the seed is left out, as it is while a match is going on; it cannot be played back");
  return withPlace("head", () => new Match(rules, { players, seed, host, ruleCards, kernel }));
}

/**
 * Refuses a round whose end differs from its record.
 * @param {Match} match @param {RoundData} played @param {string} place
 */
function checkEnd({ round, scores }, played, place) {
  if (round.over !== (played.void || played.winner !== null)) {
    throw new RecordError(
      `${place}: ${round.over ? "it is over, yet no end is written down" : "an end is written down, yet it is going on"}`,
    );
  }
  if (!round.over) return;
  const found = { winner: round.winner, void: round.winner === null, held: round.held(), scores };
  for (const [key, value] of Object.entries(found)) {
    const written = played[/** @type {keyof typeof found} */ (key)];
    if (JSON.stringify(value) !== JSON.stringify(written)) {
      throw new RecordError(
        `${place}: ${key} differs: the moves give ${JSON.stringify(value)}, the record says ${JSON.stringify(written)}`,
      );
    }
  }
}
