/** Checks and replays of records without a table. The worker starts on first use. */

import { takeWorker } from "./workerpool.js";
import { loadReportTexts, localize, localizeReport } from "./wording.js";

/** @import { AdvisedMove, Replay, ReportPage } from "../net/protocol.js" */
/** @import { Highlight } from "./highlights.js" */
/** @import { WorkerClient } from "./workerclient.js" */
/** @import { Checked } from "./replays.js" */
/** @import { EncodedObservation } from "./observation.js" */

class Archive {
  /** @type {Promise<WorkerClient> | null} */
  #worker = null;

  /** Returns the content of a record; rejects if it is not true. @param {string} text @returns {Promise<Checked>} */
  async check(text) {
    return (await this.#open()).ask("check", text);
  }

  /**
   * Returns the match of a record, as `GET /api/matches/ID/replay` does.
   * @param {string} text @param {{id?: string, started?: number, bots?: (string | null)[]}} [known] @returns {Promise<Replay>}
   */
  async replay(text, known = {}) {
    return (await this.#open()).ask("replay", text, known);
  }

  /**
   * Returns the highlights of a finished match, as `GET /api/matches/ID/moments` does.
   * @param {string} text @param {readonly number[]} seats the seats of people @returns {Promise<Highlight[]>}
   */
  async highlights(text, seats) {
    return (await this.#open()).ask("moments", text, seats);
  }

  /**
   * Returns the luck and skill report of a finished match, as `GET /api/matches/ID/report` does; it takes a while.
   * @param {string} text
   * @param {(share: number, first: ReportPage | undefined) => void} [onProgress] called with the fraction done, and once
   *   with the chances only
   * @returns {Promise<ReportPage | null>} null if it was canceled, for example by a newer request
   */
  async report(text, onProgress = () => {}) {
    const [worker] = await Promise.all([this.#open(), loadReportTexts()]);
    worker.onMessage = ({ share, first }) => onProgress(share, first && localizeReport(first));
    const made = await worker.ask("report", text);
    return made && localizeReport(made);
  }

  /** Cancels the running report. */
  async stopReport() {
    await (await this.#open()).ask("stopReport");
  }

  /**
   * Returns the best moves of a seat as text, from its observation as sent by a server.
   * @param {EncodedObservation} observation @returns {Promise<readonly AdvisedMove[]>}
   */
  async hints(observation) {
    const moves = await (await this.#open()).ask("hints", observation);
    const advice = localize({ type: "advice", id: "", ply: 0, moves });
    return advice.type === "advice" ? advice.moves : [];
  }

  /**
   * Returns the shortest name of rules for a number of players; rejects if they do not fit.
   * @param {string} name @param {number} seats @returns {Promise<string>}
   */
  async rules(name, seats) {
    return (await this.#open()).ask("rules", name, seats);
  }

  /** Returns a rule card in canonical form; rejects if it is not one. @param {string} text @returns {Promise<string>} */
  async card(text) {
    return (await this.#open()).ask("card", text);
  }

  async #open() {
    this.#worker ??= takeWorker();
    try {
      return await this.#worker;
    } catch (error) {
      this.#worker = null; // the next request tries again
      throw error;
    }
  }
}

export const archive = new Archive();
