/** A WebSocket that reconnects automatically: with back-off and jitter, at once when the network or the person returns. */

import { at } from "../ui/address.js";

/** @import {ClientUnion, ServerUnion} from "./protocol.js" */

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 10_000;
const PING_EVERY_MS = 15_000;
/** A connection without an answer to a ping for this long is dead. */
const SILENCE_MS = 6000;

/**
 * @typedef {object} Handlers
 * @property {() => ClientUnion} hello the first message of each connection
 * @property {(message: ServerUnion) => void} message
 * @property {() => void} onlineChanged called when the connection opens or closes
 * @property {(code: number) => void} closed called when the server closes it, with its code
 */

/** The connection alone: it passes messages on, independent of their content. */
export class Socket {
  online = false;

  /** @type {WebSocket | null} */
  #socket = null;
  #wanted = false;
  #failures = 0;
  #retry = 0;
  #pinging = 0;
  #silence = 0;
  #path;
  #on;

  /** @param {string} path @param {Handlers} handlers */
  constructor(path, handlers) {
    this.#path = path;
    this.#on = handlers;
  }

  /** Connects, and stays connected until `close`. */
  open() {
    this.close();
    this.#wanted = true;
    addEventListener("online", this.#wake);
    document.addEventListener("visibilitychange", this.#wake);
    this.#pinging = setInterval(() => this.#ping(), PING_EVERY_MS);
    this.#connect();
  }

  /** Disconnects, and stays disconnected until `open`. */
  close() {
    this.#wanted = false;
    removeEventListener("online", this.#wake);
    document.removeEventListener("visibilitychange", this.#wake);
    clearInterval(this.#pinging);
    clearTimeout(this.#retry);
    this.#drop();
  }

  /** Disconnects and connects again. @param {number} [least] the minimal wait in milliseconds */
  reconnect(least = 0) {
    this.#drop();
    if (!this.#wanted) return;
    clearTimeout(this.#retry);
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures);
    this.#failures += 1;
    // Half of it is random, so that many clients do not reconnect to a restarted server at the same moment.
    this.#retry = setTimeout(() => this.#connect(), least + wait * (0.5 + Math.random() / 2));
  }

  /** Called after the server's welcome: messages sent from now on arrive. */
  welcomed() {
    this.online = true;
    this.#failures = 0;
    this.#on.onlineChanged();
    this.#ping();
  }

  /** @param {ClientUnion} message @returns {boolean} whether it was sent */
  send(message) {
    if (!this.online) return false;
    this.#socket?.send(JSON.stringify(message));
    return true;
  }

  #connect() {
    clearTimeout(this.#retry);
    const url = new URL(at(this.#path), location.href);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    this.#socket = socket;
    this.#expectAnswer();
    socket.onopen = () => socket.send(JSON.stringify(this.#on.hello()));
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
    socket.onclose = (event) => {
      this.reconnect();
      this.#on.closed(event.code);
    };
  }

  /** @param {ServerUnion} message */
  #receive(message) {
    clearTimeout(this.#silence);
    if (message.type !== "pong") this.#on.message(message);
  }

  #ping() {
    if (this.send({ type: "ping", t: Math.floor(performance.now()) })) this.#expectAnswer();
  }

  #expectAnswer() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.reconnect(), SILENCE_MS);
  }

  /** Checks the connection at once when the network or the person returns. */
  #wake = () => {
    if (document.hidden) return;
    if (this.online) this.#ping();
    else if (this.#wanted && this.#socket === null) this.#connect();
  };

  #drop() {
    clearTimeout(this.#silence);
    const socket = this.#socket;
    this.#socket = null;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
    if (this.online) {
      this.online = false;
      this.#on.onlineChanged();
    }
  }
}
