/** Animations of events. The table already shows the result; only pictures move. */

import { h } from "../ui/dom.js";
import { need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";
import { Motion, isQuiet } from "./motion.js";
import { playSound, vibrate } from "./sound.js";

/** @import {Happening} from "../net/protocol.js" */
/** @import {View} from "../cards/view.js" */
/** @import {Mood} from "../cards/avatars.js" */
/** @import {Sound} from "./sound.js" */

need(useTexts("notice"));

/**
 * The immediate sounds of events. A card sounds when it arrives.
 * @type {Readonly<Partial<Record<Happening["e"], Sound>>>}
 */
const SOUNDS = {
  took: "draw", color_named: "color", skipped: "skip", reversed: "reverse", swapped: "swap",
  hands_passed: "swap", called: "uno", caught: "caught", false_call: "caught", false_catch: "caught",
  challenged: "caught", reshuffled: "deal",
};
/** Faces that fall heavily: they make a player draw. */
const HEAVY = ["+2", "+4", "@2"];
/** The longest time for one event alone. */
const EVENT_MS = 420;
const FLIGHT_MS = 260;
/** The largest number of cards in a dealt hand. */
const FULL_HAND = 10;
/** Events that exchange hands, so that cards cannot be counted one by one. @type {readonly Happening["e"][]} */
const REARRANGES = ["swapped", "hands_passed"];
/** How long an avatar shows a mood. */
const MOOD_MS = 2600;
/** The delay of cards after a stamp, which is read first. */
const STAMP_MS = 260;

/**
 * The positions of elements on the screen.
 * @typedef {object} Places
 * @property {(seat: number) => Element | null} seat
 * @property {(seat: number) => Element | null} hand the element of a seat's cards
 * @property {(seat: number, count: number) => void} count shows the number of a seat's cards
 * @property {(card: string, later: number) => Element | null} newest the viewer's newest card; `later`: the number of equal cards
 *   after it
 * @property {Element} draw
 * @property {Element} discard
 * @property {Element} ring
 * @property {Element} currentColor
 */

/**
 * The state before the shown events.
 * @typedef {object} Before
 * @property {View} view
 * @property {Map<string, DOMRect>} from the positions of the viewer's cards
 * @property {readonly number[]} counts the number of every seat's cards
 */

/** Whether cards are drawn as a penalty, not as a turn. @param {string | null | undefined} reason */
const isBlow = (reason) => reason !== "turn";

/**
 * Returns the moods of players, derived only from public state.
 * @param {Happening} event @param {Before} before @returns {[number, Mood][]}
 */
function feelings({ e, seat, other, count, reason, guilty }, { view, counts }) {
  /** @type {[number | null | undefined, Mood][]} */
  const felt = [];
  const everybody = view.shown.counts.map((_, i) => i);
  if (e === "drew" && isBlow(reason)) felt.push([seat, (count ?? 0) > 2 ? "wow" : "hurt"]);
  else if (e === "skipped" || e === "false_call" || e === "false_catch") felt.push([seat, "hurt"]);
  else if (e === "targeted" || e === "chose") felt.push([other, "wow"], [seat, "glad"]);
  else if (e === "took" || e === "caught") felt.push([other, "glad"], [seat, "hurt"]);
  else if (e === "challenged") felt.push([seat, guilty ? "hurt" : "glad"], [other, guilty ? "glad" : "hurt"]);
  else if (e === "called") felt.push(...everybody.map((each) => /** @type {[number, Mood]} */ ([each, each === seat ? "glad" : "wow"])));
  else if (e === "swapped" && counts[seat ?? 0] !== counts[other ?? 0]) {
    const better = counts[seat ?? 0] > counts[other ?? 0];
    felt.push([seat, better ? "glad" : "hurt"], [other, better ? "hurt" : "glad"]);
  } else if (e === "lever" || e === "jumped_in") felt.push([seat, "wow"]);
  else if (e === "round_over") felt.push(...everybody.map((each) => /** @type {[number, Mood]} */ ([each, each === seat ? "glad" : "hurt"])));
  return felt.flatMap(([who, mood]) => (who == null ? [] : [[who, mood]]));
}

export class EventMotion {
  layer = h("div");
  #motion = new Motion(this.layer);
  #places;
  #showing = 0;
  /** The number of cards each seat shows while some are moving. @type {Map<number, number>} */
  #held = new Map();
  /** The final number of each seat's cards. @type {readonly number[]} */
  #final = [];
  /** When each avatar becomes calm. @type {Map<Element, number>} */
  #feeling = new Map();

  /** @param {Places} places */
  constructor(places) {
    this.#places = places;
  }

  /** Notifies the person of their turn, by sound and vibration. */
  ring() {
    playSound("turn");
    vibrate("turn");
  }

  /** Ends all animations: skipped cards have arrived. */
  finish() {
    this.#showing += 1;
    this.#motion.finish();
    this.#showFinalCounts();
  }

  #showFinalCounts() {
    for (const seat of this.#held.keys()) this.#places.count(seat, this.#final[seat]);
    this.#held.clear();
  }

  /** Changes the shown count of a hand. @param {number} seat @param {number} more */
  #hold(seat, more) {
    const held = this.#held.get(seat);
    if (held === undefined) return;
    this.#held.set(seat, held + more);
    this.#places.count(seat, held + more);
  }

  /** @param {readonly Happening[]} events @param {Before} before */
  async show(events, before) {
    this.finish();
    if (document.hidden) return;
    const run = this.#showing;
    // The shown counts never run ahead of the animations.
    this.#final = before.view.shown.counts;
    if (events.every(({ e }) => !REARRANGES.includes(e))) {
      this.#held = new Map(before.counts.map((count, seat) => [seat, count]));
      for (const [seat, count] of this.#held) this.#places.count(seat, count);
    }
    /** @type {Promise<unknown>} */
    let last = Promise.resolve();
    for (const event of events) {
      if (run !== this.#showing) return;
      const sound = SOUNDS[event.e];
      if (sound) playSound(sound);
      for (const [seat, mood] of feelings(event, before)) this.#feel(seat, mood);
      const moving = this.#steps[event.e]?.(event, before);
      // The winner celebrates while the scores load.
      if (!moving || event.e === "round_over") continue;
      await Promise.race([moving, new Promise((resolve) => setTimeout(resolve, EVENT_MS))]);
      last = moving;
    }
    await last;
    if (run === this.#showing) this.#showFinalCounts();
  }

  /** Animates the deal of a new round. @param {View} view */
  async deal({ shown }) {
    this.finish();
    const each = Math.max(...shown.counts);
    if (document.hidden || each > FULL_HAND) return;
    const first = (shown.dealer + 1) % shown.counts.length;
    const hands = shown.counts.map((_, i) => this.#handOf((first + i) % shown.counts.length));
    await this.#motion.deal(this.#places.draw, hands, each, () => playSound("deal"));
  }

  /** @param {number | null | undefined} seat @returns {Element} */
  #handOf(seat) {
    return (seat == null ? null : this.#places.hand(seat)) ?? this.#places.draw;
  }

  /** @param {number | null | undefined} seat @returns {Element} */
  #seat(seat) {
    return (seat == null ? null : this.#places.seat(seat)) ?? this.#places.draw;
  }

  /**
   * A card flies to the discard pile; the one on the pile stays hidden until it arrives.
   * @param {Happening} event @param {Before} before
   */
  async #lay({ seat, card }, { view, from }) {
    if (seat != null) this.#hold(seat, -1);
    const top = this.#places.discard.lastElementChild;
    top?.animate({ opacity: [0, 0] }, FLIGHT_MS);
    const start = (card && seat === view.seat && from.get(card)) || this.#handOf(seat);
    const how = { card: card ?? "??", game: view.kind, time: FLIGHT_MS };
    if (!(await this.#motion.fly(start, top ?? this.#places.discard, how))) return;
    playSound(HEAVY.includes(card?.slice(1) ?? "") ? "slam" : "play");
    if (seat === view.seat) vibrate("play");
  }

  /** Cards are drawn one by one; penalties are announced. @param {Happening} event @param {Before} before */
  async #draw({ seat, count, cards, reason }, { view }) {
    const drawn = cards ?? Array(count ?? 0).fill("??");
    if (isBlow(reason)) {
      playSound("blow");
      if (seat === view.seat) vibrate("draw");
      void this.#motion.stamp(this.#seat(seat), `+${drawn.length}`, "bad");
      if (!isQuiet()) await new Promise((resolve) => setTimeout(resolve, STAMP_MS));
    }
    let arrived = 0;
    const sound = () => {
      playSound("draw", 0, arrived++);
      if (seat != null) this.#hold(seat, 1);
    };
    const later = (/** @type {number} */ i) => drawn.slice(i + 1).filter((card) => card === drawn[i]).length;
    const targets = seat === view.seat ? drawn.map((card, i) => this.#places.newest(card, later(i))) : [];
    const how = { game: view.kind, sound, counted: !isBlow(reason), targets };
    await this.#motion.draw(this.#places.draw, this.#handOf(seat), drawn, how);
  }

  /** Shows a mood on an avatar for a moment. @param {number} seat @param {Mood} mood */
  #feel(seat, mood) {
    const place = this.#places.seat(seat);
    if (!(place instanceof HTMLElement)) return;
    clearTimeout(this.#feeling.get(place));
    place.dataset.mood = mood;
    this.#feeling.set(place, setTimeout(() => delete place.dataset.mood, MOOD_MS));
  }

  /** @param {number | null | undefined} seat */
  #shakeSeat(seat) {
    return this.#motion.shake(this.#seat(seat));
  }

  /** @type {Readonly<Partial<Record<Happening["e"], (event: Happening, before: Before) => Promise<unknown> | void>>>} */
  #steps = {
    turned: ({ card }, { view }) =>
      this.#motion.fly(this.#places.draw, this.#places.discard, { card: card ?? "??", flip: true, game: view.kind }),
    played: (event, before) => this.#lay(event, before),
    threw: (event, before) => this.#lay(event, before),
    buried: ({ seat }) => this.#motion.fly(this.#handOf(seat), this.#places.discard),
    drew: (event, before) => this.#draw(event, before),
    took: ({ seat, other, card }, { view }) =>
      this.#motion.fly(this.#handOf(other), this.#handOf(seat), { card: card ?? "??", game: view.kind, time: 500 }),
    jumped_in: ({ seat }) => this.#motion.stamp(this.#seat(seat), t("web.game.jump_in")),
    skipped: ({ seat }) => this.#motion.skip(this.#seat(seat)),
    reversed: ({ direction }) => this.#motion.reverse(this.#places.ring, direction ?? 1),
    swapped: ({ seat, other }, { counts }) =>
      this.#motion.swap(this.#handOf(seat), this.#handOf(other), counts[seat ?? 0], counts[other ?? 0]),
    hands_passed: ({ direction }, { counts }) =>
      this.#motion.pass(counts.map((_, seat) => this.#handOf(seat)), counts, direction ?? 1),
    called: ({ seat }) => {
      this.#motion.splash(t("web.uno.uno"));
      return this.#motion.stamp(this.#seat(seat), t("web.uno.uno"));
    },
    caught: ({ seat }, { view }) => {
      if (seat === view.seat) vibrate("caught");
      this.#motion.splash(t("web.splash.caught"), "bad");
      return this.#shakeSeat(seat);
    },
    false_call: ({ seat }) => this.#shakeSeat(seat),
    false_catch: ({ seat }) => this.#shakeSeat(seat),
    challenged: ({ seat, other, guilty }) => {
      if (guilty) this.#motion.splash(t("web.splash.bluff"), "bad");
      return this.#shakeSeat(guilty ? seat : other);
    },
    shown: ({ seat, cards }, { view, counts }) => {
      const hand = cards ?? Array(counts[seat ?? 0]).fill("??");
      return this.#motion.reveal(this.#handOf(seat), this.#places.ring, hand, view.kind);
    },
    chose: ({ other }) => this.#motion.pulse(this.#seat(other)),
    targeted: ({ other }) => this.#motion.pulse(this.#seat(other)),
    color_named: () => this.#motion.pulse(this.#places.currentColor),
    reshuffled: () => this.#motion.swap(this.#places.discard, this.#places.draw, 5, 0),
    round_over: ({ seat }, { view }) => {
      const isGlad = view.seat === null || seat === view.seat;
      playSound(isGlad ? "win" : "lose");
      if (isGlad) vibrate("win");
      if (seat != null) this.#motion.splash(t("web.splash.last"));
      return this.#motion.win(this.#seat(seat));
    },
  };
}
