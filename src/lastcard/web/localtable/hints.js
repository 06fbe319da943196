/** Hints: a seat's best moves with their chances and a reason, computed only from the seat's observation. */

import { HINT, MOVE_REASONS, REASON_FACTS } from "../bindings/constants.js";
import { rounded } from "./statistics.js";
import { Evaluator, evaluatorWeights, figureOf } from "./evaluate.js";
import { isCall } from "./unorace.js";

/** @import { AdvisedMove } from "../net/protocol.js" */
/** @import { Library } from "../bindings/bots.js" */
/** @import { Workspace } from "../bindings/workspace.js" */
/** @import { Move } from "../bindings/notation.js" */
/** @import { Observation } from "../bindings/round.js" */
/** @import { Phrase, PendingTexts } from "./refusals.js" */

/**
 * A match, or the part of it that one seat knows.
 * @typedef {Pick<import("../bindings/match.js").Match, "rules" | "round" | "players">} KnownMatch
 */
/** @typedef {AdvisedMove & {pendingTexts: PendingTexts}} PendingHint */

const DIGITS = 3;
const SEED = 0; // the same view gets the same advice

/**
 * Returns the best few moves of the seat on turn.
 * @param {KnownMatch} match @param {number} seat @param {Library} library
 * @param {<T>(work: () => Generator<void, T>) => Promise<T | null>} think @param {Workspace} workspace
 * @returns {Promise<PendingHint[]>} with texts still to be rendered
 */
export async function findHints(match, seat, library, think, workspace) {
  const observation = match.round.observe(seat);
  const weights = await evaluatorWeights(library, match.rules.game, match.players.length);
  const evaluator = new Evaluator(workspace, weights, HINT);
  return (await think(() => rankMoves(evaluator, match, observation))) ?? [];
}

/**
 * @param {Evaluator} evaluator @param {KnownMatch} match @param {Observation} observation
 * @returns {Generator<void, PendingHint[]>}
 */
function* rankMoves(evaluator, match, observation) {
  const { rules, round } = match;
  const { notation } = round;
  const actions = round.legalActions(observation.seat).filter((action) => !isCall(notation.moveOf(action)));
  const found = yield* evaluator.run(observation, actions, SEED);
  const pending = round.state.get("pending");
  const best = found.list("actions", Math.min(HINT.best, actions.length)).map((action) => notation.moveOf(action));
  return best.map((move, i) => {
    const { value, error } = figureOf(found, "chances", i);
    const why = reason(evaluator, i, match);
    return {
      move: notation.text(move),
      words: "",
      chance: rounded(value, DIGITS),
      error: rounded(error, DIGITS),
      why: "",
      pendingTexts: {
        game: rules.game,
        phrases: { words: moveWords(move, match, pending), why },
      },
    };
  });
}

/**
 * Returns the strongest reason for a choice of the last evaluation.
 * @param {Evaluator} evaluator @param {number} i @param {KnownMatch} match @returns {Phrase}
 */
function reason({ input, evaluations, workspace: { kernel } }, i, match) {
  const { notation } = match.round;
  const facts = kernel.buffer("reason", "int64", REASON_FACTS);
  const code = kernel.call("reasons.find_reason", ...input, evaluations, i, facts);
  const [count, player, card, color, mine, theirs] = kernel.readNumbers(facts, REASON_FACTS);
  const named = [card < 0 ? null : notation.cardName(card), color < 0 ? null : notation.colorLetter(color)];
  return reasonWords(MOVE_REASONS[code], [count, player < 0 ? null : player, ...named, mine, theirs], match);
}

/**
 * Returns a reason as a phrase.
 * @param {string} name @param {(number | string | null)[]} facts a number, a seat, a card, a color, own and other hand
 * @param {KnownMatch} match @returns {Phrase}
 */
export function reasonWords(name, [count, player, card, color, mine, theirs], { players }) {
  const n = Math.max(Number(count), 0);
  /** @type {Record<string, Phrase>} */
  const values = { n, count: n, mine: Number(mine), theirs: Number(theirs), player: player === null ? "" : players[Number(player)] };
  if (card !== null) values.card = { card: String(card) };
  if (color !== null) values.color = { color: String(color) };
  return { text: `advice.${name}`, values, begins: "capital" };
}

/**
 * Returns a move as a phrase, with the color or the player it names: `Wild – red`.
 * @param {Move} move @param {KnownMatch} match @param {number} pending @returns {Phrase}
 */
export function moveWords(move, { round, players }, pending) {
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
