/**
 * <lc-game>: the table as one person sees it. It draws the session's state and asks the server for everything else. Attributes:
 * `tv` (a big screen without a hand), `replay` (no moves; property `viewer`: the seat whose hand is shown).
 */

import { h, stylesheet } from "../ui/dom.js";
import { need, once } from "../ui/resources.js";
import { DOUBLE_MS } from "../ui/cooldown.js";
import { announce } from "../ui/toast.js";
import { t } from "../ui/texts.js";
import { makeView, moveOf, nameOf, sampleMove } from "../cards/view.js";
import { promptOf, seatAnswers } from "./prompt.js";
import { Hand } from "./hand.js";
import { DeferredParts } from "./deferred.js";
import { Log } from "./log.js";
import { Pile } from "./pile.js";
import { OwnSeat, Seats, TurnClock } from "./seats.js";
import { countRound } from "../guide/quick.js";
import { ActionBar, lateness, refusal } from "./actionbar.js";
import { UnoButton } from "./unobutton.js";

/** @import {Dealt, Happening, Moved} from "../net/protocol.js" */
/** @import {Session} from "../net/session.js" */
/** @import {View} from "../cards/view.js" */
/** @import {Before} from "../motion/events.js" */
/** @import {Outcome} from "../motion/lever.js" */
/** @import {Answer, Prompt} from "./prompt.js" */
/** @import {Advice} from "./advice.js" */
/** @import {News} from "./actionbar.js" */

need(stylesheet("cards/art.css"), stylesheet("game/game.css"), stylesheet("game/seats.css"));
need(stylesheet("game/hand.css"), stylesheet("game/actionbar.css"));

/** How long an explanation or shown cards stay. */
const NEWS_MS = 8000;
const CARDS_SHOWN_MS = 20_000;
/** How long after its window a press still counts as an attempted catch. */
const LATE_MS = 2000;

/** Whether the round has ended. @param {View} view */
const isOver = (view) => view.shown.decision === "over";

export class LcGame extends HTMLElement {
  /** @type {Session | null} */
  #session = null;
  /** @type {number | null} */
  #viewer = null;
  /** @type {View | null} */
  #view = null;
  /** @type {Prompt | null} */
  #prompt = null;
  /** The last question announced to screen readers. */
  #question = "";
  /** The card for which the viewer is naming a color or player. @type {string | null} */
  #picked = null;
  /** @type {News | null} */
  #news = null;
  #newsTimer = 0;
  /** @type {News | null} */
  #tip = null;
  /** The hints that the viewer has asked for. @type {Advice | null} */
  #advice = null;
  /** When each seat's catch window closed, by `performance.now()`. @type {Map<number, number>} */
  #escaped = new Map();
  /** When the viewer last tried to catch each seat, by `performance.now()`. @type {Map<number, number>} */
  #tried = new Map();
  /** Whether a move has been sent and not answered. */
  #moving = false;
  /** @type {AbortController | null} */
  #listening = null;

  #seats = new Seats((seat) => this.#tapSeat(seat));
  #pile = new Pile({
    draw: () => this.#draw(),
    describe: () => this.#describeCard(this.#pile.discard),
    down: () => this.#hand.focus(),
  });
  #hand = new Hand({
    tap: (card, keyboard) => this.#tapCard(card, keyboard),
    up: () => this.#pile.discard.focus(),
    maxHeight: () => this.#maxHandHeight(),
  });
  #own = new OwnSeat();
  #uno = new UnoButton({
    call: () => this.#makeMove("uno"),
    late: (ms) => this.#complain(lateness(ms)),
    changed: () => this.update(),
  });
  #log = new Log(() => this.#deferred.openPanel("log", this.#log.list));
  #actionBar = new ActionBar(
    { own: this.#own.element, latest: this.#log.latest, uno: this.#uno.element },
    {
      answer: (answer) => this.#answer(answer),
      cancel: () => this.#cancel(),
      lost: () => this.#hand.focus(),
    },
  );
  #clock = new TurnClock(() => this.#countAway());
  #board = h("div", { class: "board" }, this.#pile.element, this.#seats.element);
  #deferred = new DeferredParts({
    table: this,
    board: this.#board,
    middle: this.#pile.element,
    places: {
      seat: (seat) => this.#placeOf(seat),
      hand: (seat) => (seat === this.#view?.seat && this.#view.hand ? this.#hand.landing : this.#placeOf(seat)),
      count: (seat, count) => this.#seats.count(seat, count),
      newest: (card, later) => this.#hand.newest(card, later),
      draw: this.#pile.draw,
      discard: this.#pile.discard,
      ring: this.#pile.ring,
      currentColor: this.#pile.currentColor,
    },
    targets: {
      hand: this.#hand.element,
      draw: this.#pile.draw,
      uno: this.#uno.button,
      seat: (seat) => this.#placeOf(seat),
    },
    pull: () => void this.#makeMove("pull"),
  });
  /** Whether a picture of the table exists that can be measured. */
  #isLaid = false;
  #resize = new ResizeObserver(() => {
    if (!this.#view) return;
    this.#isLaid = true;
    this.#arrange();
    // In the next frame, because measuring changes the height of the board again.
    requestAnimationFrame(() => {
      this.#hand.arrange();
      this.toggleAttribute("laid", true);
    });
    this.#showScoreboard();
  });

  get session() {
    return this.#session;
  }

  set session(session) {
    this.#session = session;
    if (this.isConnected) this.#listen();
  }

  get advice() {
    return this.#advice;
  }

  set advice(advice) {
    this.#advice = advice;
    this.update();
  }

  /** In a replay: the seat whose hand is shown; null shows all hands if allowed. @param {number | null} seat */
  set viewer(seat) {
    this.#viewer = seat;
    this.update();
  }

  connectedCallback() {
    this.classList.add("on-table");
    if (!this.firstChild) {
      this.append(h("div", { class: "felt" }, this.#board, this.#actionBar.element, this.#hand.element, this.#hand.more));
    }
    this.#resize.observe(this.#board);
    this.#listen();
  }

  disconnectedCallback() {
    this.#listening?.abort();
    this.#resize.disconnect();
    this.#clock.stop();
    this.#deferred.finish();
  }

  /** Input other than taps, enabled after the first picture. */
  #enableInput = once(async () => {
    if (!this.hasAttribute("replay") && !this.hasAttribute("tv")) {
      void this.#deferred.drag(this.#hand.element, (card) => this.#tapCard(card, false));
      this.#deferred.loadTipsAndKeys(() => this.update());
    }
    void this.#deferred.enableCardInfo((at) => this.#describeCard(at) || this.#reactTo(at));
  });

  #listen() {
    this.#listening?.abort();
    const session = this.#session;
    if (!session) return;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    /** @param {string} name @param {(detail: any) => void} handle */
    const on = (name, handle) => {
      session.addEventListener(name, (event) => handle(/** @type {CustomEvent} */ (event).detail), { signal });
    };
    on("welcome", () => this.#restart());
    on("dealt", (/** @type {Dealt} */ { events }) => this.#dealt(events));
    on("moved", (/** @type {Moved} */ { events }) => this.#showEvents(events));
    on("table", () => this.update());
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.#restart();
  }

  #restart() {
    this.update();
    if (this.#view) this.#log.reset(this.#view);
    this.#showScoreboard();
    // A match that begins with this picture.
    if (this.#view?.game.ply === 0) void this.#deal(this.#view);
  }

  /** Deals the cards; questions wait until they have landed. @param {View} view */
  async #deal(view) {
    this.toggleAttribute("dealing", true);
    try {
      const motion = await this.#deferred.motion();
      await motion.deal(view);
      return motion;
    } finally {
      this.toggleAttribute("dealing", false);
    }
  }

  /** Redraws everything. */
  update() {
    const session = this.#session;
    const game = session?.game;
    if (!session || !game || !this.isConnected) return;
    const acting = !this.hasAttribute("replay");
    const view = makeView({ game, table: session.table, you: session.you, bots: session.bots }, { acting, viewer: this.#viewer });
    for (const seat of this.#view?.shown.exposed ?? []) {
      if (!view.shown.exposed.includes(seat)) this.#escaped.set(seat, performance.now());
    }
    if (view.turn && this.#view?.turn === false && game.mine) {
      void this.#deferred.motion().then((motion) => motion.ring());
    }
    if (isOver(view) && this.#view && !isOver(this.#view) && game.mine) countRound(view.kind);
    this.#view = view;
    if (this.#picked && !view.cards.has(this.#picked)) this.#picked = null;
    const prompt = this.#deferred.withLesson(view, promptOf(view, this.#picked, session.deadline), this.#picked !== null, () => this.update());
    const marks = this.#advice?.marks ?? new Map();
    this.#prompt = { ...prompt, answers: prompt.answers.map((answer) => ({ ...answer, mark: marks.get(answer.move ?? "") })) };
    this.#announceQuestion(view.turn || game.mine?.lesson ? prompt.prompt : "");
    this.toggleAttribute("over", isOver(view) && acting);
    this.toggleAttribute("paused", view.table?.paused ?? false);
    this.toggleAttribute("open", view.open);
    this.toggleAttribute("crowded", view.others.length > 5 && !this.hasAttribute("tv"));
    this.style.setProperty("--players", String(view.others.length));
    this.#seats.update(view, new Set(seatAnswers(prompt).keys()));
    this.#pile.update(view, marks.get("draw"));
    this.#hand.update(view, this.#picked, marks);
    this.#actionBar.update(view, this.#prompt);
    this.#uno.update(view);
    this.#own.update(view);
    void this.#enableInput();
    void this.#deferred.lever(view);
    this.#showNews(view);
    this.#deferred.updateCard(view, session);
    void this.#deferred.scores(view, session, isOver(view) && acting);
    const avatar = view.shown.turn === view.seat ? this.#own.avatar : this.#seats.avatarAt(view.shown.turn);
    this.#clock.update(view, avatar, session.deadline);
    // All writes precede measurements; the browser itself makes the first picture, in its own task.
    if (!this.#isLaid) return this.#resize.observe(this.#board);
    this.#arrange();
    this.#hand.arrange();
    this.#showScoreboard();
  }

  /** Announces a question after the events that led to it. @param {string} question empty for none */
  #announceQuestion(question) {
    if (question === this.#question) return;
    this.#question = question;
    if (question) queueMicrotask(() => announce(question));
  }

  /** Updates the countdown for an absent player. */
  #countAway() {
    const [view, session] = [this.#view, this.#session];
    if (!view || !session || this.#picked || view.turn || view.game.mine?.lesson) return;
    this.#prompt = promptOf(view, null, session.deadline);
    this.#actionBar.update(view, this.#prompt);
  }

  #showScoreboard() {
    if (this.#view) void this.#deferred.scoreboard(this.#view, this.#log.lines, this.#actions.log);
  }

  /**
   * Returns the element of a seat. The viewer's own avatar is hidden while a long text is shown: then it is the hand.
   * @param {number} seat
   */
  #placeOf(seat) {
    if (seat !== this.#view?.seat) return this.#seats.at(seat);
    return this.#own.element.offsetWidth > 1 ? this.#own.element : this.#hand.element;
  }

  /** @param {readonly Happening[]} events */
  async #dealt(events) {
    this.#advice = null;
    this.update();
    const view = this.#view;
    if (!view) return;
    // Without events, moves were taken back, or the viewer changed.
    if (events.length === 0) {
      this.#setNews(null);
      return this.#log.reset(view);
    }
    this.#log.add(view, events);
    this.#showScoreboard();
    const motion = await this.#deal(view);
    if (this.#view === view) await motion.show(events, this.#before(view, []));
  }

  /** @param {readonly Happening[]} events */
  #showEvents(events) {
    const before = this.#view && this.#before(this.#view, events);
    this.#advice = null;
    // After the viewer's own move the same question may be announced once more.
    if (events[0]?.seat === this.#view?.seat) this.#question = "";
    this.update();
    const view = this.#view;
    if (!view) return;
    // The move is made, although its answer may still be on its way: the next tap is for the next move.
    if (events.some(({ seat }) => seat === view.seat)) this.#moving = false;
    this.#log.add(view, events);
    this.#showScoreboard();
    // An event that affects the viewer replaces the answer to a tap.
    if (this.#news?.kind === "bad" && events.some(({ seat, other }) => [seat, other].includes(view.seat))) this.#setNews(null);
    if (before) this.#deferred.show(events, { ...before, view });
    for (const event of events) this.#notice(view, event);
  }

  /** Shows content that stays longer than a motion. @param {View} view @param {Happening} event */
  #notice(view, { e, seat, other, cards, outcome }) {
    if (e === "lever") void this.#deferred.lever(view, /** @type {Outcome} */ (outcome));
    if (e === "shown" && cards && other === view.seat && seat != null) {
      this.#setNews({ text: t("web.pick.shown", { player: nameOf(view, seat) }), cards });
    }
  }

  /**
   * Returns the positions of elements before these events.
   * @param {View} view @param {readonly Happening[]} events @returns {Before}
   */
  #before(view, events) {
    /** @type {Map<string, DOMRect>} */
    const from = new Map();
    for (const { card, seat } of events) {
      const button = card && seat === view.seat ? this.#hand.find(card) : null;
      if (card && button) from.set(card, button.getBoundingClientRect());
    }
    return { view, from, counts: view.shown.counts };
  }

  // --- the viewer's commands ------------------------------------------------------------------------

  /** Makes a move; shows a refusal as text. @param {string} move */
  async #makeMove(move) {
    // A second tap is not a second move; calls and catches never wait.
    const urgent = move === "uno" || move.startsWith("catch");
    if (this.#moving && !urgent) return;
    this.#moving ||= !urgent;
    this.#picked = null;
    this.#setNews(null);
    this.#deferred.closeCard();
    this.update();
    const answer = await this.#session?.makeMove(move);
    if (!urgent) this.#moving = false;
    if (answer?.type === "refused") this.#complain(refusal(answer));
    else if (answer) this.#deferred.tips?.markLearned(move);
  }

  /** Takes back the last move, if the table allows it. */
  async takeBack() {
    if (!this.#session?.table?.take_backs || this.#moving) return;
    this.#moving = true;
    this.#picked = null;
    this.#setNews(null);
    const answer = await this.#session.takeBack();
    this.#moving = false;
    if (answer?.type === "refused") this.#complain(refusal(answer));
    else announce(t("web.game.taken_back"));
  }

  /** Plays, throws or buries a card; an armed call goes with the play that leaves one card. @param {string} move */
  #play(move) {
    const held = this.#view?.hand?.length ?? 0;
    const call = this.#uno.armed && held === 2 && !/^(throw|bury) /.test(move);
    if (call) this.#uno.armed = false;
    return this.#makeMove(call ? `${move}!` : move);
  }

  /** @param {string} card @param {boolean} keyboard whether to move the focus */
  #tapCard(card, keyboard) {
    const view = this.#view;
    if (!view?.game.mine) return;
    const choices = view.cards.get(card) ?? [];
    if (choices.length === 0) return this.#explain(sampleMove(view, card));
    if (choices.length === 1) return this.#play(choices[0].text);
    this.#picked = this.#picked === card ? null : card;
    this.#setNews(null);
    this.update();
    if (keyboard && this.#picked) this.#actionBar.focus();
  }

  /** @param {string} move an illegal move to explain */
  async #explain(move) {
    this.#deferred.tips?.markLearned("why");
    const reason = await this.#session?.why(move);
    if (reason) this.#complain(reason.text);
  }

  #draw() {
    const view = this.#view;
    if (!view?.game.mine) return;
    if (moveOf(view, "draw")) this.#makeMove("draw");
    else this.#explain("draw");
  }

  /** @param {number} seat */
  #tapSeat(seat) {
    const move = this.#prompt && seatAnswers(this.#prompt).get(seat);
    if (move) void (this.#picked ? this.#play(move) : this.#makeMove(move));
    else this.#catch(seat);
  }

  /**
   * Catches a seat that owes a call; shortly after its window the server says how late that was.
   * @param {number} seat
   */
  #catch(seat) {
    const view = this.#view;
    if (!view?.game.mine) return;
    const move = `catch>${seat}`;
    const now = performance.now();
    const since = now - (this.#escaped.get(seat) ?? -Infinity);
    const isExposed = view.shown.exposed.includes(seat);
    if (!isExposed && since > LATE_MS) return;
    // Every tap catches, but the second half of a double tap does not catch a seat that was just caught.
    if (now - (this.#tried.get(seat) ?? -Infinity) < DOUBLE_MS) return;
    this.#tried.set(seat, now);
    if (isExposed) void this.#makeMove(move);
    // If false catches are punished, a late press costs nothing.
    else if (view.choices.some(({ text }) => text === move)) this.#complain(lateness(since));
    else void this.#makeMove(move);
  }

  /** Catches the seat that can be caught, or could a moment ago. */
  #catchOne() {
    const view = this.#view;
    if (!view) return;
    const last = [...this.#escaped].sort(([, a], [, b]) => b - a).map(([seat]) => seat);
    const seat = [...view.shown.exposed, ...last].find((other) => other !== view.seat);
    if (seat !== undefined) this.#catch(seat);
  }

  /** @param {string} text */
  #complain(text) {
    this.#setNews({ text, kind: "bad" });
  }

  /** @param {Answer} answer */
  #answer({ move, card, does }) {
    if (does === "sit" || does === "unqueue") this.#session?.queue(does === "sit");
    else if (does === "cancel") this.#cancel();
    else if (card) this.#tapCard(card, true);
    else if (move) this.#picked ? this.#play(move) : this.#makeMove(move);
  }

  /**
   * Describes the card at an element.
   * @param {Element | null} at
   * @returns {boolean} whether a card is shown there
   */
  #describeCard(at) {
    const shown = at?.closest("[data-card]");
    const card = shown instanceof HTMLElement && this.contains(shown) ? shown.dataset.card : "";
    if (!card || card === "??" || !this.#view || !this.#session) return false;
    void this.#deferred.showCard({ card, held: this.#hand.element.contains(at) }, this.#view, this.#session);
    return true;
  }

  /**
   * Offers reactions to the player at an element.
   * @param {Element} at
   * @returns {boolean} whether another player is shown there, and the viewer may react
   */
  #reactTo(at) {
    const shown = at.closest(".seats [data-seat]");
    if (!(shown instanceof HTMLElement) || this.#session?.you == null || this.#session.isLocal) return false;
    this.dispatchEvent(new CustomEvent("react", { detail: Number(shown.dataset.seat), bubbles: true }));
    return true;
  }

  /** Dismisses a message, or cancels a picked card or the side panel. */
  #cancel() {
    if (this.#deferred.closeCard()) return;
    if (this.#news) this.#setNews(null);
    else if (this.#picked) {
      this.#picked = null;
      this.update();
      this.#hand.focus();
    } else if (this.#advice) this.advice = null;
    else if (this.#tip) this.#tip.buttons?.[0][1]();
    else this.#deferred.closePanel();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "?" && this.#describeCard(document.activeElement)) return event.preventDefault();
    if (this.hasAttribute("replay") || this.hasAttribute("tv") || this.#session?.ended) return;
    const { keys, guided } = this.#deferred;
    if (!keys) return void guided.then(() => this.#deferred.keys && this.#key(event)); // not lost, only late
    const meaning = keys.meaningOf(event, this.#prompt?.answers ?? []);
    if (!meaning) return;
    event.preventDefault();
    if (typeof meaning === "string") this.#actions[meaning]();
    else this.#answer(meaning);
  }

  #actions = {
    draw: () => this.#draw(),
    uno: () => this.#uno.press(),
    catch: () => this.#catchOne(),
    takeBack: () => void this.takeBack(),
    cancel: () => this.#cancel(),
    log: () => this.#deferred.openPanel("log", this.#log.list),
    hand: () => this.#hand.focus(),
    help: () => this.#deferred.openPanel("keys", this.#log.list),
  };

  // --- messages and layout ----------------------------------------------------------------------------

  /** @param {News | null} news */
  #setNews(news) {
    clearTimeout(this.#newsTimer);
    this.#news = news;
    if (news) this.#newsTimer = setTimeout(() => this.#setNews(null), news.cards ? CARDS_SHOWN_MS : NEWS_MS);
    if (this.#view) this.#showNews(this.#view);
  }

  /** Shows the news, else hints, else a tip. @param {View} view */
  #showNews(view) {
    const acting = !this.hasAttribute("replay") && !this.hasAttribute("tv") && view.table !== null;
    this.#tip = acting && !this.#picked && !view.game.mine?.lesson ? (this.#deferred.tips?.tipFor(view, () => this.update()) ?? null) : null;
    this.#actionBar.show(view, this.#news ?? this.#advice ?? this.#tip);
  }

  /** Returns the hand's maximal height, which leaves the middle its minimum. @returns {number} */
  #maxHandHeight() {
    const middle = this.#pile.element;
    const least = parseFloat(getComputedStyle(middle).minHeight);
    return this.#board.offsetHeight + this.#hand.element.offsetHeight - middle.offsetTop - least;
  }

  /** Places the seats in the available space. */
  #arrange() {
    const { clientWidth: width, clientHeight: height } = this.#board;
    const round = this.hasAttribute("tv") || (this.#view?.seat === null && width > 600 && height > 420);
    this.toggleAttribute("round", round);
    if (width) this.toggleAttribute("flanked", this.#seats.arrange(round));
  }
}

customElements.define("lc-game", LcGame);
