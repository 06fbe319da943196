/** What moves when something happens. The table already shows how things stand; only pictures are on their way. */

import { h } from "../ui/dom.js";
import { t } from "../ui/words.js";
import { Motion } from "./motion.js";
import { playSound, vibrate } from "./sound.js";

/** @import {Happening} from "../line/protocol.js" */
/** @import {View} from "../cards/view.js" */
/** @import {Sound} from "./sound.js" */

/**
 * What is heard of an event at once. A card that is drawn is heard when it arrives.
 *
 * @type {Readonly<Partial<Record<Happening["e"], Sound>>>}
 */
const SOUNDS = {
  played: "play", threw: "play", took: "draw", skipped: "skip", reversed: "reverse", swapped: "swap",
  hands_passed: "swap", called: "uno", caught: "caught", false_call: "caught", false_catch: "caught",
  challenged: "caught", reshuffled: "deal", round_over: "win",
};
/** How long one event has the table for itself, at most. */
const BEAT_MS = 420;
const FLIGHT_MS = 260;
/** The cards in each hand at the deal are no more than this. */
const FULL_HAND = 10;

/**
 * Where things are on the screen.
 * @typedef {object} Places
 * @property {(seat: number) => Element | null} seat
 * @property {(seat: number) => Element | null} hand where the cards of a seat are
 * @property {Element} draw
 * @property {Element} discard
 * @property {Element} ring
 * @property {Element} force
 */

/**
 * How things were before what is shown now.
 * @typedef {object} Before
 * @property {View} view
 * @property {Map<string, DOMRect>} from where one's own cards were
 * @property {readonly number[]} counts how many cards everybody held
 */

export class EventMotion {
  layer = h("div");
  #motion = new Motion(this.layer);
  #places;
  #showing = 0;

  /** @param {Places} places */
  constructor(places) {
    this.#places = places;
  }

  /** Tell the person that it is their turn, by sound and vibration. */
  ring() {
    playSound("turn");
    vibrate("turn");
  }

  /** End everything that moves. */
  finish() {
    this.#showing += 1;
    this.#motion.finish();
  }

  /**
   * @param {readonly Happening[]} events
   * @param {Before} before
   */
  async show(events, before) {
    this.finish();
    if (document.hidden) return;
    const mine = this.#showing;
    for (const event of events) {
      if (mine !== this.#showing) return;
      const sound = SOUNDS[event.e];
      if (sound) playSound(sound);
      const moving = this.#steps[event.e]?.(event, before);
      if (moving) await Promise.race([moving, new Promise((resolve) => setTimeout(resolve, BEAT_MS))]);
    }
  }

  /** The cards of a new round go round. @param {View} view */
  async deal({ shown }) {
    this.finish();
    const each = Math.max(...shown.counts);
    if (document.hidden || each > FULL_HAND) return;
    const first = (shown.dealer + 1) % shown.counts.length;
    const hands = shown.counts.map((_, i) => this.#hand((first + i) % shown.counts.length));
    await this.#motion.deal(this.#places.draw, hands, each, () => playSound("deal"));
  }

  /** @param {number | null | undefined} seat @returns {Element} */
  #hand(seat) {
    return (seat == null ? null : this.#places.hand(seat)) ?? this.#places.draw;
  }

  /** @param {number | null | undefined} seat @returns {Element} */
  #seat(seat) {
    return (seat == null ? null : this.#places.seat(seat)) ?? this.#places.draw;
  }

  /**
   * A card flies to the discard pile; the one that lies there already waits for it unseen.
   * @param {Happening} event
   * @param {Before} before
   */
  #lay({ seat, card }, { view, from }) {
    const top = this.#places.discard.lastElementChild;
    top?.animate({ opacity: [0, 0] }, FLIGHT_MS);
    const start = (card && seat === view.seat && from.get(card)) || this.#hand(seat);
    return this.#motion.fly(start, top ?? this.#places.discard, { card: card ?? "??", game: view.kind, time: FLIGHT_MS });
  }

  /** @param {Happening} event @param {Before} before */
  #draw({ seat, count, cards }, { view }) {
    const drawn = cards ?? Array(count ?? 0).fill("??");
    return this.#motion.draw(this.#places.draw, this.#hand(seat), drawn, { game: view.kind, sound: () => playSound("draw") });
  }

  /** @param {number | null | undefined} seat */
  #blame(seat) {
    return this.#motion.shake(this.#seat(seat));
  }

  /** @type {Readonly<Partial<Record<Happening["e"], (event: Happening, before: Before) => Promise<unknown> | void>>>} */
  #steps = {
    turned: ({ card }, { view }) =>
      this.#motion.fly(this.#places.draw, this.#places.discard, { card: card ?? "??", flip: true, game: view.kind }),
    played: (event, before) => this.#lay(event, before),
    threw: (event, before) => this.#lay(event, before),
    buried: ({ seat }) => this.#motion.fly(this.#hand(seat), this.#places.discard),
    drew: (event, before) => this.#draw(event, before),
    took: ({ seat, other, card }, { view }) =>
      this.#motion.fly(this.#hand(other), this.#hand(seat), { card: card ?? "??", game: view.kind, time: 500 }),
    jumped_in: ({ seat }) => this.#motion.stamp(this.#seat(seat), t("web.game.jump_in")),
    skipped: ({ seat }) => this.#motion.skip(this.#seat(seat)),
    reversed: ({ direction }) => this.#motion.reverse(this.#places.ring, direction ?? 1),
    swapped: ({ seat, other }, { counts }) =>
      this.#motion.swap(this.#hand(seat), this.#hand(other), counts[seat ?? 0], counts[other ?? 0]),
    hands_passed: ({ direction }, { counts }) =>
      this.#motion.pass(counts.map((_, seat) => this.#hand(seat)), counts, direction ?? 1),
    called: ({ seat }) => this.#motion.stamp(this.#seat(seat), t("web.uno.uno")),
    caught: ({ seat }, { view }) => {
      if (seat === view.seat) vibrate("caught");
      return this.#blame(seat);
    },
    false_call: ({ seat }) => this.#blame(seat),
    false_catch: ({ seat }) => this.#blame(seat),
    challenged: ({ seat, other, guilty }) => this.#blame(guilty ? seat : other),
    shown: ({ seat, cards }, { view, counts }) => {
      const hand = cards ?? Array(counts[seat ?? 0]).fill("??");
      return this.#motion.reveal(this.#hand(seat), this.#places.ring, hand, { game: view.kind });
    },
    chose: ({ other }) => this.#motion.pulse(this.#seat(other)),
    targeted: ({ other }) => this.#motion.pulse(this.#seat(other)),
    color_named: () => this.#motion.pulse(this.#places.force),
    reshuffled: () => this.#motion.swap(this.#places.discard, this.#places.draw, 5, 0),
    round_over: ({ seat }, { view }) => {
      if (seat === view.seat) vibrate("win");
      return this.#motion.win(this.#seat(seat));
    },
  };
}
