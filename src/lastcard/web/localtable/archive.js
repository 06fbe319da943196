/** Records without a table, for the page: checked, and shown step by step. The worker starts when it is first asked. */

import { takeWorker } from "./workerpool.js";
import { localize, localizeReport } from "./wording.js";

/** @import { AdvisedMove, Replay, ReportPage } from "../net/protocol.js" */
/** @import { Highlight } from "./highlights.js" */
/** @import { WorkerClient } from "./workerclient.js" */
/** @import { Checked } from "./replays.js" */
/** @import { EncodedObservation } from "./observation.js" */

class Archive {
  /** @type {Promise<WorkerClient> | null} */
  #worker = null;

  /** What stands in a record; rejects where it is not true. @param {string} text @returns {Promise<Checked>} */
  async check(text) {
    return (await this.#open()).ask("check", text);
  }

  /** The match of a record, as `GET /api/matches/ID/replay` gives it. @param {string} text @param {{id?: string, started?: number, bots?: (string | null)[]}} [known] @returns {Promise<Replay>} */
  async replay(text, known = {}) {
    return (await this.#open()).ask("replay", text, known);
  }

  /** What is worth saying of a match that is over, as `GET /api/matches/ID/moments` gives it. @param {string} text @param {readonly number[]} seats of persons @returns {Promise<Highlight[]>} */
  async highlights(text, seats) {
    return (await this.#open()).ask("moments", text, seats);
  }

  /**
   * What was luck and what was skill in a match that is over, as `GET /api/matches/ID/report` gives it; it takes a while.
   * @param {string} text
   * @param {(share: number) => void} [onProgress] what part of it is done
   * @returns {Promise<ReportPage | null>} null where it was given up, as for another one that was asked for meanwhile
   */
  async report(text, onProgress = () => {}) {
    const worker = await this.#open();
    worker.onMessage = ({ share }) => onProgress(share);
    const made = await worker.ask("report", text);
    return made && localizeReport(made);
  }

  /** Give up the report that is being made. */
  async stopReport() {
    await (await this.#open()).ask("stopReport");
  }

  /** The best moves of a seat, from what a server says the seat knows; in words. @param {EncodedObservation} observation @returns {Promise<readonly AdvisedMove[]>} */
  async hints(observation) {
    const moves = await (await this.#open()).ask("hints", observation);
    const advice = localize({ type: "advice", id: "", ply: 0, moves });
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
    this.#worker ??= takeWorker();
    try {
      return await this.#worker;
    } catch (error) {
      this.#worker = null; // it may come when it is asked for again
      throw error;
    }
  }
}

export const archive = new Archive();
