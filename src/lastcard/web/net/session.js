/** The session at a table: the server's messages become the state that every screen draws. */

import { PROTOCOL_VERSION, UNKNOWN_PERSON, UNKNOWN_TABLE } from "../bindings/constants.js";
import { prefs } from "../ui/prefs.js";
import { numberFor, randomHex, rememberSeat, rememberShuffle } from "./shuffle.js";
import { Socket } from "./socket.js";

/**
 * @import {MakeMove, Advice, Advise, Bye, ClientUnion, Done, Game, Moved, Note, Refused, ServerUnion, SeatObservation, TableInfo, TakeBack,
 *   Welcome, Why} from "./protocol.js"
 */

/** @import {Handlers} from "./socket.js" */
/** @typedef {Pick<Socket, "online" | "open" | "close" | "reconnect" | "welcomed" | "send">} Connection */

const MAX_NOTES = 60;
/** How long to wait after the server reported too many messages. */
const FLOOD_WAIT_MS = 5000;
/** Commands that are valid only in the phase and the round in which they were given. */
const PHASE_COMMANDS = new Set(["ready", "start", "write"]);

/** @typedef {Done | Refused | Advice | SeatObservation} Answer */

/**
 * @typedef {object} Pending
 * @property {MakeMove | TakeBack | Why | Advise} message
 * @property {(answer: Answer | null) => void} resolve
 */

/**
 * A person's (or a big screen's) session at a table.
 *
 * Fires `change` after every change of state, and one event for each message: `welcome`, `table`, `dealt`, `moved`,
 * `refused`, `heard`, `notice`, `bye`, with the message as detail; `connection` when it opens or closes.
 */
export class Session extends EventTarget {
  /** @type {TableInfo | null} */
  table = null;
  /** @type {Game | null} */
  game = null;
  /** The viewer's player id. @type {string | null} */
  you = null;
  /** Recent chat notes, oldest first. @type {Note[]} */
  notes = [];
  /** The levels of bots by seat, for replays, which have no table. @type {readonly (string | null)[]} */
  bots = [];
  /** The end of the turn's time, by `performance.now()`. @type {number | null} */
  deadline = null;
  /**
   * When the next round is dealt automatically, or the writing of rule cards ends, by `performance.now()`.
   * @type {number | null}
   */
  nextAt = null;
  /** Whether the table is in this page. */
  isLocal = false;
  /** Why the connection ended for good: `elsewhere`, `signin`, `unknown`, `version`, … @type {string | null} */
  ended = null;

  /** @type {Map<string, Pending>} */
  #pending = new Map();
  /**
   * Commands not sent while the connection was down, oldest first, each with the table's phase key.
   * @type {{message: ClientUnion, place: string}[]}
   */
  #unsent = [];
  /** The promise for which a number was sent over this connection. */
  #promised = "";
  /** The promise for which the server has confirmed our number. */
  #sealed = "";
  /** The table as last sent by the server. @type {TableInfo | null} */
  #serverTable = null;
  /**
   * Whether the person has just asked for a seat, or to leave the queue: shown before the server answers.
   * @type {boolean | null}
   */
  #unconfirmedQueue = null;
  /** The avatar last sent over this connection. */
  #avatar = "";
  #socket;

  /**
   * @param {string} code the table's code
   * @param {object} [options]
   * @param {boolean} [options.tv] whether it is a big screen without a hand
   * @param {(on: Handlers) => Connection} [options.line] connects to a table in this page
   *   (default: a WebSocket to the server)
   */
  constructor(code, { tv = false, line } = {}) {
    super();
    this.code = code;
    this.tv = tv;
    this.isLocal = line !== undefined;
    const lead = line ?? ((/** @type {Handlers} */ on) => new Socket(`/ws/${code}`, on));
    this.#socket = lead({
      hello: () => ({ type: "hello", v: PROTOCOL_VERSION, match: this.game?.match ?? null, ply: this.game?.ply ?? 0, tv }),
      message: (message) => this.#receive(message),
      onlineChanged: () => this.#emit("connection"),
      closed: (code) => this.#connectionRefused(code),
    });
  }

  /** Whether the connection is up and the server has sent its welcome. */
  get online() {
    return this.#socket.online;
  }

  /** The person's seat; null for a spectator. */
  get seat() {
    const seat = this.you === null ? -1 : (this.table?.seats.findIndex((info) => info?.player === this.you) ?? -1);
    return seat < 0 ? null : seat;
  }

  /** Whether a match is running that only seated people may see. */
  get isMatchHidden() {
    return ["playing", "between"].includes(this.table?.phase ?? "") && this.table?.match === null;
  }

  /** Whether the person may change the table; at one of a duplicate match nobody may. */
  get isHost() {
    return this.you !== null && this.table?.host === this.you && !this.table.duplicate;
  }

  /** Connects, or takes the seat back from another tab. */
  open() {
    this.ended = null;
    this.#socket.open();
    this.#emit("connection");
  }

  /** Disconnects; open questions get no answer. */
  close() {
    this.#socket.close();
    this.#answerAll();
  }

  /**
   * Sends a command that gets no answer. While the connection is down, it is sent later; only chat text is not, and remains in
   * its field.
   * @param {ClientUnion} message
   * @returns {boolean} whether it was sent at once
   */
  send(message) {
    if (this.#socket.send(message)) return true;
    const isKnown = this.#unsent.some((other) => JSON.stringify(other.message) === JSON.stringify(message));
    if (!this.ended && !isKnown && message.type !== "say") this.#unsent.push({ message, place: this.#phaseKey });
    return false;
  }

  /** Joins or leaves the queue for a seat. @param {boolean} on */
  queue(on) {
    // Of the unsent commands to join or leave the queue only the last one counts.
    this.#unsent = this.#unsent.filter(({ message: { type } }) => type !== "sit" && type !== "stand");
    this.#unconfirmedQueue = on;
    this.send(on ? { type: "sit", seat: null } : { type: "stand" });
    this.#redraw();
  }

  /** Shows the server's table as it will be when the server has confirmed `queue`. */
  #redraw() {
    if (!this.#serverTable) return;
    this.table = this.#withQueue(this.#serverTable);
    this.#emit("table");
  }

  /**
   * Returns the table with the last `queue` applied, until the server has confirmed it.
   * @param {TableInfo} table @returns {TableInfo}
   */
  #withQueue(table) {
    if (this.#unconfirmedQueue === null) return table;
    const entry = table.guests.find(({ player }) => player === this.you);
    if (!entry || entry.queued === this.#unconfirmedQueue) this.#unconfirmedQueue = null;
    const queued = this.#unconfirmedQueue;
    if (queued === null) return table;
    return { ...table, guests: table.guests.map((guest) => (guest === entry ? { ...guest, queued } : guest)) };
  }

  /** The table's phase and round: in another one, some commands mean something else, or nothing. */
  get #phaseKey() {
    return JSON.stringify([this.table?.phase, this.table?.match, this.game?.public.round]);
  }

  /** @param {string} move in notation @returns {Promise<Answer | null>} null if the match ended before the answer */
  makeMove(move) {
    return this.ask({ type: "act", id: randomHex(12), match: this.game?.match ?? "", move });
  }

  /**
   * Takes back the viewer's own last move, if the table allows it.
   * @returns {Promise<Answer | null>} null if the match ended before the answer
   */
  takeBack() {
    return this.ask({ type: "takeback", id: randomHex(12), match: this.game?.match ?? "" });
  }

  /**
   * Asks why a move is illegal.
   * @param {string} move in notation
   * @returns {Promise<Refused | null>} null if it is legal
   */
  async why(move) {
    const answer = await this.ask({ type: "why", id: randomHex(12), move });
    return answer?.type === "refused" ? answer : null;
  }

  /**
   * Sends a command, repeatedly with the same id, until the server has answered.
   * @param {MakeMove | TakeBack | Why | Advise} message @returns {Promise<Answer | null>}
   */
  ask(message) {
    return new Promise((resolve) => {
      this.#pending.set(message.id, { message, resolve });
      this.#socket.send(message);
    });
  }

  /** @param {ServerUnion} message */
  #receive(message) {
    if (message.type === "welcome") this.#welcome(message);
    else if (message.type === "table") this.#setTable(message.table);
    else if (message.type === "dealt") this.#setGame(message.game);
    else if (message.type === "moved" && !this.#moved(message)) return;
    else if (message.type === "heard") this.notes = [...this.notes, message.note].slice(-MAX_NOTES);
    else if (message.type === "bye") this.#bye(message);
    this.#emit(message.type, message);
    if (message.type === "refused" && !message.id && this.#unconfirmedQueue !== null) {
      this.#unconfirmedQueue = null;
      this.#redraw();
    }
    if ("id" in message) this.#answer(message);
  }

  /** @param {Welcome} message */
  #welcome({ you, table, game, notes }) {
    this.you = you;
    this.notes = notes;
    this.#promised = "";
    this.#avatar = "";
    this.#unconfirmedQueue = null;
    this.#setGame(game);
    this.table = table;
    this.#socket.welcomed();
    this.#setTable(table);
    for (const { message, resolve } of [...this.#pending.values()]) {
      if (!("match" in message) || message.match === game?.match) this.#socket.send(message);
      else resolve(null);
    }
    for (const { message, place } of this.#unsent.splice(0)) {
      if (place === this.#phaseKey || !PHASE_COMMANDS.has(message.type)) this.#socket.send(message);
    }
  }

  /** @param {TableInfo} table */
  #setTable(table) {
    this.#serverTable = table;
    this.table = this.#withQueue(table);
    if (this.isMatchHidden) this.#setGame(null);
    if (table.clock && this.game) this.#setGame({ ...this.game, clock: table.clock });
    this.nextAt = table.next_in === null ? null : performance.now() + table.next_in;
    this.#addNumber(table.promise);
    this.sendAvatar();
    if (this.seat !== null && table.seats[this.seat]?.sealed) this.#sealed = table.promise;
  }

  /** @param {Game | null} game */
  #setGame(game) {
    if (game && game.match !== this.game?.match && this.#sealed) {
      rememberShuffle(game.match, this.#sealed);
      this.#sealed = "";
    }
    this.game = game;
    this.deadline = game?.clock ? performance.now() + game.clock.left : null;
  }

  /**
   * Applies a move.
   * @param {Moved} message
   * @returns {boolean} whether it was new
   */
  #moved({ match, ply, public: open, mine, clock }) {
    const game = this.game;
    if (game?.match === match && ply <= game.ply) return false;
    if (!game || game.match !== match || ply > game.ply + 1) {
      // A move is missing: the next welcome brings the whole game.
      this.#socket.reconnect();
      return false;
    }
    this.#setGame({ ...game, ply, public: open, mine, clock });
    return true;
  }

  /** Sends our own number for the next shuffle, once its promise is known. @param {string} promise */
  #addNumber(promise) {
    if (this.tv || this.seat === null || this.#promised === promise || !promise) return;
    this.#promised = promise;
    rememberSeat(promise, this.seat);
    this.#socket.send({ type: "number", promise, number: numberFor(promise) });
  }

  /** Sends the person's avatar to everybody. */
  sendAvatar() {
    const sentAvatar = prefs.get("look");
    const shownAvatar = this.seat === null ? sentAvatar : (this.table?.seats[this.seat]?.look ?? "");
    if (shownAvatar === sentAvatar || this.#avatar === sentAvatar) return;
    this.#avatar = sentAvatar;
    this.#socket.send({ type: "look", look: sentAvatar });
  }

  /** @param {Answer} answer */
  #answer(answer) {
    const pending = this.#pending.get(answer.id ?? "");
    this.#pending.delete(answer.id ?? "");
    pending?.resolve(answer);
  }

  #answerAll() {
    for (const { resolve } of this.#pending.values()) resolve(null);
    this.#pending.clear();
    this.#unsent = [];
  }

  /** @param {Bye} message */
  #bye({ why }) {
    if (why === "restart") this.#socket.reconnect();
    else if (why === "flood") this.#socket.reconnect(FLOOD_WAIT_MS);
    else this.#end(why);
  }

  /** @param {number} code the close code of the WebSocket */
  #connectionRefused(code) {
    if (code === UNKNOWN_PERSON) this.#end("signin");
    else if (code === UNKNOWN_TABLE) this.#end("unknown");
  }

  /** @param {string} why */
  #end(why) {
    this.ended = why;
    this.#socket.close();
    this.#answerAll();
    this.#emit("connection");
  }

  /** @param {string} name @param {unknown} [detail] */
  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
    this.dispatchEvent(new CustomEvent("change"));
  }
}
