/** Records without a table, for the page: checked, and shown step by step. The worker starts when it is first asked. */

import { openOffice } from "./offices.js";
import { worded, wordedReport } from "./wording.js";

/** @import { AdvisedMove, Replay, ReportPage } from "../line/protocol.js" */
/** @import { Moment } from "./moments.js" */
/** @import { Office } from "./office.js" */
/** @import { Checked } from "./records.js" */
/** @import { Seen } from "./seen.js" */

class Archive {
  /** @type {Promise<Office> | null} */
  #office = null;

  /** What stands in a record; rejects where it is not true. @param {string} text @returns {Promise<Checked>} */
  async check(text) {
    return (await this.#open()).ask("check", text);
  }

  /** The match of a record, as `GET /api/matches/ID/replay` gives it. @param {string} text @param {{id?: string, started?: number, bots?: (string | null)[]}} [known] @returns {Promise<Replay>} */
  async replay(text, known = {}) {
    return (await this.#open()).ask("replay", text, known);
  }

  /** What is worth saying of a match that is over, as `GET /api/matches/ID/moments` gives it. @param {string} text @param {readonly number[]} seats of persons @returns {Promise<Moment[]>} */
  async moments(text, seats) {
    return (await this.#open()).ask("moments", text, seats);
  }

  /**
   * What was luck and what was skill in a match that is over, as `GET /api/matches/ID/report` gives it; it takes a while.
   * @param {string} text
   * @param {(share: number) => void} [tell] what part of it is done
   * @returns {Promise<ReportPage | null>} null where it was given up, as for another one that was asked for meanwhile
   */
  async report(text, tell = () => {}) {
    const office = await this.#open();
    office.hear = ({ share }) => tell(share);
    const made = await office.ask("report", text);
    return made && wordedReport(made);
  }

  /** Give up the report that is being made. */
  async stopReport() {
    await (await this.#open()).ask("stopReport");
  }

  /** The best moves of a seat, from what a server says the seat knows; in words. @param {Seen} seen @returns {Promise<readonly AdvisedMove[]>} */
  async hints(seen) {
    const moves = await (await this.#open()).ask("hints", seen);
    const advice = worded({ type: "advice", id: "", ply: 0, moves });
    return advice.type === "advice" ? advice.moves : [];
  }

  /** The shortest name of rules that so many can play; rejects where they cannot. @param {string} name @param {number} seats @returns {Promise<string>} */
  async rules(name, seats) {
    return (await this.#open()).ask("rules", name, seats);
  }

  /** A rule card in its canonical form; rejects where it is none. @param {string} text @returns {Promise<string>} */
  async card(text) {
    return (await this.#open()).ask("card", text);
  }

  async #open() {
    this.#office ??= openOffice();
    try {
      return await this.#office;
    } catch (error) {
      this.#office = null; // it may come when it is asked for again
      throw error;
    }
  }
}

export const archive = new Archive();
