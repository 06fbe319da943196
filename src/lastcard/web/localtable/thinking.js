/** Bot searches in small pieces, one search after another, so that the table stays responsive. */

import { botType, makeBot } from "../bindings/bots.js";
import { FALLBACK_LEVEL } from "../bindings/constants.js";

/** @import { Bot, Library } from "../bindings/bots.js" */
/** @import { Match } from "../bindings/match.js" */

/** The delay before another attempt to load weights. */
const RETRY_MS = 2000;

/**
 * A bot's decision in progress; `wake` is called when it is done.
 * @typedef {{done: boolean, move: string | null, wake: (() => void) | null}} Thought
 */

/** Runs one job after another, with pauses in which messages are handled. */
export class Thinker {
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();

  /**
   * @template T
   * @param {() => Generator<void, T>} work
   * @param {() => boolean} [wanted] whether the result is still wanted, asked at the start and later
   * @returns {Promise<T | null>} null if it was no longer wanted
   */
  think(work, wanted = () => true) {
    const thought = this.#last.then(() => this.#finish(work, wanted));
    this.#last = thought.catch(() => {});
    return thought;
  }

  /** @template T @param {() => Generator<void, T>} work @param {() => boolean} wanted */
  async #finish(work, wanted) {
    if (!wanted()) return null;
    const deciding = work();
    for (let step = deciding.next(); ; step = deciding.next()) {
      if (step.done) return step.value;
      await pause();
      if (!wanted()) return null;
    }
  }

  /** Resolves when all jobs are done. */
  get idle() {
    return this.#last;
  }
}

/** Lets the event loop handle messages. Nested timers would be delayed more each time. @returns {Promise<void>} */
function pause() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** The bots of a match and their decisions in the current state. */
export class Thoughts {
  /** @type {Map<string, Bot>} */
  #bots = new Map();
  /** Loading, or failed. @type {Map<string, Promise<void>>} */
  #coming = new Map();
  /** @type {Map<string, Thought>} */
  #thoughts = new Map();
  #ply = -1;

  /**
   * @param {Match} match @param {Library} library @param {Thinker} thinker
   * @param {() => void} wants called when a bot is loaded, or wants to react out of turn
   */
  constructor(match, library, thinker, wants) {
    this.match = match;
    this.library = library;
    this.thinker = thinker;
    this.wants = wants;
  }

  /** Returns the bot of a level in a seat; null while its weights are loading. @param {number} seat @param {string} level */
  bot(seat, level) {
    const key = `${seat} ${level}`;
    if (!this.#bots.has(key) && !this.#coming.has(key)) this.#coming.set(key, this.#load(key, seat, level));
    return this.#bots.get(key) ?? null;
  }

  /** @param {string} key @param {number} seat @param {string} level */
  async #load(key, seat, level) {
    try {
      this.#bots.set(key, await makeBot(this.match, seat, this.library, level));
    } catch (error) {
      console.warn(error);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      this.#coming.delete(key);
    }
    this.wants();
  }

  /** Whether bots of a level search. @param {string} level */
  searches(level) {
    return botType(this.match.kernel, level).effort !== null;
  }

  /** Starts and returns the decision of the bot on turn. @param {number} ply @param {number} seat @param {string} level */
  choice(ply, seat, level) {
    return this.#think(ply, seat, level, true);
  }

  /**
   * Returns a bot's reaction out of turn; null if it wants none, or has not decided yet.
   * @param {number} ply @param {number} seat @param {string} level
   */
  reaction(ply, seat, level) {
    return this.#think(ply, seat, level, false)?.move ?? null;
  }

  /** Discards all decisions after a change. */
  forget() {
    this.#ply = -1;
    this.#thoughts.clear();
  }

  /**
   * @param {number} ply @param {number} seat @param {string} level @param {boolean} own whether it is on turn
   * @returns {Thought | null} null until the bot is loaded
   */
  #think(ply, seat, level, own) {
    if (ply !== this.#ply) this.forget();
    this.#ply = ply;
    const bot = this.bot(seat, level);
    const key = `${seat} ${level} ${own}`;
    const known = this.#thoughts.get(key);
    if (known || !bot) return known ?? null;
    /** @type {Thought} */
    const thought = { done: false, move: null, wake: null };
    this.#thoughts.set(key, thought);
    const observation = this.match.round.observe(seat);
    const wanted = () => this.#thoughts.get(key) === thought;
    const work = () => bot.decide(own ? "decision.choose" : "decision.react", observation);
    this.thinker
      .think(work, wanted)
      .catch((error) => this.#fallbackMove(error, seat, own))
      .then((move) => {
        Object.assign(thought, { done: true, move });
        if (!wanted()) return;
        thought.wake?.();
        if (!own && move !== null) this.wants();
      });
    return thought;
  }

  /**
   * Returns a simple bot's move after another bot has failed.
   * @param {unknown} error @param {number} seat @param {boolean} own
   */
  #fallbackMove(error, seat, own) {
    console.error(error);
    const observation = this.match.round.observe(seat);
    const bot = this.bot(seat, FALLBACK_LEVEL);
    return bot && (own ? bot.choose(observation) : bot.react(observation));
  }
}
