/** A running match: it adds moves to the log and sends the results to the viewer. */

import { MAX_CALLS } from "../bindings/constants.js";
import { mayCall } from "../cards/cards.js";
import { NotationError, IllegalMove } from "../bindings/errors.js";
import { NEXT_ROUND, TAKE_BACK } from "./matchlog.js";
import { errorText } from "./errortexts.js";
import { gameOf, eventMessages, mineOf, publicOf } from "./messages.js";
import { UnoRace, isCall } from "./unorace.js";
import { CommandError, againstRules, calledInTime, tooLate } from "./refusals.js";
import { TableBots } from "./tablebots.js";
import { Thoughts } from "./thinking.js";
import { findTutor } from "./tutor.js";

/** @import { MakeMove, Game, TakeBack, Why } from "../net/protocol.js" */
/** @import { Library } from "../bindings/bots.js" */
/** @import { Move } from "../bindings/notation.js" */
/** @import { Event, PublicState } from "../bindings/round.js" */
/** @import { TableClock } from "./clock.js" */
/** @import { MatchLog } from "./matchlog.js" */
/** @import { HeldMove } from "./unorace.js" */
/** @import { Message } from "./refusals.js" */
/** @import { Plan } from "./tablebots.js" */
/** @import { Thinker } from "./thinking.js" */

/**
 * The parts of the table that a match uses.
 * @typedef {object} MatchContext
 * @property {TableClock} clock its alarm is set here, and calls `wake`
 * @property {Library} library
 * @property {Thinker} thinker
 * @property {() => number | null} viewer the viewer's seat; null for none
 * @property {() => number} slow by how much bots are slower than usual
 * @property {(message: Message) => void} send
 * @property {() => void} appended called after each new log entry
 */

export class MatchPlay {
  /** @type {Plan | null} */
  #plan = null;
  /** When the seat on turn began to think. */
  #since = 0;
  /** The public part of the round. @type {PublicState} */
  #publicState;
  /** The last round with the notice that a bot uses a simpler level. */
  #hurriedRound = -1;
  /** Calls and catches of each seat since the last other move. @type {Map<number, number>} */
  #calls = new Map();

  /**
   * @param {MatchLog} log @param {number} grace seconds in which a call beats an earlier catch
   * @param {Map<number, string>} levels of the bots, by seat, each with its style
   * @param {MatchContext} context
   */
  constructor(log, grace, levels, context) {
    this.log = log;
    this.context = context;
    this.levels = levels;
    this.race = new UnoRace(grace);
    this.tutor = findTutor(log.match, log.saved.position);
    this.thoughts = new Thoughts(log.match, context.library, context.thinker, () => this.update());
    this.bots = new TableBots(log.match, this.thoughts, this.tutor);
    this.#publicState = log.match.round.publicState();
    this.#beginRound();
  }

  get id() {
    return this.log.saved.id;
  }

  get match() {
    return this.log.match;
  }

  // --- moves ----------------------------------------------------------------------------------------

  /** Makes a move for a person. @param {MakeMove} message @param {number} seat @param {boolean} paused */
  answerMove({ id, match, move: text }, seat, paused) {
    const move = this.#read(text);
    if (match !== this.id) throw new CommandError("stale");
    if (paused) throw new CommandError("paused");
    this.#attempt(id, seat, move, () => {
      if (isCall(move) && this.#callsOf(seat) >= MAX_CALLS) throw new CommandError("too-fast");
      this.#checkLesson(seat, move);
      this.#makeOrHold(id, seat, move);
    });
  }

  /** Answers why a move is illegal, or that it is legal. @param {Why} message @param {number} seat */
  answerWhy({ id, move: text }, seat) {
    const move = this.#read(text);
    this.#attempt(id, seat, move, () => {
      this.match.round.verify(seat, move);
      this.#checkLesson(seat, move);
      this.context.send({ type: "done", id, ply: this.log.ply });
    });
  }

  /** Takes back the last move of a seat. @param {TakeBack} message @param {number} seat */
  takeBack({ id, match }, seat) {
    if (match !== this.id) throw new CommandError("stale");
    if (!this.match.canTakeBack(seat)) throw new CommandError("nothing-to-take-back");
    this.#dealAgain(seat, TAKE_BACK);
    this.context.send({ type: "done", id, ply: this.log.ply });
  }

  /** Deals the next round. */
  dealNext() {
    this.#dealAgain(-1, NEXT_ROUND);
  }

  /** Stores the next deal, or a take-back, and sends the whole game. @param {number} seat @param {string} entry */
  #dealAgain(seat, entry) {
    const events = this.#store(seat, entry);
    this.#beginRound();
    this.sendDealt(events);
  }

  /**
   * Makes a move at once, or after the grace.
   * @param {string} command its id @param {number} seat @param {Move} move
   */
  #makeOrHold(command, seat, move) {
    if (this.race.since.size > 0 || this.race.held.length > 0) {
      this.match.round.verify(seat, move);
      if (this.race.hold(command, seat, move, this.#now)) {
        this.#setAlarm();
        return;
      }
      if (!isCall(move)) this.#releaseHeldMoves(true);
    }
    this.#make(command, seat, move);
  }

  /**
   * Makes held moves whose grace is over, or all; the loser of a race is refused with the delay.
   * @param {boolean} [all]
   */
  #releaseHeldMoves(all = false) {
    for (let held = this.race.pop(all ? null : this.#now); held; held = this.race.pop(all ? null : this.#now)) {
      const { command, seat, move } = held;
      this.#attempt(command, seat, move, () => this.#make(command, seat, move));
    }
    this.#setAlarm();
  }

  /** Makes the move that is due: a held one, or a bot's. */
  wake() {
    if (this.#plan && this.#plan.when < this.race.first) this.#moveBot(this.#plan);
    else this.#releaseHeldMoves();
  }

  /** @param {Plan} plan */
  #moveBot(plan) {
    const { thought, seat, level } = plan;
    plan.when = Infinity; // it is made once, or waits for its bot
    this.#setAlarm();
    if (thought && !thought.done) {
      // An alarm lets the table handle the consequences, such as the end of a match; no alarm fires during a pause.
      thought.wake = () => {
        plan.when = this.#now;
        this.#setAlarm();
      };
      return;
    }
    if (plan.move === null && !thought && this.thoughts.searches(level) && this.#hurriedRound !== this.match.number) {
      this.#hurriedRound = this.match.number; // its weights are still loading
      this.context.send({ type: "notice", what: "hurried", left: null, ahead: null });
    }
    const move = this.bots.move(plan);
    if (move === null) return;
    try {
      this.#makeOrHold(`bot:${plan.ply}`, seat, this.match.round.notation.move(move));
    } catch (error) {
      // An illegal move of a bot is an error, unless held catches have changed the round since.
      if (!(error instanceof IllegalMove) || plan.ply === this.log.ply) throw error;
    }
  }

  /** @param {string} command @param {number} seat @param {Move} move */
  #make(command, seat, move) {
    this.#checkRace(seat, move);
    this.#follow(command, seat, move, this.#store(seat, this.match.round.notation.text(move)));
  }

  /** Refuses a late call or catch that the rules would punish as false (LC-18). @param {number} seat @param {Move} move */
  #checkRace(seat, move) {
    if (!isCall(move) || !this.race.lateness(seat, move, this.#now)) return;
    if (move.verb === "uno" && !this.#mayCall(seat)) throw new IllegalMove("call-count", "CO-15");
    if (move.verb === "catch" && !this.#publicState.exposed.includes(Number(move.target))) throw new IllegalMove("catch-closed", "CO-15");
  }

  /** @param {string} text */
  #read(text) {
    try {
      return this.match.round.notation.move(text);
    } catch (error) {
      if (error instanceof NotationError)
        throw new CommandError("bad-move", { reason: errorText(this.match.kernel.description, error) });
      throw error;
    }
  }

  /** In a lesson, refuses illegal moves and moves other than its next step. @param {number} seat @param {Move} move */
  #checkLesson(seat, move) {
    if (!this.tutor) return;
    this.match.round.verify(seat, move);
    if (!this.tutor.allows(this.match.round.notation.text(move))) throw new CommandError("lesson");
  }

  // --- consequences of a move -------------------------------------------------------------------------

  /** Stores an entry, and returns its events. @param {number} seat @param {string} entry */
  #store(seat, entry) {
    const events = this.log.add([seat, entry]);
    this.context.appended();
    return events;
  }

  /**
   * Updates clocks and race after a move, and informs the viewer.
   * @param {string} command @param {number} seat @param {Move} move @param {Event[]} events
   */
  #follow(command, seat, move, events) {
    const { match } = this;
    const { round } = match;
    if (isCall(move)) this.#calls.set(seat, this.#callsOf(seat) + 1);
    else {
      this.#calls.clear();
      this.#since = this.#now;
    }
    const own = this.levels.has(seat) ? null : seat;
    const could = [...match.players.keys()].filter((other) => other !== own && this.#mayCall(other));
    this.#publicState = round.publicState();
    for (const other of could) if (!this.#mayCall(other)) this.race.interrupt(other, this.#now);
    const { exposed, called } = this.#publicState;
    const beaten = this.race.follow(exposed, called, this.#now);
    const viewer = this.context.viewer();
    const snapshot = this.#snapshot();
    this.context.send({
      type: "moved",
      match: this.id,
      ply: this.log.ply,
      seat,
      move: round.notation.text(move),
      events: eventMessages(events, match, viewer),
      public: publicOf(match),
      mine: viewer === null ? null : mineOf(snapshot, viewer),
      clock: null,
    });
    if (seat === viewer) this.context.send({ type: "done", id: command, ply: this.log.ply });
    for (const held of beaten) this.#sendBeaten(held);
    this.update();
  }

  #beginRound() {
    this.race.reset();
    this.#calls.clear();
    this.#since = this.#now;
    this.#publicState = this.match.round.publicState();
    this.race.follow(this.#publicState.exposed, this.#publicState.called, this.#now);
  }

  /** @param {number} seat */
  #callsOf(seat) {
    return this.#calls.get(seat) ?? 0;
  }

  /** Whether a call by itself counts now. @param {number} seat */
  #mayCall(seat) {
    return mayCall(String(this.match.rules.options.uno_early_call), this.#publicState, seat);
  }

  /** Sends the whole game, as after a deal. @param {Event[]} events the deal's events; if empty, all are sent */
  sendDealt(events) {
    const viewer = this.context.viewer();
    this.context.send({ type: "dealt", game: this.game(viewer, !events.length), events: eventMessages(events, this.match, viewer) });
    this.update();
  }

  /**
   * Returns the match as one viewer may see it.
   * @param {number | null} viewer
   * @param {boolean} [whole] whether to include the events of all rounds
   * @returns {Game}
   */
  game(viewer, whole = true) {
    return gameOf(this.#snapshot(), viewer, this.log.events(whole));
  }

  #snapshot() {
    const { id, match, tutor, log } = this;
    // The lesson shows the learner's moves to every viewer.
    const taught = tutor && { legal: tutor.open, lesson: tutor.lessonStep };
    return { id, match, ply: log.ply, promise: log.promise, taught };
  }

  // --- alarms -----------------------------------------------------------------------------------------

  get #now() {
    return this.context.clock.now;
  }

  /** Plans the next move of a bot, and sets the alarm. */
  update() {
    const levels = this.tutor?.waits ? new Map() : this.levels;
    const times = { since: this.#since, slow: this.context.slow(), now: this.#now };
    this.#plan = this.bots.plan(this.log.ply, levels, this.race, times);
    this.#setAlarm();
  }

  #setAlarm() {
    this.context.clock.set(Math.min(this.#plan?.when ?? Infinity, this.race.first));
  }

  /** Ends the match at this table. */
  stop() {
    this.#plan = null;
    this.thoughts.wants = () => {};
    this.thoughts.forget();
    this.context.clock.set(Infinity);
  }

  // --- answers ----------------------------------------------------------------------------------------

  /**
   * Does something with a person's move, or refuses the move; late calls and catches learn how late they were (CO-15).
   * @param {string} id @param {number} seat @param {Move} move @param {() => void} action
   */
  #attempt(id, seat, move, action) {
    try {
      action();
    } catch (error) {
      if (!(error instanceof IllegalMove)) throw error;
      if (seat !== this.context.viewer()) return;
      const closed = isCall(move) ? this.race.lateness(seat, move, this.#now) : null;
      if (closed) this.context.send(tooLate(id, this.match, move.target ?? seat, closed, this.#now));
      else this.context.send(againstRules(id, this.match, seat, move, error));
    }
  }

  /** Refuses a held catch: the call came within the grace, or the window closed otherwise. @param {HeldMove} held */
  #sendBeaten({ command, seat, move }) {
    if (seat !== this.context.viewer()) return;
    const target = Number(move.target);
    const closed = this.race.lateness(seat, move, this.#now);
    if (!closed || closed.called) this.context.send(calledInTime(command, this.match, target));
    else this.context.send(tooLate(command, this.match, target, closed, this.#now));
  }
}
