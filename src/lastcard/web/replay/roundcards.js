/** The cards of one round, dealt again from the seed and followed through the events of the record. */

import { BLIND, DEAL, LEVER, RESHUFFLE, RULES } from "./chacha.js";
import { sorted } from "./chancesetup.js";

/** @import { Happening, Public } from "../net/protocol.js" */
/** @import { Setup } from "./chancesetup.js" */

/** Outcomes of the lever, in the order of `wj_lever_weights`. */
const OUTCOMES = ["choose", "right", "left", "all", "discard", "draw4"];

/** A difference between record and shuffle. */
export class Mismatch extends Error {
  /**
   * @param {string} what the kind of outcome
   * @param {string} expected the value from the seed
   * @param {string} found the value in the record
   * @param {number | null} seat
   */
  constructor(what, expected, found, seat = null) {
    super(`${what}: ${found}, not ${expected}`);
    this.what = what;
    this.expected = expected;
    this.found = found;
    this.seat = seat;
  }
}

/** @param {string} what @param {unknown} expected @param {unknown} found @param {number | null} [seat] */
export function expect(what, expected, found, seat = null) {
  if (String(expected) !== String(found)) throw new Mismatch(what, String(expected), String(found ?? "–"), seat);
}

/** One round: hands and piles as the seed deals them and the events move them. */
export class RoundCards {
  /** @param {Setup} setup @param {number} number the round's index, from 0 @param {number} dealer */
  constructor(setup, number, dealer) {
    this.setup = setup;
    this.number = number;
    this.stream = setup.stream(DEAL, number, 0);
    this.pile = [...setup.deck];
    /** @type {string[]} */
    this.discard = [];
    this.isTopShuffledIn = false; // the card to be matched has been shuffled into the draw pile
    this.top = "";
    this.dispenser = [...setup.ruleCards];
    /** @type {string[]} */
    this.used = [];
    /** @type {number | null} */
    this.announced = null; // cards of a reshuffle that an event has announced before the draw that causes it
    this.tally = { dealt: 0, drawn: 0, reshuffles: 0, pulls: 0, rules: 0, blind: 0 };
    /** @type {string[][]} */
    this.hands = Array.from({ length: setup.players }, () => []);
    for (let i = 1; i <= setup.players * setup.handSize; i++) this.hands[(dealer + i) % setup.players].push(this.#take());
    this.tally.dealt = setup.players * setup.handSize;
  }

  /** Follows one event, and compares the outcomes of chance in it. @param {Happening} event */
  follow(event) {
    const step = STEPS[event.e];
    if (step) step(this, event);
  }

  /**
   * Compares everything with the recorded state after a move.
   * @param {Public} seen @param {readonly (readonly string[])[] | null} hands
   */
  compare(seen, hands) {
    if (this.announced !== null) throw new Mismatch("reshuffle", "–", String(this.announced));
    this.hands.forEach((hand, seat) => {
      if (hands) expect("hand", sorted(hand).join(" "), sorted(hands[seat] ?? []).join(" "), seat);
      expect("count", hand.length, seen.counts[seat], seat);
    });
    expect("draw_pile", this.pile.length, seen.draw_count);
    expect("discard_pile", this.discard.length, seen.discard_count);
    expect("top", this.top, seen.top);
    expect("all_cards", this.setup.deck.join(" "), sorted([...this.hands.flat(), ...this.pile, ...this.discard]).join(" "));
  }

  /** Returns the next card of the draw pile; an empty pile is rebuilt from the discards. */
  #take() {
    if (this.pile.length === 0) this.#recycle();
    if (this.pile.length === 0) throw new Mismatch("draw", "–", "?");
    const card = this.stream.take(this.pile);
    if (this.pile.length === 0 && this.setup.reshuffle === "eager" && this.discard.length > 1) this.#recycle();
    return card;
  }

  #recycle() {
    const remaining = this.setup.reshuffle === "keep_none" || this.discard.length === 0 ? 0 : 1;
    this.pile = this.discard.splice(0, this.discard.length - remaining);
    this.isTopShuffledIn = remaining === 0;
    if (this.pile.length === 0) return;
    expect("reshuffle", this.pile.length, this.announced);
    this.announced = null;
    this.stream = this.setup.stream(RESHUFFLE, this.number, this.tally.reshuffles++);
  }

  /** Turns over the first card; some cards return to the end of the pile. @param {string} found */
  turn(found) {
    let card = this.#take();
    while (this.setup.returns(card) && !this.pile.every((left) => this.setup.returns(left))) {
      this.pile.push(card);
      card = this.#take();
    }
    expect("first", card, found);
    this.lay(card);
  }

  /** @param {number} seat @param {readonly string[] | null} found the recorded cards in the order drawn */
  draw(seat, found) {
    for (const card of found ?? ["??"]) {
      const drawn = this.#take();
      expect("draw", drawn, card, seat);
      this.hands[seat].push(drawn);
      this.tally.drawn++;
    }
  }

  /** @param {string} card */
  lay(card) {
    this.discard.push(card);
    this.top = card;
    this.isTopShuffledIn = false;
  }

  /** Puts a card under the top of the discard pile. @param {string} card */
  bury(card) {
    this.discard.splice(this.discard.length - (this.isTopShuffledIn ? 0 : 1), 0, card);
  }

  /** Removes a card from a hand. @param {number} seat @param {string} card */
  lose(seat, card) {
    const at = this.hands[seat].indexOf(card);
    if (at < 0) throw new Mismatch("held", sorted(this.hands[seat]).join(" "), card, seat);
    this.hands[seat].splice(at, 1);
    return card;
  }

  /** Moves a card chosen blind from one hand to another. @param {number} taker @param {number} giver @param {string} found */
  takeBlind(taker, giver, found) {
    const hand = sorted(this.hands[giver]);
    const card = hand[this.setup.stream(BLIND, this.number, this.tally.blind++).below(hand.length)];
    expect("blind", card, found, giver);
    this.hands[taker].push(this.lose(giver, card));
  }

  /** @param {number} seat @param {string} found */
  pull(seat, found) {
    const { weights } = this.setup;
    const total = weights.reduce((sum, weight) => sum + weight);
    let point = this.setup.stream(LEVER, this.number, this.tally.pulls++).below(total);
    let outcome = 0;
    while (point >= weights[outcome]) point -= weights[outcome++];
    expect("lever", OUTCOMES[outcome], found, seat);
  }

  /** Takes a rule card from the dispenser. @param {number} seat @param {string} found */
  dispense(seat, found) {
    if (this.dispenser.length === 0) this.dispenser = this.used.splice(0);
    const card = this.setup.stream(RULES, this.number, this.tally.rules++).take(this.dispenser);
    this.used.push(card);
    expect("rule", card, found, seat);
  }

  /** Passes all hands on, clockwise (1) or the other way (-1). @param {number} direction */
  passHands(direction) {
    const { players } = this.setup;
    this.hands = this.hands.map((_, seat) => this.hands[(seat - direction + players) % players]);
  }

  /** @param {number} a @param {number} b */
  swap(a, b) {
    [this.hands[a], this.hands[b]] = [this.hands[b], this.hands[a]];
  }
}

/**
 * The effects of events on the cards; other events move none.
 * @type {Record<string, (cards: RoundCards, event: any) => void>}
 */
const STEPS = {
  turned: (cards, { card }) => cards.turn(card),
  played: (cards, { seat, card }) => cards.lay(cards.lose(seat, card)),
  threw: (cards, { seat, card }) => cards.lay(cards.lose(seat, card)),
  buried: (cards, { seat, card }) => cards.bury(cards.lose(seat, card)),
  drew: (cards, event) => cards.draw(event.seat, event.cards),
  took: (cards, { seat, other, card }) => cards.takeBlind(seat, other, card),
  swapped: (cards, { seat, other }) => cards.swap(seat, other),
  hands_passed: (cards, { direction }) => cards.passHands(direction),
  reshuffled: (cards, { count }) => (cards.announced = count),
  lever: (cards, { seat, outcome }) => cards.pull(seat, outcome),
  rule: (cards, { seat, rule }) => cards.dispense(seat, rule),
};
