/**
 * A table on this device. It answers with the protocol's messages, as the server's table does. Several people may sit at it; one
 * of them is the viewer, or nobody while the device is passed on.
 */

import { Library } from "../bindings/bots.js";
import { DEFAULT_LEVEL, NEXT_ROUND_S, NUMBER_WAIT_S, PROTOCOL_VERSION, QUICK, QUICK_LEVEL } from "../bindings/constants.js";
import { Workspace } from "../bindings/workspace.js";
import { gameOf } from "../bindings/rulename.js";
import { commitment, toHex } from "../bindings/seeds.js";
import { Alarms, TIME } from "./alarms.js";
import * as dealing from "./dealing.js";
import * as documents from "./tabledata.js";
import { findHints } from "./hints.js";
import * as hosting from "./hosting.js";
import { LiveMatch } from "./livematch.js";
import { MatchLog } from "./matchlog.js";
import { CommandError, commandRefusal } from "./refusals.js";
import * as seating from "./seating.js";
import { Thinker } from "./thinking.js";

/** @import { Advise, ClientUnion, SeatInfo, TableInfo } from "../net/protocol.js" */
/** @import { Kernel } from "../bindings/kernel.js" */
/** @import { Time } from "./alarms.js" */
/** @import { TableData, Person, Seat } from "./tabledata.js" */
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
  /** @type {LiveMatch | null} */
  #live = null;
  #online = false;
  #thinker = new Thinker();
  #alarms;
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
    this.#alarms = new Alarms(this.#effects.time, () => this.#ring());
    this.#alarms.stop();
    /** @type {TableData} */
    this.data = "data" in what ? what.data : hosting.newTableData(kernel.description, what, this.#effects.secret);
    /** The viewer; null for none. @type {string | null} */
    this.viewer = this.data.people.length === 1 ? this.data.people[0].id : null;
    if ("data" in what && what.match) this.#openMatch(new MatchLog(kernel, what.match));
    this.#arrange();
    this.#syncWithLog();
    this.#save();
  }

  // --- the viewer -------------------------------------------------------------------------------------

  /** Sets the person who holds the device, or (null) hides all hands. @param {string | null} player */
  setViewer(player) {
    if (player !== null && !this.data.people.some(({ id }) => id === player)) throw new CommandError("no-such-player");
    this.viewer = player;
    this.#updateViewer();
    this.#welcome();
    this.#advance();
  }

  /** Changes the people at the device. @param {(table: TableData) => TableData} edit one of `document.js` */
  changePeople(edit) {
    this.#change(edit);
    if (this.viewer !== null && !this.data.people.some(({ id }) => id === this.viewer)) this.setViewer(null);
    this.#advance();
  }

  /** Returns the finished match as a record. */
  record() {
    const { log, match } = this.#live ?? {};
    if (!log || !match?.over || match.position) throw new CommandError("not-now");
    return log.record();
  }

  /** Handles a lost connection: table time stops. */
  hangUp() {
    this.#online = false;
    this.#arrange();
  }

  /** Closes the table. */
  close() {
    this.hangUp();
    this.#live?.stop();
  }

  /** Resolves when no bot is searching. */
  get idle() {
    return this.#thinker.idle;
  }

  // --- commands ---------------------------------------------------------------------------------------

  /** Carries out a command of the page, or refuses it. @param {ClientUnion} message */
  handle(message) {
    if (message.type === "ping") return this.#effects.send({ type: "pong", t: message.t });
    if (message.type === "hello") return this.#greet(message.v);
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

  /** @param {number} version */
  #greet(version) {
    if (version !== PROTOCOL_VERSION) return this.#effects.send({ type: "bye", why: "version" });
    this.#online = true;
    this.#arrange();
    this.#welcome();
    this.#advance();
    return undefined;
  }

  #welcome() {
    const game = this.#live && this.#live.game(this.#seat);
    this.#send({ type: "welcome", v: PROTOCOL_VERSION, you: this.viewer, table: this.#state(), game, notes: [] });
  }

  /** @param {ClientUnion} message @param {string} player the viewer */
  #handleCommand(message, player) {
    switch (message.type) {
      case "act":
      case "takeback":
      case "why":
      case "advise":
        return this.#play(message, player);
      case "quick":
        return this.#sendQuick(message.quick, message.at ?? null, player);
      case "say":
        throw new CommandError("chat-off");
      case "report":
        throw new CommandError("no-admin");
      case "start":
        documents.checkBetweenMatches(this.data);
        return this.#start(hosting.checkLevel(message.level ?? DEFAULT_LEVEL));
      default:
        return void this.#change((table) => this.#applyCommand(table, message, player));
    }
  }

  /**
   * Returns the table after a command that changes only the table data.
   * @param {TableData} table @param {ClientUnion} message @param {string} player @returns {TableData}
   */
  #applyCommand(table, message, player) {
    const { description } = this.kernel;
    const person = /** @type {Person} */ (table.people.find(({ id }) => id === player));
    switch (message.type) {
      case "sit":
        return seating.sit(table, person, message.seat ?? null);
      case "stand":
        return seating.leave(table, player, "stood");
      case "back":
        return seating.returnToSeat(table, player);
      case "configure":
        return hosting.configure(description, table, message.settings);
      case "setbot":
        documents.checkBetweenMatches(table);
        if (message.level !== null) hosting.checkStyle(hosting.checkLevel(message.level), message.style ?? "");
        return seating.setBot(table, message.seat, message.level, message.style);
      case "number": {
        const counts = message.promise === commitment(table.secret) && documents.seatOf(table, player) !== null;
        return counts ? { ...table, numbers: { ...table.numbers, [player]: message.number } } : table;
      }
      case "look": {
        // The page sends the avatar of the device's owner, who is the host.
        if (player !== table.people[0].id) return table;
        if (documents.seatOf(table, player) === null) throw new CommandError("not-seated");
        const { [player]: _, ...others } = table.avatars;
        return { ...table, avatars: message.look ? { ...others, [player]: message.look } : others };
      }
      case "write":
        return dealing.writeCards(description, table, player, message.cards);
      case "ready":
        return dealing.setReady(table, player);
      case "pause":
        if (documents.playingSeat(table, player) === null) throw new CommandError("not-seated");
        if (message.on && !["playing", "between", "writing"].includes(table.phase)) throw new CommandError("not-now");
        return { ...table, paused: message.on };
      case "kick":
        if (message.player === player) throw new CommandError("kick-self");
        if (documents.seatOf(table, message.player) === null && !table.queue.some(({ id }) => id === message.player))
          throw new CommandError("no-such-player");
        return seating.leave(table, message.player, "kicked");
      default:
        throw new CommandError("not-now");
    }
  }

  /**
   * Handles a command about the match.
   * @param {Extract<ClientUnion, {type: "act" | "takeback" | "why" | "advise"}>} message @param {string} player
   */
  #play(message, player) {
    const seat = documents.playingSeat(this.data, player);
    const live = this.#live;
    if (seat === null) throw new CommandError("not-seated");
    if (!live) throw new CommandError("stale");
    if (message.type === "act") return live.answerMove(message, seat, this.data.paused);
    if (message.type === "why") return live.answerWhy(message, seat);
    if (message.type === "advise") return this.#advise(message, seat, live);
    if (!this.#takeBacks) throw new CommandError("no-take-backs");
    if (this.data.paused) throw new CommandError("paused");
    return live.takeBack(message, seat);
  }

  /** @param {Advise} message @param {number} seat @param {LiveMatch} live */
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

  /** Sends a quick phrase or reaction. @param {string} quick @param {number | null} at @param {string} player */
  #sendQuick(quick, at, player) {
    if (!QUICK.includes(quick)) throw new CommandError("no-such-phrase");
    if (at !== null && !this.data.seats[at]) throw new CommandError("no-such-player");
    const person = /** @type {Person} */ (this.data.people.find(({ id }) => id === player));
    const name = seating.shownName(this.data, person);
    this.#send({ type: "heard", note: { player, name, text: null, quick, at } });
  }

  // --- phases -----------------------------------------------------------------------------------------

  /** Advances the phase if its conditions are met. */
  #advance() {
    this.#syncWithLog();
    const table = this.data;
    if (table.paused || !this.#isWatched) return;
    if (table.phase === "writing" && dealing.allWritten(table)) this.#deal(seating.fill(table, table.level));
    else if (table.phase === "between" && table.ready.length > 0) this.#nextRound();
    else if (table.phase === "over" && table.ready.length > 0) this.#start(table.level);
    else if (table.quick && Object.hasOwn(table.numbers, table.people[0].id)) this.#start(QUICK_LEVEL);
  }

  /** Starts a match, or the writing of rule cards before it. @param {string} level the level of the bots that fill free seats */
  #start(level) {
    const draft = dealing.prepareMatch(this.kernel.description, this.data, level);
    if (draft.phase === "writing") this.#change(() => draft);
    else this.#deal(draft);
  }

  /** Starts a match at the table. @param {TableData} draft the table data with every seat taken */
  #deal(draft) {
    const { id, secret } = this.#effects;
    const saved = dealing.newMatch(this.kernel.description, draft, id(), Date.now());
    const log = new MatchLog(this.kernel, saved);
    this.#adopt(dealing.startPlaying(draft, saved.id, secret), log);
  }

  #nextRound() {
    this.#live?.log.recordTakeovers(this.data.seats.map((place) => place?.player ?? null));
    this.#live?.dealNext();
    this.#syncWithLog();
  }

  /** Synchronizes the table data with the log, which may be ahead by the end of a round or the next deal. */
  #syncWithLog() {
    const live = this.#live;
    if (!live) return;
    const { match, log } = live;
    if (this.data.phase === "playing" && match.round.over) {
      if (!match.winners) this.#change((table) => dealing.endRound(table, match.number));
      else {
        const { winners } = match;
        log.saved.finished = Date.now();
        this.#change((table) => dealing.endMatch(table, winners, match.position !== null));
        this.#effects.finished(finishedMatch(log));
      }
    } else if (documents.inMatch(this.data) && match.number > this.data.round) {
      this.#change((table) => dealing.nextRound(table, match.number));
    }
  }

  #ring() {
    if (this.#alarms.stopped) return;
    for (const alarm of this.#alarms.due()) {
      if (alarm === "bot") this.#live?.moveBot();
      else if (alarm === "catch") this.#live?.releaseHeldMoves();
      else if (alarm === "next") this.#nextRound();
      else if (alarm === "number") this.#start(QUICK_LEVEL);
    }
    this.#advance();
  }

  // --- changes ----------------------------------------------------------------------------------------

  /** @param {(table: TableData) => TableData} edit */
  #change(edit) {
    const draft = edit(this.data);
    if (!documents.same(draft, this.data)) this.#adopt(dealing.renewSecret(this.data, draft, this.#effects.secret));
  }

  /** @param {TableData} draft @param {MatchLog | null} [log] the log of a match that begins with it */
  #adopt(draft, log = null) {
    this.data = draft;
    if (log || !["playing", "between", "over"].includes(draft.phase)) {
      this.#live?.stop();
      this.#live = null;
    }
    if (log) this.#openMatch(log);
    else this.#live?.setSettings(draft.settings);
    const before = this.#seat;
    this.#arrange();
    this.#send({ type: "table", table: this.#state() });
    if (this.#live && before !== this.#seat) this.#send({ type: "dealt", game: this.#live.game(this.#seat), events: [] });
    if (log) this.#live?.sendDealt(log.match.round.events());
    this.#save();
  }

  /** @param {MatchLog} log */
  #openMatch(log) {
    this.#live = new LiveMatch(log, this.data.settings, {
      alarms: this.#alarms,
      library: this.library,
      thinker: this.#thinker,
      viewer: () => this.#seat,
      send: (message) => this.#send(message),
      appended: () => this.#save(),
    });
  }

  /** Updates viewer, bots and alarms after a change of table data or viewer. */
  #arrange() {
    this.#updateViewer();
    this.#live?.setBots(levelsOf(this.data));
  }

  /** Updates the viewer's seat, and whether table time runs. */
  #updateViewer() {
    const table = this.data;
    this.#seat = documents.playingSeat(table, this.viewer);
    if (this.#isWatched && !table.paused) this.#alarms.go();
    else this.#alarms.stop();
    // On one device nobody delays others; a match without people must run for its spectator.
    const watched = table.people.every(({ id }) => documents.playingSeat(table, id) === null);
    this.#alarms.ensure("next", table.phase === "between" && watched, NEXT_ROUND_S);
    this.#alarms.ensure("number", table.quick && this.#isWatched, NUMBER_WAIT_S);
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
    const match = this.#live && this.#live.log.saved;
    const round = this.#live?.match.round;
    const turn = round && !round.over ? round.turn : null; // for code that only reads saved tables
    this.#effects.save({ data, match, turn });
  }

  get #game() {
    return gameOf(this.data.settings.rules);
  }

  /** Whether hints are fair: only bots play against the person, or all people agreed to them. */
  get #hints() {
    return this.data.settings.hints || documents.countPersons(this.data) <= 1;
  }

  get #takeBacks() {
    return this.data.settings.take_backs && documents.countPersons(this.data) <= 1;
  }

  /** Returns the public information about the table. @returns {TableInfo} */
  #state() {
    const table = this.data;
    const left = this.#alarms.stopped ? null : this.#alarms.left("next");
    return {
      code: "",
      phase: table.phase,
      // The viewer has the host's rights: all people are in one place.
      host: this.viewer ?? table.people[0].id,
      settings: table.settings,
      seats: table.seats.map((place) => place && seatInfo(table, place)),
      guests: guestsOf(table),
      match: table.match,
      played: table.played,
      wins: table.wins,
      promise: commitment(table.secret),
      paused: table.paused,
      vote: null,
      muted: [],
      cards_each: table.phase === "writing" ? dealing.ruleCardsEach(this.kernel.description, table) : 0,
      next_in: left === null ? null : Math.round(1000 * left),
      hints: this.#hints,
      take_backs: this.#takeBacks,
      join_url: "",
      clock: null,
      notice: "",
      draining: false,
      reports: false,
      played_by: replacedIn(table),
    };
  }
}

/**
 * Returns the players of the finished round, for every seat that has another owner now.
 * @param {TableData} table @returns {TableInfo["played_by"]}
 */
function replacedIn({ phase, playedBy = [], seats, avatars }) {
  if (phase !== "between" && phase !== "over") return [];
  const former = playedBy.map((place, seat) => {
    const now = seats[seat];
    if (!place || (now && place.player === now.player && (place.player !== null || place.name === now.name))) return null;
    return { name: place.name, player: place.player, bot: place.bot, look: avatars[place.player ?? ""] ?? "" };
  });
  return former.some((place) => place) ? former : [];
}

/** @param {TableData} table @param {Seat} place @returns {SeatInfo} */
function seatInfo(table, { name, player, bot, style = "", away, nextPlayer: heir }) {
  return {
    name,
    player,
    bot,
    here: table.people.some(({ id }) => id === player),
    standin: away !== null,
    heir: heir && heir.name,
    sealed: player !== null && Object.hasOwn(table.numbers, player),
    ready: player !== null && (table.ready.includes(player) || Object.hasOwn(table.cards, player)),
    kicked: away === "kicked" && table.phase === "playing",
    program: false,
    look: table.avatars[player ?? ""] ?? "",
    style,
    awaited: false,
  };
}

/** Returns the people in the queue, then the spectators. @param {TableData} table */
function guestsOf(table) {
  const heirs = table.seats.flatMap((place) => place?.nextPlayer?.id ?? []);
  const waits = new Set([...table.queue.map(({ id }) => id), ...heirs]);
  return [...seating.nameGuests(table)].map(([player, name]) => ({ player, name, queued: waits.has(player) }));
}

/**
 * Returns the levels of the bots that play, by seat, each with its style.
 * @param {TableData} table @returns {Map<number, string>}
 */
function levelsOf({ seats }) {
  const levels = new Map();
  seats.forEach((place, seat) => {
    if (place?.bot) levels.set(seat, place.style ? `${place.bot}:style=${place.style}` : place.bot);
    else if (place?.away) levels.set(seat, DEFAULT_LEVEL);
  });
  return levels;
}

/** @param {MatchLog} log @returns {Finished} */
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
