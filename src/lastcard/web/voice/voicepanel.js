/** The panel of voice, holding its button in the bar or the key V, and the marks of those who talk at their seats. */

import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { chips, switchField } from "../ui/fields.js";
import { Popover } from "../ui/popover.js";
import { refill, whenReleased } from "../ui/presses.js";
import { need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";
import { voiceReach } from "../ui/voicereach.js";
import { avatar } from "../cards/avatars.js";
import { Voice } from "./voice.js";

/** @import {SeatInfo} from "../net/protocol.js" @import {Session} from "../net/session.js" */

need(stylesheet("ui/controls.css"), stylesheet("voice/voice.css"), useTexts("voice"), useTexts("reach"));

const MODES = /** @type {const} */ (["hold", "open"]);
/** A shorter press of the button in the bar opens the panel. */
const HOLD_MS = 200;
const KEY = "v";
const FIELDS = "input, textarea, select, [contenteditable]";

export class VoicePanel {
  #session;
  #voice;
  #stop = new AbortController();
  #content = h("div", { class: "stack" });
  #talk = h("button", { class: "button voice-talk", type: "button", data: { key: "talk" } }, t("web.voice.talk"));

  /** @param {Session} session @param {HTMLButtonElement} barButton @param {() => void} onchange called when voice changes */
  constructor(session, barButton, onchange) {
    this.#session = session;
    this.#voice = new Voice(session);
    this.popover = new Popover(barButton, "voice", t("web.voice.title"), () => this.#draw());
    this.popover.panel.append(this.#content);
    this.#voice.addEventListener("change", () => (onchange(), this.#update()));
    this.#voice.addEventListener("levels", () => this.#mark());
    for (const event of ["welcome", "table"]) session.addEventListener(event, () => this.#update());
    this.#listen(barButton);
    this.#update();
  }

  /** Whether voice is on. */
  get isOn() {
    return this.#voice.isOn;
  }

  /** Whether the others hear the person now. */
  get isLive() {
    return this.#voice.isLive;
  }

  close() {
    this.#voice.close();
    this.#stop.abort();
  }

  // --- to be heard ------------------------------------------------------------------------------------

  /** @param {HTMLElement} barButton */
  #listen(barButton) {
    const { signal } = this.#stop;
    const key = (/** @type {KeyboardEvent} */ event) => {
      if (event.key.toLowerCase() !== KEY || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.target instanceof Element && event.target.closest(FIELDS)) return;
      if (event.type === "keydown" && this.#voice.mode === "open") this.#voice.setOpen(!this.#voice.isOpen);
      else this.#voice.hold(event.type === "keydown");
    };
    for (const name of /** @type {const} */ (["keydown", "keyup"])) addEventListener(name, key, { signal });
    addEventListener("blur", () => this.#voice.hold(false), { signal });
    this.#holdable(barButton, HOLD_MS);
    this.#holdable(this.#talk, 0);
    for (const name of /** @type {const} */ (["keydown", "keyup"])) {
      this.#talk.addEventListener(name, ({ key }) => [" ", "Enter"].includes(key) && this.#voice.hold(name === "keydown"));
    }
  }

  /**
   * Lets a button open the microphone while it is pressed. A press after the delay is no click.
   * @param {HTMLElement} button @param {number} delay
   */
  #holdable(button, delay) {
    const { signal } = this.#stop;
    let timer = 0;
    let wasHeld = false;
    const start = (/** @type {PointerEvent} */ event) => {
      if (event.button || !this.#voice.isOn || this.#voice.mode !== "hold") return;
      wasHeld = false;
      timer = setTimeout(() => this.#voice.hold((wasHeld = true)), delay);
    };
    const end = () => {
      clearTimeout(timer);
      this.#voice.hold(false);
    };
    button.addEventListener("pointerdown", start, { signal });
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end, { signal });
    button.addEventListener("contextmenu", (event) => this.#voice.isOn && event.preventDefault(), { signal });
    const click = (/** @type {Event} */ event) => {
      if (wasHeld) event.stopImmediatePropagation();
      wasHeld = false;
    };
    button.addEventListener("click", click, { signal, capture: true });
  }

  // --- the panel --------------------------------------------------------------------------------------

  #update() {
    if (this.popover.isOpen) this.#draw();
    this.#mark();
  }

  #draw() {
    const parts = [...(this.#voice.isOn ? this.#on() : this.#off()), this.#host()];
    const hadFocus = this.#content.contains(document.activeElement);
    refill(this.#content, () => parts.flat().filter((part) => part instanceof Node));
    const restore = () => {
      if (hadFocus && document.activeElement === document.body) this.popover.panel.focus();
      this.#mark();
    };
    whenReleased(this.#content, restore, this);
  }

  /** Before voice is on: what it does and shows, and what is in its way. */
  #off() {
    const { problem } = this.#voice;
    if (!this.#session.table?.settings.voice) return [h("p", null, t("web.voice.table.off"))];
    const isAsking = problem === "asking";
    const turnOn = () => this.#voice.turnOn();
    const listen = () => this.#voice.turnOn({ listen: true });
    const isHopeless = ["insecure", "unsupported"].includes(problem);
    return [
      h("p", null, t("web.voice.about")),
      h("p", null, h("strong", null, t("web.voice.address"))),
      h("p", { class: "soft small" }, t(`web.reach.${voiceReach}`)),
      problem && h("p", { class: isAsking ? "soft" : "error", role: "status" }, t(`web.voice.problem.${problem}`)),
      !isHopeless && button(t("web.voice.on"), turnOn, { look: "primary", data: { key: "on" } }),
      problem && !isHopeless && !isAsking && button(t("web.voice.listen"), listen, { data: { key: "listen" } }),
    ];
  }

  #on() {
    const voice = this.#voice;
    const off = button(t("web.voice.off"), () => voice.turnOff(), { look: "quiet", data: { key: "off" } });
    const deaf = switchField(t("web.voice.mute.all"), voice.isDeaf, (on) => voice.setDeaf(on));
    deaf.querySelector("input")?.setAttribute("data-key", "deaf");
    return [...this.#microphone(), this.#people(), deaf, off];
  }

  #microphone() {
    const voice = this.#voice;
    if (voice.isListener) return [h("p", { class: "soft" }, t("web.voice.listener"))];
    const modes = chips({
      label: t("web.voice.mode"),
      choices: MODES.map((mode) => ({ value: mode, text: t(`web.voice.mode.${mode}`) })),
      value: voice.mode,
      onchange: (mode) => voice.setMode(mode),
    });
    modes.querySelectorAll("input").forEach((input) => (input.dataset.key = `mode-${input.value}`));
    if (voice.mode === "open") {
      const open = switchField(t("web.voice.mic"), voice.isOpen, (on) => voice.setOpen(on), { about: t("web.voice.mic.about") });
      open.querySelector("input")?.setAttribute("data-key", "mic");
      return [modes, open];
    }
    return [modes, this.#talk, h("p", { class: "soft small" }, t("web.voice.talk.about"))];
  }

  /** Everybody whose voice is on, with a button to mute them. */
  #people() {
    const { table, you } = this.#session;
    const people = (table?.seats ?? []).filter((info) => info?.player && table?.voices.includes(info.player));
    const others = people.filter((info) => info?.player !== you);
    if (!others.length) return h("p", { class: "soft", role: "status" }, t("web.voice.alone"));
    return h("ul", { class: "stack tight", "aria-label": t("web.voice.people") }, others.map((info) => info && this.#person(info)));
  }

  /** @param {SeatInfo} info */
  #person(info) {
    const voice = this.#voice;
    const player = info.player ?? "";
    const state = voice.stateOf(player);
    const isMuted = voice.muted.has(player);
    const words = isMuted ? t("web.voice.muted") : state === "connected" ? "" : t(`web.voice.${state}`);
    const press = () => voice.mute(player, !isMuted);
    return h(
      "li",
      { class: "row voice-person", data: { voiceOf: player } },
      avatar(info.name, info),
      h("span", { class: "grow" }, h("span", { class: "ellipsis", dir: "auto" }, info.name), words && h("small", { class: "soft" }, words)),
      button(t(isMuted ? "web.voice.unmute.short" : "web.voice.mute.short"), press, {
        look: "quiet",
        "aria-label": t(isMuted ? "web.voice.unmute" : "web.voice.mute", { name: info.name }),
        data: { key: player },
      }),
    );
  }

  /** What the host can do for the table. */
  #host() {
    const { table, isHost } = this.#session;
    if (!isHost || !table) return [];
    const on = !table.settings.voice;
    const change = () => this.#session.send({ type: "configure", settings: { ...table.settings, voice: on } });
    return [
      h("h2", null, t("web.voice.host")),
      !on && table.voices.length > 0 && button(t("web.voice.silence"), () => this.#session.send({ type: "silence" }), { data: { key: "silence" } }),
      button(t(on ? "web.voice.table.allow" : "web.voice.table.end"), change, { data: { key: "table" } }),
    ];
  }

  // --- who talks --------------------------------------------------------------------------------------

  /** Marks those who talk at their seats and in the panel. */
  #mark() {
    const voice = this.#voice;
    const { table } = this.#session;
    for (const place of document.querySelectorAll(".stage [data-seat]")) {
      const player = table?.seats[Number(/** @type {HTMLElement} */ (place).dataset.seat)]?.player ?? "";
      mark(place, voice.isOn && table?.voices.includes(player) ? (voice.isSpeaking(player) ? "speaking" : "on") : null);
    }
    for (const line of this.#content.querySelectorAll("[data-voice-of]")) {
      mark(line, voice.isSpeaking(/** @type {HTMLElement} */ (line).dataset.voiceOf ?? "") ? "speaking" : "on");
    }
  }
}

/** @param {Element} element @param {string | null} state */
function mark(element, state) {
  if (state === element.getAttribute("data-voice")) return;
  if (state === null) element.removeAttribute("data-voice");
  else element.setAttribute("data-voice", state);
}
