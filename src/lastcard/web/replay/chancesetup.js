/**
 * The inputs of chance: the deck and the rule cards of a match, and the options that affect chance. For the check of the shuffle
 * alone, independent of the rules engine.
 */

import { splitName, splitWord } from "../bindings/rulename.js";
import { DEALER, DECK, Stream } from "./chacha.js";

const COLORS = "RYGB";
const COLOR_FACES = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "s", "r", "+2", "j"];
const WILD_FACES = ["", "+4", "ss", "@2", "x", "s", "r", "+2", "j"];
const NAMES = [...COLORS].flatMap((color) => COLOR_FACES.map((face) => color + face)).concat(WILD_FACES.map((f) => "W" + f));

/** The index of every card in a sorted deck or hand. */
const ORDER = new Map(NAMES.map((name, i) => [name, i]));

/** Returns cards in the order of a sorted hand or deck. @param {readonly string[]} cards */
export const sorted = (cards) => [...cards].sort((a, b) => (ORDER.get(a) ?? -1) - (ORDER.get(b) ?? -1));

/** The number of each card in a deck of All Wild. */
const ALL_WILD = { W: 54, "W+4": 6, Wss: 6, "W@2": 4, Wx: 4, Ws: 14, Wr: 14, "W+2": 10 };
/** The number of each face in a color of the classic deck, in the order of `COLOR_FACES`. */
const CLASSIC = [1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0];
/** Such numbers for the faces 0 to 9 in Wild Jackpot, by the value of the option. */
const NUMBERS = {
  "0-9_1-5": [1, 2, 2, 2, 2, 2, 1, 1, 1, 1],
  "0-9_5-9": [1, 1, 1, 1, 1, 2, 2, 2, 2, 2],
  "0_1-7": [1, 2, 2, 2, 2, 2, 2, 2, 0, 0],
};
const BUILT_IN = [
  "discard until 2",
  "streak",
  "draw until 7",
  "wilds",
  "take 2 most",
  "dare: cluck like a chicken until it is your turn again",
  "dare: give a hug to the player who holds the most cards",
  "dare: high-five every player with your feet",
];

/** A match's key, deck, rule cards and the options that affect chance. */
export class Setup {
  /**
   * @param {Uint32Array} key
   * @param {string} rules the ruleset's canonical name; no preset touches an option read here
   * @param {number} players @param {number} host
   * @param {readonly string[] | null} written rule cards, if the players wrote them
   */
  constructor(key, rules, players, host, written) {
    this.key = key;
    this.players = players;
    this.host = host;
    const [game, ...words] = splitName(rules);
    this.game = game;
    this.options = new Map(words.map(splitWord));
    this.deck = this.#deck();
    this.ruleCards = written ?? (this.option("wj_rules", "builtin8") === "social_only" ? BUILT_IN.slice(5) : BUILT_IN);
    const weights = this.option("wj_lever_weights", "uniform");
    this.weights = weights === "uniform" ? [1, 1, 1, 1, 1, 1] : weights.split("/").map(Number);
    this.handSize = Number(this.option("hand_size", "7"));
    this.reshuffle = this.option("reshuffle", "on_demand");
  }

  /** @param {string} name @param {string} usual the value if the ruleset does not name it */
  option(name, usual) {
    return this.options.get(name) ?? usual;
  }

  /** @param {number} purpose @param {number} round @param {number} index */
  stream(purpose, round, index) {
    return new Stream(this.key, purpose, round, index);
  }

  /** Returns the deck, sorted. */
  #deck() {
    if (this.game === "all-wild") return copies("", Object.keys(ALL_WILD), Object.values(ALL_WILD));
    const jackpot = this.game === "wild-jackpot";
    const faces = jackpot ? [...this.#numbers(), 2, 2, 2, 4] : CLASSIC;
    const colored = [...COLORS].flatMap((color) => copies(color, COLOR_FACES, faces));
    return [...colored, ...(jackpot ? copies("W", ["", "+4", "j"], [2, 4, 2]) : copies("W", ["", "+4"], [4, 4]))];
  }

  /** Returns the count of each number in a color of Wild Jackpot. */
  #numbers() {
    const kind = /** @type {keyof typeof NUMBERS | "0-9_random"} */ (this.option("wj_number_distribution", "0-9_1-5"));
    if (kind !== "0-9_random") return NUMBERS[kind];
    const pile = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    const stream = this.stream(DECK, 0, 0);
    const twice = Array.from({ length: 5 }, () => stream.take(pile));
    return Array.from({ length: 10 }, (_, number) => (twice.includes(number) ? 2 : 1));
  }

  /** Whether a first card goes back into the pile. @param {string} card */
  returns(card) {
    if (this.game === "all-wild") return this.option("first_card_action", "ignore") !== "ignore" && card !== "W";
    const redraw = this.option("first_card_wild", "left_of_dealer_names") === "redraw";
    return card === "W" ? redraw : card === "W+4" && (redraw || this.option("first_card_wd4", "return") !== "as_wild");
  }

  /** Returns the dealer of the first round. */
  firstDealer() {
    const choice = this.option("first_dealer", "chance");
    return choice === "seat_0" ? 0 : choice === "host" ? this.host : this.#drawnDealer(0);
  }

  /**
   * Returns the dealer of the next round.
   * @param {number} round its number, from 0
   * @param {{dealer: number, winner: number | null, points: readonly number[]}} last the previous round
   */
  nextDealer(round, last) {
    const choice = this.option("next_dealer", "left");
    const left = (last.dealer + 1) % this.players;
    if (choice === "redraw") return this.#drawnDealer(round);
    if (choice === "left" || last.winner === null) return left;
    if (choice === "winner") return last.winner;
    const seats = Array.from({ length: this.players }, (_, i) => (left + i) % this.players);
    return seats.reduce((most, seat) => (last.points[seat] > last.points[most] ? seat : most));
  }

  /** @param {number} round */
  #drawnDealer(round) {
    const seats = Array.from({ length: this.players }, (_, seat) => seat);
    if (this.game === "all-wild" || this.option("first_dealer", "draw_high") === "random") {
      return this.stream(DEALER, round, 0).take(seats);
    }
    return this.#highest(seats, this.#drawnCards(round));
  }

  /**
   * Returns the seat that draws the highest number; symbols count 0, tied seats draw again.
   * @param {number[]} seats @param {Iterator<string, never>} cards
   */
  #highest(seats, cards) {
    for (;;) {
      const values = seats.map(() => Number(/^[RYGB](\d)$/.exec(cards.next().value)?.[1] ?? 0));
      const best = Math.max(...values);
      seats = seats.filter((_, i) => values[i] === best);
      if (seats.length === 1 || this.option("dealer_tie", "redraw_tied") === "lowest_seat") return seats[0];
    }
  }

  /**
   * Yields cards drawn for dealer: one shuffled deck after another.
   * @param {number} round @returns {Iterator<string, never>}
   */
  *#drawnCards(round) {
    for (let index = 0; ; index++) {
      const pile = [...this.deck];
      const stream = this.stream(DEALER, round, index);
      while (pile.length > 0) yield stream.take(pile);
    }
  }
}

/**
 * Returns the cards of one color: each face with its count.
 * @param {string} color @param {readonly string[]} faces @param {readonly number[]} counts
 */
function copies(color, faces, counts) {
  return counts.flatMap((count, i) => /** @type {string[]} */ (Array(count).fill(color + faces[i])));
}
