/**
 * Animations: cards that fly, hands that change places, the direction that turns. Only pictures move, above the table and
 * transparent to touches; `finish` ends everything at once, so that nobody ever waits.
 */

import { h, stylesheet } from "../ui/dom.js";
import { need } from "../ui/resources.js";
import { number } from "../ui/texts.js";
import { cardBack, cardFace, signOf } from "../cards/art.js";

need(stylesheet("motion/motion.css"));

/** @typedef {{left: number, top: number, width: number, height: number}} Box */
/** @typedef {Element | Box} Place a place on the screen; an element is measured when the motion begins */

/**
 * @typedef {object} Flight
 * @property {string} [card] the visible face; `??` for the back
 * @property {string} [game]
 * @property {boolean} [flip] whether it starts face down
 * @property {number} [delay] ms
 * @property {number} [time] ms
 * @property {number} [turn] the final angle in degrees
 * @property {number} [bend] how far it bends to the right of the straight path, in px
 */

const FLIGHT_MS = 260;
const FADE_MS = 180;
/** Ease out with a slight overshoot. */
const EASE = "cubic-bezier(0.25, 0.9, 0.35, 1.05)";
/** The cards shown of a hand that moves as a whole. */
const BUNDLE_CARDS = 5;
/** The most cards shown of a deal, the number moving at the same time, and the duration of each. */
const MAX_DEALT_CARDS = 42;
const MAX_FLYING_CARDS = 9;
const DEAL_MS = 240;
/** How long a word covers the table. It appears and fades once, so that nothing flashes. */
const SPLASH_MS = 900;
/** How long a challenged hand stays open. */
const REVEAL_MS = 1400;

const quiet = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether the person has asked the system for less motion. */
export const isQuiet = () => quiet.matches;

/** @param {Place} place @returns {Box} */
const boxOf = (place) => (place instanceof Element ? place.getBoundingClientRect() : place);

/** All animations: flights, deals, swaps, stamps. */
export class Motion {
  #layer;
  /** @type {Set<Animation>} */
  #running = new Set();
  /** @type {Set<Element>} */
  #pictures = new Set();
  /** The layer's position on the screen, while anything moves. @type {DOMRect | null} */
  #origin = null;

  /** @param {HTMLElement} layer the element for pictures; covers the table, transparent to touches */
  constructor(layer) {
    layer.classList.add("motion-layer");
    layer.setAttribute("aria-hidden", "true");
    this.#layer = layer;
  }

  /** Ends every animation now; the table below shows the result. */
  finish() {
    for (const animation of this.#running) animation.cancel();
    for (const picture of this.#pictures) picture.remove();
    this.#running.clear();
    this.#pictures.clear();
    this.#origin = null;
  }

  /** Returns a card picture's position in the layer that fits a place. @param {Place} where */
  #pose(where) {
    const { left, top, width, height } = boxOf(where);
    this.#origin ??= this.#layer.getBoundingClientRect();
    return {
      x: left - this.#origin.left + width / 2,
      y: top - this.#origin.top + height / 2,
      width: Math.min(width, height / 1.5),
    };
  }

  /** Animates a card from one place to another. @param {Place} from @param {Place} to @param {Flight} [flight] */
  fly(from, to, { card = "??", game, flip = false, delay = 0, time = FLIGHT_MS, turn = 0, bend = 0 } = {}) {
    const [a, b] = [this.#pose(from), this.#pose(to)];
    const width = Math.max(a.width, b.width, 1);
    const sides = flip ? [cardFace(card, { game }), cardBack()] : [cardFace(card, { game })];
    const picture = this.#enter("flyer", width, sides);
    const [start, end] = [at(a, width, 0), at(b, width, turn)];
    if (isQuiet()) {
      const frames = { transform: [end, end], opacity: [0.8, 0] };
      return this.#move(picture, frames, { duration: FADE_MS, fill: "both" }, true);
    }
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const far = Math.hypot(dx, dy) || 1;
    const over = { x: (a.x + b.x) / 2 - (dy / far) * bend, y: (a.y + b.y) / 2 + (dx / far) * bend };
    const middle = at({ ...over, width: ((a.width + b.width) / 2) * 1.08 }, width, turn / 2);
    if (flip) this.#turnOver(sides[1], sides[0], delay, time);
    const frames = bend ? [start, middle, end] : [start, end];
    const timing = { delay, duration: time, easing: EASE, fill: /** @type {const} */ ("both") };
    return this.#move(picture, { transform: frames }, timing, true);
  }

  /**
   * Animates cards drawn one by one, with a count as they arrive: +1, +2, +3 …
   * @param {Place} from @param {Place} to
   * @param {readonly string[]} cards known cards; `??` for hidden ones
   * @param {object} [how] @param {string} [how.game]
   * @param {() => void} [how.sound] called at each arrival
   * @param {boolean} [how.counted] whether to show the count
   * @param {readonly (Element | null)[]} [how.targets] the element of each, hidden until it arrives
   */
  async draw(from, to, cards, { game, sound, counted = true, targets = [] } = {}) {
    const gap = Math.min(150, 1000 / cards.length);
    const tally = counted && cards.length > 1 ? this.#enter("tally", 0, []) : null;
    if (tally) place(tally, this.#pose(to));
    const flights = cards.map(async (card, i) => {
      const delay = isQuiet() ? 0 : i * gap;
      const target = targets[i];
      if (target) void this.#move(target, { opacity: [0, 0] }, { duration: delay + (isQuiet() ? 1 : FLIGHT_MS) });
      const arrived = await this.fly(from, target ?? to, { card, game, flip: card !== "??", delay });
      if (!arrived) return;
      sound?.();
      if (tally) this.#count(tally, i + 1);
    });
    await Promise.all(flights);
    if (tally) await this.#fade(tally, 500);
  }

  /**
   * Deals cards around the table, face down, one to each hand in turn.
   * @param {Place} from
   * @param {readonly Place[]} hands in dealing order
   * @param {number} each
   * @param {() => void} [sound] called at each arrival
   */
  async deal(from, hands, each, sound) {
    const seen = isQuiet() ? hands.length : Math.min(each * hands.length, MAX_DEALT_CARDS);
    // Measured once, before there are pictures; each landed picture is replaced by a new one.
    const [deck, ...targets] = [from, ...hands].map(boxOf);
    const together = isQuiet() ? seen : MAX_FLYING_CARDS;
    const lanes = Array.from({ length: together }, async (_, lane) => {
      for (let i = lane; i < seen; i += together) {
        const delay = i < together ? (i * DEAL_MS) / together : 0;
        if (!(await this.fly(deck, targets[i % targets.length], { delay, time: DEAL_MS }))) return;
        sound?.();
      }
    });
    await Promise.all(lanes);
  }

  /**
   * Animates two hands that change places.
   * @param {Place} a @param {Place} b
   * @param {number} fromA the number of cards from a to b
   * @param {number} fromB
   */
  async swap(a, b, fromA, fromB) {
    await Promise.all([this.#carry(a, b, fromA), this.#carry(b, a, fromB)]);
  }

  /**
   * Animates every hand to the next place.
   * @param {readonly Place[]} places by seat
   * @param {readonly number[]} counts cards in each hand before
   * @param {number} direction 1: to the next seat, -1: to the previous one
   */
  async pass(places, counts, direction) {
    const all = places.length;
    await Promise.all(places.map((from, i) => this.#carry(from, places[(i + direction + all) % all], counts[i])));
  }

  /** Animates a lost turn. @param {Element} seat */
  async skip(seat) {
    const hop = { transform: ["none", "translateY(-10px)", "none"] };
    const fade = { opacity: [1, 0.4, 1] };
    await Promise.all([this.stamp(seat, signOf("s")), this.#nudge(seat, hop, 420), this.#move(seat, fade, { duration: 420 })]);
  }

  /**
   * Animates a change of direction: a light runs around the ring the new way.
   * @param {Element} ring its children lie along it clockwise
   * @param {number} direction 1: clockwise, -1: counter-clockwise
   */
  async reverse(ring, direction) {
    const parts = [...ring.children];
    const wave = parts.map((part, i) => {
      const place = direction === 1 ? i : parts.length - 1 - i;
      return this.#move(part, { opacity: [1, 0, 1] }, { delay: isQuiet() ? 0 : place * 45, duration: 360 });
    });
    const spin = { transform: [`rotate(${direction * -60}deg)`, "none"] };
    await Promise.all([...wave, this.#nudge(ring, spin, 620)]);
  }

  /** Shakes the seat of a player who is caught, or caught bluffing. @param {Element} seat */
  shake(seat) {
    return this.#nudge(seat, { transform: [0, -7, 6, -5, 3, 0].map((x) => `translateX(${x}px)`) }, 420);
  }

  /** Pulses an element to draw attention. @param {Element} element */
  pulse(element) {
    return this.#nudge(element, { transform: ["none", "scale(1.12)", "none"] }, 360);
  }

  /**
   * Reveals a challenged hand for a moment.
   * @param {Place} from
   * @param {Place} to the area to spread it in
   * @param {readonly string[]} cards
   * @param {string} game
   */
  async reveal(from, to, cards, game) {
    const area = boxOf(to);
    const width = Math.min(72, area.height / 1.5, area.width / 3);
    const step = Math.min(width * 0.8, (area.width - width) / Math.max(1, cards.length - 1));
    const middle = this.#pose(to);
    const shown = cards.map(async (card, i) => {
      const picture = this.#enter("flyer", width, [cardFace(card, { game })]);
      const position = { x: middle.x + (i - (cards.length - 1) / 2) * step, y: middle.y, width };
      const frames = { transform: [at(this.#pose(from), width, 0), at(position, width, 0)] };
      const time = isQuiet() ? 1 : FLIGHT_MS;
      await this.#move(picture, frames, { delay: isQuiet() ? 0 : i * 40, duration: time, easing: EASE, fill: "both" });
      await this.#fade(picture, REVEAL_MS);
    });
    await Promise.all(shown);
  }

  /** Celebrates at the winner's place. @param {Element} seat */
  win(seat) {
    const leap = ["none", "translateY(-14px) scale(1.12)", "none", "translateY(-8px) scale(1.06)", "none"];
    return this.#nudge(seat, { transform: leap }, 900);
  }

  /**
   * Pops up a word or a sign at a place and fades it. It stays within the screen at its largest size.
   * @param {Place} where
   * @param {string | Node} content such as “UNO!”
   * @param {string} [className] `bad` for a penalty
   */
  stamp(where, content, className = "") {
    const picture = this.#enter(`stamp ${className}`, 0, [content]);
    const { x, y } = this.#pose(where);
    const half = picture.offsetWidth * 0.58;
    const position = place(picture, { x: Math.max(half, Math.min(this.#layer.clientWidth - half, x)), y });
    const sizes = [0.3, 1.15, 1, 1].map((size) => `${position} scale(${size})`);
    const pop = { transform: sizes, opacity: [0, 1, 1, 0], offset: [0, 0.2, 0.75, 1] };
    const frames = isQuiet() ? { opacity: [1, 1, 0] } : pop;
    return this.#move(picture, frames, { duration: 1000, easing: "ease-out", fill: "both" }, true);
  }

  /**
   * Shows a word over the whole table for a moment; a press ends it, and reaches what is below it.
   * @param {string} words @param {string} [className] `bad` for a penalty
   */
  splash(words, className = "") {
    if (isQuiet()) return;
    const picture = this.#enter(`splash ${className}`, 0, [h("b", null, words)]);
    const frames = { opacity: [0, 1, 1, 0], transform: ["scale(0.7)", "none", "none", "scale(1.1)"], offset: [0, 0.15, 0.7, 1] };
    void this.#move(picture, frames, { duration: SPLASH_MS, easing: "ease-out", fill: "both" }, true);
    addEventListener("pointerdown", () => picture.getAnimations().forEach((animation) => animation.finish()), { once: true, capture: true });
  }

  /** Moves a hand as a bundle of backs. @param {Place} from @param {Place} to @param {number} count */
  async #carry(from, to, count) {
    const cards = Array.from({ length: Math.min(count, BUNDLE_CARDS) }, (_, i) =>
      this.fly(from, to, { delay: i * 45, time: 620, bend: -46, turn: (i - 2) * 5 }),
    );
    await Promise.all(cards);
  }

  /** @param {Element} back @param {Element} face @param {number} delay @param {number} duration */
  #turnOver(back, face, delay, duration) {
    const timing = { delay, duration: duration * 0.8, fill: /** @type {const} */ ("both") };
    const shut = "scaleX(0)";
    void this.#move(back, { transform: ["none", shut, shut] }, timing);
    void this.#move(face, { transform: [shut, shut, "none"] }, timing);
  }

  /** @param {HTMLElement} tally @param {number} n */
  #count(tally, n) {
    tally.textContent = `+${number(n)}`;
    const position = tally.style.transform;
    if (!isQuiet()) void this.#move(tally, { transform: [`${position} scale(1.4)`, position] }, { duration: 200 });
  }

  /**
   * Animates an element of the table itself, unless the person wants no motion.
   * @param {Element} element @param {PropertyIndexedKeyframes} frames @param {number} duration
   */
  #nudge(element, frames, duration) {
    const quietly = { opacity: [0.5, 1] };
    if (isQuiet()) return this.#move(element, quietly, { duration: FADE_MS });
    // In addition to the element's own transform.
    return this.#move(element, frames, { duration, easing: "ease-out", composite: "add" });
  }

  /** Fades out a picture after a delay. @param {Element} picture @param {number} delay */
  #fade(picture, delay) {
    return this.#move(picture, { opacity: [1, 0] }, { delay, duration: FADE_MS, fill: "both" }, true);
  }

  /** @param {string} className @param {number} width @param {(string | Node)[]} content */
  #enter(className, width, content) {
    const picture = h("div", { class: className }, ...content);
    if (width) picture.style.setProperty("width", `${width}px`);
    this.#layer.append(picture);
    this.#pictures.add(picture);
    return picture;
  }

  /**
   * @param {Element} element @param {PropertyIndexedKeyframes} frames @param {KeyframeAnimationOptions} timing
   * @param {boolean} [leaves] whether to remove the element at the end
   * @returns {Promise<boolean>} whether it ended without being canceled
   */
  async #move(element, frames, timing, leaves = false) {
    if (!element.isConnected) return false;
    const animation = element.animate(frames, timing);
    this.#running.add(animation);
    const ended = await animation.finished.then(
      () => true,
      () => false,
    );
    this.#running.delete(animation);
    if (leaves) {
      this.#pictures.delete(element);
      element.remove();
    }
    return ended;
  }
}

/** @param {{x: number, y: number, width: number}} position @param {number} width @param {number} turn */
const at = ({ x, y, width: wide }, width, turn) =>
  `translate(${x}px, ${y}px) translate(-50%, -50%) rotate(${turn}deg) scale(${wide / width})`;

/** @param {HTMLElement} picture @param {{x: number, y: number}} position */
function place(picture, { x, y }) {
  const transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
  picture.style.setProperty("transform", transform);
  return transform;
}
