// What moves when something happens. The table already shows how things stand; only pictures are on their way.

import { h } from "../ui/dom.js";
import { t } from "../ui/words.js";
import { Stage } from "./motion.js";
import { playSound, vibrate } from "./sound.js";

/** @import {Happening} from "../line/protocol.js" */
/** @import {Scene} from "../cards/scene.js" */

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

/** @typedef {{scene: Scene, from: Map<string, DOMRect>, before: readonly number[]}} Act */

export class Choreography {
  layer = h("div");
  #stage = new Stage(this.layer);
  #places;
  #act = 0;

  /** @param {Places} places */
  constructor(places) {
    this.#places = places;
  }

  /** It is one's turn. */
  ring() {
    playSound("turn");
    vibrate("turn");
  }

  /** End everything that moves. */
  finish() {
    this.#act += 1;
    this.#stage.finish();
  }

  /**
   * @param {readonly Happening[]} events
   * @param {Act} act where one's own cards were, and how many cards everybody held before
   */
  async perform(events, act) {
    this.finish();
    if (document.hidden) return;
    const mine = this.#act;
    for (const event of events) {
      if (mine !== this.#act) return;
      const moving = this.#steps[event.e]?.(event, act);
      if (moving) await Promise.race([moving, new Promise((resolve) => setTimeout(resolve, BEAT_MS))]);
    }
  }

  /** The cards of a new round go round. @param {Scene} scene */
  async deal({ shown }) {
    this.finish();
    const each = Math.max(...shown.counts);
    if (document.hidden || each > FULL_HAND) return;
    const first = (shown.dealer + 1) % shown.counts.length;
    const hands = shown.counts.map((_, i) => this.#hand((first + i) % shown.counts.length));
    await this.#stage.deal(this.#places.draw, hands, each, () => playSound("deal"));
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
   * @param {Act} act
   */
  #lay({ seat, card }, { scene, from }) {
    playSound("play");
    const top = this.#places.discard.lastElementChild;
    top?.animate([{ opacity: 0 }, { opacity: 0 }], FLIGHT_MS);
    const start = (card && seat === scene.seat && from.get(card)) || this.#hand(seat);
    return this.#stage.fly(start, top ?? this.#places.discard, { card: card ?? "??", game: scene.kind, time: FLIGHT_MS });
  }

  /** @param {Happening} event @param {Act} act */
  #draw({ seat, count, cards }, { scene }) {
    const drawn = cards ?? Array(count ?? 0).fill("??");
    return this.#stage.draw(this.#places.draw, this.#hand(seat), drawn, { game: scene.kind, sound: () => playSound("draw") });
  }

  /** @param {number | null | undefined} seat */
  #blame(seat) {
    playSound("caught");
    return this.#stage.shake(this.#seat(seat));
  }

  /** @type {Readonly<Partial<Record<Happening["e"], (event: Happening, act: Act) => Promise<unknown> | void>>>} */
  #steps = {
    turned: ({ card }, { scene }) => {
      return this.#stage.fly(this.#places.draw, this.#places.discard, { card: card ?? "??", flip: true, game: scene.kind });
    },
    played: (event, act) => this.#lay(event, act),
    threw: (event, act) => this.#lay(event, act),
    buried: ({ seat }) => this.#stage.fly(this.#hand(seat), this.#places.discard),
    drew: (event, act) => this.#draw(event, act),
    took: ({ seat, other, card }, { scene }) => {
      playSound("draw");
      return this.#stage.fly(this.#hand(other), this.#hand(seat), { card: card ?? "??", game: scene.kind, time: 500 });
    },
    jumped_in: ({ seat }) => this.#stage.stamp(this.#seat(seat), t("web.game.jump_in")),
    skipped: ({ seat }) => {
      playSound("skip");
      return this.#stage.skip(this.#seat(seat));
    },
    reversed: ({ direction }) => {
      playSound("reverse");
      return this.#stage.reverse(this.#places.ring, direction ?? 1);
    },
    swapped: ({ seat, other }, { before }) => {
      playSound("swap");
      return this.#stage.swap(this.#hand(seat), this.#hand(other), before[seat ?? 0], before[other ?? 0]);
    },
    hands_passed: ({ direction }, { before }) => {
      playSound("swap");
      return this.#stage.pass(before.map((_, seat) => this.#hand(seat)), before, direction ?? 1);
    },
    called: ({ seat }) => {
      playSound("uno");
      return this.#stage.stamp(this.#seat(seat), t("web.uno.uno"));
    },
    caught: ({ seat }, { scene }) => {
      if (seat === scene.seat) vibrate("caught");
      return this.#blame(seat);
    },
    false_call: ({ seat }) => this.#blame(seat),
    false_catch: ({ seat }) => this.#blame(seat),
    challenged: ({ seat, other, guilty }) => this.#blame(guilty ? seat : other),
    shown: ({ seat, cards }, { scene, before }) => {
      const hand = cards ?? Array(before[seat ?? 0]).fill("??");
      return this.#stage.reveal(this.#hand(seat), this.#places.ring, hand, { game: scene.kind });
    },
    chose: ({ other }) => this.#stage.pulse(this.#seat(other)),
    targeted: ({ other }) => this.#stage.pulse(this.#seat(other)),
    color_named: () => this.#stage.pulse(this.#places.force),
    reshuffled: () => {
      playSound("deal");
      return this.#stage.swap(this.#places.discard, this.#places.draw, 5, 0);
    },
    round_over: ({ seat }, { scene }) => {
      playSound("win");
      if (seat === scene.seat) vibrate("win");
      return this.#stage.win(this.#seat(seat));
    },
  };
}
