/** The line to a table: what the server says becomes the state that every screen draws from. */

import { PROTOCOL_VERSION, UNKNOWN_PERSON, UNKNOWN_TABLE } from "../bindings/constants.js";
import { prefs } from "../ui/prefs.js";
import { numberFor, randomHex, rememberSeat, rememberShuffle } from "./shuffle.js";
import { Socket } from "./socket.js";

/**
 * @import {MakeMove, Advice, Advise, Bye, ClientUnion, Done, Game, Moved, Note, Refused, ServerUnion, SeatObservation, TableInfo, TakeBack, Welcome,
 *   Why} from "./protocol.js"
 */

/** @import {Handlers} from "./socket.js" */
/**
 * @typedef {Pick<Socket, "online" | "open" | "close" | "reconnect" | "welcomed" | "send">} Connection
 */

const MAX_NOTES = 60;
/** How long to stay away after the server said that this page sends too much. */
const FLOOD_WAIT_MS = 5000;
/** Commands that hold for the phase and the round in which they were given. */
const PHASE_COMMANDS = new Set(["ready", "start", "write"]);

/** @typedef {Done | Refused | Advice | SeatObservation} Answer */

/**
 * @typedef {object} Pending
 * @property {MakeMove | TakeBack | Why | Advise} message
 * @property {(answer: Answer | null) => void} resolve
 */

/**
 * A person's (or a big screen's) place at a table.
 *
 * Fires `change` after every change of state, and one event for each message: `welcome`, `table`, `dealt`, `moved`,
 * `refused`, `heard`, `notice`, `bye`, with the message as detail; `line` when the connection comes or goes.
 */
export class Session extends EventTarget {
  /** @type {TableInfo | null} */
  table = null;
  /** @type {Game | null} */
  game = null;
  /** One's own player id. @type {string | null} */
  you = null;
  /** What was said lately, oldest first. @type {Note[]} */
  notes = [];
  /** The levels of bots by seat, where no table says who sits there: in a replay. @type {readonly (string | null)[]} */
  bots = [];
  /** When the time of the seat on turn is up, by `performance.now()`. @type {number | null} */
  deadline = null;
  /** When the next round is dealt by itself, or what is written of rule cards is all there will be, by `performance.now()`. @type {number | null} */
  nextAt = null;
  /** Whether the table is in this page. */
  isLocal = false;
  /** Why the line was given up: `elsewhere`, `signin`, `unknown`, `version`, … @type {string | null} */
  ended = null;

  /** @type {Map<string, Pending>} */
  #pending = new Map();
  /** Commands that the line could not take, oldest first, each with where the table was. @type {{message: ClientUnion, place: string}[]} */
  #unsent = [];
  /** The promise for which a number was sent over this line. */
  #promised = "";
  /** The promise for which, as the server says, our number has arrived. */
  #sealed = "";
  /** The table as the server has said it is. @type {TableInfo | null} */
  #serverTable = null;
  /** Whether the person has just asked for a seat, or has asked to wait no longer: it shows before the server says so. @type {boolean | null} */
  #queueWish = null;
  /** The face that was shown over this line. */
  #avatar = "";
  #socket;

  /**
   * @param {string} code of the table
   * @param {object} [options]
   * @param {boolean} [options.tv] a big screen has no hand
   * @param {(on: Handlers) => Connection} [options.line] leads to a table in this page; without it a WebSocket leads to the server
   */
  constructor(code, { tv = false, line } = {}) {
    super();
    this.code = code;
    this.tv = tv;
    this.isLocal = line !== undefined;
    const lead = line ?? ((/** @type {Handlers} */ on) => new Socket(`/ws/${code}`, on));
    this.#socket = lead({
      hello: () => this.#hello(),
      message: (message) => this.#receive(message),
      onlineChanged: () => this.#emit("connection"),
      closed: (code) => this.#connectionRefused(code),
    });
  }

  /** Whether the server has said welcome over a line that is up. */
  get online() {
    return this.#socket.online;
  }

  /** The person's seat; null for a spectator. */
  get seat() {
    const seat = this.you === null ? -1 : (this.table?.seats.findIndex((info) => info?.player === this.you) ?? -1);
    return seat < 0 ? null : seat;
  }

  /** Whether a match is being played that only those with a seat may see. */
  get isMatchHidden() {
    return ["playing", "between"].includes(this.table?.phase ?? "") && this.table?.match === null;
  }

  /** Whether the person is the host. */
  get isHost() {
    return this.you !== null && this.table?.host === this.you;
  }

  /** Connect, or take the seat back from another tab. */
  open() {
    this.ended = null;
    this.#socket.open();
    this.#emit("connection");
  }

  /** Disconnect; questions that are still open get no answer. */
  close() {
    this.#socket.close();
    this.#answerAll();
  }

  /**
   * Send a command that gets no answer. Where the line is down it is sent when the line is up again; only what somebody
   * says is not, and remains in its field.
   *
   * @param {ClientUnion} message
   * @returns {boolean} whether it was sent at once
   */
  send(message) {
    if (this.#socket.send(message)) return true;
    const isKnown = this.#unsent.some((other) => JSON.stringify(other.message) === JSON.stringify(message));
    if (!this.ended && !isKnown && message.type !== "say") this.#unsent.push({ message, place: this.#phaseKey });
    return false;
  }

  /** Wait for a seat, or no longer. @param {boolean} on */
  queue(on) {
    // Of what the line could not take yet the last wish counts.
    this.#unsent = this.#unsent.filter(({ message: { type } }) => type !== "sit" && type !== "stand");
    this.#queueWish = on;
    this.send(on ? { type: "sit", seat: null } : { type: "stand" });
    this.#redraw();
  }

  /** Show the table as it was said to be, with what the person has just asked for. */
  #redraw() {
    if (!this.#serverTable) return;
    this.table = this.#wished(this.#serverTable);
    this.#emit("table");
  }

  /** The table as the person has just asked for it; a wish is over once it has come true. @param {TableInfo} table @returns {TableInfo} */
  #wished(table) {
    if (this.#queueWish === null) return table;
    const mine = table.guests.find(({ player }) => player === this.you);
    if (!mine || mine.queued === this.#queueWish) this.#queueWish = null;
    const queued = this.#queueWish;
    if (queued === null) return table;
    return { ...table, guests: table.guests.map((guest) => (guest === mine ? { ...guest, queued } : guest)) };
  }

  /** Where the table is: some commands mean something else, or nothing, in another phase or round. */
  get #phaseKey() {
    return JSON.stringify([this.table?.phase, this.table?.match, this.game?.public.round]);
  }

  /** Send what the line could not take. */
  #sendAgain() {
    for (const { message, place } of this.#unsent.splice(0)) {
      if (place === this.#phaseKey || !PHASE_COMMANDS.has(message.type)) this.#socket.send(message);
    }
  }

  /**
   * Make a move.
   *
   * @param {string} move in notation
   * @returns {Promise<Answer | null>} null where the match ended before there was an answer
   */
  makeMove(move) {
    return this.ask({ type: "act", id: randomHex(12), match: this.game?.match ?? "", move });
  }

  /**
   * Take back one's own last move, where the table allows it.
   *
   * @returns {Promise<Answer | null>} null where the match ended before there was an answer
   */
  takeBack() {
    return this.ask({ type: "takeback", id: randomHex(12), match: this.game?.match ?? "" });
  }

  /**
   * Ask why a move cannot be made.
   *
   * @param {string} move in notation
   * @returns {Promise<Refused | null>} null where it can
   */
  async why(move) {
    const answer = await this.ask({ type: "why", id: randomHex(12), move });
    return answer?.type === "refused" ? answer : null;
  }

  /**
   * Send a command; again, with the same id, until the server has answered.
   *
   * @param {MakeMove | TakeBack | Why | Advise} message
   * @returns {Promise<Answer | null>}
   */
  ask(message) {
    return new Promise((resolve) => {
      this.#pending.set(message.id, { message, resolve });
      this.#socket.send(message);
    });
  }

  /** @returns {ClientUnion} */
  #hello() {
    return { type: "hello", v: PROTOCOL_VERSION, match: this.game?.match ?? null, ply: this.game?.ply ?? 0, tv: this.tv };
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
    if (message.type === "refused" && !message.id && this.#queueWish !== null) {
      this.#queueWish = null;
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
    this.#queueWish = null;
    this.#setGame(game);
    this.table = table;
    this.#socket.welcomed();
    this.#setTable(table);
    for (const { message, resolve } of [...this.#pending.values()]) {
      if (!("match" in message) || message.match === game?.match) this.#socket.send(message);
      else resolve(null);
    }
    this.#sendAgain();
  }

  /** @param {TableInfo} table */
  #setTable(table) {
    this.#serverTable = table;
    this.table = this.#wished(table);
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
   * Take over a move.
   *
   * @param {Moved} message
   * @returns {boolean} whether it was news
   */
  #moved({ match, ply, public: open, mine, clock }) {
    const game = this.game;
    if (game?.match === match && ply <= game.ply) return false;
    if (!game || game.match !== match || ply > game.ply + 1) {
      // A move is missing: the next welcome brings the whole picture.
      this.#socket.reconnect();
      return false;
    }
    this.#setGame({ ...game, ply, public: open, mine, clock });
    return true;
  }

  /**
   * Add a number of our own to the next shuffle, once its promise has been seen.
   *
   * @param {string} promise
   */
  #addNumber(promise) {
    if (this.tv || this.seat === null || this.#promised === promise || !promise) return;
    this.#promised = promise;
    rememberSeat(promise, this.seat);
    this.#socket.send({ type: "number", promise, number: numberFor(promise) });
  }

  /** Show everybody the face that the person has built. */
  sendAvatar() {
    const sentAvatar = prefs.get("look");
    const worn = this.seat === null ? sentAvatar : (this.table?.seats[this.seat]?.look ?? "");
    if (worn === sentAvatar || this.#avatar === sentAvatar) return;
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

  /**
   * The server did not let us in.
   *
   * @param {number} code of the closed WebSocket
   */
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

  /**
   * @param {string} name
   * @param {unknown} [detail]
   */
  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
    this.dispatchEvent(new CustomEvent("change"));
  }
}
