/** Hints: the best moves on the viewer's turn, marked with their chances at the table; the line has the reason for the best. */

import { analyzesLocally } from "../ui/address.js";
import { load, need } from "../ui/resources.js";
import { announce } from "../ui/toast.js";
import { percent, t, useTexts } from "../ui/texts.js";
import { randomHex } from "../net/shuffle.js";

/** @import {SeatObservation} from "../net/protocol.js" */
/** @import {Answer, Session} from "../net/session.js" */

need(useTexts("advice"));

/**
 * @typedef {object} Advice
 * @property {string} text for the line
 * @property {"bad"} [kind]
 * @property {ReadonlyMap<string, Mark>} marks by move
 */
/** @typedef {{chance: string, best: boolean}} Mark the chance to win, as text, and whether the move is the best one */

export class Adviser {
  #session;
  #table;
  #here;
  /** Counts requests, so that only the answer to the last one is shown. */
  #asked = 0;

  /**
   * @param {Session} session @param {() => {advice: Advice | null} | null} table returns the game's element
   * @param {boolean} [here] whether the page computes the hints
   */
  constructor(session, table, here = analyzesLocally && !session.isLocal) {
    this.#session = session;
    this.#table = table;
    this.#here = here;
  }

  /** Shows hints, or removes them. */
  async toggle() {
    this.#asked += 1;
    const asked = this.#asked;
    if (this.#table()?.advice) return this.#show(null);
    this.#show({ text: t("web.advice.thinking"), marks: new Map() });
    const here = this.#here ? { here: true } : {};
    const answer = await this.#session.ask({ type: "advise", id: randomHex(12), ...here });
    const found = answer?.type === "sight" ? await this.#think(answer) : answer;
    // A move has removed the hints meanwhile.
    if (asked !== this.#asked || !this.#table()?.advice) return;
    if (found?.type === "refused") this.#show({ text: found.text, kind: "bad", marks: new Map() });
    else if (found?.type !== "advice" || found.ply !== this.#session.game?.ply) this.#show(null);
    else {
      const [{ words, chance, why }] = found.moves;
      announce(words);
      const marks = found.moves.map((advised, i) => /** @type {const} */ ([advised.move, { chance: percent(advised.chance), best: i === 0 }]));
      this.#show({ text: t("web.advice.best", { chance: percent(chance), why }), marks: new Map(marks) });
    }
  }

  /** @param {Advice | null} advice */
  #show(advice) {
    const table = this.#table();
    if (table) table.advice = advice;
  }

  /**
   * Returns the hint that a server would give, computed in the page; if the page cannot compute it, the server does.
   * @param {SeatObservation} answer the observation that the server sent
   * @returns {Promise<Answer | null>}
   */
  async #think({ id, ply, table, past }) {
    const { game, seat } = this.#session;
    if (!game || seat === null || game.ply !== ply) return null;
    try {
      const archive = await load(import("../localtable/archive.js"));
      const { rules, players, public: open } = game;
      return { type: "advice", id, ply, moves: [...(await archive.hints({ rules, players, seat, rule: open.rule, table, past }))] };
    } catch (error) {
      console.warn(error);
      return this.#session.ask({ type: "advise", id: randomHex(12) });
    }
  }
}
