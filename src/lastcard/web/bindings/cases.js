/** Conformance cases: positions, moves and the expected result. docs/notation.md describes the format. */

import { blankPattern, strip } from "./blanks.js";
import { POSITION_KEYS } from "./constants.js";
import { LastcardError, NotationError } from "./errors.js";
import { latestKernel } from "./latest.js";
import { Match } from "./match.js";
import { Notation } from "./notation.js";
import { parseDirection, parsePosition } from "./position.js";
import { isTable, parseToml } from "./toml.js";

/** @import { Kernel } from "./kernel.js" */
/** @import { Table } from "./toml.js" */

const REFUSED = blankPattern(String.raw`^[\s]*x `, "i");

/**
 * Returns the cases of a file.
 * @param {string} text TOML
 * @returns {Table[]}
 */
export function readCases(text) {
  const cases = parseToml(text).case;
  if (!Array.isArray(cases) || !cases.every(isTable))
    throw new NotationError("no cases in it; expected an array of [[case]]");
  return cases;
}

/**
 * Plays a case.
 * @param {Table} table a case of a file
 * @param {Kernel} [kernel]
 * @returns {string[]} the differences from the expectation; empty if it passed
 */
export function runCase(table, kernel = latestKernel()) {
  const position = Object.fromEntries(Object.entries(table).filter(([key]) => POSITION_KEYS.includes(key)));
  const { rules, hands, scores } = parsePosition(kernel, position);
  const match = new Match(rules, { players: hands.length, seed: 0, position, kernel });
  const moves = Array.isArray(table.moves) ? table.moves.map(String) : [];
  for (const text of moves) checkSeat(match, text);
  const wrong = moves.flatMap((text) => applyOne(match, text));
  for (const [key, value] of Object.entries(isTable(table.expect) ? table.expect : {})) {
    const [found, expected] = foundAndExpected(match, scores, key, value);
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
      wrong.push(`${key} = ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
    }
  }
  return wrong;
}

/**
 * Refuses a move of a seat that does not exist: any such move is refused, so it would prove nothing.
 * @param {Match} match @param {string} text
 */
function checkSeat({ round, players }, text) {
  const { seat } = round.notation.seatMove(text.replace(REFUSED, ""));
  if (seat >= players.length)
    throw new NotationError(`moves: ${text}: there is no seat ${seat}; the seats are 0 to ${players.length - 1}`);
}

/**
 * Makes one move, or checks that it is refused and changes nothing.
 * @param {Match} match @param {string} text @returns {string[]}
 */
function applyOne(match, text) {
  const refused = REFUSED.test(text);
  const before = match.round.stateBytes();
  try {
    const { seat, move } = match.round.notation.seatMove(text.replace(REFUSED, ""));
    match.do(seat, match.round.notation.text(move));
  } catch (error) {
    if (!(error instanceof LastcardError)) throw error;
    const after = match.round.stateBytes();
    const wrong = before.every((byte, i) => byte === after[i]) ? [] : [`${text} was refused and yet changed the table`];
    return refused ? wrong : [...wrong, `${text} was refused: ${error.message}`];
  }
  return refused ? [`${text} was accepted`] : [];
}

/**
 * Returns the actual and the expected value of a key of `expect`, in the same form.
 * @param {Match} match @param {readonly number[]} scores before the round @param {string} key @param {any} expected
 * @returns {[unknown, unknown]}
 */
function foundAndExpected(match, scores, key, expected) {
  const { round } = match;
  const { notation } = round;
  const shown = round.publicState();
  const seats = isTable(expected) ? Object.keys(expected) : [];
  switch (key) {
    case "hands":
      return [
        seats.map((seat) => round.hand(Number(seat))),
        seats.map((seat) => notation.pile(expected[seat]).sort((a, b) => a - b)),
      ];
    case "counts":
      return [seats.map((seat) => shown.counts[Number(seat)]), seats.map((seat) => expected[seat])];
    case "exposed":
      return [shown.exposed, sorted(expected)];
    case "direction":
      return [shown.direction, parseDirection(expected)];
    case "top":
      return [round.state.get("top"), notation.card(expected)];
    case "color":
      return [round.state.get("color"), expected === "" ? -1 : notation.color(expected)];
    case "decision":
      return [shown.decision, strip(expected).toLowerCase()];
    case "held":
      return [round.held(), expected];
    case "void":
      return [round.over && shown.winner === null, expected];
    case "scores":
      return [round.over ? match.countFrom(scores).scores : scores, expected];
    case "match_over":
      return [round.over && match.countFrom(scores).winners !== null, expected];
    case "match_winner": {
      const winners = round.over ? match.countFrom(scores).winners : null;
      const named = Array.isArray(expected) ? sorted(expected) : [expected];
      // A single seat has won, alone or with its partner (LC-46).
      return [named.length === 1 && winners?.includes(named[0]) ? named : winners, named];
    }
    case "next_dealer":
      return [match.nextDealer(), expected];
    case "legal":
      return legal(round.legal(), expected, notation);
    case "turn":
    case "winner":
    case "draw_count":
    case "discard_count":
      return [shown[key], expected];
    default:
      throw new NotationError(`expect: unknown key ${key}`);
  }
}

/**
 * Returns the moves of the seat on turn without calls.
 * @param {string[]} moves @param {string[]} expected @param {Notation} notation @returns {[string[], string[]]}
 */
function legal(moves, expected, notation) {
  const wanted = expected.map((text) => notation.text(notation.move(text)));
  const [found, listed] = [moves, wanted].map((texts) =>
    [...new Set(texts)].filter((text) => text !== "uno" && !text.endsWith("!")).sort(),
  );
  return [found, listed];
}

/** @param {number[]} numbers */
const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
