/** What people say to each other: phrases, reactions and text, as bubbles at the seats and in a panel to look back. */

import { button, iconButton } from "../ui/button.js";
import { h, stylesheet, svg } from "../ui/dom.js";
import { switchField, textField } from "../ui/fields.js";
import { need } from "../ui/needs.js";
import { Popover } from "../ui/popover.js";
import { prefs } from "../ui/prefs.js";
import { announce } from "../ui/toast.js";
import { t, useTexts } from "../ui/words.js";
import { playSound } from "../motion/sound.js";

/**
 * @import {Session} from "../line/session.js"
 * @import {Note} from "../line/protocol.js"
 */

need(stylesheet("ui/controls.css"), stylesheet("lobby/chat.css"), useTexts("side"));

const PHRASES = ["hello", "good_luck", "nice", "oops", "hurry", "wait", "sorry", "thanks", "again", "bye"];
const REACTIONS = ["laugh", "wow", "cry", "angry", "clap", "heart", "think", "party"];
/** All phrases and reactions; the protocol knows the same. */
export const QUICK = [...PHRASES, ...REACTIONS];

const BUBBLE_MS = 4000;

export class Chat {
  #session;
  #button;
  #log = h("ol", { class: "chat-log optional", tabindex: 0, "aria-label": t("web.chat.log") });
  /** @type {Map<string, HTMLElement>} the bubble of each person */
  #bubbles = new Map();

  /**
   * @param {Session} session
   * @param {HTMLButtonElement} button
   */
  constructor(session, button) {
    this.#session = session;
    this.#button = button;
    this.popover = new Popover(button, "chat", t("web.chat.title"), () => this.#draw());
  }

  /**
   * Somebody said something.
   *
   * @param {Note} note
   */
  hear(note) {
    const words = inWords(note);
    if (this.popover.isOpen) this.#list();
    else if (note.player !== this.#session.you) this.#mark(true);
    if (note.player !== this.#session.you) playSound("chat");
    announce(t("web.chat.says", { name: note.name, words }));
    if (!this.popover.isOpen || note.quick) this.#bubble(note, words);
  }

  /** @param {boolean} unread */
  #mark(unread) {
    this.#button.classList.toggle("unread", unread);
    this.#button.setAttribute("aria-label", t(unread ? "web.table.chat.unread" : "web.table.chat"));
  }

  #draw() {
    this.#mark(false);
    const on = prefs.get("chat");
    const toggle = switchField(t("web.menu.chat"), on, (wanted) => {
      prefs.set("chat", wanted);
      this.#draw();
      /** @type {HTMLElement | null} */ (this.popover.panel.querySelector(".switch input"))?.focus();
    });
    this.popover.panel.replaceChildren(...(on ? [this.#quick(), this.#log, this.#typing()] : []), toggle);
    this.#list();
  }

  /** All that was said, the newest in sight. */
  #list() {
    this.#log.replaceChildren(...this.#session.notes.map(said));
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  #quick() {
    const say = (/** @type {string} */ quick) => {
      this.#session.send({ type: "quick", quick });
      this.popover.close();
    };
    const words = (/** @type {string} */ name) => t(`web.quick.${name}`);
    const faces = REACTIONS.map((name) => iconButton(reaction(name), words(name), () => say(name)));
    const phrases = PHRASES.map((name) => button(words(name), () => say(name), { look: "phrase" }));
    return h(
      "div",
      { class: "stack tight", role: "group", "aria-label": t("web.chat.quick") },
      h("div", { class: "faces" }, faces),
      h("div", { class: "phrases" }, phrases),
    );
  }

  #typing() {
    const { table, you } = this.#session;
    if (!table?.settings.chat) return h("p", { class: "soft small" }, t("web.chat.off"));
    if (table.muted.includes(you ?? "")) return h("p", { class: "soft small" }, t("web.chat.muted"));
    const send = h("button", { class: "button" }, t("web.chat.send"));
    const field = textField(t("web.chat.text"), { maxlength: 200, enterkeyhint: "send" }, send);
    const say = (/** @type {Event} */ event) => {
      event.preventDefault();
      const text = field.input.value.trim();
      if (text && this.#session.send({ type: "say", text })) field.input.value = "";
    };
    return h("form", { onsubmit: say }, field.element);
  }

  /**
   * Show a note at the seat of whoever said it.
   *
   * @param {Note} note
   * @param {string} words
   */
  #bubble(note, words) {
    const picture = pictureOf(note);
    const look = picture ? "pictured" : "";
    const bubble = h("div", { class: `bubble raised ${look}`, "aria-hidden": "true" }, picture ?? words);
    this.#bubbles.get(note.player)?.remove();
    this.#bubbles.set(note.player, bubble);
    document.body.append(bubble);
    place(bubble, this.#anchor(note.player));
    setTimeout(() => bubble.remove(), BUBBLE_MS);
  }

  /**
   * Where somebody sits on the screen; under the bar for one who watches or whose seat is not shown.
   *
   * @param {string} player
   */
  #anchor(player) {
    const seat = this.#session.table?.seats.findIndex((info) => info?.player === player) ?? -1;
    const element = document.querySelector(`.stage [data-seat="${seat}"]`);
    const box = element?.getBoundingClientRect();
    return box?.width ? box : new DOMRect(innerWidth / 2, 48, 0, 0);
  }
}

/**
 * Beneath its seat, inside the window.
 *
 * @param {HTMLElement} bubble
 * @param {DOMRect} at
 */
function place(bubble, at) {
  const { width, height } = bubble.getBoundingClientRect();
  const left = Math.max(8, Math.min(innerWidth - width - 8, at.left + at.width / 2 - width / 2));
  const top = at.bottom + height > innerHeight * 0.75 ? at.top - height : at.bottom - 6;
  bubble.style.setProperty("left", `${left}px`);
  bubble.style.setProperty("top", `${Math.max(8, top)}px`);
}

/** @param {Note} note */
const inWords = ({ quick, text }) => (quick ? t(`web.quick.${quick}`) : (text ?? ""));

/** The picture of a reaction. @param {Note} note */
const pictureOf = ({ quick }) => (quick && REACTIONS.includes(quick) ? reaction(quick) : null);

/** @param {Note} note */
function said(note) {
  const picture = pictureOf(note);
  const words = picture ? h("span", { class: "visually-hidden" }, inWords(note)) : inWords(note);
  return h("li", null, h("strong", null, note.name), " ", picture, words);
}

const FACE = "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z";
const EYES = "M8.5 9v1.5M15.5 9v1.5";

/**
 * Reactions as pictures of our own, the same on every device: what is painted, and the lines on it.
 *
 * @type {Record<string, {fill: string, paint: string, lines: string}>}
 */
const PICTURES = {
  laugh: { fill: FACE, paint: "face", lines: "M6.5 9.5l3-1M17.5 9.5l-3-1M7 13h10c0 6-10 6-10 0z" },
  wow: { fill: FACE, paint: "face", lines: `${EYES}M12 14a2 2.5 0 1 0 0.01 0z` },
  cry: { fill: FACE, paint: "face", lines: "M6.5 10h3M14.5 10h3M9 17c1.5-2 4.5-2 6 0M7.5 13v3M16.5 13v3" },
  angry: { fill: FACE, paint: "face", lines: "M6.5 8l3.5 2M17.5 8L14 10M8.5 17c2-2 5-2 7 0" },
  think: { fill: FACE, paint: "face", lines: "M7 8.5l3-1M8.5 10.5v1M15.5 10v1.5M9 16.5l5-1" },
  heart: {
    fill: "M12 20.5C4 15 3 11 3 8.5 3 3.500 9.500 2.500 12 7c2.500-4.500 9-3.500 9 1.500 0 2.500-1 6.500-9 12z",
    paint: "heart",
    lines: "",
  },
  clap: {
    fill: "M6 21l-2-7 1.500-1 1.500 2-2-8 2-.5 2 5-1-7 2-.5 2 7 1-4.500 2 .5v9l-3 5.500z",
    paint: "face",
    lines: "M17 4l-1 2M20.500 6l-2 1.500M21.500 10h-2.500",
  },
  party: { fill: "M3 21l5-13 8 8z", paint: "party", lines: "M13 8c0-3 3-2 3-5M16 11c3 0 2-3 5-3M18 15l3 1M10 5L9 2" },
};

/** @param {string} name such as `laugh` */
function reaction(name) {
  const { fill, paint, lines } = PICTURES[name];
  return svg(
    "svg",
    { class: `reaction ${paint}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { class: "paint", d: fill }),
    svg("path", { class: "lines", d: lines }),
  );
}
