/** The kernel memory in which a seat decides: its decision input, scratch arrays, and the search. */

import { KernelRecord } from "./kernelrecord.js";
import { first } from "./kernel.js";

/** @import { Area, Effort, Kernel } from "./kernel.js" */
/** @import { Observation } from "./round.js" */

/**
 * A move and its evaluation.
 * @typedef {object} Choice
 * @property {number} action
 * @property {number} chance the chance to win the round if every seat follows the heuristic policy
 * @property {number} tried the number of rollouts
 * @property {number} prior the prior net's bonus; 0 if the net is not used
 */

const CHUNK_DEALS = 64; // deals between two checks of the clock, or two pauses
/** The least size of a history array, so that one array is enough for most rounds. */
const HISTORY_WORDS = 1024;

/** Memory for one decision at a time; all workspaces of one name share it. */
export class Workspace {
  /** @param {Kernel} kernel @param {string} name */
  constructor(kernel, name) {
    this.kernel = kernel;
    this.name = name;
  }

  /** @param {string} name @param {string} type @param {readonly number[]} shape */
  #buffer(name, type, ...shape) {
    return this.kernel.buffer(`${this.name}.${name}`, type, ...shape);
  }

  /** Writes an observation as a decision input. @param {Observation} observation @returns {(Area | number)[]} */
  setInput({ state, history, rules, seat }) {
    const { kernel } = this;
    const tables = this.#buffer("scene", "ROUND_STATE", 2);
    kernel.write(tables, state.bytes);
    const words = first(
      this.#buffer("words", "int32", Math.max(HISTORY_WORDS, 2 ** Math.ceil(Math.log2(history.length + 1)))),
      history.length,
    );
    kernel.write(words, new Uint8Array(history.buffer, history.byteOffset, history.byteLength));
    const counts = Array(kernel.description.sizes.card_slots).fill(0);
    for (const card of rules.deck) counts[card]++;
    const deck = this.#buffer("deck", "int64", counts.length);
    kernel.writeNumbers(deck, counts);
    return [tables, words, deck, seat];
  }

  get searchState() {
    return this.#buffer("weighings", "SEARCH_STATE", 1);
  }

  get dice() {
    return this.#buffer("dice", "int64", this.kernel.description.sizes.dice);
  }

  /** The scratch arrays. @returns {Area[]} */
  get scratch() {
    const { actions, dice, room, seats, memory } = this.kernel.description.sizes;
    return [
      this.#buffer("tables", "ROUND_STATE", 2),
      this.#buffer("out", "int64", actions + dice),
      this.#buffer("x", "float32", room),
      this.#buffer("m", "int64", seats, memory),
      this.#buffer("worth", "float64", actions),
      this.#buffer("wins", "float64", actions, seats),
    ];
  }

  /**
   * Writes the candidate moves into the search state.
   * @param {readonly number[]} actions @param {number} seed the seed of all chance, 0 to 2**32 - 1
   */
  setCandidates(actions, seed) {
    const searchRecord = this.#searchRecord;
    searchRecord.set("choices", actions.length);
    searchRecord.set("seed", seed);
    searchRecord.fill("actions", actions);
  }

  /** The evaluated moves, best first. @returns {Choice[]} */
  get choices() {
    const searchRecord = this.#searchRecord;
    return searchRecord.list("order", searchRecord.get("choices")).map((i) => ({
      action: searchRecord.get("actions", i),
      chance: searchRecord.get("win_rate", i),
      tried: searchRecord.get("visits", i),
      prior: searchRecord.get("prior", i),
    }));
  }

  /** The search state as a record: valid until memory grows. */
  get #searchRecord() {
    const { at, bytes } = this.searchState;
    return new KernelRecord(this.kernel, "SEARCH_STATE", this.kernel.bytes.subarray(at, at + bytes));
  }

  /**
   * Evaluates the candidates until all deals are played or the time is up, with pauses.
   * @param {(Area | number)[]} input @param {readonly Area[]} weights @param {Effort} effort @returns {Generator<void, void>}
   */
  *search(input, weights, effort) {
    const { milliseconds } = effort;
    const began = performance.now();
    const continueSearch = this.#begin(input, weights, effort, effort.rollouts, 0);
    for (let done = 0; !done;) {
      yield;
      const halving = this.#searchRecord.get("halving");
      done = continueSearch();
      const now = this.#searchRecord;
      if (milliseconds === null || now.get("halving") !== halving) continue;
      if (performance.now() - began > (milliseconds * halving) / now.get("halvings"))
        done = this.kernel.call("search.end_halving_early", this.searchState);
    }
  }

  /**
   * Returns each seat's share of wins by each move, over the deals of one chain. Every move meets every deal, played to its end.
   * In team play (6.8) partners win together.
   * @param {(Area | number)[]} input @param {readonly Area[]} weights @param {Effort} effort with horizon, prior and habits 0
   * @param {number} players
   * @returns {Generator<void, number[][]>} by move and seat
   */
  *sample(input, weights, effort, players) {
    const choices = this.#searchRecord.get("choices");
    const continueSearch = this.#begin(input, weights, effort, effort.deals * choices, 1);
    do yield;
    while (!continueSearch());
    const searchRecord = this.#searchRecord;
    const { seats } = this.kernel.description.sizes;
    const partners = searchRecord.get("partner") >= 0;
    return Array.from({ length: choices }, (_, choice) => {
      const won = searchRecord.list("wins", players, choice * seats).map((wins) => wins / effort.deals);
      return partners ? won.map((share, seat) => share + won[(seat + 2) % players]) : won;
    });
  }

  /**
   * Draws new determinizations.
   * @param {(Area | number)[]} input @param {readonly Area[]} weights @param {Effort} effort
   * @param {number} rollouts @param {number} halvings 0 for the maximum
   * @returns {() => number} plays more of them; returns 1 when all are played
   */
  #begin(input, weights, effort, rollouts, halvings) {
    const { kernel, scratch } = this;
    const { deal, seats } = kernel.description.sizes;
    const deals = this.#buffer(`deals ${effort.deals}`, "int8", effort.deals, deal);
    const buffers = [this.searchState, this.#buffer("beliefs", "BELIEF", 1), deals, this.#buffer("likely", "float64", seats)];
    const { horizon, burn, thin, likelihood_plays, rationality, deviation, prior, habits } = effort;
    const budget = [rollouts, halvings, horizon, burn, thin, likelihood_plays, rationality, deviation, prior, habits];
    kernel.call("search.begin_search", ...input, ...weights, ...budget, ...buffers, ...scratch);
    return () => kernel.call("search.continue_search", ...input, ...weights, ...buffers, ...scratch, CHUNK_DEALS);
  }
}
