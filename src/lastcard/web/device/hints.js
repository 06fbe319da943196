/** Hints: the best moves of a seat with their chances. All of it comes from what the seat sees. */

import { FACTS } from "./facts.js";
import { isCall } from "./race.js";
import { findReason } from "./reasons.js";

/** @import { AdvisedMove } from "../line/protocol.js" */
/** @import { Library } from "../local/bots.js" */
/** @import { Desk } from "../local/desk.js" */
/** @import { Effort } from "../local/kernel.js" */
/** @import { Match } from "../local/match.js" */
/** @import { Move } from "../local/notation.js" */
/** @import { Said, Unsaid } from "./refusals.js" */

const Z = 1.96; // standard errors in half a 95 % interval
const DIGITS = 3;

/**
 * The best few moves of the seat on turn.
 * @param {Match} match @param {number} seat @param {Library} library
 * @param {<T>(work: () => Generator<void, T>) => Promise<T | null>} think
 * @param {Desk} desk
 * @returns {Promise<(AdvisedMove & {unsaid: Unsaid})[]>} their words still unsaid
 */
export async function findHints(match, seat, library, think, desk) {
  const { kernel, rules, round, players } = match;
  const { level, effort, best } = FACTS.hint;
  const sight = round.sight(seat);
  const view = round.view(seat);
  const { notation } = round;
  const moves = round.legalActions(seat).filter((action) => !isCall(notation.parts(action)));
  const learned = await library.learned(kernel.description.bots[level], rules.game, players.length);
  const choices = await think(function* () {
    desk.put(moves, 0);
    yield* desk.search(desk.show(sight), learned, /** @type {Effort} */ ({ milliseconds: null, ...effort }));
    return desk.choices;
  });
  const weighed = (choices ?? []).map(({ action, chance, tried }) => {
    const move = notation.parts(action);
    return { move, text: notation.text(move), chance, tried };
  });
  return weighed.slice(0, best).map((choice) => ({
    move: choice.text,
    words: "",
    chance: rounded(choice.chance),
    error: rounded(shareError(choice.chance, choice.tried)),
    why: "",
    unsaid: {
      game: rules.game,
      says: { words: moveWords(choice.move, match, view.pending), why: findReason(match, view, choice, weighed, sight) },
    },
  }));
}

/** A move in words, with the color or the player it names: `Wild – red`. @param {Move} move @param {Match} match @param {number} pending @returns {Said} */
function moveWords(move, { round, players }, pending) {
  const { notation } = round;
  const card = move.card === null ? null : { card: notation.cardName(move.card) };
  const color = move.color === null ? null : { color: /** @type {string} */ (notation.colorLetter(move.color)) };
  const player = move.target === null ? null : players[move.target];
  const named = color ?? player;
  if (move.verb === "play" && card) return named === null ? card : { joined: [card, named] };
  return {
    text: `play.choice.${move.verb}`,
    values: { card: card ?? "", color: color ?? "", player: player ?? "", n: pending },
  };
}

/** Half of the 95 % interval of a share of independent trials: Agresti and Coull's, which is honest near 0 and 1. @param {number} share @param {number} trials */
function shareError(share, trials) {
  const n = trials + Z * Z;
  const middle = (share * trials + (Z * Z) / 2) / n;
  return Z * Math.sqrt((middle * (1 - middle)) / n);
}

/** @param {number} number */
const rounded = (number) => Number(number.toFixed(DIGITS));
