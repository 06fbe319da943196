/**
 * What moves are worth, judged from what their seat could know. The best of many is also the luckiest: so a search only
 * names it, and fresh deals measure. As `bots/evaluation.py` has it.
 */

import { JUDGE } from "../local/constants.js";
import { NOTHING_KNOWN, mean, shareError } from "./figures.js";

/** @import { Area, Effort } from "../local/kernel.js" */
/** @import { Library } from "../local/bots.js" */
/** @import { Choice, Desk } from "../local/desk.js" */
/** @import { Sight } from "../local/round.js" */
/** @import { Figure } from "./figures.js" */

/**
 * What became of a decision, from what its seat could know: the best move that was found, the chance of the one that was
 * made and how much more the best wins; whether the adviser too rates that higher, or is not asked; and how much more each
 * seat wins by the move that was made than by that of the rules of thumb.
 * @typedef {{best: number, chance: Figure, loss: Figure, agreed: boolean, changes: Figure[]}} Verdict
 */

/** The strongest: it judges all others. */
const LEVEL = "master";

/**
 * What the judge has learned; the weights of the rules of thumb come first.
 * @param {Library} library @param {string} game @param {number} players
 */
export const judgeLearned = (library, game, players) =>
  library.learned(library.kernel.description.bots[LEVEL], game, players);

/** Moves that met the same fresh deals. */
export class Measured {
  /**
   * @param {readonly number[]} actions
   * @param {number[][][]} won what part of its deals each seat won, by chain and action
   * @param {number} deals how many a chain has
   */
  constructor(actions, won, deals) {
    this.actions = actions;
    this.won = won;
    this.step = 1 / deals;
    this.tried = won.length * deals;
  }

  /** Of a seat to win the round, where the move is made. @param {number} action @param {number} seat */
  chance(action, seat) {
    return mean(this.#won(action, seat), this.step);
  }

  /** By how much a move wins more rounds for a seat than another one does. @param {number} action @param {number} other @param {number} seat @returns {Figure} */
  more(action, other, seat) {
    if (action === other) return NOTHING_KNOWN;
    const others = this.#won(other, seat);
    return mean(
      this.#won(action, seat).map((share, chain) => share - others[chain]),
      this.step,
    );
  }

  /** @param {number} action @param {number} seat */
  #won(action, seat) {
    const place = this.actions.indexOf(action);
    return this.won.map((chain) => chain[place][seat]);
  }
}

/** Measures moves on fresh deals. */
export class Judge {
  /**
   * @param {Desk} desk nobody else sits at meanwhile
   * @param {readonly Area[]} learned by the strongest level
   * @param {{finding: Effort, measuring: Effort}} efforts how hard the best move is searched for, and measured
   */
  constructor(desk, learned, { finding, measuring }) {
    this.desk = desk;
    this.learned = learned;
    this.finding = finding;
    this.measuring = { ...measuring, horizon: 0, prior: 0, habits: 0 };
  }

  /** Moves as the search weighs them, best first. @param {Sight} sight @param {readonly number[]} actions @param {number} seed @returns {Generator<void, Choice[]>} */
  *find(sight, actions, seed) {
    this.desk.put(actions, seed);
    yield* this.desk.search(this.desk.show(sight), this.learned, this.finding);
    return this.desk.choices;
  }

  /**
   * Measures moves on deals that are fresh wherever the seed is that of a search.
   * @param {Sight} sight of the seat, as it decides
   * @param {readonly number[]} actions one or more
   * @param {number} seed of all chance, 0 to 2**32 - 1
   * @param {number | null} [seconds] after how many to stop with fewer chains; null for never
   * @returns {Generator<void, Measured>}
   */
  *measure(sight, actions, seed, seconds = null) {
    const { chains, fewest, afresh } = JUDGE;
    const began = performance.now();
    const won = [];
    while (won.length < chains) {
      if (seconds !== null && won.length >= fewest && performance.now() - began > 1000 * seconds) break;
      this.desk.put(actions, ((seed ^ afresh) + won.length) >>> 0);
      won.push(yield* this.desk.sample(this.desk.show(sight), this.learned, this.measuring, sight.players));
    }
    return new Measured(actions, won, this.measuring.deals);
  }

  /**
   * Judges one decision.
   * @param {Sight} sight of the seat, as it decided
   * @param {readonly number[]} actions what it could choose from
   * @param {number} made what it chose @param {number} usual what the rules of thumb choose
   * @param {number} seed of all chance, 0 to 2**32 - 1
   * @returns {Generator<void, Verdict>}
   */
  *judge(sight, actions, made, usual, seed) {
    const { seat, players } = sight;
    const seats = Array.from({ length: players }, (_, other) => other);
    const found = yield* this.find(sight, actions, seed);
    const [{ action: best, chance: value, tried }] = found;
    const picked = [...new Set([made, best, usual])];
    if (picked.length === 1) {
      const chance = { value, error: shareError(value, tried) };
      return { best, chance, loss: NOTHING_KNOWN, agreed: true, changes: seats.map(() => NOTHING_KNOWN) };
    }
    const measured = yield* this.measure(sight, picked, seed);
    const priors = new Map(found.map(({ action, prior }) => [action, prior]));
    const asked = [...priors.values()].some((prior) => prior !== 0);
    return {
      best,
      chance: measured.chance(made, seat),
      loss: measured.more(best, made, seat),
      agreed: !asked || Number(priors.get(best)) > Number(priors.get(made)),
      changes: seats.map((other) => measured.more(made, usual, other)),
    };
  }
}
