/** The editor of rule cards before a match of Wild Jackpot: free-text dares, or combined effects, with a preview. */

import { EFFECTS, EFFECT_PLAYERS, MAX_DARE, MAX_EFFECTS } from "../bindings/constants.js";
import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { errorWords } from "../ui/failures.js";
import { chips, selectField, textField } from "../ui/fields.js";
import { need } from "../ui/resources.js";
import { refill } from "../ui/presses.js";
import { announce } from "../ui/toast.js";
import { language, t, useTexts } from "../ui/texts.js";
import { ApiError, post } from "../net/api.js";
import { avatar } from "../cards/art.js";
import { secondsUntil } from "../cards/view.js";

/** @import {Session} from "../net/session.js" @import {TableInfo} from "../net/protocol.js" */
/** @typedef {{verb: string, n: number, who: string}} Effect */
/** The content of one card's form. @typedef {{kind: string, dare: string, effects: Effect[]}} Draft */

need(stylesheet("lobby/cardwriter.css"), useTexts("write"), useTexts("jackpot"));

const NAMES = Object.keys(EFFECTS);
const PREVIEW_WAIT_MS = 200;
/** An empty line. */
const BLANK = "\u00a0";
/** Seconds before the deadline at which all valid cards are sent, so that they arrive in time. */
const LAST_CALL_S = 3;
/** Seconds before the deadline that screen readers announce. */
const ANNOUNCED_AT_S = [30, 10];
const STORAGE_PREFIX = "lastcard.cards";

export class CardWriter {
  element = h("div", { class: "page writer" });
  #session;
  /** The writer of the forms; several people may write on one device. @type {string | null | undefined} */
  #writer;
  /** @type {CardForm[]} */
  #forms = [];
  /** Whether the cards are being sent because the time is up. */
  #called = false;
  /** Counts presses of *Done*: only the last one sends the cards. */
  #pressed = 0;
  /** The seconds left at the last update. */
  #left = 0;
  #timer = 0;
  #about = h("p", { class: "soft" });
  #limit = h("p", { class: "soft", hidden: true }, t("web.write.limit"));
  /** It stays visible, because the forms are higher than a phone. */
  #time = h("p", { class: "writer-time", role: "timer", hidden: true });
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
      this.#limit,
      this.#time,
      this.#writing,
      this.#written,
      h("section", { class: "stack tight" }, h("h3", null, t("web.write.others")), this.#waiting),
    );
  }

  /** Discards the drafts once cards are dealt; after a visit to another page they remain. */
  close() {
    clearTimeout(this.#timer);
    if (this.#session.table?.phase !== "writing") this.#saveDrafts(null);
  }

  /** Makes the forms of the current writer, with the drafts from before a reload. */
  #begin() {
    const { you, seat, table } = this.#session;
    const each = seat === null ? 0 : (table?.cards_each ?? 0);
    this.#writer = you;
    this.#about.textContent = each ? t("web.write.about", { n: each }) : t("web.write.watch");
    this.#called = false;
    this.#forms = [];
    const saved = this.#savedDrafts();
    const changed = () => this.#saveDrafts(this.#forms.map(({ draft }) => draft));
    this.#forms = Array.from({ length: each }, (_, i) => new CardForm(i + 1, this.#session.isLocal, changed, saved[i]));
    this.#writing.replaceChildren(...this.#forms.map(({ element }) => element), this.#send);
  }

  /** The storage key of this seat's drafts. */
  get #storageKey() {
    const { code, seat } = this.#session;
    return `${STORAGE_PREFIX}.${code}.${seat}`;
  }

  /** Stores the drafts while this tab exists, or (null) deletes them. @param {Draft[] | null} drafts */
  #saveDrafts(drafts) {
    try {
      if (drafts === null) sessionStorage.removeItem(this.#storageKey);
      else if (drafts.length)
        sessionStorage.setItem(this.#storageKey, JSON.stringify({ played: this.#session.table?.played, drafts }));
    } catch {
      // Blocked or full: the drafts are lost on reload.
    }
  }

  /** @returns {Draft[]} */
  #savedDrafts() {
    try {
      const { played, drafts } = JSON.parse(sessionStorage.getItem(this.#storageKey) ?? "{}");
      return played === this.#session.table?.played ? drafts : []; // else they belong to an earlier match
    } catch {
      return [];
    }
  }

  /** Draws which seats are done, and the viewer's forms until they are. */
  update() {
    const { seats } = /** @type {TableInfo} */ (this.#session.table);
    const { seat } = this.#session;
    if (this.#writer !== this.#session.you) this.#begin();
    const done = seat !== null && (seats[seat]?.ready ?? false);
    if (done) this.#saveDrafts(null);
    this.#writing.hidden = done || !this.#forms.length;
    this.#written.hidden = !done;
    this.#limit.hidden = this.#writing.hidden || this.#session.nextAt === null;
    this.#tick();
    if (this.#session.online) for (const form of this.#forms) form.reachAgain();
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

  /** Updates the seconds left. */
  #tick() {
    clearTimeout(this.#timer);
    const { nextAt } = this.#session;
    this.#time.hidden = nextAt === null;
    if (nextAt === null) return;
    const left = secondsUntil(nextAt);
    const words = t("web.write.left", { n: left });
    if (this.#time.textContent !== words) this.#time.textContent = words;
    if (left !== this.#left && ANNOUNCED_AT_S.includes(left)) announce(words);
    this.#left = left;
    if (left <= LAST_CALL_S) void this.#sendInTime();
    else this.#called = false; // there was a pause
    if (left && this.element.isConnected) this.#timer = setTimeout(() => this.#tick(), 500);
  }

  /** Sends the cards that are valid when the time is up. */
  async #sendInTime() {
    if (this.#called || this.#writing.hidden || !this.#session.online) return;
    this.#called = true;
    const texts = await Promise.all(this.#forms.map((form) => form.finished()));
    const cards = texts.filter((text) => text !== null);
    if (cards.length && !this.#writing.hidden) this.#session.send({ type: "write", cards });
  }

  async #finish() {
    this.#pressed += 1;
    const pressed = this.#pressed;
    const cards = [];
    for (const form of this.#forms) {
      const text = await form.checked();
      if (pressed !== this.#pressed) return;
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
  /** Whether no server answered the check of the card. */
  #unread = false;
  #isLocal;
  #changed;

  /**
   * @param {number} number the card's number
   * @param {boolean} isLocal whether the table is in this page
   * @param {() => void} changed
   * @param {Draft} [draft] its initial content
   */
  constructor(number, isLocal, changed, draft) {
    this.#isLocal = isLocal;
    this.#changed = changed;
    if (draft) {
      this.#kind = draft.kind;
      this.#effects = draft.effects;
    }
    this.#dare = textField(t("web.write.dare"), {
      value: draft?.dare ?? "",
      maxlength: MAX_DARE,
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

  /** @returns {Draft} */
  get draft() {
    return { kind: this.#kind, dare: this.#dare.input.value, effects: this.#effects };
  }

  /** Focuses the first field. */
  focus() {
    this.#fields.querySelector("input")?.focus();
  }

  #draw() {
    refill(this.#fields, () => (this.#kind === "dare" ? [this.#dare.element] : this.#effectRows()));
    this.#soon();
  }

  #effectRows() {
    const rows = this.#effects.map((effect, i) => this.#effectRow(effect, i));
    const add = () => {
      this.#effects.push({ verb: "reverse", n: 0, who: "" });
      this.#draw();
    };
    return this.#effects.length < MAX_EFFECTS ? [...rows, button(t("web.write.more"), add, { data: { key: "more" } })] : rows;
  }

  /** @param {Effect} effect @param {number} index */
  #effectRow(effect, index) {
    const [most, names] = EFFECTS[effect.verb];
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
        key: `verb${index}`,
      }),
      most > 0 &&
        selectField({
          label: t("web.write.number"),
          labelHidden: true,
          choices: Array.from({ length: most }, (_, i) => ({ value: String(i + 1), text: String(i + 1) })),
          value: String(effect.n),
          onchange: (n) => change({ n: Number(n) }),
          key: `n${index}`,
        }),
      names &&
        selectField({
          label: t("web.write.who"),
          labelHidden: true,
          choices: EFFECT_PLAYERS.map((who) => ({ value: who, text: t(`web.write.who.${who}`) })),
          value: effect.who,
          onchange: (who) => change({ who }),
          key: `who${index}`,
        }),
      this.#effects.length > 1 && button(t("web.write.drop"), drop, { look: "quiet", data: { key: `drop${index}` } }),
    );
  }

  /** The card's text in the notation of rule cards, as the person wrote it. */
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
    this.#changed();
    if (this.#isEmpty) return this.#show("", false);
    // Its line is reserved at the first letter: later it would move buttons that a person is about to press.
    this.#preview.textContent ||= BLANK;
    this.#timer = setTimeout(() => this.checked(), PREVIEW_WAIT_MS);
  }

  get #isEmpty() {
    return this.#kind === "dare" && !this.#dare.input.value.trim();
  }

  /** Returns the card if it is valid; an empty form stays as it is. */
  async finished() {
    return this.#isEmpty ? null : this.checked();
  }

  /** Checks again after an outage. */
  reachAgain() {
    if (!this.#unread) return;
    this.#unread = false;
    this.#soon();
  }

  /**
   * Returns the card in canonical form, as the table reads it, and shows its text.
   * @returns {Promise<string | null>} null if it is not valid yet
   */
  async checked() {
    if (this.#isEmpty) {
      this.#show(t("web.write.empty"), true);
      return null;
    }
    const written = this.#text;
    const isStill = () => this.#text === written;
    try {
      const { text, words } = await post("/api/card", { text: written, lang: language() }, this.#isLocal);
      if (isStill()) {
        this.#unread = false;
        this.#show(words, text === null);
      }
      return text;
    } catch (error) {
      if (isStill()) {
        this.#unread = !(error instanceof ApiError);
        this.#show(errorWords(error), true);
      }
      return null;
    }
  }

  /** @param {string} words @param {boolean} wrong */
  #show(words, wrong) {
    this.#preview.textContent = words;
    this.#preview.classList.toggle("error", wrong);
  }
}

/** Returns an effect with only the parts that its verb has. @param {Effect} effect @returns {Effect} */
function fitting({ verb, n, who }) {
  const [most, names] = EFFECTS[verb];
  return { verb, n: most && Math.min(most, n || 2), who: names ? who || "chosen" : "" };
}

/** @param {Effect} effect */
function effectText({ verb, n, who }) {
  const text = who ? t(`effect.${verb}.${who}`, { n }) : t(`effect.${verb}`, { n });
  return text.replace(/\.$/, "");
}
