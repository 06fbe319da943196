/** The controls of a replay: a slider over all plies with its rounds, step by step or automatic, speed, and viewer. */

import { button, iconButton } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { selectField } from "../ui/fields.js";
import { backIcon, forwardIcon, nextIcon, pauseIcon, playIcon, previousIcon } from "../ui/icons.js";
import { need } from "../ui/resources.js";
import { number, t, useTexts } from "../ui/texts.js";
import { SPECTATOR, ALL_HANDS } from "./replaysession.js";

/** @import { Viewer, ReplaySession } from "./replaysession.js" */

need(useTexts("after"));

const SPEEDS = [0.5, 1, 2, 4];
/** Milliseconds between two moves at speed 1. */
const PACE_MS = 1600;
const TYPING = "input, select, textarea, dialog, summary";

/** The controls, and the timer that plays the match. */
export class Controls {
  #session;
  #speed = 1;
  #timer = 0;
  #slider = h("input", { class: "slider", type: "range", min: 0, "aria-label": t("web.replay.place") });
  #where = h("p", { class: "where small", "aria-live": "off" });
  #play = button(null, () => this.toggle(), { look: "primary icon" });

  /** @param {ReplaySession} session */
  constructor(session) {
    this.#session = session;
    this.#slider.max = String(session.end);
    this.#slider.addEventListener("input", () => this.jump(Number(this.#slider.value)));
    const choices = h("div", { class: "replay-controls-choices" }, this.#viewerField(), this.#speedField());
    this.element = h(
      "section",
      { class: "replay-controls panel stack tight", "aria-label": t("web.replay.controls") },
      h("div", { class: "slider-track" }, this.#slider, this.#marks()),
      h("div", { class: "replay-controls-row" }, this.#where, this.#buttons(), choices),
    );
    session.addEventListener("change", this.#draw);
    document.addEventListener("keydown", this.#key);
    this.#draw();
  }

  /** Stops playback and keyboard handling when the page closes. */
  close() {
    this.#stop();
    document.removeEventListener("keydown", this.#key);
  }

  /** Shows a ply and stops there. @param {number} ply */
  jump(ply) {
    this.#stop();
    this.#session.go(ply);
  }

  /** @param {number} round @param {number} step */
  jumpTo(round, step) {
    this.jump(this.#session.plyOf(round, step));
  }

  /** Plays the match move by move, or stops. */
  toggle() {
    if (this.#timer) return this.#stop();
    if (this.#session.ply === this.#session.end) this.#session.go(0);
    this.#run();
  }

  #run() {
    this.#timer = setTimeout(() => {
      this.#session.go(this.#session.ply + 1);
      if (this.#session.ply < this.#session.end) this.#run();
      else this.#stop();
    }, PACE_MS / this.#speed);
    this.#draw();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#draw();
  }

  /** Moves by whole rounds; back from the middle of a round to its start. @param {1 | -1} by */
  #round(by) {
    const { round, step } = this.#session.moment;
    const next = by < 0 && step > 0 ? round : round + by;
    const ply = this.#session.plyOf(next, 0);
    this.jump(ply >= 0 ? ply : by < 0 ? 0 : this.#session.end);
  }

  #draw = () => {
    const { ply, moment, replay } = this.#session;
    const { steps } = replay.rounds[moment.round];
    const values = { round: number(moment.round + 1), move: number(moment.step), moves: number(steps.length) };
    this.#where.textContent = t("web.replay.where", values);
    this.#slider.value = String(ply);
    this.#slider.setAttribute("aria-valuetext", this.#where.textContent);
    this.#play.replaceChildren(this.#timer ? pauseIcon() : playIcon());
    this.#play.setAttribute("aria-label", this.#timer ? t("web.replay.pause") : t("web.replay.play"));
  };

  /** Draws the starts of rounds on the track. */
  #marks() {
    const { replay, end } = this.#session;
    let ply = 0;
    const marks = replay.rounds.map((round, i) => {
      const mark = h("span", { style: { "--at": ply / Math.max(1, end) } }, replay.rounds.length > 12 ? "" : number(i + 1));
      ply += round.steps.length + 1;
      return mark;
    });
    return h("div", { class: "marks", "aria-hidden": "true" }, marks);
  }

  #buttons() {
    const step = (/** @type {string} */ label, /** @type {SVGElement} */ icon, /** @type {() => void} */ press) =>
      iconButton(icon, label, press, { look: "", title: label, data: { quick: "" } });
    return h(
      "div",
      { class: "replay-controls-buttons", role: "group", "aria-label": t("web.replay.steps") },
      step(t("web.replay.round.previous"), previousIcon(), () => this.#round(-1)),
      step(t("web.replay.back"), backIcon(), () => this.jump(this.#session.ply - 1)),
      this.#play,
      step(t("web.replay.forward"), forwardIcon(), () => this.jump(this.#session.ply + 1)),
      step(t("web.replay.round.next"), nextIcon(), () => this.#round(1)),
    );
  }

  #viewerField() {
    const { replay, viewer } = this.#session;
    const names = replay.names.map((name, seat) => ({ value: String(seat), text: name }));
    const open = { value: ALL_HANDS, text: t("web.replay.eyes.open") };
    const choices = [open, ...names, { value: SPECTATOR, text: t("web.replay.eyes.nobody") }];
    const onchange = (/** @type {string} */ value) => {
      this.#session.setViewer(/** @type {Viewer} */ (/^\d$/.test(value) ? Number(value) : value));
    };
    return replay.live ? null : selectField({ label: t("web.replay.eyes"), choices, value: String(viewer), onchange });
  }

  #speedField() {
    const choices = SPEEDS.map((speed) => ({ value: String(speed), text: `${number(speed)} ×` }));
    const onchange = (/** @type {string} */ value) => (this.#speed = Number(value));
    return selectField({ label: t("web.replay.speed"), choices, value: "1", onchange });
  }

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || target.closest(TYPING)) return;
    if (event.key === " " && target.closest("button, a")) return;
    const { ply, end } = this.#session;
    /** @type {Record<string, () => void>} */
    const keys = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.jump(ply - 1),
      ArrowRight: () => this.jump(ply + 1),
      Home: () => this.jump(0),
      End: () => this.jump(end),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    // An arrow key may be held down to run through a match.
    if (event.key !== " " || !event.repeat) keys[event.key]();
  };
}
