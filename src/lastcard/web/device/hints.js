/** Hints: the best moves of a seat with their chances, and why. All of it comes from what the seat sees. */

import { HINT } from "../local/constants.js";
import { NOTHING_KNOWN, isCertain, roundHalfEven, rounded, shareError } from "./figures.js";
import { Judge, judgeLearned } from "./judge.js";
import { isCall } from "./race.js";
import { findReason } from "./reasons.js";

/** @import { AdvisedMove } from "../line/protocol.js" */
/** @import { Library } from "../local/bots.js" */
/** @import { Desk } from "../local/desk.js" */
/** @import { Table } from "./reasons.js" */
/** @import { Move } from "../local/notation.js" */
/** @import { Sight } from "../local/round.js" */
/** @import { Figure } from "./figures.js" */
/** @import { Weighed } from "./reasons.js" */
/** @import { Said, Unsaid } from "./refusals.js" */

const DIGITS = 3;
const SEED = 0; // the same view gets the same advice

/**
 * The best few moves of the seat on turn.
 * @param {Table} match @param {number} seat @param {Library} library
 * @param {<T>(work: () => Generator<void, T>) => Promise<T | null>} think
 * @param {Desk} desk
 * @returns {Promise<(AdvisedMove & {unsaid: Unsaid})[]>} their words still unsaid
 */
export async function findHints(match, seat, library, think, desk) {
  const { rules, round, players } = match;
  const sight = round.sight(seat);
  const view = round.view(seat);
  const moves = round.legalActions(seat).filter((action) => !isCall(round.notation.parts(action)));
  const judge = new Judge(desk, await judgeLearned(library, rules.game, players.length), HINT);
  const { choices, ahead } = (await think(() => weigh(judge, sight, moves))) ?? { choices: [], ahead: NOTHING_KNOWN };
  const weighed = choices.map(({ action, ...worth }) => ({ ...worth, move: round.notation.parts(action) }));
  const best = weighed.slice(0, HINT.best);
  return best.map((choice, i) => {
    const reason = findReason(match, view, choice, weighed, sight);
    const compared = i === 0 && best.length > 1 && comparison(ahead, moveWords(best[1].move, match, view.pending));
    return {
      move: round.notation.text(choice.move),
      words: "",
      chance: rounded(choice.chance, DIGITS),
      error: rounded(choice.error, DIGITS),
      why: "",
      unsaid: {
        game: rules.game,
        says: {
          words: moveWords(choice.move, match, view.pending),
          why: compared ? { sentences: [reason, compared] } : reason,
        },
      },
    };
  });
}

/**
 * What the seat on turn can do: best first, the first few measured on deals of their own; and by how much the first one
 * wins more rounds than the second.
 * @param {Judge} judge @param {Sight} sight @param {readonly number[]} moves
 * @returns {Generator<void, {choices: (Omit<Weighed, "move"> & {action: number})[], ahead: Figure}>}
 */
function* weigh(judge, sight, moves) {
  const found = (yield* judge.find(sight, moves, SEED)).map((choice) => ({
    ...choice,
    error: shareError(choice.chance, choice.tried),
  }));
  if (found.length === 1) return { choices: found, ahead: NOTHING_KNOWN };
  const named = found.slice(0, HINT.best);
  const actions = named.map(({ action }) => action);
  const measured = yield* judge.measure(sight, actions, SEED, HINT.seconds);
  const best = actions.map((action) => {
    const { value, error } = measured.chance(action, sight.seat);
    return { action, chance: value, error, tried: measured.tried };
  });
  best.sort((one, other) => other.chance - one.chance);
  const ahead = measured.more(best[0].action, best[1].action, sight.seat);
  return { choices: [...best, ...found.slice(HINT.best)], ahead };
}

/** How much better the best move is than the second. @param {Figure} ahead @param {Said} move the second @returns {Said} */
function comparison(ahead, move) {
  const points = roundHalfEven(100 * ahead.value);
  if (!isCertain(ahead) || points === 0) return { text: "hint.tied", values: { move } };
  return { text: "hint.ahead", values: { n: points, move } };
}

/** A move in words, with the color or the player it names: `Wild – red`. @param {Move} move @param {Table} match @param {number} pending @returns {Said} */
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
