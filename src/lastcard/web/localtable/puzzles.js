/** Puzzles: a moment of a match as the seat on turn sees it, and the rest of its round as a replay. */

import { PERSONAS } from "../bindings/constants.js";
import { IllegalMove } from "../bindings/errors.js";
import { latestKernel } from "../bindings/latest.js";
import { Match, replay } from "../bindings/match.js";
import { parseRecord } from "../bindings/record.js";
import { moveWords, reasonWords } from "./hints.js";
import { gameOf } from "./messages.js";
import { againstRules } from "./refusals.js";
import { replayOf } from "./replays.js";

/** @import { Game, Replay } from "../net/protocol.js" */
/** @import { Phrase } from "./refusals.js" */

/**
 * A puzzle as `formats/puzzles.py` describes it.
 * @typedef {object} Puzzle
 * @property {string} rules @property {number} players @property {number | string} seed
 * @property {number} ply the number of moves before the moment
 * @property {string} theme
 * @property {number} grade
 * @property {[move: string, percent: number][]} chances the moves, best first
 * @property {string[]} reason the name of a reason and its facts
 * @property {string[]} moves those of the round
 */

/**
 * A moment of a record, made from a mistake in a report.
 * @typedef {{record: string, round: number, step: number, best: string}} OwnPuzzle
 */

/**
 * @typedef {object} OpenPuzzle
 * @property {Game} game the table at the moment
 * @property {Replay} replay
 * @property {number} round of the moment in the replay, as the step before the move
 * @property {number} step
 * @property {Record<string, {said: Phrase} | string>} words each move as text, and the reason under an empty name
 */

const SHOWN_EVENTS = 12;
/** Reasons that say no more than the chances. */
const UNEXPLAINED = ["best", "average"];

/** The moment of the last opened puzzle. @type {Match | null} */
let moment = null;

/**
 * Opens a puzzle of the file.
 * @param {Puzzle} puzzle @param {string} solver the solver's name
 * @returns {{game: string, page: OpenPuzzle}} with texts still to be rendered
 */
export function openPuzzle(puzzle, solver) {
  const { rules, players, seed, moves, ply } = puzzle;
  const seat = play(new Match(rules, { players, seed }), moves.slice(0, ply)).turn;
  const bots = [...PERSONAS.sharp, ...PERSONAS.casual].map((persona) => persona.name).filter((other) => other !== solver);
  const names = Array.from({ length: players }, (_, i) => (i === seat ? solver : bots[i]));
  const record = play(new Match(rules, { players: names, seed }), moves).record();
  const found = findMoment(record, 0, ply);
  const [name, ...facts] = puzzle.reason;
  const why = UNEXPLAINED.includes(name) ? "" : { said: reasonWords(name, facts.map(factOf), found.match) };
  return open(found, puzzle.chances.map(([move]) => move), why);
}

/** Opens a moment of a record. @param {OwnPuzzle} puzzle @returns {{game: string, page: OpenPuzzle}} */
export const openOwnPuzzle = ({ record, round, step }) => open(findMoment(record, round, step), [], "");

/**
 * Returns why a move is illegal in the opened puzzle; null if it is legal.
 * @param {string} text
 */
export function whyNotInPuzzle(text) {
  if (!moment) return null;
  const { round } = moment;
  const move = round.notation.move(text);
  try {
    round.verify(moment.turn, move);
    return null;
  } catch (error) {
    if (error instanceof IllegalMove) return againstRules("", moment, moment.turn, move, error);
    throw error;
  }
}

/** @typedef {{record: string, round: number, step: number, match: Match, recent: Match["events"]}} Moment */

/** Returns a moment of a record: the match before a move. @param {string} record @param {number} round @param {number} step */
function findMoment(record, round, step) {
  const kernel = latestKernel();
  /** @type {Match["events"]} */
  const recent = [];
  for (const match of replay(parseRecord(kernel, record), kernel)) {
    if (match.number !== round) continue;
    recent.push(...match.events);
    if (match.moves.length === step) return { record, round, step, match, recent: recent.slice(-SHOWN_EVENTS) };
  }
  throw new RangeError("the record ends before the moment of the puzzle");
}

/**
 * @param {Moment} found @param {readonly string[]} moves the moves whose words are needed @param {{said: Phrase} | string} why
 * @returns {{game: string, page: OpenPuzzle}}
 */
function open({ record, round, step, match, recent }, moves, why) {
  moment = match;
  const { turn, rules } = match;
  const { notation } = match.round;
  const pending = match.round.state.get("pending");
  const words = moves.map((move) => [move, { said: moveWords(notation.move(move), match, pending) }]);
  const whole = replayOf(record);
  const snapshot = { id: whole.id, match, ply: step, promise: "", taught: null };
  const game = gameOf(snapshot, turn, recent);
  return { game: rules.game, page: { game, replay: whole, round, step, words: Object.fromEntries([...words, ["", why]]) } };
}

/**
 * Makes moves, which name a seat only if it is not on turn. Returns the match.
 * @param {Match} match @param {readonly string[]} moves
 */
function play(match, moves) {
  for (const text of moves) {
    const [, seat, move] = /** @type {RegExpExecArray} */ (/^(?:(\d):)?(.*)$/.exec(text));
    match.do(seat ? Number(seat) : match.turn, move);
  }
  return match;
}

/** Returns a fact of a reason; null if it has none. @param {string} word */
const factOf = (word) => (word === "-" ? null : /^\d+$/.test(word) ? Number(word) : word);
