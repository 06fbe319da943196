/** Hints: a seat's best moves with their chances and a reason, computed only from the seat's observation. */

import { HINT } from "../bindings/constants.js";
import { ZERO, isCertain, roundHalfEven, rounded, shareError } from "./statistics.js";
import { Evaluator, evaluatorWeights } from "./evaluate.js";
import { isCall } from "./unorace.js";
import { findReason } from "./reasons.js";

/** @import { AdvisedMove } from "../net/protocol.js" */
/** @import { Library } from "../bindings/bots.js" */
/** @import { Workspace } from "../bindings/workspace.js" */
/** @import { KnownMatch } from "./reasons.js" */
/** @import { Move } from "../bindings/notation.js" */
/** @import { Observation } from "../bindings/round.js" */
/** @import { Estimate } from "./statistics.js" */
/** @import { EvaluatedMove } from "./reasons.js" */
/** @import { Phrase, PendingTexts } from "./refusals.js" */

const DIGITS = 3;
const SEED = 0; // the same view gets the same advice

/**
 * Returns the best few moves of the seat on turn.
 * @param {KnownMatch} match @param {number} seat @param {Library} library
 * @param {<T>(work: () => Generator<void, T>) => Promise<T | null>} think @param {Workspace} workspace
 * @returns {Promise<(AdvisedMove & {pendingTexts: PendingTexts})[]>} with texts still to be rendered
 */
export async function findHints(match, seat, library, think, workspace) {
  const { rules, round, players } = match;
  const observation = round.observe(seat);
  const view = round.view(seat);
  const moves = round.legalActions(seat).filter((action) => !isCall(round.notation.moveOf(action)));
  const evaluator = new Evaluator(workspace, await evaluatorWeights(library, rules.game, players.length), HINT);
  const { choices, ahead } = (await think(() => evaluateMoves(evaluator, observation, moves))) ?? { choices: [], ahead: ZERO };
  const evaluated = choices.map(({ action, ...evaluation }) => ({ ...evaluation, move: round.notation.moveOf(action) }));
  const best = evaluated.slice(0, HINT.best);
  return best.map((choice, i) => {
    const reason = findReason(match, view, choice, evaluated, observation);
    const compared = i === 0 && best.length > 1 && comparison(ahead, moveWords(best[1].move, match, view.pending));
    return {
      move: round.notation.text(choice.move),
      words: "",
      chance: rounded(choice.chance, DIGITS),
      error: rounded(choice.error, DIGITS),
      why: "",
      pendingTexts: {
        game: rules.game,
        phrases: {
          words: moveWords(choice.move, match, view.pending),
          why: compared ? { sentences: [reason, compared] } : reason,
        },
      },
    };
  });
}

/**
 * Evaluates the moves of the seat on turn. Returns the best first, the first few measured on their own deals, and how much more
 * often the first wins than the second.
 * @param {Evaluator} evaluator @param {Observation} observation @param {readonly number[]} moves
 * @returns {Generator<void, {choices: (Omit<EvaluatedMove, "move"> & {action: number})[], ahead: Estimate}>}
 */
function* evaluateMoves(evaluator, observation, moves) {
  const found = (yield* evaluator.find(observation, moves, SEED)).map((choice) => ({
    ...choice,
    error: shareError(choice.chance, choice.tried),
  }));
  if (found.length === 1) return { choices: found, ahead: ZERO };
  const named = found.slice(0, HINT.best);
  const actions = named.map(({ action }) => action);
  const measured = yield* evaluator.measure(observation, actions, SEED, HINT.seconds);
  const best = actions.map((action) => {
    const { value, error } = measured.chance(action, observation.seat);
    return { action, chance: value, error, tried: measured.tried };
  });
  best.sort((one, other) => other.chance - one.chance);
  const ahead = measured.more(best[0].action, best[1].action, observation.seat);
  return { choices: [...best, ...found.slice(HINT.best)], ahead };
}

/**
 * Returns a phrase for the lead of the best move over the second.
 * @param {Estimate} ahead @param {Phrase} move the second @returns {Phrase}
 */
function comparison(ahead, move) {
  const points = roundHalfEven(100 * ahead.value);
  if (!isCertain(ahead) || points === 0) return { text: "hint.tied", values: { move } };
  return { text: "hint.ahead", values: { n: points, move } };
}

/**
 * Returns a move as a phrase, with the color or the player it names: `Wild – red`.
 * @param {Move} move @param {KnownMatch} match @param {number} pending @returns {Phrase}
 */
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
