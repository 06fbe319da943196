/** The action bar: the line with all messages, and the answers to the question. Never a dialog, never over anything. */

import { button, iconButton } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { closeIcon } from "../ui/icons.js";
import { whenReleased } from "../ui/presses.js";
import { focusNew } from "../ui/repeats.js";
import { number, t } from "../ui/texts.js";
import { avatar, cardFace, colorSymbol } from "../cards/art.js";
import { cardName, sortCards } from "../cards/cards.js";
import { cited, ruleWords } from "../cards/narrate.js";
import { avatarOf, nameOf } from "../cards/view.js";

/** @import {Refused} from "../net/protocol.js" */
/** @import {View} from "../cards/view.js" */
/** @import {Answer, Prompt} from "./prompt.js" */

/**
 * @typedef {object} News
 * @property {string} text
 * @property {readonly string[]} [cards] cards to show
 * @property {"bad" | "tip"} [kind]
 * @property {[label: string, run: () => void][]} [buttons] shown in place of answers if there is no other question
 */

/** A longer message is set smaller. */
const LONG_CHARS = 38;
/** On a phone a longer question takes two lines. */
const DENSE_CHARS = 24;
/** A rule card or dare longer than this is long for a phone. */
const MANY_CHARS = 75;

export class ActionBar {
  #news = h("p", { class: "action-bar-news long", hidden: true });
  #rule = h("p", { class: "action-bar-rule", hidden: true });
  #prompt = h("p", { class: "action-bar-prompt" });
  /** Takes back a begun move, or dismisses a message that has been read. */
  #close = iconButton(closeIcon(), "", () => this.#on.cancel());
  #line;
  #answers = h("div", { class: "action-bar-answers", onscroll: () => this.#showMore() });
  /** Scrolls to the hidden answers and back, for touch and mouse; a keyboard reaches them anyway. */
  #more = h("button", {
    type: "button",
    class: "more-answers",
    tabindex: -1,
    "aria-hidden": "true",
    hidden: true,
    data: { quick: "" },
    onclick: () => {
      const { scrollLeft, clientWidth } = this.#answers;
      this.#answers.scrollTo({ left: this.#isTurned ? 0 : scrollLeft + clientWidth });
    },
  });
  /** The button is hidden first; otherwise the space it takes would prevent its removal. */
  #resize = new ResizeObserver(() => {
    this.element.classList.remove("full");
    this.#showMore();
  });
  #drawn = "";
  /** @type {News | null} */
  #shownNews = null;
  /** @type {Prompt | null} */
  #question = null;
  #latest;
  #on;

  /**
   * @param {{own: HTMLElement, latest: HTMLElement, uno: HTMLElement}} parts the viewer's avatar, the last event, the UNO button
   * @param {{answer: (answer: Answer) => void, cancel: () => void, lost: () => void}} on `cancel`: takes back a
   *   begun move or dismisses a message; `lost`: the focused element here is gone
   */
  constructor({ own, latest, uno }, on) {
    this.#on = on;
    this.#latest = latest;
    // It covers a part of that button.
    for (const words of [this.#prompt, this.#rule]) words.addEventListener("click", () => latest.click());
    const words = h("div", { class: "line-words" }, latest, this.#rule, this.#prompt, this.#news);
    this.#line = h("div", { class: "line" }, own, words, this.#close);
    this.element = h("div", { class: "action-bar", role: "region" }, this.#line, this.#answers, this.#more, uno);
    this.#resize.observe(this.#answers);
  }

  /** @param {View} view @param {Prompt} prompt */
  update(view, prompt) {
    this.#question = prompt;
    this.element.setAttribute("aria-label", t("web.pick.tray"));
    this.element.classList.toggle("urgent", prompt.urgent);
    this.#line.classList.toggle("urgent", prompt.urgent);
    if (this.#prompt.textContent !== prompt.prompt) this.#prompt.textContent = prompt.prompt;
    this.#prompt.classList.toggle("long", prompt.prompt.length > LONG_CHARS);
    this.#rule.hidden = prompt.rule === null;
    const rule = prompt.rule === null ? "" : ruleWords(prompt.rule);
    this.#rule.textContent = rule;
    this.#line.classList.toggle("many", Math.max(rule.length, prompt.prompt.length) > MANY_CHARS);
    this.#line.classList.toggle("ruled", prompt.rule !== null || prompt.prompt.length > MANY_CHARS);
    this.#line.classList.toggle("dense", prompt.prompt.length > DENSE_CHARS);
    this.#showLatest();
    this.#draw(view);
  }

  /** Shows the last event above the question and a tip if they leave space. */
  #showLatest() {
    const { rule = null, prompt = "" } = this.#question ?? {};
    this.#latest.hidden = this.#shownNews?.kind !== "tip" && (rule !== null || prompt.length > LONG_CHARS);
  }

  /**
   * Answers are measured after the browser's own layout; an earlier measurement would force a second layout. An element that is
   * already observed would not be reported again.
   * @param {View} view
   */
  #draw(view) {
    const news = this.#shownNews;
    const answers = this.#question?.answers ?? [];
    const cancel = answers.find(({ does }) => does === "cancel");
    this.#close.hidden = !news && !cancel;
    this.#close.setAttribute("aria-label", news ? t("web.pick.close") : (cancel?.label ?? ""));
    whenReleased(this.#answers, () => this.#drawAnswers(view));
  }

  /** @param {View} view */
  #drawAnswers(view) {
    const news = this.#shownNews;
    const answers = this.#question?.answers ?? [];
    const drawn = JSON.stringify([answers, news]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const focused = this.element.contains(document.activeElement) && !this.#line.contains(document.activeElement);
    const asked = answers.filter(({ does }) => does !== "cancel").map((answer) => this.#button(view, answer));
    const offered = asked.length ? [] : (news?.buttons ?? []).map(([label, run]) => button(label, run, { look: "answer word" }));
    this.#answers.replaceChildren(shownCards(news?.cards ?? [], view.kind), ...asked, ...offered);
    this.#resize.unobserve(this.#answers);
    if (this.#answers.childElementCount) this.#resize.observe(this.#answers);
    else this.#showMore();
    if (focused && !this.focus()) this.#on.lost();
  }

  /** Shows the number of hidden answers. */
  #showMore() {
    const hidden = this.#answers.childElementCount ? this.#countHidden() : 0; // mostly there is no question: nothing is measured
    this.#more.hidden = hidden === 0;
    this.element.classList.toggle("full", hidden > 0);
    if (hidden) this.#more.textContent = this.#isTurned ? `‹ ${hidden}` : `${hidden} ›`;
  }

  #countHidden() {
    const { left, right } = this.#answers.getBoundingClientRect();
    const isSeen = (/** @type {DOMRect} */ box) => box.left > left - 2 && box.right < right + 2;
    return [...this.#answers.children].filter((answer) => !isSeen(answer.getBoundingClientRect())).length;
  }

  /** Whether the last answer is visible. */
  get #isTurned() {
    const { scrollLeft, scrollWidth, clientWidth } = this.#answers;
    return scrollLeft > 0 && scrollLeft >= scrollWidth - clientWidth - 2;
  }

  /** @param {View} view @param {Answer} answer */
  #button(view, answer) {
    const { label, about, color, seat, card, strong, mark } = answer;
    const n = seat === undefined ? null : view.shown.counts[seat];
    const kind = color ? "color" : seat !== undefined ? "player" : "word";
    const picture = color
      ? colorSymbol(color)
      : seat !== undefined
        ? [avatar(nameOf(view, seat), avatarOf(view, seat)), h("span", { class: "held" }, n)]
        : card
          ? h("span", { class: "small-card" }, cardFace(card, { game: view.kind }))
          : null;
    const words = [h("span", { class: kind === "player" ? "ellipsis" : null, dir: "auto" }, label), about && [" ", h("small", null, about)]];
    return button([picture, about ? h("span", { class: "with-about" }, words) : words], () => this.#on.answer(answer), {
      look: `answer ${kind} ${about ? "costs" : ""} ${strong ? "primary" : ""} ${mark?.best ? "best" : ""}`,
      "aria-label": n === null ? null : t("web.game.holds", { player: label, n }),
      data: { color, hint: mark?.chance },
    });
  }

  /** Shows a message in place of the question; null removes it. @param {View} view @param {News | null} news */
  show(view, news) {
    const same = news?.text === this.#shownNews?.text && String(news?.cards) === String(this.#shownNews?.cards);
    this.#shownNews = news;
    this.#draw(view);
    if (same) return;
    this.#showLatest();
    this.#line.classList.toggle("has-note", news !== null);
    for (const kind of ["bad", "tip"]) this.#line.classList.toggle(kind, news?.kind === kind);
    this.#news.hidden = news === null;
    // Another kind of message has another role; screen readers read an alert when its text changes.
    this.#news.setAttribute("role", news?.kind === "bad" ? "alert" : "status");
    this.#news.textContent = news?.text ?? "";
  }

  /** Focuses the first answer. Returns whether there is one. */
  focus() {
    const first = this.#answers.querySelector("button");
    if (first) focusNew(first);
    return first !== null;
  }
}

/** Returns the text for a late call or catch. @param {number} ms */
export function lateness(ms) {
  const seconds = number(Math.max(0.1, ms / 1000), { maximumFractionDigits: 1, minimumFractionDigits: 1 });
  return t("web.uno.late", { seconds });
}

/** Returns a refusal as text, with its clause if the person wants it. @param {Refused} refused */
export function refusal({ text, clause }) {
  return cited(text, clause ? [clause] : []);
}

/** @param {readonly string[]} cards to show @param {string} game */
function shownCards(cards, game) {
  if (!cards.length) return "";
  /** @param {string} card */
  const picture = (card) => h("span", { role: "img", "aria-label": cardName(card, game) }, cardFace(card, { game }));
  return h("div", { class: "shown-cards" }, sortCards(cards).map(picture));
}
