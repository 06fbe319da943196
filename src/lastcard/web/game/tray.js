/** The tray above the hand: what is asked, its answers, and news that concern the person. Never a dialog. */

import { button, iconButton } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { closeIcon } from "../ui/icons.js";
import { number, t } from "../ui/words.js";
import { avatar, cardFace, colorSymbol } from "../cards/art.js";
import { cardName, sortCards } from "../cards/cards.js";
import { ruleWords } from "../cards/narrate.js";
import { nameOf, sitter } from "../cards/view.js";

/** @import {Refused} from "../line/protocol.js" */
/** @import {View} from "../cards/view.js" */
/** @import {Answer, Ask} from "./ask.js" */

/**
 * @typedef {object} News
 * @property {string} text
 * @property {readonly string[]} [cards] cards to be looked at
 * @property {"bad" | "tip"} [kind]
 * @property {[label: string, act: () => void][]} [buttons]
 */

/** A question of more characters than this is set smaller. */
const LONG = 44;

export class Tray {
  #news = h("div", { class: "tray-news", hidden: true });
  #rule = h("p", { class: "tray-rule", hidden: true });
  #prompt = h("p", { class: "tray-prompt" });
  #answers = h("div", { class: "tray-answers" });
  #drawn = "";
  /** @type {string | null} */
  #told = null;
  #on;

  /**
   * @param {HTMLElement} own one's own face
   * @param {{answer: (answer: Answer) => void, dismiss: () => void, lost: () => void}} on `dismiss`: the news have been
   *   read; `lost`: the focus was here and has no place any more
   */
  constructor(own, on) {
    this.#on = on;
    const asked = h("div", { class: "tray-asked" }, own, this.#prompt);
    this.element = h("div", { class: "tray", role: "region" }, this.#news, this.#rule, asked, this.#answers);
  }

  /**
   * @param {View} view
   * @param {Ask} ask
   */
  update(view, ask) {
    this.element.setAttribute("aria-label", t("web.pick.tray"));
    this.element.classList.toggle("urgent", ask.urgent);
    if (this.#prompt.textContent !== ask.prompt) this.#prompt.textContent = ask.prompt;
    this.#prompt.classList.toggle("long", ask.prompt.length > LONG);
    this.#rule.hidden = ask.rule === null;
    if (ask.rule !== null && ask.performer !== null) {
      this.#rule.textContent = t("event.rule", { player: nameOf(view, ask.performer), text: ruleWords(ask.rule) });
    }
    const drawn = JSON.stringify(ask.answers);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const focused = this.#answers.contains(document.activeElement);
    this.#answers.replaceChildren(...ask.answers.map((answer) => this.#button(view, answer)));
    this.element.classList.toggle("picking", ask.answers.some(({ does }) => does === "cancel"));
    this.#answers.classList.toggle("many", ask.answers.some((answer) => answer.seat !== undefined));
    if (focused && !this.focus()) this.#on.lost();
  }

  /**
   * @param {View} view
   * @param {Answer} answer
   */
  #button(view, answer) {
    const { label, color, seat, card, does, strong } = answer;
    const kind = color ? "color" : seat !== undefined ? "player" : does === "cancel" ? "cancel" : "word";
    const picture = color
      ? colorSymbol(color)
      : seat !== undefined
        ? avatar(nameOf(view, seat), { bot: sitter(view, seat)?.bot ?? null })
        : card
          ? h("span", { class: "small-card" }, cardFace(card, { game: view.kind }))
          : does === "cancel"
            ? closeIcon()
            : null;
    const worded = kind === "word" || kind === "player";
    return button([picture, worded && h("span", null, label)], () => this.#on.answer(answer), {
      look: `answer ${kind} ${strong ? "primary" : ""}`,
      data: { color },
      "aria-label": worded ? null : label,
      title: worded ? null : label,
    });
  }

  /**
   * Show news above the question; null takes them away.
   * @param {News | null} news
   * @param {string} [game]
   */
  show(news, game) {
    const key = news && JSON.stringify([news.text, news.cards]);
    if (key === this.#told) return;
    this.#told = key;
    const focused = this.#news.contains(document.activeElement);
    this.#news.hidden = news === null;
    this.#news.replaceChildren();
    if (focused && !this.focus()) this.#on.lost();
    if (!news) return;
    const { text, cards = [], kind = "", buttons = [] } = news;
    this.#news.className = `tray-news ${kind}`;
    this.#news.replaceChildren(
      h("p", { role: kind === "bad" ? "alert" : "status" }, text),
      cards.length ? h("div", { class: "shown-cards" }, sortCards(cards).map((card) => shownCard(card, game))) : "",
      ...buttons.map(([label, act]) => button(label, act)),
      kind === "tip" ? "" : iconButton(closeIcon(), t("web.pick.close"), this.#on.dismiss),
    );
  }

  /** Put the focus on the first answer. Returns whether there is one. */
  focus() {
    const first = this.#answers.querySelector("button");
    first?.focus();
    return first !== null;
  }
}

/**
 * How late a call or catch came.
 * @param {number} ms
 */
export function lateness(ms) {
  const seconds = number(Math.max(0.1, ms / 1000), { maximumFractionDigits: 1, minimumFractionDigits: 1 });
  return t("web.uno.late", { seconds });
}

/**
 * A refusal in words; of a call or catch that came too late also how late.
 * @param {Refused} refused
 */
export const refusal = ({ text, late }) => (late == null ? text : `${lateness(late)} ${text}`);

/** @param {string} card @param {string} [game] */
const shownCard = (card, game) => h("span", { role: "img", "aria-label": cardName(card, game ?? "") }, cardFace(card, { game }));
