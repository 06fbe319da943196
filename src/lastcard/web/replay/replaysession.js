/** The replay from the server, as a session for <lc-game> that can show any ply. */

/** @import { Game, Happening, Replay, ReplayStart, ReplayStep } from "../net/protocol.js" */

/** A viewer that sees every hand. */
export const ALL_HANDS = "open";
/** A viewer that sees the public state only. */
export const SPECTATOR = "none";

/** @typedef {number | typeof ALL_HANDS | typeof SPECTATOR} Viewer a seat, or one of the two */

/**
 * A ply of the match: its place and the state of the table.
 * @typedef {object} Ply
 * @property {number} round its index, from 0
 * @property {number} step the step of the round: 0 is the deal
 * @property {ReplayStart} frame
 * @property {ReplayStep | null} made the move that led to this state; null for a deal
 */

/** The part of the Session interface that a game without moves needs. */
export class ReplaySession extends EventTarget {
  table = null;
  you = null;
  deadline = null;

  /** @param {Replay} replay */
  constructor(replay) {
    super();
    this.replay = replay;
    this.bots = replay.bots;
    /** @type {Ply[]} */
    this.moments = replay.rounds.flatMap(({ first, steps }, round) => [
      { round, step: 0, frame: first, made: null },
      ...steps.map((made, i) => ({ round, step: i + 1, frame: made, made })),
    ]);
    /** @type {Viewer} */
    this.viewer = replay.live ? SPECTATOR : ALL_HANDS;
    this.ply = 0;
    this.game = this.#gameAt(0);
  }

  /** The last ply. */
  get end() {
    return this.moments.length - 1;
  }

  /** The shown state. */
  get moment() {
    return this.moments[this.ply];
  }

  /** Returns the events at a ply, as the viewer may know them. @param {number} ply */
  eventsAt(ply) {
    return this.moments[ply].frame.events.map((event) => seenBy(event, this.viewer));
  }

  /** Returns the ply of a step of a round. @param {number} round @param {number} step */
  plyOf(round, step) {
    return this.moments.findIndex((moment) => moment.round === round && moment.step >= step);
  }

  /**
   * Shows another ply; one step forward is shown as a move with its events, any other step as a new state.
   * @param {number} ply
   */
  go(ply) {
    const next = Math.max(0, Math.min(this.end, ply));
    if (next === this.ply) return;
    const stepped = next === this.ply + 1;
    this.ply = next;
    this.game = this.#gameAt(next);
    const { made } = this.moment;
    const { match, public: shown, mine, clock, recent: events } = this.game;
    if (!stepped) {
      this.#emit("welcome");
    } else if (made) {
      const { seat, move } = made;
      this.#emit("moved", { type: "moved", match, ply: next, seat, move, events, public: shown, mine, clock });
    } else {
      this.#emit("dealt", { type: "dealt", game: this.game, events });
    }
  }

  /** @param {Viewer} viewer */
  setViewer(viewer) {
    this.viewer = viewer;
    this.game = this.#gameAt(this.ply);
    this.#emit("viewer");
    this.#emit("welcome");
  }

  /** @param {number} ply @returns {Game} */
  #gameAt(ply) {
    const { id, rules, names, commitment, promise } = this.replay;
    const { frame } = this.moments[ply];
    return {
      match: id,
      ply,
      rules,
      players: names,
      commitment,
      promise,
      public: { ...frame.public, hands: this.#hands(frame) },
      mine: null,
      clock: null,
      recent: this.eventsAt(ply),
    };
  }

  /** Returns the hands that the viewer may see; the others are empty. @param {ReplayStart} frame */
  #hands({ hands, public: shown }) {
    if (shown.hands || !hands) return shown.hands;
    if (this.viewer === ALL_HANDS) return hands;
    return this.viewer === SPECTATOR ? null : hands.map((hand, seat) => (seat === this.viewer ? hand : []));
  }

  /** @param {string} name @param {unknown} [detail] */
  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
    this.dispatchEvent(new CustomEvent("change"));
  }
}

/**
 * Returns an event without the cards that the viewer may not know; the same rule as Event.seen_by in Python.
 * @param {Happening} event @param {Viewer} viewer @returns {Happening}
 */
function seenBy(event, viewer) {
  if (viewer === ALL_HANDS || event.seat === viewer) return event;
  if (event.e === "drew") return { ...event, cards: null };
  const hidden = (event.e === "took" || event.e === "shown") && event.other !== viewer;
  return hidden ? { ...event, card: null, cards: null } : event;
}
