/** The kernel memory in which a seat decides: its decision input, scratch arrays, and the search. */

import { KernelRecord } from "./kernelrecord.js";
import { first } from "./kernel.js";

/** @import { Area, Effort, Kernel } from "./kernel.js" */
/** @import { Observation } from "./round.js" */

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
    const { kernel, scratch } = this;
    const arrays = this.searchArrays(effort.deals);
    kernel.call("search.begin_search", ...input, ...weights, ...this.settings(effort), ...arrays, ...scratch);
    for (let done = 0; !done;) {
      yield;
      const halving = this.#searchRecord.get("halving");
      done = kernel.call("search.continue_search", ...input, ...weights, ...arrays, ...scratch, CHUNK_DEALS);
      const now = this.#searchRecord;
      if (milliseconds === null || now.get("halving") !== halving) continue;
      if (performance.now() - began > (milliseconds * halving) / now.get("halvings"))
        done = kernel.call("search.end_halving_early", this.searchState);
    }
  }

  /** Returns an effort as exports take it. @param {Effort} effort */
  settings({ horizon, burn, thin, likelihood_plays, rationality, deviation, prior, habits, rollouts }) {
    return [rollouts, 0, horizon, burn, thin, likelihood_plays, rationality, deviation, prior, habits];
  }

  /** Returns the arrays of a search with a number of different deals. @param {number} deals */
  searchArrays(deals) {
    const { deal, seats } = this.kernel.description.sizes;
    const drawn = this.#buffer(`deals ${deals}`, "int8", deals, deal);
    return [this.searchState, this.#buffer("beliefs", "BELIEF", 1), drawn, this.#buffer("likely", "float64", seats)];
  }
}
