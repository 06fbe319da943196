/**
 * A table on this device. It answers with the protocol's messages, as the server's table does. Several people may sit at it; one
 * of them is the viewer, or nobody while the device is passed on. People and bots change only in the lobby.
 */

import { Library } from "../bindings/bots.js";
import { DEFAULT_LEVEL, PROTOCOL_VERSION, QUICK_LEVEL, SPEEDS } from "../bindings/constants.js";
import { Workspace } from "../bindings/workspace.js";
import { gameOf } from "../bindings/rulename.js";
import { commitment, toHex } from "../bindings/seeds.js";
import { TableClock, TIME } from "./clock.js";
import * as dealing from "./dealing.js";
import { findHints } from "./hints.js";
import { personResult } from "./dailyresult.js";
import * as hosting from "./hosting.js";
import { MatchPlay } from "./matchplay.js";
import { MatchLog } from "./matchlog.js";
import { CommandError, commandRefusal } from "./refusals.js";
import * as seating from "./seating.js";
import { openLobby, same, seatOf } from "./tabledata.js";
import { Thinker } from "./thinking.js";

/** @import { Advise, ClientUnion, SeatInfo, TableInfo } from "../net/protocol.js" */
/** @import { Kernel } from "../bindings/kernel.js" */
/** @import { Time } from "./clock.js" */
/** @import { TableData, Seat } from "./tabledata.js" */
/** @import { Setup } from "./hosting.js" */
/** @import { SavedMatch } from "./matchlog.js" */
/** @import { Message } from "./refusals.js" */

/**
 * A table as it is stored between two visits; `turn` is the seat on turn.
 * @typedef {{data: TableData, match: SavedMatch | null, turn: number | null}} SavedTable
 */

/**
 * A finished match, for the person's own list.
 * @typedef {object} Finished
 * @property {string} id @property {string} rules @property {string[]} names
 * @property {(string | null)[]} players people's ids, by seat @property {(string | null)[]} bots levels, by seat
 * @property {number} started @property {number} finished
 * @property {number[]} winners @property {boolean} takenBack @property {string | null} record null for a lesson
 * @property {{points: number, moves: number} | null} daily the result of the person in a daily deal; null for any other match
 */

/**
 * The outputs of a table.
 * @typedef {object} TableEffects
 * @property {(message: Message) => void} send sends a message to the viewer
 * @property {(saved: SavedTable) => void} save
 * @property {(match: Finished) => void} finished
 * @property {Time} [time]
 * @property {() => string} [secret] a fresh one, in hex
 * @property {() => string} [id] makes a match id
 */

const ID_BYTES = 12;

/** @param {number} count */
const randomHex = (count) => toHex(crypto.getRandomValues(new Uint8Array(count)));

export class Table {
  /** @type {MatchPlay | null} */
  #play = null;
  #online = false;
  #thinker = new Thinker();
  #clock;
  /** @type {Required<TableEffects>} */
  #effects;
  /** The viewer's seat. @type {number | null} */
  #seat = null;

  /**
   * @param {Kernel} kernel
   * @param {Library} library the bots' weights
   * @param {Setup | SavedTable} what a new table, or a saved one
   * @param {TableEffects} effects
   */
  constructor(kernel, library, what, effects) {
    this.kernel = kernel;
    this.library = library;
    this.#effects = { time: TIME, secret: () => randomHex(32), id: () => randomHex(ID_BYTES), ...effects };
    this.#clock = new TableClock(this.#effects.time, () => {
      this.#play?.wake();
      this.#advance();
    });
    /** @type {TableData} */
    this.data = "people" in what ? hosting.newTableData(kernel.description, what, this.#effects.secret) : what.data;
    /** The viewer; null for none. @type {string | null} */
    this.viewer = this.data.people.length === 1 ? this.data.people[0].id : null;
    if ("match" in what && hasMatch(this.data))
      this.#openMatch(new MatchLog(kernel, /** @type {SavedMatch} */ (what.match)));
    this.#arrange();
    this.#syncWithLog();
    this.#welcome(); // nobody receives it, but a table that cannot be shown is not opened
    this.#save();
  }

  // --- the viewer -------------------------------------------------------------------------------------

  /** Sets the person who holds the device, or (null) hides all hands. @param {string | null} player */
  setViewer(player) {
    this.viewer = player;
    this.#updateViewer();
    this.#welcome();
    this.#advance();
  }

  /** Adds a person at the device, between matches. @param {{id?: string, name: string}} person */
  addPerson({ id = randomHex(ID_BYTES), name }) {
    hosting.refuseDaily(this.data);
    this.#change(seating.addPerson(this.data, { id, name }));
  }

  /** Removes a person from the device, between matches. @param {string} player */
  removePerson(player) {
    this.#change(seating.removePerson(this.data, player));
  }

  /** Handles a lost connection: table time stops. */
  hangUp() {
    this.#online = false;
    this.#arrange();
  }

  /** Closes the table. */
  close() {
    this.hangUp();
    this.#play?.stop();
  }

  /** Resolves when no bot is searching. */
  get idle() {
    return this.#thinker.idle;
  }

  // --- commands ---------------------------------------------------------------------------------------

  /** Carries out a command of the page, or refuses it. @param {ClientUnion} message */
  handle(message) {
    if (message.type === "hello") return this.#greet();
    try {
      if (this.viewer === null) throw new CommandError("watching");
      this.#handleCommand(message, this.viewer);
      this.#advance();
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      this.#send(commandRefusal("id" in message ? message.id : null, error, this.#game));
    }
    return undefined;
  }

  #greet() {
    this.#online = true;
    this.#arrange();
    this.#welcome();
    this.#advance();
  }

  #welcome() {
    const game = this.#play && this.#play.game(this.#seat);
    this.#send({ type: "welcome", v: PROTOCOL_VERSION, you: this.viewer, table: this.#state(), game, notes: [] });
  }

  /** @param {ClientUnion} message @param {string} player the viewer */
  #handleCommand(message, player) {
    const { data } = this;
    const { description } = this.kernel;
    switch (message.type) {
      case "act":
      case "takeback":
      case "why":
      case "advise":
        return this.#attempt(message, player);
      case "start":
        return this.#start(message.level ?? DEFAULT_LEVEL);
      case "ready":
        return this.#goOn();
      case "configure":
        return this.#change(hosting.configure(description, data, message.settings));
      case "setbot":
        hosting.refuseDaily(data);
        return this.#change(seating.setBot(openLobby(data), message.seat, message.level, message.style));
      case "number":
        // Numbers do not change a daily deal.
        if (data.daily || message.promise !== commitment(data.secret)) return undefined;
        return this.#change({ ...data, numbers: { ...data.numbers, [player]: message.number } });
      case "look": {
        // The page sends the avatar of the device's owner, who is the host.
        if (player !== data.people[0].id) return undefined;
        const { [player]: _, ...others } = data.avatars;
        return this.#change({ ...data, avatars: message.look ? { ...others, [player]: message.look } : others });
      }
      case "write":
        return this.#change(dealing.writeCards(description, data, player, message.cards));
      case "pause":
        if (message.on && !["playing", "between", "writing"].includes(data.phase)) throw new CommandError("not-now");
        return this.#change({ ...data, paused: message.on });
      default:
        throw new CommandError("not-now");
    }
  }

  /**
   * Handles a command about the match.
   * @param {Extract<ClientUnion, {type: "act" | "takeback" | "why" | "advise"}>} message @param {string} player
   */
  #attempt(message, player) {
    const seat = seatOf(this.data, player);
    const play = this.#play;
    if (seat === null) throw new CommandError("not-seated");
    if (!play) throw new CommandError("stale");
    if (message.type === "act") return play.answerMove(message, seat, this.data.paused);
    if (message.type === "why") return play.answerWhy(message, seat);
    if (message.type === "advise") return this.#advise(message, seat, play);
    if (!this.#takeBacks) throw new CommandError("no-take-backs");
    if (this.data.paused) throw new CommandError("paused");
    return play.takeBack(message, seat);
  }

  /** @param {Advise} message @param {number} seat @param {MatchPlay} play */
  #advise({ id }, seat, { match, log }) {
    if (!this.#hints) throw new CommandError("no-hints");
    if (this.data.paused) throw new CommandError("paused");
    if (match.round.over || match.round.turn !== seat) throw new CommandError("not-your-turn");
    const { ply } = log;
    const workspace = new Workspace(this.kernel, "search");
    findHints(match, seat, this.library, (work) => this.#thinker.think(work), workspace)
      .then((moves) => this.#send({ type: "advice", id, ply, moves }))
      .catch((error) => {
        console.error(error);
        this.#send(commandRefusal(id, new CommandError("not-now"), this.#game));
      });
  }

  // --- phases -----------------------------------------------------------------------------------------

  /** Advances the phase if its conditions are met. */
  #advance() {
    this.#syncWithLog();
    const table = this.data;
    if (table.paused || !this.#isWatched) return;
    if (table.phase === "writing" && dealing.allWritten(table)) this.#deal(table);
    else if (table.quick && (table.daily || Object.hasOwn(table.numbers, table.people[0].id))) this.#start(QUICK_LEVEL);
  }

  /** Deals the next round, or starts the next match. On one device, nobody waits for others. */
  #goOn() {
    const { phase, paused, level } = this.data;
    if (phase !== "between" && phase !== "over") throw new CommandError("not-now");
    if (paused) throw new CommandError("paused");
    if (phase === "over") this.#start(level);
    else this.#play?.dealNext();
  }

  /** Starts a match, or the writing of rule cards before it. @param {string} level the level of the bots that fill free seats */
  #start(level) {
    if (this.data.phase === "over") hosting.refuseDaily(this.data);
    const draft = dealing.prepareMatch(this.kernel.description, this.data, level);
    if (draft.phase === "writing") this.#change(draft);
    else this.#deal(draft);
  }

  /** Starts a match at the table. @param {TableData} draft the table data with every seat taken */
  #deal(draft) {
    const { id, secret } = this.#effects;
    const saved = dealing.newMatch(this.kernel.description, draft, id(), Date.now());
    const log = new MatchLog(this.kernel, saved);
    this.#adopt(dealing.startPlaying(draft, saved.id, secret), log);
  }

  /** Synchronizes the table data with the log, which may be ahead by the end of a round or the next deal. */
  #syncWithLog() {
    const { data } = this;
    const play = this.#play;
    if (!play) return;
    const { match, log } = play;
    if (data.phase === "between" && !match.round.over) this.#change({ ...data, phase: "playing" });
    if (data.phase !== "playing" || !match.round.over) return;
    if (!match.winners) return this.#change({ ...data, phase: "between" });
    log.saved.finished = Date.now();
    this.#change(dealing.endMatch(data, match.winners, match.position !== null));
    this.#effects.finished({ ...finishedMatch(log), daily: data.daily ? personResult(log.match) : null });
  }

  // --- changes ----------------------------------------------------------------------------------------

  /** @param {TableData} draft */
  #change(draft) {
    if (!same(draft, this.data)) this.#adopt(dealing.renewSecret(this.data, draft, this.#effects.secret));
  }

  /** @param {TableData} draft @param {MatchLog | null} [log] the log of a match that begins with it */
  #adopt(draft, log = null) {
    this.data = draft;
    if (log || !hasMatch(draft)) {
      this.#play?.stop();
      this.#play = null;
    }
    if (log) this.#openMatch(log);
    this.#arrange();
    this.#send({ type: "table", table: this.#state() });
    if (log) this.#play?.sendDealt(log.match.round.events());
    this.#save();
  }

  /** @param {MatchLog} log */
  #openMatch(log) {
    this.#play = new MatchPlay(log, this.data.settings.grace / 1000, levelsOf(this.data), {
      clock: this.#clock,
      library: this.library,
      thinker: this.#thinker,
      viewer: () => this.#seat,
      slow: () => SPEEDS[this.data.settings.bots],
      send: (message) => this.#send(message),
      appended: () => this.#save(),
    });
  }

  /** Updates viewer and alarm after a change of table data or of the connection. */
  #arrange() {
    this.#updateViewer();
    this.#play?.update();
  }

  /** Updates the viewer's seat, and whether table time runs. */
  #updateViewer() {
    this.#seat = seatOf(this.data, this.viewer);
    if (this.#isWatched && !this.data.paused) this.#clock.go();
    else this.#clock.stop();
  }

  /** Whether anyone is watching. */
  get #isWatched() {
    return this.#online && this.viewer !== null;
  }

  /** @param {Message} message */
  #send(message) {
    if (this.#online) this.#effects.send(message);
  }

  #save() {
    const { data } = this;
    const match = this.#play && this.#play.log.saved;
    const round = this.#play?.match.round;
    const turn = round && !round.over ? round.turn : null; // for code that only reads saved tables
    this.#effects.save({ data, match, turn });
  }

  get #game() {
    return gameOf(this.data.settings.rules);
  }

  /** Whether hints are fair: only bots play against the person, or all people agreed to them; never in a daily deal. */
  get #hints() {
    return !this.data.daily && (this.data.settings.hints || this.data.people.length === 1);
  }

  get #takeBacks() {
    return this.data.settings.take_backs && this.data.people.length === 1;
  }

  /** Returns the public information about the table. @returns {TableInfo} */
  #state() {
    const table = this.data;
    return {
      code: "",
      phase: table.phase,
      // The viewer has the host's rights: all people are in one place.
      host: this.viewer ?? table.people[0].id,
      settings: table.settings,
      seats: table.seats.map((place) => place && seatInfo(table, place)),
      guests: [],
      match: table.match,
      played: table.played,
      wins: table.wins,
      promise: commitment(table.secret),
      paused: table.paused,
      vote: null,
      muted: [],
      cards_each: table.phase === "writing" ? dealing.ruleCardsEach(this.kernel.description, table) : 0,
      next_in: null,
      hints: this.#hints,
      take_backs: this.#takeBacks,
      join_url: "",
      clock: null,
      notice: "",
      draining: false,
      reports: false,
      daily: table.daily,
      duplicate: null,
      voices: [],
      open: false,
      played_by: [],
    };
  }
}

/** Whether a match is on the table, which may be over. @param {TableData} table */
const hasMatch = ({ phase }) => ["playing", "between", "over"].includes(phase);

/** @param {TableData} table @param {Seat} place @returns {SeatInfo} */
function seatInfo(table, { name, player, bot, style = "" }) {
  return {
    name,
    player,
    bot,
    here: player !== null,
    standin: false,
    heir: null,
    sealed: player !== null && Object.hasOwn(table.numbers, player),
    ready: player !== null && Object.hasOwn(table.cards, player),
    kicked: false,
    program: false,
    look: table.avatars[player ?? ""] ?? "",
    style,
    awaited: false,
  };
}

/**
 * Returns the levels of the bots, by seat, each with its style.
 * @param {TableData} table @returns {Map<number, string>}
 */
function levelsOf({ seats }) {
  const levels = new Map();
  seats.forEach((place, seat) => {
    if (place?.bot) levels.set(seat, place.style ? `${place.bot}:style=${place.style}` : place.bot);
  });
  return levels;
}

/** @param {MatchLog} log @returns {Omit<Finished, "daily">} */
function finishedMatch(log) {
  const { id, rules, names, players, bots, started, finished, position } = log.saved;
  return {
    id,
    rules,
    names,
    players,
    bots,
    started,
    finished: /** @type {number} */ (finished),
    winners: /** @type {number[]} */ (log.match.winners),
    takenBack: log.takenBack,
    record: position === null ? log.record() : null,
  };
}
