/** A table on this device, as the page has it: the table itself is in a worker, and its line has the face of a socket. */

import { worded } from "./wording.js";

/** @import { ClientUnion, ServerUnion } from "../line/protocol.js" */
/** @import { Handlers } from "../line/socket.js" */
/** @import { Setup } from "./hosting.js" */
/** @import { Office } from "./office.js" */
/** @import { Finished, KeptTable } from "./table.js" */

/**
 * @typedef {object} Surroundings
 * @property {Office} office where the table is to be, loaded
 * @property {(kept: KeptTable) => void} [keep] called with what has to survive, after every change of it
 * @property {(match: Finished) => void} [finished] called when a match is over
 */

const ID_BYTES = 8;

export class DeviceTable {
  /** A table at a device has none to tell others. */
  code = "";
  /** Who looks; null for nobody. @type {string | null} */
  eyes = null;
  /** @type {DeviceLine | null} */
  #line = null;
  #office;

  /**
   * @param {Setup | KeptTable} what a new table, or one from before
   * @param {Surroundings} surroundings
   * @returns {Promise<DeviceTable>} rejects with a `Refusal`
   */
  static async open(what, surroundings) {
    const table = new DeviceTable(surroundings);
    try {
      table.eyes = await table.#office.ask("open", what);
      return table;
    } catch (error) {
      table.close();
      throw error;
    }
  }

  /** @param {Surroundings} surroundings */
  constructor({ office, keep = () => {}, finished = () => {} }) {
    this.#office = office;
    office.hear = ({ tell, keep: kept, finished: match }) => {
      if (tell) this.#line?.hear(worded(tell));
      else if (kept) keep(kept);
      else finished(match);
    };
  }

  /** The line of a session to this table; there is one at a time. @param {Handlers} handlers */
  line(handlers) {
    this.#line?.close();
    this.#line = new DeviceLine(handlers, this.#office);
    return this.#line;
  }

  /** Somebody takes the device, or (null) nobody may see a hand: a `welcome` follows. @param {string | null} player */
  async look(player) {
    await this.#office.ask("look", player);
    this.eyes = player;
  }

  /**
   * Somebody else is at the device; during a match for the next round, or waiting for a seat.
   * @param {{name: string, look?: string, seat?: number | null}} person
   * @returns {Promise<string>} the id
   */
  async addPerson({ name, look = "", seat = null }) {
    const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
    const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    await this.#office.ask("addPerson", { id, name, look }, seat);
    return id;
  }

  /** Somebody has left the device; in a match a bot goes on with the hand. @param {string} player @returns {Promise<void>} */
  async removePerson(player) {
    await this.#office.ask("removePerson", player);
    if (this.eyes === player) this.eyes = null;
  }

  /** @param {string} player @param {string} name @returns {Promise<void>} */
  renamePerson(player, name) {
    return this.#office.ask("renamePerson", player, name);
  }

  /** The record of the match on the table, once it is over. @returns {Promise<string>} */
  record() {
    return this.#office.ask("record");
  }

  /** Ends it; what was kept last is where it can be taken up again. */
  close() {
    this.#line?.close();
    this.#office.close();
  }
}

/** It has the face of `Socket`; nothing gets lost on it. */
class DeviceLine {
  online = false;
  #open = false;
  #on;
  #office;

  /** @param {Handlers} handlers @param {Office} office */
  constructor(handlers, office) {
    this.#on = handlers;
    this.#office = office;
  }

  open() {
    this.#open = true;
    this.#say(this.#on.hello());
  }

  close() {
    if (!this.#open) return;
    this.#open = false;
    void this.#office.ask("hangUp").catch(() => {});
    this.#drop();
  }

  /** The whole picture comes once more. */
  reconnect() {
    this.#drop();
    if (this.#open) this.#say(this.#on.hello());
  }

  welcomed() {
    this.online = true;
    this.#on.line();
  }

  /** @param {ClientUnion} message */
  send(message) {
    if (this.online) this.#say(message);
    return this.online;
  }

  /** @param {ServerUnion} message */
  hear(message) {
    if (this.#open && message.type !== "pong") this.#on.message(message);
  }

  /** @param {ClientUnion} message */
  #say(message) {
    this.#office.ask("say", message).catch((error) => console.error(error));
  }

  #drop() {
    if (!this.online) return;
    this.online = false;
    this.#on.line();
  }
}
