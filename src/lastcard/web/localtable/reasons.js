/** Reasons for a move, as facts of the position: only facts that the seat can check for itself. */

import { FEW_CARDS } from "../bindings/constants.js";

/**
 * A match, or the part of it that one seat knows.
 * @typedef {Pick<import("../bindings/match.js").Match, "rules" | "round" | "players">} KnownMatch
 */
/** @import { Observation, View } from "../bindings/round.js" */
/** @import { Move } from "../bindings/notation.js" */
/** @import { Phrase } from "./refusals.js" */

/** An evaluated move. @typedef {{move: Move, chance: number, error: number, tried: number}} EvaluatedMove */

const COLORS = ["R", "Y", "G", "B"];
const WILD_STRIKES = ["s", "+2", "+4", "ss"];
const COLORED_STRIKES = ["s", "+2"];
const TARGETED = "W@2";
const DRAW_FOUR = "W+4";

/** @param {string} name @param {Record<string, Phrase>} [values] @returns {Phrase} */
const reason = (name, values = {}) => ({ text: `advice.${name}`, values, begins: "capital" });

/** @param {string} card */
export const isWild = (card) => card[0] === "W";
/** @param {string} card */
const face = (card) => card.slice(1);

/**
 * Returns the strongest reason for a move; without any, the number of sampled deals.
 * @param {KnownMatch} match @param {View} view of the seat on turn
 * @param {EvaluatedMove} choice @param {readonly EvaluatedMove[]} choices all evaluated moves, best first
 * @param {Observation} observation the same view in numbers
 * @returns {Phrase}
 */
export function findReason(match, view, choice, choices, observation) {
  if (choices.length === 1) return reason("only");
  const { verb } = choice.move;
  const facts = new SeatFacts(match, view, observation);
  let found = null;
  if (verb === "play" && facts.hand.length === 1 && choice.chance === 1) found = reason("wins");
  else if (view.decision === "challenge" && (verb === "challenge" || verb === "accept")) found = facts.suspicion();
  else if (["play", "draw", "pass", "color"].includes(verb)) {
    const worse = choices.filter(({ chance }) => chance <= choice.chance);
    found = facts.strike(choice) ?? facts.turn(choice) ?? facts.swap(choice) ?? facts.bluff(choice);
    found ??= facts.savedCard(choice, worse) ?? facts.color(choice);
  }
  return found ?? reason(choice === choices[0] ? "best" : "average", { n: choice.tried, count: choice.tried });
}

/** The facts that a seat can see at a glance. */
class SeatFacts {
  /** @param {KnownMatch} match @param {View} view @param {Observation} observation */
  constructor(match, view, observation) {
    this.view = view;
    this.observation = observation;
    this.seat = /** @type {number} */ (view.seat);
    this.hand = /** @type {string[]} */ (view.hand);
    this.players = match.players;
    this.options = match.rules.options;
    this.allWild = match.rules.game === "all-wild";
    this.cardName = match.round.notation.cardName;
  }

  /** A card against a player who is nearly out. @param {EvaluatedMove} choice */
  strike({ move }) {
    if (move.card === null || !this.#strikes(this.cardName(move.card)) || this.view.decision === "stack") return null;
    const victim = move.target ?? this.#neighbor(1);
    const n = this.view.counts[victim];
    if (this.#isFriend(victim) || n > FEW_CARDS) return null;
    return reason("strike", { n, count: n, player: this.players[victim] });
  }

  /** A Reverse away from a player who is nearly out. @param {EvaluatedMove} choice */
  turn({ move }) {
    const { counts, decision } = this.view;
    const after = this.#neighbor(1);
    if (move.card === null || face(this.cardName(move.card)) !== "r" || decision === "stack") return null;
    const n = counts[after];
    if (this.#isFriend(after) || n > FEW_CARDS || counts[this.#neighbor(-1)] <= n) return null;
    return reason("turn", { n, count: n, player: this.players[after] });
  }

  /** Fewer cards than before. @param {EvaluatedMove} choice */
  swap({ move }) {
    if (!this.#swapsHands(move)) return null;
    const mine = this.hand.length - 1;
    const theirs = this.view.counts[move.target ?? 0];
    return theirs < mine ? reason("swap", { mine, theirs, n: 0, count: 0 }) : null;
  }

  /** A Wild Draw Four, with or without the current color (CL-30). @param {EvaluatedMove} choice */
  bluff({ move }) {
    const { color } = this.view;
    if (move.card === null || this.cardName(move.card) !== DRAW_FOUR || this.allWild) return null;
    if (this.options.wd4_mode !== "challenge" || color === null) return null;
    return reason(this.#countColor(color, this.hand) > 0 ? "bluff" : "honest", { color: { color } });
  }

  /**
   * A strike against a player who is nearly out, or a wild, that is saved because another move's chance is no worse.
   * @param {EvaluatedMove} choice @param {readonly EvaluatedMove[]} worse
   */
  savedCard({ move }, worse) {
    if (this.#movesHands(move)) return null;
    const { counts } = this.view;
    const played = move.card === null ? null : this.cardName(move.card);
    const plays = worse.filter((other) => other.move.verb === "play" && other.move.card !== move.card);
    const others = plays.flatMap((other) => (other.move.card === null ? [] : [this.cardName(other.move.card)]));
    const foes = this.#others.filter((seat) => !this.#isFriend(seat) && counts[seat] <= FEW_CARDS);
    const strikes = this.hand.filter((card) => this.#strikes(card));
    if (foes.length > 0 && strikes.length === 1 && others.includes(strikes[0])) {
      const foe = foes.reduce((best, seat) => (counts[seat] < counts[best] ? seat : best));
      const [n, player] = [counts[foe], this.players[foe]];
      return reason("keep_strike", { n, count: n, player, card: { card: strikes[0] } });
    }
    const numbers = new Map(plays.map((other) => [String(other.move.card), other.move.card]));
    const wilds = [...numbers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, card]) => this.cardName(Number(card)));
    const wild = wilds.find(isWild);
    if (wild && !this.allWild && (played === null || !isWild(played))) return reason("keep_wild", { card: { card: wild } });
    return null;
  }

  /** The current color after the play is the one this seat holds most of. @param {EvaluatedMove} choice */
  color({ move }) {
    let color = move.color === null ? null : COLORS[move.color];
    const left = [...this.hand];
    if (move.card !== null) {
      const card = this.cardName(move.card);
      left.splice(left.indexOf(card), 1);
      if (!isWild(card)) color = card[0];
    }
    if (color === null || this.#movesHands(move)) return null;
    const n = this.#countColor(color, left);
    if (n === 0 || n < Math.max(...COLORS.map((each) => this.#countColor(each, left)))) return null;
    return reason("color", { n, count: n, color: { color } });
  }

  /** Returns the probability that the player of a Wild Draw Four held the color, from the cards this seat cannot see. */
  suspicion() {
    const { state, rules } = this.observation;
    const accused = state.get("challenged_seat");
    const color = COLORS[state.get("color_before")];
    if (accused < 0 || !color || this.options.wj_number_distribution === "0-9_random") return null;
    const unseen = rules.deck.map(this.cardName);
    for (const card of [...this.hand, ...this.view.discard]) unseen.splice(unseen.indexOf(card), 1);
    const others = unseen.filter((card) => card[0] !== color).length;
    let without = 1;
    for (let i = 0; i < this.view.counts[accused]; i++) without *= (others - i) / (unseen.length - i);
    const n = Math.round(100 * (1 - Math.max(0, without)));
    return reason("suspicion", { n, count: n, player: this.players[accused], color: { color } });
  }

  // --- facts ------------------------------------------------------------------------------------------

  get #others() {
    const { length } = this.players;
    return Array.from({ length: length - 1 }, (_, i) => (this.seat + 1 + i) % length);
  }

  /** @param {number} step */
  #neighbor(step) {
    const { length } = this.players;
    return (this.seat + step * this.view.direction + length) % length;
  }

  /** @param {number} seat */
  #isFriend(seat) {
    return Boolean(this.options.team_play) && Math.abs(seat - this.seat) === 2;
  }

  /** @param {string} card */
  #strikes(card) {
    if (card === TARGETED) return true;
    const faces = isWild(card) ? WILD_STRIKES : COLORED_STRIKES;
    const reverse = face(card) === "r" && this.players.length === 2 && this.options.two_player_reverse === "skip";
    return faces.includes(face(card)) || reverse;
  }

  /** Whether a move exchanges hands with the seat it names (AW-24, 6.3). @param {EvaluatedMove["move"]} move */
  #swapsHands({ verb, target, card }) {
    return verb === "play" && target !== null && card !== null && this.cardName(card) !== TARGETED;
  }

  /**
   * Whether the hand may change completely: by a swap, a zero or the lever (LC-42, WJ-40).
   * @param {EvaluatedMove["move"]} move
   */
  #movesHands(move) {
    if (move.card === null) return false;
    const card = this.cardName(move.card);
    const passes = Boolean(this.options.seven_zero) && !isWild(card) && (face(card) === "0" || face(card) === "7");
    return this.#swapsHands(move) || face(card) === "j" || passes;
  }

  /** @param {string} color @param {readonly string[]} cards */
  #countColor(color, cards) {
    return cards.filter((card) => card[0] === color).length;
  }
}
