/** Writing rule cards before a match of Wild Jackpot: dares in free words, or effects put together, with a preview. */

import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { chips, selectField, textField } from "../ui/fields.js";
import { need } from "../ui/needs.js";
import { language, t, useTexts } from "../ui/words.js";
import { ApiError, post } from "../line/api.js";
import { avatar } from "../cards/art.js";

/**
 * @import {Session} from "../line/session.js"
 * @import {TableState} from "../line/protocol.js"
 */
/** @typedef {{verb: string, n: number, who: string}} Effect */

need(stylesheet("lobby/cardwriter.css"), useTexts("write"));

/** What an effect can be: the largest number, 0 where there is none, and whether it names somebody. */
export const VERBS = /** @type {const} */ ({
  draw: [10, false],
  draw_until: [10, false],
  discard: [10, false],
  discard_until: [10, false],
  give: [10, true],
  take: [10, true],
  swap: [0, true],
  everyone: [4, false],
  streak: [0, false],
  wilds: [0, false],
  skip: [0, false],
  reverse: [0, false],
});
const NAMES = /** @type {(keyof typeof VERBS)[]} */ (Object.keys(VERBS));
export const WHO = /** @type {const} */ (["left", "right", "most", "fewest", "chosen"]);
export const MOST_EFFECTS = 3;
export const LONGEST_DARE = 120;
const PREVIEW_WAIT_MS = 200;

export class CardWriter {
  element = h("div", { class: "page writer" });
  #session;
  /** Whose the forms are; several may write at one device. @type {string | null | undefined} */
  #writer;
  /** @type {CardForm[]} */
  #forms = [];
  #about = h("p", { class: "soft" });
  #waiting = h("ul", { class: "writers stack tight" });
  #send = button(t("web.write.done"), () => this.#finish(), { look: "primary big wide" });
  #writing = h("div", { class: "stack" });
  #written = h("p", { class: "panel", role: "status", hidden: true }, t("web.write.wait"));

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    this.element.append(
      h("h2", null, t("web.write.title")),
      this.#about,
      this.#writing,
      this.#written,
      h("section", { class: "stack tight" }, h("h3", null, t("web.write.others")), this.#waiting),
    );
  }

  /** Empty forms for whoever writes now. */
  #begin() {
    const { you, seat, table } = this.#session;
    const each = seat === null ? 0 : (table?.cards_each ?? 0);
    this.#writer = you;
    this.#about.textContent = each ? t("web.write.about", { n: each }) : t("web.write.watch");
    this.#forms = Array.from({ length: each }, (_, i) => new CardForm(i + 1, this.#session.here));
    this.#writing.replaceChildren(...this.#forms.map(({ element }) => element), this.#send);
  }

  /** Draw who is done, and one's own forms while one is not. */
  update() {
    const { seats } = /** @type {TableState} */ (this.#session.table);
    const { seat } = this.#session;
    if (this.#writer !== this.#session.you) this.#begin();
    const done = seat !== null && (seats[seat]?.ready ?? false);
    this.#writing.hidden = done || !this.#forms.length;
    this.#written.hidden = !done;
    const people = seats.filter((info) => info?.player);
    this.#waiting.replaceChildren(
      ...people.map((info) =>
        h(
          "li",
          null,
          avatar(info?.name ?? "", info ?? {}),
          h("span", { class: "grow" }, info?.name),
          t(info?.ready ? "web.write.ready" : "web.write.busy"),
        ),
      ),
    );
  }

  async #finish() {
    const cards = [];
    for (const form of this.#forms) {
      const text = await form.checked();
      if (text === null) return form.focus();
      cards.push(text);
    }
    this.#session.send({ type: "write", cards });
  }
}

/** The form of one rule card. */
class CardForm {
  #kind = "dare";
  #dare;
  /** @type {Effect[]} */
  #effects = [{ verb: "draw", n: 2, who: "" }];
  #fields = h("div", { class: "stack tight" });
  #preview = h("p", { class: "rule-preview optional", "aria-live": "polite" });
  #timer = 0;
  #here;

  /** @param {number} number of the card @param {boolean} here whether the table is in this page */
  constructor(number, here) {
    this.#here = here;
    this.#dare = textField(t("web.write.dare"), {
      maxlength: LONGEST_DARE,
      placeholder: t("web.write.dare.example"),
      oninput: () => this.#soon(),
    });
    const kind = chips({
      label: t("web.write.card", { number }),
      choices: [
        { value: "dare", text: t("web.write.kind.dare") },
        { value: "effects", text: t("web.write.kind.effects") },
      ],
      value: this.#kind,
      onchange: (wanted) => {
        this.#kind = wanted;
        this.#draw();
      },
    });
    this.element = h("section", { class: "panel stack rule-card" }, kind, this.#fields, this.#preview);
    this.#draw();
  }

  /** Put the focus on the first field. */
  focus() {
    this.#fields.querySelector("input")?.focus();
  }

  #draw() {
    if (this.#kind === "dare") this.#fields.replaceChildren(this.#dare.element);
    else this.#drawEffects();
    this.#soon();
  }

  #drawEffects() {
    const rows = this.#effects.map((effect, i) => this.#effectRow(effect, i));
    const add = () => {
      this.#effects.push({ verb: "reverse", n: 0, who: "" });
      this.#draw();
    };
    this.#fields.replaceChildren(...rows, this.#effects.length < MOST_EFFECTS ? button(t("web.write.more"), add) : "");
  }

  /**
   * @param {Effect} effect
   * @param {number} index
   */
  #effectRow(effect, index) {
    const [most, names] = VERBS[/** @type {keyof typeof VERBS} */ (effect.verb)];
    const change = (/** @type {Partial<Effect>} */ part) => {
      this.#effects[index] = fitting({ ...effect, ...part });
      this.#draw();
    };
    const drop = () => {
      this.#effects.splice(index, 1);
      this.#draw();
    };
    return h(
      "div",
      { class: "effect" },
      selectField({
        label: t("web.write.verb"),
        labelHidden: true,
        choices: NAMES.map((verb) => ({
          value: verb,
          text: effectText(fitting({ verb, n: effect.n || 2, who: effect.who })),
        })),
        value: effect.verb,
        onchange: (verb) => change({ verb }),
      }),
      most > 0 &&
        selectField({
          label: t("web.write.number"),
          labelHidden: true,
          choices: Array.from({ length: most }, (_, i) => ({ value: String(i + 1), text: String(i + 1) })),
          value: String(effect.n),
          onchange: (n) => change({ n: Number(n) }),
        }),
      names &&
        selectField({
          label: t("web.write.who"),
          labelHidden: true,
          choices: WHO.map((who) => ({ value: who, text: t(`web.write.who.${who}`) })),
          value: effect.who,
          onchange: (who) => change({ who }),
        }),
      this.#effects.length > 1 && button(t("web.write.drop"), drop, { look: "quiet" }),
    );
  }

  /** The text of the card in the notation of rule cards, as the person wrote it. */
  get #text() {
    if (this.#kind === "dare") return `dare: ${this.#dare.input.value.trim()}`;
    return this.#effects
      .map(({ verb, n, who }) =>
        [verb === "everyone" ? "everyone draws" : verb.replace("_", " "), n || "", who]
          .join(" ")
          .trim()
          .replace(/ +/g, " "),
      )
      .join("; ");
  }

  #soon() {
    clearTimeout(this.#timer);
    if (this.#kind === "dare" && !this.#dare.input.value.trim()) this.#preview.textContent = "";
    else this.#timer = setTimeout(() => this.checked(), PREVIEW_WAIT_MS);
  }

  /**
   * The card in canonical form, as the table reads it; its words are shown.
   *
   * @returns {Promise<string | null>} null where it is no card yet
   */
  async checked() {
    try {
      const { text, words } = await post("/api/card", { text: this.#text, lang: language() }, this.#here);
      this.#show(words, false);
      return text;
    } catch (error) {
      this.#show(error instanceof ApiError ? error.message : t("web.net.unreachable"), true);
      return null;
    }
  }

  /**
   * @param {string} words
   * @param {boolean} wrong
   */
  #show(words, wrong) {
    this.#preview.textContent = words;
    this.#preview.classList.toggle("error", wrong);
  }
}

/**
 * An effect with just the parts its verb has.
 *
 * @param {Effect} effect
 * @returns {Effect}
 */
function fitting({ verb, n, who }) {
  const [most, names] = VERBS[/** @type {keyof typeof VERBS} */ (verb)];
  return { verb, n: most && Math.min(most, n || 2), who: names ? who || "chosen" : "" };
}

/** @param {Effect} effect */
function effectText({ verb, n, who }) {
  const text = who ? t(`effect.${verb}.${who}`, { n }) : t(`effect.${verb}`, { n });
  return text.replace(/\.$/, "");
}
