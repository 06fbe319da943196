/** One round, from the deal to its end, as the kernel plays it. */

import { IllegalMove, UsageError } from "./errors.js";
import { KernelRecord } from "./kernelrecord.js";
import { Notation } from "./notation.js";
import { fromHex } from "./sha256.js";

/** @import { Area, Description, Kernel, Row, EventType } from "./kernel.js" */
/** @import { Move } from "./notation.js" */
/** @import { RuleCard } from "./rulecards.js" */
/** @import { Rules } from "./rules.js" */
/** @import { Position } from "./position.js" */

/**
 * An event: `{e: "played", seat: 1, card: "R5", color: null}`. docs/bot-protocol.md lists all of them.
 * @typedef {{e: string, [key: string]: unknown}} Event
 */

/**
 * The public part of a round.
 * @typedef {object} PublicState
 * @property {number} number the round's index in its match, from 0
 * @property {number} dealer @property {number} turn the seat that must decide
 * @property {number} direction 1 clockwise, -1 counter-clockwise
 * @property {string} top @property {string | null} color the current color
 * @property {number} discard_count @property {number} draw_count
 * @property {number} pending cards waiting to be drawn
 * @property {number[]} exposed @property {number[]} called @property {number[]} early @property {number[]} candidates
 * @property {string} decision the pending decision
 * @property {string | null} rule the rule card being performed
 * @property {number | null} performer @property {number | null} winner
 * @property {number[]} counts the number of cards in each hand
 */

/**
 * Everything that one seat, or a spectator, may know.
 * @typedef {PublicState & {rules: string, seat: number | null, hand: string[] | null, hands: string[][] | null, discard: string[],
 *   drawn: string | null, legal: string[], points: number[] | null}} View
 */

/**
 * The same knowledge as numbers of the kernel, for bots.
 * @typedef {object} Observation
 * @property {Rules} rules
 * @property {number} seat
 * @property {number} players
 * @property {KernelRecord} state the information state: hidden cards are blank
 * @property {Int32Array} history the events it has seen
 * @property {number[]} hand its cards, sorted
 * @property {string} decision the pending decision
 * @property {number[]} exposed seats that can be caught
 * @property {number} choices the number of its legal moves
 * @property {string | null} rule the rule card being performed
 */

const WORD_BYTES = 4;
/** A seed for rounds in which chance has no part. */
const NO_SEED = "00".repeat(32);

/** A round. `Match` makes it, or `Round.at` for a prepared one. */
export class Round {
  /** @type {Int32Array} */
  #history = new Int32Array();

  /**
   * An empty round for a ruleset and a number of players, before the deal.
   * @param {Kernel} kernel @param {Rules} rules @param {number} players
   * @param {string} seed 64 hex digits
   * @param {readonly RuleCard[]} ruleCards
   */
  constructor(kernel, rules, players, seed, ruleCards) {
    checkPlayers(kernel.description, rules, players);
    this.kernel = kernel;
    this.rules = rules;
    this.players = players;
    this.ruleCards = ruleCards;
    this.notation = new Notation(kernel.description);
    this.state = new KernelRecord(kernel, "ROUND_STATE");
    this.#packRules(seed);
  }

  /** @param {number} dealer @param {number} number the round's index in its match, from 0 */
  deal(dealer, number) {
    this.runInKernel((table) => this.kernel.call("exports.deal_round", table, 0, dealer, number, 0));
    this.#recordHands();
  }

  /**
   * Returns a round that begins at a position.
   * @param {Kernel} kernel @param {Position} position @param {string} seed the seed of all later chance
   */
  static at(kernel, position, seed) {
    const round = new Round(kernel, position.rules, position.hands.length, seed, position.ruleCards);
    round.#packPosition(position);
    round.runInKernel((table) => kernel.call("exports.set_matching", table, 0));
    round.#recordHands();
    return round;
  }

  /**
   * Returns a round as one seat knows it: hidden cards are blank. It can be observed and searched from that seat, but not played.
   * @param {Kernel} kernel @param {Rules} rules @param {number} players
   * @param {{table: Uint8Array, past: Int32Array, rule: string | null}} known the observation: round state, events that the
   *   seat has seen, and the rule card being performed
   */
  static fromObservation(kernel, rules, players, { table, past, rule }) {
    const number = new KernelRecord(kernel, "ROUND_STATE", table).get("rule_n");
    const cards = Array.from({ length: number }, () => ({ text: rule ?? "", effects: [] }));
    const round = new Round(kernel, rules, players, NO_SEED, cards);
    round.state.bytes.set(table);
    round.#history = past;
    return round;
  }

  // --- moves ----------------------------------------------------------------------------------------

  /**
   * Returns the legal moves of a seat, including calls and catches; plays with a call (`R5!`) are omitted.
   * @param {number} [seat]
   */
  legal(seat = this.turn) {
    return this.legalActions(seat).map((action) => this.notation.text(this.notation.moveOf(action)));
  }

  /** Returns the same as `legal`, as action ids. @param {number} seat */
  legalActions(seat) {
    const out = this.kernel.buffer("actions", "int64", this.#sizes.actions);
    const count = this.runInKernel((table) => this.kernel.call("exports.list_actions", table, 0, seat, out));
    return this.kernel.readNumbers(out, count);
  }

  /**
   * Makes a move; a refused one changes nothing.
   * @param {number} seat @param {Move} move
   * @returns {Event[]} the events, in order; `seenBy` filters them for other seats
   */
  do(seat, move) {
    const { kernel, notation } = this;
    const action = notation.action(move);
    const shown = move.verb === "challenge" ? this.hand(this.state.get("challenged_seat")) : null;
    const notes = this.kernel.buffer("notes", "int32", this.#sizes.notes);
    const why = this.runInKernel((table) => kernel.call("exports.apply_action_recorded", table, 0, seat, action, notes));
    if (why !== 0) throw this.#refusal(why, seat, move);
    this.#appendHistory(notes);
    return this.events(shown);
  }

  /** Throws if `do` would refuse the move; changes nothing. @param {number} seat @param {Move} move */
  verify(seat, move) {
    const action = this.notation.action(move);
    const why = this.runInKernel((table) => this.kernel.call("exports.check_action", table, 0, seat, action));
    if (why !== 0) throw this.#refusal(why, seat, move);
  }

  /** Whether a seat may make a move now. @param {number} seat @param {string} text */
  can(seat, text) {
    try {
      this.verify(seat, this.notation.move(text));
      return true;
    } catch (error) {
      if (error instanceof IllegalMove) return false;
      throw error;
    }
  }

  /**
   * Returns the events of the last move; after the deal those of the first card.
   * @param {readonly number[] | null} [shown] the hand shown in a challenge
   */
  events(shown = null) {
    const { kernel, notation, ruleCards, state } = this;
    const words = state.list("event_log", state.get("event_log_n"));
    return readEvents({ description: kernel.description, notation, ruleCards }, words, shown);
  }

  /**
   * Returns an event as a seat (null: a spectator) may see it.
   * @param {Event} event @param {number | null} seat @returns {Event}
   */
  seenBy(event, seat) {
    const kind = Object.values(this.kernel.description.events).find((taped) => taped.name === event.e);
    if (!kind?.secret || (kind.known_to ?? []).some((key) => event[key] === seat)) return event;
    return { ...event, [kind.secret]: null };
  }

  /** @param {number} why the reason code @param {number} seat @param {Move} move */
  #refusal(why, seat, move) {
    const { code, clause, elsewhere, otherwise } = this.kernel.description.reasons[why];
    const facts = this.#facts(seat, move);
    return new IllegalMove(code, findRow(elsewhere, facts) ?? clause, findRow(otherwise, facts));
  }

  /**
   * Returns the facts that decide the clause and the text of a refusal, as in match/refusals.py.
   * @param {number} seat @param {Move} move
   */
  #facts(seat, { verb, card, target }) {
    const name = card === null ? "" : this.notation.cardName(card);
    return {
      ...this.rules.options,
      game: this.rules.game,
      decision: this.decision,
      verb,
      color: name.slice(0, 1),
      face: name.slice(1),
      top: this.notation.cardName(this.state.get("top")),
      seat: seat === this.turn ? "turn" : "other",
      held: this.state.list("held", this.players)[seat],
      target: target !== null && target < this.players ? "seat" : "none",
      rule: this.state.get("performer") < 0 ? "none" : "performed",
      discards: this.state.get("opening") === 0 ? "more" : 1,
    };
  }

  // --- observations ---------------------------------------------------------------------------------

  /** Returns everything that a seat, or a spectator (null), may know. @param {number | null} seat @returns {View} */
  view(seat) {
    if (seat !== null && !(seat >= 0 && seat < this.players)) throw new UsageError(`there is no seat ${seat}`);
    const { cardName } = this.notation;
    const over = this.over;
    return {
      ...this.publicState(),
      rules: String(this.rules),
      seat,
      hand: seat === null ? null : this.hand(seat).map(cardName),
      hands: over ? Array.from({ length: this.players }, (_, each) => this.hand(each).map(cardName)) : null,
      discard: this.discards(),
      drawn: seat !== null && seat === this.turn ? this.drawn : null,
      legal: seat === null ? [] : this.legal(seat),
      points: over ? this.held() : null,
    };
  }

  /** Returns the public part of the round. @returns {PublicState} */
  publicState() {
    const { description } = this.kernel;
    return /** @type {PublicState} */ (
      Object.fromEntries(description.public_state.map(({ name, field }) => [name, this.#open(name, field)]))
    );
  }

  /** @param {string} name the value's name @param {string} field the field of the round state @returns {unknown} */
  #open(name, field) {
    const { state, notation } = this;
    if (name === "counts") return state.list(field, this.players);
    const value = state.get(field);
    if (name === "top") return notation.cardName(value);
    if (name === "color") return notation.colorLetter(value);
    if (name === "decision") return this.decision;
    if (name === "rule") return state.get("performer") < 0 ? null : this.ruleCards[value].text;
    if (name === "performer" || name === "winner") return value < 0 ? null : value;
    if (["exposed", "called", "early", "candidates"].includes(name)) return seatsOf(value);
    return value;
  }

  /** Returns a seat's observation, in numbers of the kernel. @param {number} seat @returns {Observation} */
  observe(seat) {
    return {
      rules: this.rules,
      seat,
      players: this.players,
      state: this.informationState(seat),
      history: this.history(seat),
      hand: this.hand(seat),
      decision: this.decision,
      exposed: seatsOf(this.state.get("exposed")),
      choices: this.legalActions(seat).length,
      rule: /** @type {string | null} */ (this.#open("rule", "rule")),
    };
  }

  /** Returns the round state as a seat, or a spectator, knows it. @param {number | null} seat */
  informationState(seat) {
    const { kernel } = this;
    const state = new KernelRecord(kernel, "ROUND_STATE");
    for (const name of kernel.description.information_state) {
      const [start, end] = state.range(name);
      state.bytes.set(this.state.bytes.subarray(start, end), start);
    }
    const blank = this.kernel.buffer("known", "ROUND_STATE", 1);
    kernel.write(blank, state.bytes);
    this.runInKernel((table) => kernel.call("exports.fill_information_state", table, blank, seat ?? -1));
    state.bytes.set(kernel.bytes.subarray(blank.at, blank.at + blank.bytes));
    return state;
  }

  /** Returns the events of this round that a seat, or a spectator, has seen. @param {number | null} seat */
  history(seat) {
    const { kernel } = this;
    const count = this.#history.length;
    const words = this.kernel.buffer("past", "int32", Math.max(1024, 2 ** Math.ceil(Math.log2(count + 1))));
    kernel.write(words, new Uint8Array(this.#history.buffer));
    kernel.call("exports.redact_history", words, count, seat ?? -1);
    return new Int32Array(kernel.bytes.slice(words.at, words.at + WORD_BYTES * count).buffer);
  }

  /** Returns a seat's cards, sorted. They are secret: give other seats only their `view`. @param {number} seat */
  hand(seat) {
    const slots = this.#sizes.card_slots;
    return this.state
      .list("counts", slots, seat * slots)
      .flatMap((count, card) => /** @type {number[]} */ (Array(count).fill(card)));
  }

  /** Returns the points in each hand. @returns {number[]} */
  held() {
    const out = this.kernel.buffer("points", "int64", this.#sizes.seats);
    this.runInKernel((table) => this.kernel.call("exports.count_points", table, 0, out));
    return this.kernel.readNumbers(out, this.players);
  }

  /** Returns the last cards of the discard pile, oldest first. @param {number} [most] their number; by default all */
  discards(most = Infinity) {
    const count = this.state.get("discard_n");
    const first = Math.max(0, count - most);
    return this.state.list("discard", count - first, first).map(this.notation.cardName);
  }

  /** The card just drawn, while the seat on turn decides on it. */
  get drawn() {
    return this.decision === "drawn" ? this.notation.cardName(this.state.get("drawn")) : null;
  }

  get decision() {
    return this.kernel.description.phases[this.state.get("phase")];
  }

  get turn() {
    return this.state.get("turn");
  }

  get over() {
    return this.decision === "over";
  }

  /** The seat that won; null if none has. */
  get winner() {
    const winner = this.state.get("winner");
    return winner < 0 ? null : winner;
  }

  /** Every byte of the round state except the event log, for checks that nothing has changed. */
  stateBytes() {
    const copy = new KernelRecord(this.kernel, "ROUND_STATE", this.state.bytes.slice());
    for (const name of ["event_log", "event_log_n"]) copy.bytes.fill(0, ...copy.range(name));
    return copy.bytes;
  }

  // --- the kernel's memory --------------------------------------------------------------------------

  /**
   * Copies the round state into kernel memory for one piece of work. So rounds are ordinary objects that need no release. If the
   * work fails, the round state is unchanged.
   * @template T
   * @param {(table: Area) => T} work @returns {T}
   */
  runInKernel(work) {
    const area = this.kernel.buffer("table", "ROUND_STATE", 1);
    this.kernel.write(area, this.state.bytes);
    const result = work(area);
    this.state.bytes.set(this.kernel.bytes.subarray(area.at, area.at + area.bytes));
    return result;
  }

  get #sizes() {
    return this.kernel.description.sizes;
  }

  #recordHands() {
    const notes = this.kernel.buffer("notes", "int32", this.#sizes.notes);
    this.runInKernel((table) => this.kernel.call("exports.record_deal", table, 0, notes));
    this.#appendHistory(notes);
  }

  /** Appends an export's notes to the history. @param {Area} notes */
  #appendHistory(notes) {
    const [count] = new Int32Array(this.kernel.memory.buffer, notes.at, 1);
    const grown = new Int32Array(this.#history.length + count);
    grown.set(this.#history);
    grown.set(new Int32Array(this.kernel.memory.buffer, notes.at + WORD_BYTES, count), this.#history.length);
    this.#history = grown;
  }

  // --- setting up -----------------------------------------------------------------------------------

  /** Writes the values that stay the same in every round. @param {string} seed */
  #packRules(seed) {
    const { state, rules, kernel } = this;
    const { description } = kernel;
    for (const option of description.options) state.set(option.name, rules.number(option));
    state.fill("lever_weights", rules.weights);
    state.set("game", description.games[rules.game].number);
    state.set("players", this.players);
    const key = new DataView(fromHex(seed).buffer);
    state.fill(
      "key",
      Array.from({ length: 8 }, (_, i) => key.getUint32(WORD_BYTES * i, true)),
    );
    for (const name of ["performer", "winner", "drawn", "named_color"]) state.set(name, -1);
    state.set("record_events", 1);
    state.set("rule_n", this.ruleCards.length);
    const most = description.rule_cards.most_effects;
    this.ruleCards.forEach((card, i) => state.fill("effects", card.effects, i * most));
    const deck = rules.deck;
    state.fill("deck", deck);
    state.set("deck_n", deck.length);
    const buffer = this.kernel.buffer("settling", "int64", this.#sizes.settling);
    this.runInKernel((area) => kernel.call("exports.apply_number_distribution", area, 0, buffer));
  }

  /** Writes a position. @param {Position} position */
  #packPosition(position) {
    const { state, ruleCards } = this;
    const { outcomes } = this.kernel.description;
    state.bytes.fill(0, ...state.range("deck"));
    state.set("deck_n", 0);
    state.set("turn", position.turn);
    state.set("direction", position.direction);
    state.set("dealer", position.dealer);
    state.set("color", position.color);
    state.set("origin", position.turn);
    position.hands.forEach((hand, seat) => this.#fillHand(seat, hand));
    const automatic = this.rules.options.uno_window === "automatic_call"; // a hand of one card counts as called
    state.set(
      "called",
      automatic ? state.get("one_card_mask") : position.called.reduce((mask, seat) => mask | (1 << seat), 0),
    );
    state.fill("discard", position.discard);
    state.set("discard_n", position.discard.length);
    state.fill("pile", [...position.draw].reverse());
    for (const name of ["pile_n", "ordered_n"]) state.set(name, position.draw.length);
    state.set("top", position.discard[position.discard.length - 1]);
    const wilds = this.kernel.description.colors.length * this.#sizes.faces;
    const mixed = [...position.hands, position.discard, position.draw].flat().some((card) => card < wilds);
    state.set("has_foreign_cards", Number(this.rules.game === "all-wild" && mixed));
    state.fill(
      "lever_script",
      position.lever.map((outcome) => outcomes.indexOf(outcome)),
    );
    state.set("lever_script_n", position.lever.length);
    const stack = position.dispenser ?? ruleCards.map((_, i) => i);
    state.fill("dispenser", [...stack].reverse());
    state.set("dispenser_n", stack.length);
    state.set("dispenser_ordered_n", position.dispenser ? stack.length : 0);
  }

  /** Puts cards into an empty hand. @param {number} seat @param {readonly number[]} hand */
  #fillHand(seat, hand) {
    const { state } = this;
    const slots = this.#sizes.card_slots;
    const wilds = this.kernel.description.colors.length * this.#sizes.faces;
    for (const card of hand) {
      state.set("counts", state.get("counts", seat * slots + card) + 1, seat * slots + card);
      state.mark(card >= wilds ? "wilds" : "colored", seat, card % wilds);
    }
    state.set("held", hand.length, seat);
    if (hand.length === 1) state.set("one_card_mask", state.get("one_card_mask") | (1 << seat));
  }
}

/**
 * Refuses a number of players the rules do not allow.
 * @param {Description} description @param {Rules} rules @param {number} players
 */
export function checkPlayers({ sizes }, rules, players) {
  if (!(players >= sizes.min_players && players <= sizes.max_players)) {
    throw new UsageError(
      `${rules.game} is for ${sizes.min_players} to ${sizes.max_players} players, not ${players} (CO-47)`,
    );
  }
  if (rules.options.team_play && players !== 4)
    throw new UsageError(`team play needs 4 players, not ${players} (LC-46)`, [["team_play", true]]);
}

/** @param {Row[] | undefined} rows @param {Record<string, unknown>} facts by name */
const findRow = (rows, facts) =>
  rows?.find(([names, values]) => values === names.split(" ").map((name) => facts[name]).join(" "))?.[2];

/** Returns the seats of a bit mask. @param {number} mask */
export const seatsOf = (mask) => Array.from({ length: 16 }, (_, seat) => seat).filter((seat) => (mask >> seat) & 1);

// --- the event log ----------------------------------------------------------------------------------

/** @typedef {{description: Description, notation: Notation, ruleCards: readonly RuleCard[]}} EventContext the names in events */

/**
 * Returns the events of an event log; consecutive draws of one seat are merged.
 * @param {EventContext} of @param {readonly number[]} words @param {readonly number[] | null} shown the hand shown in a challenge
 * @returns {Event[]}
 */
function readEvents(of, words, shown) {
  /** @type {Event[]} */
  const events = [];
  for (const word of words) {
    const event = readEvent(of, word);
    const last = events[events.length - 1];
    if (event.e === "drew" && last?.e === "drew" && last.seat === event.seat && last.reason === event.reason) {
      last.count = Number(last.count) + 1;
      last.cards = [.../** @type {string[]} */ (last.cards), .../** @type {string[]} */ (event.cards)];
    } else {
      if (event.e === "shown") event.cards = shown && shown.map(of.notation.cardName);
      events.push(event);
    }
  }
  return events;
}

/** @param {EventContext} of @param {number} word @returns {Event} */
function readEvent(of, word) {
  /** @type {EventType} */
  const type = of.description.events[String(word & 255)];
  const values = {
    s: ((word >> 8) & 255) - 1,
    a: ((word >> 16) & 255) - 1,
    b: ((word >> 24) & 255) - 1,
    1: 1,
    "-": -1,
  };
  const parts = type.fields.map(([key, place, field]) => [
    key,
    fieldValue(of, field, values[/** @type {keyof values} */ (place)]),
  ]);
  return { e: type.name, ...Object.fromEntries(parts) };
}

/** Returns the value of an event's field in public form. @param {EventContext} of @param {string} field @param {number} value */
function fieldValue({ description, notation, ruleCards }, field, value) {
  if (field === "card") return notation.cardName(value);
  if (field === "cards") return value < 0 ? null : [notation.cardName(value)];
  if (field === "color") return notation.colorLetter(value);
  if (field === "reason") return description.draws[value];
  if (field === "outcome") return description.outcomes[value];
  if (field === "rule") return ruleCards[value].text;
  if (field === "direction") return value ? 1 : -1;
  if (field === "guilty") return value !== 0;
  if (field === "winner") return value < 0 ? null : value;
  return value;
}
