/** Records without a table, for the page: checked, and shown step by step. The worker starts when it is first asked. */

import { Office } from "./office.js";

/** @import { Replay } from "../line/protocol.js" */
/** @import { Addresses } from "./office.js" */
/** @import { Checked } from "./records.js" */

export class Archive {
  /** @type {Promise<Office> | null} */
  #office = null;

  /** @param {{addresses: Addresses}} where */
  constructor({ addresses }) {
    this.addresses = addresses;
  }

  /** What stands in a record; rejects where it is not true. @param {string} text @returns {Promise<Checked>} */
  async check(text) {
    return (await this.#open()).ask("check", text);
  }

  /** The match of a record, as `GET /api/matches/ID/replay` gives it. @param {string} text @param {{id?: string, started?: number}} [known] @returns {Promise<Replay>} */
  async replay(text, known = {}) {
    return (await this.#open()).ask("replay", text, known);
  }

  /** Ends the worker. */
  async close() {
    const office = this.#office;
    this.#office = null;
    (await office)?.close();
  }

  #open() {
    this.#office ??= this.#start();
    return this.#office;
  }

  async #start() {
    const office = new Office(this.addresses);
    try {
      await office.ask("load", office.files);
      return office;
    } catch (error) {
      office.close();
      this.#office = null;
      throw error;
    }
  }
}
