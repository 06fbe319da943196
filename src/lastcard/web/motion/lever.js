/** The lever: the reel stops at the outcome that the server sent, visibly for all. */

import { h, stylesheet, svg } from "../ui/dom.js";
import { need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";
import { glyphs, symbol } from "../cards/glyphs.js";
import { isQuiet } from "./motion.js";
import { playSound, vibrate } from "./sound.js";

need(stylesheet("motion/lever.css"), useTexts("jackpot"));

/** The outcomes in the order of the reel. */
export const OUTCOMES = /** @type {const} */ (["choose", "right", "discard", "left", "all", "draw4"]);

/** @typedef {(typeof OUTCOMES)[number]} Outcome */

/** The distance to pull the ball down, as a share of its slot. */
const TRAVEL_SHARE = 0.6;
const SPIN_MS = 2200;
/** The number of full turns before the reel stops. */
const ROUNDS = 3;
const RATCHET = 5;
/** How long the result stays. */
const HOLD_MS = 1800;

/** `<lc-lever>`: fires `pull` when the person pulls; then call `show` with the server's outcome. */
export class Lever extends HTMLElement {
  #reel = h("div", { class: "lever-reel" });
  #result = h("p", { class: "lever-result" });
  #arm = h("span", { class: "lever-arm" });
  #ball = h("span", { class: "lever-ball" });
  #handle = h("button", { type: "button", class: "lever-handle" }, this.#arm, this.#ball);
  /** @type {Animation[]} */
  #running = [];
  /** @type {number | null} */
  #grip = null;
  #notch = 0;
  #dragged = false;

  connectedCallback() {
    if (this.firstChild) return;
    this.#handle.setAttribute("aria-label", t("web.lever.pull"));
    this.#handle.addEventListener("click", () => this.#click());
    this.#handle.addEventListener("pointerdown", (event) => this.#grab(event));
    this.#handle.addEventListener("pointermove", (event) => this.#drag(event));
    for (const end of ["pointerup", "pointercancel"]) this.#handle.addEventListener(end, () => this.#drop());
    const faces = [...OUTCOMES, OUTCOMES[0], OUTCOMES[1]].map((outcome) =>
      h("div", { class: "lever-face" }, outcomeIcon(outcome)),
    );
    this.#reel.append(...faces);
    const glass = h("div", { class: "lever-window", "aria-hidden": "true" }, this.#reel);
    this.append(h("div", { class: "lever-box" }, glass, h("div", { class: "lever-slot" }, this.#handle)), this.#result);
    this.#still(0);
    this.pullable = this.pullable;
  }

  disconnectedCallback() {
    this.finish();
  }

  /** Whether the viewer may pull. */
  get pullable() {
    return this.hasAttribute("pullable");
  }

  set pullable(may) {
    this.toggleAttribute("pullable", may);
    this.#handle.disabled = !may;
    this.#result.textContent = may ? t("web.lever.how") : "";
  }

  /** Spins the reel to an outcome after a pull. @param {Outcome} outcome */
  async show(outcome) {
    this.finish();
    this.pullable = false;
    this.#bend(0);
    const place = OUTCOMES.indexOf(outcome);
    this.#still(place);
    if (!isQuiet()) await this.#spin(place);
    this.#result.textContent = t(`lever.${outcome}`);
    this.classList.add("shown");
    playSound("bell");
    vibrate("lever");
    await this.#play(this.#result, { opacity: [0, 1] }, { duration: 180 });
  }

  /** Ends the spin at its final position. */
  finish() {
    this.classList.remove("shown");
    for (const animation of this.#running) animation.finish();
    this.#running = [];
  }

  /** @param {number} place the reel's final index */
  async #spin(place) {
    const turn = (/** @type {number} */ at) => `translateY(calc(var(--face) * ${-at}))`;
    const whole = OUTCOMES.length;
    const timing = { duration: 180, iterations: ROUNDS, easing: "linear" };
    for (let i = 0; i < ROUNDS * 6; i += 1) playSound("tick", (i * 180) / 6000);
    this.#swing();
    await this.#play(this.#reel, { transform: [turn(whole), turn(0)] }, timing);
    // The last turns are slower and slower, and overshoot a little.
    const left = SPIN_MS - 180 * ROUNDS;
    const frames = [
      { transform: turn(whole), easing: "linear" },
      { transform: turn(0), offset: 0.18 },
      { transform: turn(whole), offset: 0.181, easing: "cubic-bezier(0.2, 0.6, 0.3, 1)" },
      { transform: turn(place - 0.14), offset: 0.86, easing: "ease-in-out" },
      { transform: turn(place) },
    ];
    for (let i = 0; i < 14; i += 1) playSound("tick", (left * 0.86 * (i / 14) ** 1.6) / 1000);
    await this.#play(this.#reel, frames, { duration: left });
  }

  /** Moves the arm down and up again. */
  #swing() {
    const timing = { duration: 520, easing: "ease-in-out" };
    void this.#play(this.#arm, { transform: ["scaleY(1)", "scaleY(-1)", "scaleY(1)"] }, timing);
    void this.#play(this.#ball, { transform: ["none", "translateY(calc(200% - var(--ball)))", "none"] }, timing);
  }

  /** @param {Element} element @param {Keyframe[] | PropertyIndexedKeyframes} frames @param {KeyframeAnimationOptions} timing */
  async #play(element, frames, timing) {
    const animation = element.animate(frames, timing);
    this.#running.push(animation);
    await animation.finished.catch(() => {});
  }

  /** @param {number} place */
  #still(place) {
    this.#reel.style.setProperty("transform", `translateY(calc(var(--face) * ${-place}))`);
  }

  /** Sets the position of the arm, 0 to 1. @param {number} part */
  #bend(part) {
    this.#handle.style.setProperty("--down", String(part));
  }

  /** @param {PointerEvent} event */
  #grab(event) {
    if (!this.pullable) return;
    this.#handle.setPointerCapture(event.pointerId);
    this.#grip = event.clientY;
    this.#notch = 0;
    this.#dragged = false;
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    if (this.#grip === null) return;
    const down = Math.min(1, Math.max(0, (event.clientY - this.#grip) / (TRAVEL_SHARE * this.#handle.offsetHeight)));
    this.#dragged ||= down > 0.1;
    this.#bend(down);
    const notch = Math.floor(down * RATCHET);
    if (notch > this.#notch) {
      playSound("ratchet", 0, notch);
      vibrate("notch");
    }
    this.#notch = notch;
    if (down === 1) this.#pull();
  }

  #drop() {
    if (this.#grip !== null && this.#notch > 0) playSound("spring");
    this.#grip = null;
    this.#bend(0);
  }

  /** A tap or a key also pulls; a release halfway does not. */
  #click() {
    if (!this.#dragged) this.#pull();
    this.#dragged = false;
  }

  #pull() {
    if (!this.pullable) return;
    this.#grip = null;
    this.#dragged = false;
    this.pullable = false;
    for (let i = 0; i < RATCHET; i += 1) playSound("ratchet", i * 0.05);
    this.dispatchEvent(new CustomEvent("pull", { bubbles: true }));
  }
}

customElements.define("lc-lever", Lever);

/** The panel that shows the lever when a pull is due and while it spins; its result then moves aside, and ends after a while. */
export class LeverPanel {
  #lever = new Lever();
  element = h("div", { class: "lever-panel", hidden: true }, this.#lever);
  #wanted = false;
  /** A spinning lever is not removed. */
  #busy = false;
  #timer = 0;

  /** @param {() => void} pull */
  constructor(pull) {
    this.#lever.addEventListener("pull", pull);
  }

  /** @param {boolean} wanted whether a pull is due @param {boolean} pullable whether the viewer must pull */
  update(wanted, pullable) {
    this.#wanted = wanted;
    if (this.#busy) return;
    this.element.hidden = !wanted;
    if (wanted && this.#lever.pullable !== pullable) this.#lever.pullable = pullable;
  }

  /** @param {Outcome} outcome */
  async show(outcome) {
    clearTimeout(this.#timer);
    this.#busy = true;
    this.element.hidden = false;
    this.element.classList.remove("aside");
    await this.#lever.show(outcome);
    this.element.classList.add("aside");
    this.#timer = setTimeout(() => this.#finish(), HOLD_MS);
  }

  /** Hides the lever, unless another pull is due. */
  #finish() {
    this.#busy = false;
    this.#lever.finish();
    this.element.classList.remove("aside");
    this.element.hidden = !this.#wanted;
  }
}

const PERSON = "M0 -30a15 15 0 1 1 0 30a15 15 0 1 1 0 -30zM-27 36C-27 -4 27 -4 27 36Q0 44 -27 36Z";

/** @param {number} x @param {number} y @param {number} size @param {string} [className] */
const person = (x, y, size, className = "lever-dot") =>
  svg("path", { d: PERSON, class: className, transform: `translate(${x} ${y}) scale(${size})` });

/** @param {string} d */
const stroke = (d) => svg("path", { d, class: "lever-pen" });

/** @type {Readonly<Record<Outcome, () => SVGElement[]>>} */
const ICONS = {
  choose: () => [person(50, 50, 0.8), stroke("M50 8a42 42 0 1 0 .1 0zM50 0V16M50 84V100M0 50H16M84 50H100")],
  right: () => [person(30, 52, 0.9), stroke("M62 50H94M80 34L95 50L80 66")],
  left: () => [person(70, 52, 0.9), stroke("M38 50H6M20 34L5 50L20 66")],
  all: () => [person(22, 44, 0.72, "lever-far"), person(78, 44, 0.72, "lever-far"), person(50, 58, 0.98)],
  discard: () => [
    .../** @type {const} */ (["R", "Y", "G", "B"]).map((letter, i) => symbol(letter, i * 25.5 - 1, 6, 25)),
    stroke("M50 48V88M32 70L50 89L68 70"),
  ],
  draw4: () => [glyphs(["+", "4"], 50, 12, 76, true)],
};

/** @param {Outcome} outcome */
export const outcomeIcon = (outcome) =>
  svg("svg", { class: "lever-icon lit", viewBox: "0 0 100 100", "aria-hidden": "true" }, ICONS[outcome]());
