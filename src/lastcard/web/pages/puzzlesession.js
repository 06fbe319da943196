/** A moment of a match in which one move is to be found, as a session for <lc-game>: the first move is the answer. */

import { t, useTexts } from "../ui/texts.js";
import { need } from "../ui/resources.js";

/** @import { Game, Refused } from "../net/protocol.js" */
/** @import { Answer } from "../net/session.js" */

need(useTexts("puzzles"));

/** The part of the Session interface that a game needs for one move. */
export class PuzzleSession extends EventTarget {
  table = null;
  you = null;
  seat = null;
  deadline = null;
  ended = null;
  isLocal = true;

  /**
   * @param {Game} game @param {readonly (string | null)[]} bots levels by seat
   * @param {(move: string) => void} answer called with the move, and its call
   * @param {(move: string) => Promise<Refused | null>} why returns why a move is illegal; null if it is legal
   */
  constructor(game, bots, answer, why) {
    super();
    this.why = why;
    this.game = game;
    this.bots = bots;
    this.answer = answer;
  }

  /** Takes the move as the answer; a call is made with it. @param {string} move @returns {Promise<Answer>} */
  async makeMove(move) {
    if (move.startsWith("catch")) return refusal(t("web.puzzles.catch"));
    const { mine } = this.game;
    if (move === "uno") {
      this.game = { ...this.game, mine: mine && { ...mine, early: true } };
      this.dispatchEvent(new CustomEvent("table"));
    } else {
      const refused = await this.why(move);
      if (refused) return refused;
      this.answer(mine?.early && !move.endsWith("!") ? `${move}!` : move);
    }
    return { type: "done", id: "", ply: this.game.ply };
  }
}

/** @param {string} text @returns {Refused} */
const refusal = (text) => ({ type: "refused", id: "", code: "puzzle", clause: null, text, late: null });
