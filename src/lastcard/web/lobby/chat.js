/** Chat: phrases, reactions and text, as bubbles at the seats and in a panel with the history. */

import { QUICK, TEXT_CHARS } from "../bindings/constants.js";
import { button, iconButton } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { form, switchField, textField } from "../ui/fields.js";
import { need } from "../ui/resources.js";
import { Popover } from "../ui/popover.js";
import { prefs } from "../ui/prefs.js";
import { focusNew } from "../ui/repeats.js";
import { announce } from "../ui/toast.js";
import { t, useTexts } from "../ui/texts.js";
import { avatar } from "../cards/avatars.js";
import { playSound } from "../motion/sound.js";
import { Bubbles } from "./bubbles.js";
import { REACTIONS, reaction } from "./reactions.js";

/** @import {Session} from "../net/session.js" @import {Note} from "../net/protocol.js" */

need(stylesheet("ui/controls.css"), stylesheet("lobby/chat.css"), useTexts("side"));

const PHRASES = QUICK.filter((name) => !REACTIONS.includes(name));

export class Chat {
  #session;
  #button;
  #log = h("ol", { class: "chat-log optional", tabindex: 0, "aria-label": t("web.chat.log") });
  #bubbles;

  /** @param {Session} session @param {HTMLButtonElement} button */
  constructor(session, button) {
    this.#session = session;
    this.#button = button;
    this.#bubbles = new Bubbles(session);
    this.popover = new Popover(button, "chat", t("web.chat.title"), () => this.#draw());
  }

  /** @param {Note} note */
  receive(note) {
    const words = inWords(note);
    const whom = nameAt(this.#session, note.at);
    if (this.popover.isOpen) this.#list();
    else if (note.player !== this.#session.you) this.#mark(true);
    if (note.player !== this.#session.you) playSound("chat");
    announce(t(whom ? "web.chat.throws" : "web.chat.says", { name: note.name, whom, words }));
    if (!this.popover.isOpen || note.quick) this.#bubbles.show(note, pictureOf(note) ?? words);
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

  /** Shows all messages, scrolled to the newest. */
  #list() {
    this.#log.replaceChildren(...this.#session.notes.map((note) => noteItem(note, nameAt(this.#session, note.at))));
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  #quick() {
    const words = (/** @type {string} */ name) => t(`web.quick.${name}`);
    const faces = REACTIONS.map((name) => iconButton(reaction(name), words(name), () => this.#aim(name), { look: "quiet wide" }));
    const phrases = PHRASES.map((name) => button(words(name), () => this.#say(name), { look: "phrase" }));
    return h(
      "div",
      { class: "stack tight quick", role: "group", "aria-label": t("web.chat.quick") },
      h("div", { class: "faces" }, faces),
      h("div", { class: "phrases" }, phrases),
    );
  }

  /** Asks for the target of a reaction; without other players it is for everybody. @param {string} quick */
  #aim(quick) {
    const { table, seat: own } = this.#session;
    const others = (table?.seats ?? []).flatMap((info, seat) => (info && seat !== own ? [{ info, seat }] : []));
    if (!others.length) return this.#say(quick);
    const everybody = button(t("web.chat.everybody"), () => this.#say(quick), { look: "primary" });
    const targets = others.map(({ info, seat }) => {
      const person = [avatar(info.name, info), h("span", { class: "ellipsis" }, info.name)];
      return button(person, () => this.#say(quick, seat), { look: "target" });
    });
    const title = h("p", { class: "row" }, reaction(quick), h("strong", null, t("web.chat.throw")));
    this.popover.panel.replaceChildren(title, everybody, h("div", { class: "targets" }, targets));
    focusNew(everybody);
  }

  /** Asks for a reaction to a player. @param {number} seat */
  reactTo(seat) {
    this.popover.open();
    const name = nameAt(this.#session, seat);
    const title = h("p", null, h("strong", { dir: "auto" }, name));
    const faces = REACTIONS.map((quick) => iconButton(reaction(quick), t(`web.quick.${quick}`), () => this.#say(quick, seat), { look: "quiet wide" }));
    this.popover.panel.replaceChildren(title, h("div", { class: "faces" }, faces));
    focusNew(faces[0]);
  }

  /** @param {string} quick @param {number} [at] the target's seat */
  #say(quick, at) {
    this.#session.send(at === undefined ? { type: "quick", quick } : { type: "quick", quick, at });
    this.popover.close();
  }

  #typing() {
    const { table, you } = this.#session;
    if (!table?.settings.chat) return h("p", { class: "soft small" }, t("web.chat.off"));
    if (table.muted.includes(you ?? "")) return h("p", { class: "soft small" }, t("web.chat.muted"));
    const send = h("button", { class: "button" }, t("web.chat.send"));
    const field = textField(t("web.chat.text"), { maxlength: TEXT_CHARS, enterkeyhint: "send" }, send);
    const say = () => {
      const text = field.input.value.trim();
      if (text && this.#session.send({ type: "say", text })) field.input.value = "";
    };
    return form({}, say, field.element);
  }
}

/** Returns a note as text. @param {Note} note */
const inWords = ({ quick, text }) => (quick ? t(`web.quick.${quick}`) : (text ?? ""));

/** Returns the picture of a reaction. @param {Note} note */
const pictureOf = ({ quick }) => (quick && REACTIONS.includes(quick) ? reaction(quick) : null);

/** @param {Note} note @param {string} whom the target's name; empty for everybody */
function noteItem(note, whom) {
  const picture = pictureOf(note);
  const words = picture ? h("span", { class: "visually-hidden" }, inWords(note)) : inWords(note);
  return h("li", null, h("strong", null, note.name), whom && [" ", t("web.chat.at", { whom })], " ", picture, words);
}

/**
 * Returns the name of a seat's player; empty if there is none, and for servers whose notes have no target.
 * @param {Session} session @param {number | null} seat
 */
const nameAt = ({ table }, seat) => (seat == null ? "" : (table?.seats[seat]?.name ?? ""));
