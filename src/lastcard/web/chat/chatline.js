/** A connection of a session through a tool of the MCP server: it waits for messages, and passes on the person's. */

/** @import {ClientUnion, ServerUnion} from "../net/protocol.js" */
/** @import {Handlers} from "../net/socket.js" */

/** How long one call waits for messages, in seconds. */
const WAIT_S = 20;
/** How long to wait after a failed call. */
const RETRY_MS = 2000;
/** Messages of a session that this table understands. */
const KNOWN = new Set(["act", "why", "advise", "ready"]);

/** @typedef {{ok: boolean, messages?: ServerUnion[]}} Answer */

/** The connection, with the interface of `Socket`. */
export class ChatLine {
  online = false;
  #open = false;
  #on;
  #call;

  /**
   * @param {Handlers} handlers
   * @param {(args: {message?: ClientUnion, seconds?: number}) => Promise<Answer>} call calls the tool
   */
  constructor(handlers, call) {
    this.#on = handlers;
    this.#call = call;
  }

  open() {
    this.#open = true;
    void this.#wait();
  }

  close() {
    this.#open = this.online = false;
    this.#on.onlineChanged();
  }

  /** Has the whole game sent again. */
  reconnect() {
    void this.#post({ message: this.#on.hello() });
  }

  welcomed() {
    this.online = true;
    this.#on.onlineChanged();
  }

  /** @param {ClientUnion} message */
  send(message) {
    if (KNOWN.has(message.type)) void this.#post({ message }).catch(() => this.reconnect());
    return this.online;
  }

  /** Receives messages until the connection is closed. */
  async #wait() {
    let isKnown = false;
    while (this.#open) {
      try {
        await this.#post(isKnown ? { seconds: WAIT_S } : { message: this.#on.hello() });
        isKnown = true;
      } catch (error) {
        console.warn(error);
        isKnown = false;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** @param {{message?: ClientUnion, seconds?: number}} args */
  async #post(args) {
    const { ok, messages = [] } = await this.#call(args);
    if (!this.#open) return;
    for (const message of messages) this.#on.message(message);
    if (!ok) this.#on.message({ type: "bye", why: "unknown" });
  }
}
