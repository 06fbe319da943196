/** A match on the table: acts go through here into the log, and from the log to whoever looks. */

import { MOST_CALLS, SPEEDS } from "../local/constants.js";
import { mayCall } from "../cards/cards.js";
import { NotationError, Refused } from "../local/errors.js";
import { NEXT_ROUND, TAKE_BACK } from "./log.js";
import { mistake } from "./mistakes.js";
import { gameOf, happenings, mineOf, publicOf } from "./messages.js";
import { UnoRace, isCall } from "./race.js";
import { Denied, againstRules, calledInTime, tooLate } from "./refusals.js";
import { TableBots } from "./tablebots.js";
import { Thoughts } from "./thoughts.js";
import { findTutor } from "./tutor.js";

/** @import { Act, Game, Settings, TakeBack, Why } from "../line/protocol.js" */
/** @import { Library } from "../local/bots.js" */
/** @import { Move } from "../local/notation.js" */
/** @import { Event, Face } from "../local/round.js" */
/** @import { Alarms } from "./alarms.js" */
/** @import { MatchLog, Row } from "./log.js" */
/** @import { HeldAct } from "./race.js" */
/** @import { Message } from "./refusals.js" */
/** @import { Plan } from "./tablebots.js" */
/** @import { Thinker } from "./thoughts.js" */

/**
 * What a match has of its table.
 * @typedef {object} Around
 * @property {Alarms} alarms `bot` and `catch` are set here
 * @property {Library} library
 * @property {Thinker} thinker
 * @property {() => number | null} viewer the seat whose eyes look; null for nobody's
 * @property {(message: Message) => void} tell
 * @property {() => void} grown the log has another row
 */

/** How the id of a command begins that a bot gives, in a seat of its own or of somebody who is away. */
const BY_BOT = "bot:";

export class LiveMatch {
  /** The levels of the bots that play now, by seat, each with its style. @type {Map<number, string>} */
  #levels = new Map();
  /** @type {Plan | null} */
  #plan = null;
  /** When the seat on turn began to think. */
  #since = 0;
  /** The command that is being done, or was last: it is answered. */
  #asked = "";
  /** What lies open. @type {Face} */
  #face;
  /** The round in which it was said last that a bot decides more plainly than it could. */
  #hurried = -1;
  /** Calls and catches of each seat since the last other act. @type {Map<number, number>} */
  #calls = new Map();

  /** @param {MatchLog} log @param {Settings} settings @param {Around} around */
  constructor(log, settings, around) {
    this.log = log;
    this.around = around;
    this.settings = settings;
    this.race = new UnoRace(settings.grace / 1000);
    this.tutor = findTutor(log.match, log.kept.position);
    this.thoughts = new Thoughts(log.match, around.library, around.thinker, () => this.watch());
    this.bots = new TableBots(log.match, this.thoughts, this.tutor);
    this.#face = log.match.round.face();
    this.#beginRound();
  }

  get id() {
    return this.log.kept.id;
  }

  get match() {
    return this.log.match;
  }

  // --- acts -----------------------------------------------------------------------------------------

  /** Makes a move for a person. @param {Act} message @param {number} seat @param {boolean} paused */
  answerAct({ id, match, move: text }, seat, paused) {
    const move = this.#read(text);
    if (match !== this.id) throw new Denied("stale");
    if (paused) throw new Denied("paused");
    try {
      if (this.#done(id, seat, move) === null) {
        if (isCall(move) && this.#callsOf(seat) >= MOST_CALLS) throw new Denied("too-fast");
        this.#checkLesson(seat, move);
      }
      const ply = this.act(id, seat, move);
      if (ply !== null) this.around.tell({ type: "done", id, ply });
    } catch (error) {
      this.#refuse(id, seat, move, error);
    }
  }

  /** Says why a move cannot be made, or that it can. @param {Why} message @param {number} seat */
  answerWhy({ id, move: text }, seat) {
    const move = this.#read(text);
    try {
      this.match.round.verify(seat, move);
      this.#checkLesson(seat, move);
      this.around.tell({ type: "done", id, ply: this.log.ply });
    } catch (error) {
      this.#refuse(id, seat, move, error);
    }
  }

  /** Takes back the last act of a seat, once, however often it is sent. @param {TakeBack} message @param {number} seat */
  takeBack({ id, match }, seat) {
    if (match !== this.id) throw new Denied("stale");
    if (this.#done(id, seat, null) === null) {
      if (!this.match.canTakeBack(seat)) throw new Denied("nothing-to-take-back");
      this.#commit(id, seat, TAKE_BACK);
    }
    this.around.tell({ type: "done", id, ply: /** @type {number} */ (this.#done(id, seat, null)) });
  }

  /** Deals the next round. */
  dealNext() {
    this.#commit(`deal:${this.log.ply}`, -1, NEXT_ROUND);
  }

  /**
   * Makes a move once, however often it is sent. Who makes it is answered with the move itself.
   * @param {string} command its id @param {number} seat @param {Move} move
   * @param {boolean} [asked] whether a person waits for the answer
   * @returns {number | null} for a command that has been done before, how many moves the log had with it
   */
  act(command, seat, move, asked = true) {
    const done = this.#done(command, seat, asked ? move : null);
    if (done !== null) return done;
    if (this.race.since.size > 0 || this.race.held.length > 0) {
      this.match.round.verify(seat, move);
      if (this.race.hold(command, seat, move, this.#now)) {
        this.#watchCatches();
        return null;
      }
      if (!isCall(move)) this.settleCatches(true);
    }
    this.#make(command, seat, move, asked);
    return null;
  }

  /** Makes held acts whose grace is over, or all; who comes second hears that it was too late. @param {boolean} [all] */
  settleCatches(all = false) {
    for (let held = this.race.pop(all ? null : this.#now); held; held = this.race.pop(all ? null : this.#now)) {
      try {
        this.#make(held.command, held.seat, held.move, true);
      } catch (error) {
        this.#refuse(held.command, held.seat, held.move, error, held.seat === this.around.viewer());
      }
    }
    this.#watchCatches();
  }

  /** Makes the move of the bot whose time has come. */
  moveBot() {
    const plan = this.#plan;
    if (!plan || plan.ply !== this.log.ply || !this.#levels.has(plan.seat)) return this.watch();
    const { thought, seat, level } = plan;
    if (thought && !thought.done) {
      // By an alarm, after which the table sees what follows, as the end of a match; and none rings while it is paused.
      thought.wake = () => this.#plan === plan && this.around.alarms.set("bot", this.#now);
      return undefined;
    }
    if (plan.move === null && !thought && this.thoughts.searches(level) && this.#hurried !== this.match.number) {
      this.#hurried = this.match.number; // what it has learned is still on its way
      this.around.tell({ type: "notice", what: "hurried", left: null, ahead: null });
    }
    const move = this.bots.move(plan);
    if (move === null) return undefined;
    try {
      this.act(`${BY_BOT}${plan.ply}`, seat, this.match.round.notation.move(move), false);
    } catch (error) {
      // A bot that breaks the rules is broken; a table that held catches have changed is not.
      if (!(error instanceof Refused) || plan.ply === this.log.ply) throw error;
    }
    return undefined;
  }

  /** @param {string} command @param {number} seat @param {Move} move @param {boolean} asked */
  #make(command, seat, move, asked) {
    this.#asked = asked ? command : "";
    if (this.#done(command, seat, asked ? move : null) !== null) return;
    this.#checkRace(seat, move);
    this.#commit(command, seat, this.match.round.notation.text(move));
  }

  /** Refuses a call or a catch that has lost the race, where the rules would punish it as false (LC-18). @param {number} seat @param {Move} move */
  #checkRace(seat, move) {
    if (!isCall(move) || !this.race.lateness(seat, move, this.#now)) return;
    if (move.verb === "uno" && !this.#mayCall(seat)) throw new Refused("call-count", "CO-15");
    if (move.verb === "catch" && !this.#face.exposed.includes(Number(move.target))) throw new Refused("catch-closed", "CO-15");
  }

  /**
   * How many moves the log had with a command; null where it is not in it.
   * @param {string} command @param {number} seat @param {Move | null} move null for whichever it is
   */
  #done(command, seat, move) {
    const known = this.log.find(command);
    if (!known) return null;
    const [, sender, text] = known.row;
    if (sender !== seat || (move && this.match.round.notation.text(move) !== text)) throw new Denied("replayed");
    return known.ply + 1;
  }

  /** @param {string} text */
  #read(text) {
    try {
      return this.match.round.notation.move(text);
    } catch (error) {
      if (error instanceof NotationError)
        throw new Denied("bad-move", { reason: mistake(this.match.kernel.description, error) });
      throw error;
    }
  }

  /** In a lesson refuses what the rules refuse, and what is not its next step. @param {number} seat @param {Move} move */
  #checkLesson(seat, move) {
    if (!this.tutor) return;
    this.match.round.verify(seat, move);
    if (!this.tutor.allows(this.match.round.notation.text(move))) throw new Denied("lesson");
  }

  // --- what follows from a move -----------------------------------------------------------------------

  /** @param {string} command @param {number} seat @param {string} move */
  #commit(command, seat, move) {
    const events = this.log.add([command, seat, move, Date.now()]);
    this.around.grown();
    this.#follow(this.log.kept.moves[this.log.ply - 1], events);
  }

  /** A row is in the log: clocks and race follow, whoever looks is told. @param {Row} row @param {Event[]} events */
  #follow([command, seat, text], events) {
    if (text === NEXT_ROUND || text === TAKE_BACK) {
      this.#beginRound();
      this.tellDealt(events);
      return;
    }
    const { match } = this;
    const { round } = match;
    if (isCall(round.notation.move(text))) this.#calls.set(seat, this.#callsOf(seat) + 1);
    else {
      this.#calls.clear();
      this.#since = this.#now;
    }
    const own = command.startsWith(BY_BOT) ? null : seat;
    const could = [...match.players.keys()].filter((other) => other !== own && this.#mayCall(other));
    this.#face = round.face();
    for (const other of could) if (!this.#mayCall(other)) this.race.interrupt(other, this.#now);
    const { exposed, called } = this.#face;
    const beaten = this.race.follow(exposed, called, this.#now);
    const viewer = this.around.viewer();
    const standing = this.#standing();
    this.around.tell({
      type: "moved",
      match: this.id,
      ply: this.log.ply,
      seat,
      move: text,
      events: happenings(events, match, viewer),
      public: publicOf(match),
      mine: viewer === null ? null : mineOf(standing, viewer),
      clock: null,
    });
    if (seat === viewer && command === this.#asked) this.around.tell({ type: "done", id: command, ply: this.log.ply });
    for (const held of beaten) this.#tellBeaten(held);
    this.watch();
  }

  #beginRound() {
    this.race.reset();
    this.#calls.clear();
    this.#since = this.#now;
    this.#face = this.match.round.face();
    this.race.follow(this.#face.exposed, this.#face.called, this.#now);
  }

  /** @param {number} seat */
  #callsOf(seat) {
    return this.#calls.get(seat) ?? 0;
  }

  /** Whether a call by itself counts now. @param {number} seat */
  #mayCall(seat) {
    return mayCall(String(this.match.rules.options.uno_early_call), this.#face, seat);
  }

  /** Shows the whole picture, as after a deal. @param {Event[]} events what that did; whoever sees it has what was before */
  tellDealt(events) {
    const viewer = this.around.viewer();
    this.around.tell({ type: "dealt", game: this.game(viewer, !events.length), events: happenings(events, this.match, viewer) });
    this.watch();
  }

  /**
   * The match as one viewer may see it.
   * @param {number | null} viewer
   * @param {boolean} [whole] with what happened in all rounds, not in the last alone
   * @returns {Game}
   */
  game(viewer, whole = true) {
    return gameOf(this.#standing(), viewer, this.log.events(whole));
  }

  #standing() {
    const { id, match, tutor, log } = this;
    // The lesson speaks of what is open to the learner, whoever looks.
    const taught = tutor && { legal: tutor.open, lesson: tutor.said };
    return { id, match, ply: log.ply, promise: log.promise, taught };
  }

  // --- alarms -----------------------------------------------------------------------------------------

  get #now() {
    return this.around.alarms.now;
  }

  /** Who plays has changed. @param {Map<number, string>} levels of the bots that play now, by seat, each with its style */
  arrange(levels) {
    this.#levels = levels;
    this.watch();
  }

  /** The table has other settings; in a match only those change that may. @param {Settings} settings */
  adapt(settings) {
    this.settings = settings;
    this.watch();
  }

  /** Sets the alarms for the table as it stands. */
  watch() {
    this.#watchCatches();
    const levels = this.tutor?.waits ? new Map() : this.#levels;
    const slow = SPEEDS[this.settings.bots];
    this.#plan = this.bots.plan(this.log.ply, levels, this.race, { since: this.#since, slow, now: this.#now });
    this.around.alarms.set("bot", this.#plan && this.#plan.when);
  }

  /** The match is not on the table any more. */
  stop() {
    for (const name of ["bot", "catch"]) this.around.alarms.set(name, null);
    this.#levels = new Map();
    this.thoughts.forget();
  }

  #watchCatches() {
    this.around.alarms.set("catch", this.race.first);
  }

  // --- answers ----------------------------------------------------------------------------------------

  /**
   * Tells a person whom the rules refuse; late calls and catches hear how late (CO-15).
   * @param {string} id @param {number} seat @param {Move} move @param {unknown} error
   * @param {boolean} [heard] whether that person looks
   */
  #refuse(id, seat, move, error, heard = true) {
    if (!(error instanceof Refused)) throw error;
    const closed = isCall(move) ? this.race.lateness(seat, move, this.#now) : null;
    if (!heard) return;
    if (closed) this.around.tell(tooLate(id, this.match, move.target ?? seat, closed, this.#now));
    else this.around.tell(againstRules(id, this.match, seat, move, error));
  }

  /** A held catch came to nothing: the call came within the grace, or the window closed otherwise. @param {HeldAct} held */
  #tellBeaten({ command, seat, move }) {
    if (seat !== this.around.viewer()) return;
    const target = Number(move.target);
    const closed = this.race.lateness(seat, move, this.#now);
    if (!closed || closed.called) this.around.tell(calledInTime(command, this.match, target));
    else this.around.tell(tooLate(command, this.match, target, closed, this.#now));
  }
}
