/** A table on this device, as the page has it: the table itself is in a worker, and its line has the face of a socket. */

import { localize } from "./wording.js";

/** @import { ClientUnion, ServerUnion } from "../net/protocol.js" */
/** @import { Handlers } from "../net/socket.js" */
/** @import { Setup } from "./hosting.js" */
/** @import { WorkerClient } from "./workerclient.js" */
/** @import { Finished, SavedTable } from "./table.js" */

/**
 * @typedef {object} LocalTableOptions
 * @property {WorkerClient} worker where the table is to be, loaded
 * @property {(saved: SavedTable) => void} [save] called with what has to survive, after every change of it
 * @property {(match: Finished) => void} [finished] called when a match is over
 */

const ID_BYTES = 8;

export class LocalTable {
  /** A table at a device has none to tell others. */
  code = "";
  /** Who looks; null for nobody. @type {string | null} */
  viewer = null;
  /** @type {LocalConnection | null} */
  #connection = null;
  #worker;

  /**
   * @param {Setup | SavedTable} what a new table, or one from before
   * @param {LocalTableOptions} options
   * @returns {Promise<LocalTable>} rejects with a `Refusal`
   */
  static async open(what, options) {
    const table = new LocalTable(options);
    try {
      table.viewer = await table.#worker.ask("open", what);
      return table;
    } catch (error) {
      table.close();
      throw error;
    }
  }

  /** @param {LocalTableOptions} surroundings */
  constructor({ worker, save = () => {}, finished = () => {} }) {
    this.#worker = worker;
    worker.onMessage = ({ message, saved, finished: match }) => {
      if (message) this.#connection?.receive(localize(message));
      else if (saved) save(saved);
      else finished(match);
    };
  }

  /** The line of a session to this table; there is one at a time. @param {Handlers} handlers */
  connect(handlers) {
    this.#connection?.close();
    this.#connection = new LocalConnection(handlers, this.#worker);
    return this.#connection;
  }

  /** Somebody takes the device, or (null) nobody may see a hand: a `welcome` follows. @param {string | null} player */
  async setViewer(player) {
    await this.#worker.ask("setViewer", player);
    this.viewer = player;
  }

  /**
   * Somebody else is at the device; during a match for the next round, or waiting for a seat.
   * @param {{name: string, look?: string, seat?: number | null}} person
   * @returns {Promise<string>} the id
   */
  async addPerson({ name, look = "", seat = null }) {
    const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
    const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    await this.#worker.ask("addPerson", { id, name, look }, seat);
    return id;
  }

  /** Somebody has left the device; in a match a bot goes on with the hand. @param {string} player @returns {Promise<void>} */
  async removePerson(player) {
    await this.#worker.ask("removePerson", player);
    if (this.viewer === player) this.viewer = null;
  }

  /** @param {string} player @param {string} name @returns {Promise<void>} */
  renamePerson(player, name) {
    return this.#worker.ask("renamePerson", player, name);
  }

  /** The record of the match on the table, once it is over. @returns {Promise<string>} */
  record() {
    return this.#worker.ask("record");
  }

  /** Ends it; what was kept last is where it can be taken up again. */
  close() {
    this.#connection?.close();
    this.#worker.close();
  }
}

/** It has the face of `Socket`; nothing gets lost on it. */
class LocalConnection {
  online = false;
  #open = false;
  #on;
  #worker;

  /** @param {Handlers} handlers @param {WorkerClient} office */
  constructor(handlers, office) {
    this.#on = handlers;
    this.#worker = office;
  }

  open() {
    this.#open = true;
    this.#post(this.#on.hello());
  }

  close() {
    if (!this.#open) return;
    this.#open = false;
    void this.#worker.ask("hangUp").catch(() => {});
    this.#drop();
  }

  /** The whole picture comes once more. */
  reconnect() {
    this.#drop();
    if (this.#open) this.#post(this.#on.hello());
  }

  welcomed() {
    this.online = true;
    this.#on.onlineChanged();
  }

  /** @param {ClientUnion} message */
  send(message) {
    if (this.online) this.#post(message);
    return this.online;
  }

  /** @param {ServerUnion} message */
  receive(message) {
    if (this.#open && message.type !== "pong") this.#on.message(message);
  }

  /** @param {ClientUnion} message */
  #post(message) {
    this.#worker.ask("say", message).catch((error) => console.error(error));
  }

  #drop() {
    if (!this.online) return;
    this.online = false;
    this.#on.onlineChanged();
  }
}
