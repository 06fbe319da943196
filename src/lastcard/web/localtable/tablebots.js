/** Bots at a table: their next moves and a human-like delay. Mirrors `session/table_bots.py`. */

import { botType } from "../bindings/bots.js";
import { FALLBACK_LEVEL, PERSONAS, NEUTRAL_PERSONA, TEMPO } from "../bindings/constants.js";
import { fromHex, sha256 } from "../bindings/sha256.js";

/** @import { Match } from "../bindings/match.js" */
/** @import { Move } from "../bindings/notation.js" */
/** @import { UnoRace } from "./unorace.js" */
/** @import { Thought, Thoughts } from "./thinking.js" */
/** @import { Tutor } from "./tutor.js" */

/**
 * A planned move of a bot.
 * @typedef {object} Plan
 * @property {number} when the time of the move, in table time
 * @property {number} seat the bot's seat
 * @property {string | null} move a reaction; null if the bot chooses later
 * @property {number} ply the length of the log; a longer log needs a new plan
 * @property {string} level the bot's level
 * @property {Thought | null} thought the search of a bot that searches; null until it is loaded
 */

/** Returns the persona of a name at a table. @param {string} name */
const personaOf = (name) =>
  Object.values(PERSONAS)
    .flat()
    .find((each) => each.name === name) ?? NEUTRAL_PERSONA;

/** All bots of a match. */
export class TableBots {
  #personas;
  #delaySeed;

  /**
   * @param {Match} match @param {Thoughts} thoughts
   * @param {Tutor | null} tutor the tutor of a lesson, in which bots never react out of turn
   */
  constructor(match, thoughts, tutor) {
    this.match = match;
    this.thoughts = thoughts;
    this.tutor = tutor;
    this.#personas = match.players.map(personaOf);
    this.#delaySeed = fromHex(sha256(Uint8Array.from([...new TextEncoder().encode("haste"), ...fromHex(match.seed)])));
  }

  /**
   * Returns the next bot move, unless something else happens first.
   * @param {number} ply the number of moves so far
   * @param {Map<number, string>} levels of the bots that play now, by seat, each with its style
   * @param {UnoRace} race the seats that can be caught, with times
   * @param {{since: number, slow: number, now: number}} time the start of the turn, the slowness of bots, table time
   * @returns {Plan | null}
   */
  plan(ply, levels, race, { since, slow, now }) {
    const { round } = this.match;
    if (levels.size === 0 || round.over) return null;
    const plans = this.tutor ? [] : this.#reactions(ply, levels, race, since);
    const level = levels.get(round.turn);
    if (level !== undefined) {
      this.thoughts.bot(round.turn, this.#plain(level)); // its weights are loaded by the time it moves
      const thought = this.thoughts.searches(level) ? this.thoughts.choice(ply, round.turn, level) : null;
      const thinks = this.#thinking(ply, level) + (this.tutor ? TEMPO.read : 0);
      let when = Math.max(since + thinks * slow, now + TEMPO.pause);
      // Its play closes the window (CO-15): calls and catches come first.
      if (race.since.size > 0) when = Math.max(when, Math.max(...race.since.values()) + race.grace + TEMPO.pause);
      const own = plans.find((plan) => plan.seat === round.turn);
      if (own?.move?.startsWith("catch")) when = Math.max(when, own.when + TEMPO.pause);
      plans.push({ when, seat: round.turn, move: null, ply, level, thought });
    }
    return plans.reduce((first, plan) => (first && first.when <= plan.when ? first : plan), plans[0] ?? null);
  }

  /** Returns the move of a plan that is due; null while no bot can make it. @param {Plan} plan */
  move({ seat, move, level, thought }) {
    const made = (this.tutor ? this.tutor.botMove(seat) : move) ?? thought?.move;
    if (made) return made;
    return this.thoughts.bot(seat, this.#plain(level))?.choose(this.match.round.observe(seat)) ?? null;
  }

  /** Returns the level that decides when no search is possible. @param {string} level */
  #plain(level) {
    return this.thoughts.searches(level) ? FALLBACK_LEVEL : level;
  }

  /**
   * Plans the bots' reactions out of turn: calls, catches, jump-ins.
   * @param {number} ply @param {Map<number, string>} levels @param {UnoRace} race @param {number} since
   */
  #reactions(ply, levels, race, since) {
    const { round, rules } = this.match;
    /** @type {Plan[]} */
    const plans = [];
    if (race.since.size === 0 && !rules.options.jump_in) return plans;
    for (const [seat, level] of levels) {
      const move = this.thoughts.searches(level)
        ? this.thoughts.reaction(ply, seat, level)
        : (this.thoughts.bot(seat, level)?.react(round.observe(seat)) ?? null);
      if (move === null) continue;
      const when = this.#reactionTime(seat, ply, round.notation.move(move), level, race, since);
      plans.push({ when, seat, move, ply, level, thought: null });
    }
    return plans;
  }

  /**
   * @param {number} seat @param {number} ply @param {Move} move @param {string} level @param {UnoRace} race @param {number} since
   */
  #reactionTime(seat, ply, move, level, race, since) {
    const pace = this.#tempo(seat, level);
    const { call, catch: caught, jump } = TEMPO;
    if (move.verb === "uno") return (race.since.get(seat) ?? since) + pace * this.#draw(call, ply, seat);
    if (move.verb === "catch" && move.target !== null) {
      const began = (race.since.get(move.target) ?? since) + race.grace;
      return began + Math.max(caught[0], pace * this.#draw(caught, ply, seat));
    }
    return since + pace * this.#draw(jump, ply, seat);
  }

  /** @param {number} seat @param {string} level */
  #tempo(seat, level) {
    return botType(this.match.kernel, level).behavior.pace * this.#personas[seat].tempo;
  }

  /**
   * Returns a number between bounds that depends only on its arguments. A sequence of draws would reveal how many other bots want
   * to react, which depends on their cards.
   * @param {number[]} bounds @param {number} ply @param {number} seat
   */
  #draw([low, high], ply, seat) {
    const text = new TextEncoder().encode(`${ply} ${seat} (${low}, ${high})`);
    const share = Number(`0x${sha256(Uint8Array.from([...this.#delaySeed, ...text])).slice(0, 12)}`) / 2 ** 48;
    return low + share * (high - low);
  }

  /**
   * Returns the thinking time of the seat on turn, in seconds. It depends only on public state, so that it reveals nothing about
   * the hand or the number of legal moves.
   * @param {number} ply @param {string} level
   */
  #thinking(ply, level) {
    const { think, question, nearly_out: few } = TEMPO;
    const { turn, decision, top, counts } = this.match.round.publicState();
    let seconds = this.#draw(think, ply, turn);
    if (decision !== "play") seconds += question;
    if (top.startsWith("W")) seconds += this.#personas[turn].wilds;
    if (counts.some((count, seat) => seat !== turn && count <= few)) seconds += this.#personas[turn].danger;
    return this.#tempo(turn, level) * seconds;
  }
}
