/** Bots that search think in pieces, one after another, so that the table goes on meanwhile. */

import { botType, makeBot } from "../bindings/bots.js";
import { PLAIN_LEVEL } from "../bindings/constants.js";

/** @import { Bot, Library } from "../bindings/bots.js" */
/** @import { Match } from "../bindings/match.js" */

/** How long to wait with what could not be fetched. */
const RETRY_MS = 2000;

/** What a bot makes of a table; who waits for it is woken. @typedef {{done: boolean, move: string | null, wake: (() => void) | null}} Thought */

/** Does one piece of work after another, with pauses in which messages are read. */
export class Thinker {
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();

  /**
   * @template T
   * @param {() => Generator<void, T>} work
   * @param {() => boolean} [wanted] whether it still is, when its time has come, and later
   * @returns {Promise<T | null>} null where it was not wanted any more
   */
  think(work, wanted = () => true) {
    const thought = this.#last.then(() => this.#finish(work, wanted));
    this.#last = thought.catch(() => {});
    return thought;
  }

  /**
   * @template T
   * @param {() => Generator<void, T>} work @param {() => boolean} wanted
   */
  async #finish(work, wanted) {
    if (!wanted()) return null;
    const deciding = work();
    for (let step = deciding.next(); ; step = deciding.next()) {
      if (step.done) return step.value;
      await pause();
      if (!wanted()) return null;
    }
  }

  /** When all that was to be thought has been. */
  get idle() {
    return this.#last;
  }
}

/** Lets messages in. Timers would wait longer each time. */
function pause() {
  return /** @type {Promise<void>} */ (
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    })
  );
}

/** The bots of a match and what they think of the table as it stands. */
export class Thoughts {
  /** @type {Map<string, Bot>} */
  #bots = new Map();
  /** On their way, or failed. @type {Map<string, Promise<void>>} */
  #coming = new Map();
  /** @type {Map<string, Thought>} */
  #thoughts = new Map();
  #ply = -1;

  /**
   * @param {Match} match
   * @param {Library} library
   * @param {Thinker} thinker
   * @param {() => void} wants called when one of them has come, or wants to act out of turn
   */
  constructor(match, library, thinker, wants) {
    this.match = match;
    this.library = library;
    this.thinker = thinker;
    this.wants = wants;
  }

  /** The bot of a level in a seat; null as long as what it has learned is being fetched. @param {number} seat @param {string} level */
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

  /** What the bot on turn is going to do; it begins to think. @param {number} ply @param {number} seat @param {string} level */
  choice(ply, seat, level) {
    return this.#think(ply, seat, level, true);
  }

  /** What a bot does out of turn; null where it wants nothing, or has not thought of it yet. @param {number} ply @param {number} seat @param {string} level */
  reaction(ply, seat, level) {
    return this.#think(ply, seat, level, false)?.move ?? null;
  }

  /** The table has moved on, or is no more. */
  forget() {
    this.#ply = -1;
    this.#thoughts.clear();
  }

  /**
   * @param {number} ply @param {number} seat @param {string} level @param {boolean} own whether it is on turn
   * @returns {Thought | null} null as long as there is no such bot
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

  /** What a plain bot does where another has failed. @param {unknown} error @param {number} seat @param {boolean} own */
  #fallbackMove(error, seat, own) {
    console.error(error);
    const observation = this.match.round.observe(seat);
    const bot = this.bot(seat, PLAIN_LEVEL);
    return bot && (own ? bot.choose(observation) : bot.react(observation));
  }
}
