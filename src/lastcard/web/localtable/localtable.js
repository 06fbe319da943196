/** A table on this device, for the page: the table runs in a worker, and its connection has the interface of a socket. */

import { localize } from "./wording.js";

/** @import { ClientUnion, ServerUnion } from "../net/protocol.js" */
/** @import { Handlers } from "../net/socket.js" */
/** @import { Setup } from "./hosting.js" */
/** @import { Client } from "./workerpool.js" */
/** @import { Finished, SavedTable } from "./table.js" */

/**
 * @typedef {object} LocalTableOptions
 * @property {Client} worker a loaded worker for the table
 * @property {(saved: SavedTable) => void} [save] called with the state to store, after every change
 * @property {(match: Finished) => void} [finished] called at the end of a match
 */

export class LocalTable {
  /** The viewer requested last, null for none; the worker may not have answered yet. @type {string | null} */
  viewer = null;
  /** @type {LocalConnection | null} */
  #connection = null;
  #worker;

  /**
   * @param {Setup | SavedTable} what a new table, or a saved one
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

  /** @param {LocalTableOptions} options */
  constructor({ worker, save = () => {}, finished = () => {} }) {
    this.#worker = worker;
    worker.onMessage = ({ message, saved, finished: match }) => {
      if (message) this.#connection?.receive(localize(message));
      else if (saved) save(saved);
      else finished(match);
    };
  }

  /** Returns a session's connection to this table; there is one at a time. @param {Handlers} handlers */
  connect(handlers) {
    this.#connection?.close();
    this.#connection = new LocalConnection(handlers, this.#worker);
    return this.#connection;
  }

  /**
   * Sets the person who holds the device, or (null) hides all hands: a `welcome` follows.
   * @param {string | null} player @returns {Promise<void>}
   */
  setViewer(player) {
    this.viewer = player;
    return this.#worker.ask("setViewer", player);
  }

  /** Adds a person at the device, between matches. @param {string} name @returns {Promise<void>} */
  addPerson(name) {
    return this.#worker.ask("addPerson", { name });
  }

  /** Removes a person from the device, between matches. @param {string} player @returns {Promise<void>} */
  removePerson(player) {
    return this.#worker.ask("removePerson", player);
  }

  /** Ends the table; its last saved state can be resumed. */
  close() {
    this.#connection?.close();
    this.#worker.close();
  }
}

/** A connection with the interface of `Socket`; it loses nothing. */
class LocalConnection {
  online = false;
  #open = false;
  #on;
  #worker;

  /** @param {Handlers} handlers @param {Client} worker */
  constructor(handlers, worker) {
    this.#on = handlers;
    this.#worker = worker;
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

  /** Sends the whole game again. */
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
    if (this.#open) this.#on.message(message);
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
