/** Bots at a table: what they will do next, and when, as slowly as people. As `server/game/table_bots.py` has it. */

import { botType } from "../bindings/bots.js";
import { PLAIN_LEVEL, REGULARS, STRANGER, TEMPO } from "../bindings/constants.js";
import { fromHex, sha256 } from "../bindings/sha256.js";

/** @import { Match } from "../bindings/match.js" */
/** @import { Move } from "../bindings/notation.js" */
/** @import { UnoRace } from "./unorace.js" */
/** @import { Thought, Thoughts } from "./thinking.js" */
/** @import { Tutor } from "./tutor.js" */

/**
 * What a bot is going to do.
 * @typedef {object} Plan
 * @property {number} when in table time
 * @property {number} seat which bot
 * @property {string | null} move a reaction; null where it will choose when the time comes
 * @property {number} ply the move in the log it comes after; a later table has another plan
 * @property {string} level of the bot
 * @property {Thought | null} thought what a bot that searches will choose; null as long as it is not there
 */

/** Who is called so at a table. @param {string} name */
const personaOf = (name) =>
  Object.values(REGULARS)
    .flat()
    .find((each) => each.name === name) ?? STRANGER;

/** All bots of a match. */
export class TableBots {
  #personas;
  #delaySeed;

  /**
   * @param {Match} match
   * @param {Thoughts} thoughts
   * @param {Tutor | null} tutor in a lesson, where nobody acts out of turn
   */
  constructor(match, thoughts, tutor) {
    this.match = match;
    this.thoughts = thoughts;
    this.tutor = tutor;
    this.#personas = match.players.map(personaOf);
    this.#delaySeed = fromHex(sha256(Uint8Array.from([...new TextEncoder().encode("haste"), ...fromHex(match.seed)])));
  }

  /**
   * What some bot does next unless something else happens first.
   * @param {number} ply how many moves there were
   * @param {Map<number, string>} levels of the bots that play now, by seat, each with its style
   * @param {UnoRace} race who can be caught since when
   * @param {{since: number, slow: number, now: number}} time when the seat on turn began to think, how slow bots are, table time
   * @returns {Plan | null}
   */
  plan(ply, levels, race, { since, slow, now }) {
    const { round } = this.match;
    if (levels.size === 0 || round.over) return null;
    const plans = this.tutor ? [] : this.#reactions(ply, levels, race, since);
    const level = levels.get(round.turn);
    if (level !== undefined) {
      this.thoughts.bot(round.turn, this.#plain(level)); // what it has learned is there when its time comes
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

  /**
   * The move of a plan whose time has come; null as long as nobody can make it.
   * @param {Plan} plan
   */
  move({ seat, move, level, thought }) {
    const made = (this.tutor ? this.tutor.botMove(seat) : move) ?? thought?.move;
    if (made) return made;
    return this.thoughts.bot(seat, this.#plain(level))?.choose(this.match.round.observe(seat)) ?? null;
  }

  /** The level that decides where nothing can be thought over. @param {string} level */
  #plain(level) {
    return this.thoughts.searches(level) ? PLAIN_LEVEL : level;
  }

  /**
   * What bots do out of turn: calls, catches, jump-ins.
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

  /** @param {number} seat @param {number} ply @param {Move} move @param {string} level @param {UnoRace} race @param {number} since */
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
   * A number between bounds, the same whenever it is asked for. It is not drawn one after the other: how many other
   * bots want something, which their cards decide, would show in all later ones.
   * @param {number[]} bounds @param {number} ply @param {number} seat
   */
  #draw([low, high], ply, seat) {
    const text = new TextEncoder().encode(`${ply} ${seat} (${low}, ${high})`);
    const share = Number(`0x${sha256(Uint8Array.from([...this.#delaySeed, ...text])).slice(0, 12)}`) / 2 ** 48;
    return low + share * (high - low);
  }

  /**
   * Seconds the one on turn needs. Only from what lies open, and not from its own hand: neither what it holds nor how
   * much it may do shows in how long it takes.
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
