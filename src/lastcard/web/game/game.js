/**
 * <lc-game>: the table as one person sees it. It draws what the session says and asks the server for everything else.
 * Attributes: `tv` (a big screen without a hand), `replay` (nothing can be done; `eyes` says whose hand lies below).
 */

import { h, stylesheet } from "../ui/dom.js";
import { need } from "../ui/needs.js";
import { announce } from "../ui/toast.js";
import { t } from "../ui/words.js";
import { makeView, moveOf, nameOf, sampleMove } from "../cards/view.js";
import { askOf, seatAnswers } from "./ask.js";
import { Hand } from "./hand.js";
import { meaningOf } from "./keys.js";
import { LazyParts } from "./lazy.js";
import { Log } from "./log.js";
import { Pile } from "./pile.js";
import { OwnSeat, Seats, TurnClock } from "./seats.js";
import { tipFor } from "./tips.js";
import { Tray, lateness, refusal } from "./tray.js";
import { UnoButton } from "./unobutton.js";

/** @import {Dealt, Happening, Moved} from "../line/protocol.js" */
/** @import {Session} from "../line/session.js" */
/** @import {View} from "../cards/view.js" */
/** @import {Before} from "../motion/events.js" */
/** @import {Outcome} from "../motion/lever.js" */
/** @import {Answer, Ask} from "./ask.js" */
/** @import {News} from "./tray.js" */

need(...["cards/art.css", "game/game.css", "game/seats.css", "game/hand.css", "game/tray.css"].map(stylesheet));

/** How long an explanation stays, and cards to look at. */
const NEWS_MS = 8000;
const LOOK_MS = 20_000;
/** How long after its window a catch is still meant. */
const LATE_MS = 2000;

export class LcGame extends HTMLElement {
  /** @type {Session | null} */
  #session = null;
  /** @type {number | null} */
  #eyes = null;
  /** @type {View | null} */
  #view = null;
  /** @type {Ask | null} */
  #ask = null;
  /** The card for which a color or player is being named. @type {string | null} */
  #picked = null;
  /** @type {News | null} */
  #news = null;
  #newsTimer = 0;
  /** When the chance to catch a seat was over, by `performance.now()`. @type {Map<number, number>} */
  #escaped = new Map();
  /** Whether a move is on its way. */
  #moving = false;
  /** @type {AbortController | null} */
  #listening = null;

  #seats = new Seats((seat) => this.#tapSeat(seat));
  #pile = new Pile(() => this.#draw());
  #hand = new Hand((card, keyboard) => this.#tapCard(card, keyboard));
  #own = new OwnSeat();
  #tray = new Tray(this.#own.element, {
    answer: (answer) => this.#give(answer),
    dismiss: () => this.#tell(null),
    lost: () => this.#hand.focus(),
  });
  #uno = new UnoButton({
    call: () => void this.#act("uno"),
    late: (ms) => this.#tellLate(ms),
    changed: () => this.update(),
  });
  #log = new Log(() => this.#lazy.openPanel("log", this.#log.list));
  #clock = new TurnClock();
  #board = h("div", { class: "board" }, this.#pile.element, this.#seats.element);
  #lazy = new LazyParts({
    table: this,
    board: this.#board,
    places: {
      seat: (seat) => this.#placeOf(seat),
      hand: (seat) => (seat === this.#view?.seat && this.#view.hand ? this.#hand.landing : this.#placeOf(seat)),
      draw: this.#pile.draw,
      discard: this.#pile.discard,
      ring: this.#pile.ring,
      force: this.#pile.force,
    },
    pull: () => void this.#act("pull"),
  });
  #resize = new ResizeObserver(() => this.#arrange());

  get session() {
    return this.#session;
  }

  set session(session) {
    this.#session = session;
    if (this.isConnected) this.#listen();
  }

  /** In a replay: whose hand lies below; null shows what there is to show. */
  get eyes() {
    return this.#eyes;
  }

  set eyes(seat) {
    this.#eyes = seat;
    this.update();
  }

  connectedCallback() {
    this.classList.add("on-table");
    if (!this.firstChild) {
      const bar = h("div", { class: "bar-below" }, this.#tray.element, this.#uno.element);
      this.append(h("div", { class: "felt" }, this.#log.strip, this.#board, bar, this.#hand.element));
    }
    this.#resize.observe(this.#board);
    this.#listen();
  }

  disconnectedCallback() {
    this.#listening?.abort();
    this.#resize.disconnect();
    this.#clock.stop();
    this.#lazy.finish();
  }

  #listen() {
    this.#listening?.abort();
    const session = this.#session;
    if (!session) return;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    /** @param {string} name @param {(detail: any) => void} act */
    const on = (name, act) => {
      session.addEventListener(name, (event) => act(/** @type {CustomEvent} */ (event).detail), { signal });
    };
    on("welcome", () => this.#restart());
    on("dealt", (/** @type {Dealt} */ { events }) => this.#dealt(events));
    on("moved", (/** @type {Moved} */ { events }) => this.#happen(events));
    on("table", () => this.update());
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.#restart();
  }

  #restart() {
    this.update();
    if (this.#view) this.#log.reset(this.#view);
    // A match that begins with this picture.
    if (this.#view?.game.ply === 0) void this.#lazy.motion().then((motion) => this.#view && motion.deal(this.#view));
  }

  /** Draw everything as it stands now. */
  update() {
    const session = this.#session;
    const game = session?.game;
    if (!session || !game || !this.isConnected) return;
    const acting = !this.hasAttribute("replay");
    const view = makeView({ game, table: session.table, you: session.you }, { acting, eyes: this.#eyes });
    for (const seat of this.#view?.shown.exposed ?? []) {
      if (!view.shown.exposed.includes(seat)) this.#escaped.set(seat, performance.now());
    }
    if (view.turn && this.#view?.turn === false && game.mine) {
      void this.#lazy.motion().then((motion) => motion.ring());
    }
    this.#view = view;
    if (this.#picked && !view.cards.has(this.#picked)) this.#picked = null;
    const ask = askOf(view, this.#picked);
    if (view.turn && ask.prompt !== this.#ask?.prompt) announce(ask.prompt);
    this.#ask = ask;
    this.#seats.update(view, new Set(seatAnswers(ask).keys()));
    this.#pile.update(view);
    this.#hand.update(view, this.#picked);
    this.#tray.update(view, ask);
    this.#uno.update(view);
    this.#own.update(view);
    void this.#lazy.lever(view);
    this.#showNews(view);
    void this.#lazy.scores(view, session, view.shown.decision === "over" && !this.hasAttribute("replay"));
    const face = view.shown.turn === view.seat ? this.#own.face : this.#seats.faceOf(view.shown.turn);
    this.#clock.update(view, face, session.deadline);
    this.toggleAttribute("over", view.shown.decision === "over" && acting);
    this.toggleAttribute("paused", view.table?.paused ?? false);
    this.toggleAttribute("open", view.open);
    this.toggleAttribute("crowded", view.others.length > 5 && !this.hasAttribute("tv"));
    this.#arrange();
  }

  /** @param {number} seat */
  #placeOf(seat) {
    return seat === this.#view?.seat ? this.#own.element : this.#seats.at(seat);
  }

  /** @param {readonly Happening[]} events */
  async #dealt(events) {
    this.update();
    const view = this.#view;
    if (!view) return;
    this.#log.add(view, events);
    const motion = await this.#lazy.motion();
    await motion.deal(view);
    if (this.#view === view) await motion.show(events, this.#before(view, []));
  }

  /** @param {readonly Happening[]} events */
  #happen(events) {
    const before = this.#view && this.#before(this.#view, events);
    this.update();
    const view = this.#view;
    if (!view) return;
    this.#log.add(view, events);
    if (before) void this.#lazy.motion().then((motion) => motion.show(events, { ...before, view }));
    for (const event of events) this.#notice(view, event);
  }

  /**
   * What is shown longer than a motion lasts.
   * @param {View} view
   * @param {Happening} event
   */
  #notice(view, { e, seat, other, cards, outcome }) {
    if (e === "lever") void this.#lazy.lever(view, /** @type {Outcome} */ (outcome));
    if (e === "shown" && cards && other === view.seat && seat != null) {
      this.#tell({ text: t("web.pick.shown", { player: nameOf(view, seat) }), cards });
    }
  }

  /**
   * Where things were before what happens now.
   * @param {View} view
   * @param {readonly Happening[]} events
   * @returns {Before}
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

  // --- what the person does -------------------------------------------------------------------------

  /**
   * Make a move; a refusal is told in words.
   * @param {string} move
   */
  async #act(move) {
    // A second tap is no second move; calls and catches never wait.
    const urgent = move === "uno" || move.startsWith("catch");
    if (this.#moving && !urgent) return;
    this.#moving ||= !urgent;
    this.#picked = null;
    this.#tell(null);
    this.update();
    const answer = await this.#session?.act(move);
    if (!urgent) this.#moving = false;
    if (answer?.type === "refused") this.#tell({ text: refusal(answer), kind: "bad" });
  }

  /**
   * Play, throw or bury a card; the call that was armed goes with the play that leaves one card.
   * @param {string} move
   */
  #play(move) {
    const held = this.#view?.hand?.length ?? 0;
    const call = this.#uno.armed && held === 2 && !/^(throw|bury) /.test(move);
    if (call) this.#uno.armed = false;
    return this.#act(call ? `${move}!` : move);
  }

  /**
   * @param {string} card
   * @param {boolean} keyboard whether the focus is to follow
   */
  #tapCard(card, keyboard) {
    const view = this.#view;
    if (!view?.game.mine) return;
    const choices = view.cards.get(card) ?? [];
    if (choices.length === 0) return this.#explain(sampleMove(view, card));
    if (choices.length === 1) return this.#play(choices[0].text);
    this.#picked = this.#picked === card ? null : card;
    this.update();
    if (keyboard && this.#picked) this.#tray.focus();
  }

  /** @param {string} move that cannot be made: why? */
  async #explain(move) {
    const reason = await this.#session?.why(move);
    if (reason) this.#tell({ text: reason.text, kind: "bad" });
  }

  #draw() {
    const view = this.#view;
    if (!view?.game.mine) return;
    if (moveOf(view, "draw")) this.#act("draw");
    else this.#explain("draw");
  }

  /** @param {number} seat */
  #tapSeat(seat) {
    const move = this.#ask && seatAnswers(this.#ask).get(seat);
    if (move) void (this.#picked ? this.#play(move) : this.#act(move));
    else this.#catch(seat);
  }

  /**
   * Catch a seat that owes a call; a moment after its window the server says how late that was.
   * @param {number} seat
   */
  #catch(seat) {
    const view = this.#view;
    if (!view?.game.mine) return;
    const move = `catch>${seat}`;
    const since = performance.now() - (this.#escaped.get(seat) ?? -Infinity);
    if (view.shown.exposed.includes(seat)) void this.#act(move);
    else if (since > LATE_MS) return;
    // Where false catches are punished one that was meant well costs nothing.
    else if (view.choices.some(({ text }) => text === move)) this.#tellLate(since);
    else void this.#act(move);
  }

  /** Catch whoever can be caught, or could a moment ago. */
  #catchOne() {
    const view = this.#view;
    if (!view) return;
    const last = [...this.#escaped].sort(([, a], [, b]) => b - a).map(([seat]) => seat);
    const seat = [...view.shown.exposed, ...last].find((other) => other !== view.seat);
    if (seat !== undefined) this.#catch(seat);
  }

  /** @param {number} ms */
  #tellLate(ms) {
    this.#tell({ text: lateness(ms), kind: "bad" });
  }

  /** @param {Answer} answer */
  #give({ move, card, does }) {
    if (does === "sit") this.#session?.send({ type: "sit", seat: null });
    else if (does === "cancel") this.#cancel();
    else if (card) this.#tapCard(card, true);
    else if (move) this.#picked ? this.#play(move) : this.#act(move);
  }

  /** Take back what was begun: a card picked, news, the side panel. */
  #cancel() {
    const picked = this.#picked;
    if (picked) {
      this.#picked = null;
      this.update();
      this.#hand.focus();
    } else if (this.#news) this.#tell(null);
    else this.#lazy.closePanel();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (this.hasAttribute("replay") || this.hasAttribute("tv")) return;
    const meaning = meaningOf(event, this.#ask?.answers ?? []);
    if (!meaning) return;
    event.preventDefault();
    if (typeof meaning === "string") this.#actions[meaning]();
    else this.#give(meaning);
  }

  #actions = {
    draw: () => this.#draw(),
    uno: () => this.#uno.press(),
    catch: () => this.#catchOne(),
    cancel: () => this.#cancel(),
    log: () => this.#lazy.openPanel("log", this.#log.list),
    hand: () => this.#hand.focus(),
    help: () => this.#lazy.openPanel("keys", this.#log.list),
  };

  // --- what is shown beside the cards -----------------------------------------------------------------

  /** @param {News | null} news */
  #tell(news) {
    clearTimeout(this.#newsTimer);
    this.#news = news;
    if (news) this.#newsTimer = setTimeout(() => this.#tell(null), news.cards ? LOOK_MS : NEWS_MS);
    if (this.#view) this.#showNews(this.#view);
  }

  /** News first, then a tip. @param {View} view */
  #showNews(view) {
    const acting = !this.hasAttribute("replay") && !this.hasAttribute("tv");
    this.#tray.show(this.#news ?? (acting ? tipFor(view, () => this.update()) : null), view.kind);
  }

  /** Place the seats by the room there is. */
  #arrange() {
    const { clientWidth: width, clientHeight: height } = this.#board;
    const round = this.hasAttribute("tv") || (this.#view?.seat === null && width > 600 && height > 420);
    this.toggleAttribute("round", round);
    if (width) this.#seats.arrange(round);
  }
}

customElements.define("lc-game", LcGame);
