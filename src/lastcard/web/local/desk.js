/** Where a seat decides: what it sees, room to think in, and the search, in the kernel's memory. */

import { Fields } from "./fields.js";
import { first } from "./kernel.js";

/** @import { Area, Effort, Kernel } from "./kernel.js" */
/** @import { Sight } from "./round.js" */

/**
 * What a choice is worth.
 * @typedef {object} Choice
 * @property {number} action
 * @property {number} chance of winning the round, if everybody goes on by rules of thumb
 * @property {number} tried in how many rounds
 * @property {number} prior what the adviser adds to it; 0 where it is not asked
 */

const CHUNK = 64; // deals between two looks at the clock, or two pauses
/** The sizes of memory that a past is put into, for the same array to do for all of a round. */
const WORDS = 1024;

/** Room for one decision at a time; all desks of a name are the same room. */
export class Desk {
  /** @param {Kernel} kernel @param {string} name */
  constructor(kernel, name) {
    this.kernel = kernel;
    this.name = name;
  }

  /** @param {string} name @param {string} type @param {readonly number[]} shape */
  #room(name, type, ...shape) {
    return this.kernel.room(`${this.name}.${name}`, type, ...shape);
  }

  /** Makes what a seat sees a scene. @param {Sight} sight @returns {(Area | number)[]} */
  show({ table, past, rules, seat }) {
    const { kernel } = this;
    const tables = this.#room("scene", "ROUND_STATE", 2);
    kernel.write(tables, table.bytes);
    const words = first(
      this.#room("words", "int32", Math.max(WORDS, 2 ** Math.ceil(Math.log2(past.length + 1)))),
      past.length,
    );
    kernel.write(words, new Uint8Array(past.buffer, past.byteOffset, past.byteLength));
    const counts = Array(kernel.description.sizes.card_slots).fill(0);
    for (const card of rules.deck) counts[card]++;
    const deck = this.#room("deck", "int64", counts.length);
    kernel.writeNumbers(deck, counts);
    return [tables, words, deck, seat];
  }

  /** What is being weighed. */
  get weighings() {
    return this.#room("weighings", "SEARCH_STATE", 1);
  }

  /** Where the dice of a decision lie. */
  get dice() {
    return this.#room("dice", "int64", this.kernel.description.sizes.dice);
  }

  /** Room to think in. @returns {Area[]} */
  get room() {
    const { actions, dice, room, seats, memory } = this.kernel.description.sizes;
    return [
      this.#room("tables", "ROUND_STATE", 2),
      this.#room("out", "int64", actions + dice),
      this.#room("x", "float32", room),
      this.#room("m", "int64", seats, memory),
      this.#room("worth", "float64", actions),
      this.#room("wins", "float64", actions, seats),
    ];
  }

  /**
   * Puts choices into the weighing.
   * @param {readonly number[]} actions @param {number} seed of all chance, 0 to 2**32 - 1
   */
  put(actions, seed) {
    const weighing = this.#weighing;
    weighing.set("choices", actions.length);
    weighing.set("seed", seed);
    weighing.fill("actions", actions);
  }

  /** What was weighed, best first. @returns {Choice[]} */
  get choices() {
    const weighing = this.#weighing;
    return weighing.list("order", weighing.get("choices")).map((i) => ({
      action: weighing.get("actions", i),
      chance: weighing.get("win_rate", i),
      tried: weighing.get("visits", i),
      prior: weighing.get("prior", i),
    }));
  }

  /** The weighing where it lies: good until memory grows. */
  get #weighing() {
    const { at, bytes } = this.weighings;
    return new Fields(this.kernel, "SEARCH_STATE", this.kernel.bytes.subarray(at, at + bytes));
  }

  /**
   * Weighs the choices that stand in the weighing, until all deals are played or the time is up; with pauses.
   * @param {(Area | number)[]} scene @param {readonly Area[]} learned @param {Effort} effort
   * @returns {Generator<void, void>}
   */
  *search(scene, learned, effort) {
    const { milliseconds } = effort;
    const began = performance.now();
    const goOn = this.#begin(scene, learned, effort, effort.rollouts, 0);
    for (let done = 0; !done;) {
      yield;
      const heat = this.#weighing.get("halving");
      done = goOn();
      const now = this.#weighing;
      if (milliseconds === null || now.get("halving") !== heat) continue;
      if (performance.now() - began > (milliseconds * heat) / now.get("halvings"))
        done = this.kernel.call("search.end_halving_early", this.weighings);
    }
  }

  /**
   * What part of the deals of one chain each seat wins by each choice; every deal is met once by all choices, and played
   * to its end. In team play (6.8) partners win together.
   * @param {(Area | number)[]} scene @param {readonly Area[]} learned @param {Effort} effort its horizon, prior and habits are 0
   * @param {number} players
   * @returns {Generator<void, number[][]>} by choice and seat
   */
  *sample(scene, learned, effort, players) {
    const choices = this.#weighing.get("choices");
    const goOn = this.#begin(scene, learned, effort, effort.deals * choices, 1);
    do yield;
    while (!goOn());
    const weighing = this.#weighing;
    const { seats } = this.kernel.description.sizes;
    const partners = weighing.get("partner") >= 0;
    return Array.from({ length: choices }, (_, choice) => {
      const won = weighing.list("wins", players, choice * seats).map((wins) => wins / effort.deals);
      return partners ? won.map((share, seat) => share + won[(seat + 2) % players]) : won;
    });
  }

  /**
   * Imagines the deals, all anew.
   * @param {(Area | number)[]} scene @param {readonly Area[]} learned @param {Effort} effort
   * @param {number} rollouts @param {number} heats 0 for as many as fit
   * @returns {() => number} plays some more of them; 1 when all are played
   */
  #begin(scene, learned, effort, rollouts, heats) {
    const { kernel, room } = this;
    const { deal, seats } = kernel.description.sizes;
    const deals = this.#room(`deals ${effort.deals}`, "int8", effort.deals, deal);
    const thoughts = [this.weighings, this.#room("beliefs", "BELIEF", 1), deals, this.#room("likely", "float64", seats)];
    const { horizon, burn, thin, likelihood_plays, rationality, deviation, prior, habits } = effort;
    const care = [rollouts, heats, horizon, burn, thin, likelihood_plays, rationality, deviation, prior, habits];
    kernel.call("search.begin_search", ...scene, ...learned, ...care, ...thoughts, ...room);
    return () => kernel.call("search.continue_search", ...scene, ...learned, ...thoughts, ...room, CHUNK);
  }
}
