/**
 * A match that can be walked through: the replay from the server, and a session for <lc-game> that shows any ply of
 * it.
 */

/** @import { Game, Happening, Replay, ReplayStart, ReplayStep } from "../line/protocol.js" */

/** Eyes that see every hand. */
export const OPEN = "open";
/** Eyes that see what a spectator sees. */
export const NOBODY = "none";

/** @typedef {number | typeof OPEN | typeof NOBODY} Eyes a seat, or one of the two */

/**
 * A ply of the match: its place, and what the table looks like.
 * @typedef {object} Ply
 * @property {number} round from 0
 * @property {number} step of the round: 0 is the deal
 * @property {ReplayStart} frame
 * @property {ReplayStep | null} made the move that led here; null for a deal
 */

/** As much of a Session as a game needs in which nothing can be done. */
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
    /** @type {Eyes} */
    this.eyes = replay.live ? NOBODY : OPEN;
    this.ply = 0;
    this.game = this.#gameAt(0);
  }

  /** The last ply there is. */
  get end() {
    return this.moments.length - 1;
  }

  /** The moment shown. */
  get moment() {
    return this.moments[this.ply];
  }

  /**
   * What happened at a ply, as the eyes may know it.
   * @param {number} ply
   */
  eventsAt(ply) {
    return this.moments[ply].frame.events.map((event) => seenBy(event, this.eyes));
  }

  /** The ply at which a step of a round stands. @param {number} round @param {number} step */
  plyOf(round, step) {
    return this.moments.findIndex((moment) => moment.round === round && moment.step >= step);
  }

  /**
   * Shows another ply; one step ahead comes as a move does, with its events, anything else as a new picture.
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
      this.#tell("welcome");
    } else if (made) {
      const { seat, move } = made;
      this.#tell("moved", { type: "moved", match, ply: next, seat, move, events, public: shown, mine, clock });
    } else {
      this.#tell("dealt", { type: "dealt", game: this.game, events });
    }
  }

  /**
   * Looks on with other eyes.
   * @param {Eyes} eyes
   */
  look(eyes) {
    this.eyes = eyes;
    this.game = this.#gameAt(this.ply);
    this.#tell("look");
    this.#tell("welcome");
  }

  /**
   * @param {number} ply
   * @returns {Game}
   */
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

  /** The hands these eyes may see; the others are empty. @param {ReplayStart} frame */
  #hands({ hands, public: shown }) {
    if (shown.hands || !hands) return shown.hands;
    if (this.eyes === OPEN) return hands;
    return this.eyes === NOBODY ? null : hands.map((hand, seat) => (seat === this.eyes ? hand : []));
  }

  /** @param {string} name @param {unknown} [detail] */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
    this.dispatchEvent(new CustomEvent("change"));
  }
}

/**
 * An event without the cards that the eyes may not know; the same rule as Event.seen_by in Python.
 * @param {Happening} event
 * @param {Eyes} eyes
 * @returns {Happening}
 */
function seenBy(event, eyes) {
  if (eyes === OPEN || event.seat === eyes) return event;
  if (event.e === "drew") return { ...event, cards: null };
  const hidden = (event.e === "took" || event.e === "shown") && event.other !== eyes;
  return hidden ? { ...event, card: null, cards: null } : event;
}
