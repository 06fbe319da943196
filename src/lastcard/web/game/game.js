// <lc-game>: the table as one person sees it. It draws what the session says and asks the server for everything else.
// Attributes: `tv` (a big screen without a hand), `replay` (nothing can be done; `eyes` says whose hand lies below).

import { h, stylesheet } from "../ui/dom.js";
import { need } from "../ui/needs.js";
import { announce } from "../ui/toast.js";
import { t } from "../ui/words.js";
import { makeScene, moveOf, nameOf, sampleMove } from "../cards/scene.js";
import { askOf, seatAnswers } from "./ask.js";
import { Backstage } from "./backstage.js";
import { Hand } from "./hand.js";
import { hintFor } from "./hints.js";
import { pressKey } from "./keys.js";
import { Log } from "./log.js";
import { Tray, lateness, refusal } from "./pickers.js";
import { Pile } from "./pile.js";
import { OwnSeat, Seats, TurnClock } from "./seats.js";
import { UnoButton } from "./unobutton.js";

/** @import {Dealt, Happening, Moved} from "../line/protocol.js" */
/** @import {Session} from "../line/session.js" */
/** @import {Scene} from "../cards/scene.js" */
/** @import {Act} from "../motion/choreography.js" */
/** @import {Outcome} from "../motion/lever.js" */
/** @import {Answer, Ask} from "./ask.js" */
/** @import {News} from "./pickers.js" */

need(...["cards/art.css", "game/game.css", "game/seats.css", "game/hand.css", "game/pickers.css"].map(stylesheet));

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
  /** @type {Scene | null} */
  #scene = null;
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
  #log = new Log(() => this.#backstage.open("log", this.#log.list));
  #clock = new TurnClock();
  #board = h("div", { class: "board" }, this.#pile.element, this.#seats.element);
  #backstage = new Backstage({
    table: this,
    board: this.#board,
    places: {
      seat: (seat) => this.#placeOf(seat),
      hand: (seat) => (seat === this.#scene?.seat && this.#scene.hand ? this.#hand.landing : this.#placeOf(seat)),
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
    this.#backstage.finish();
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
    if (this.#scene) this.#log.reset(this.#scene);
    // A match that begins with this picture.
    if (this.#scene?.game.ply === 0) void this.#backstage.theater().then((motion) => this.#scene && motion.deal(this.#scene));
  }

  /** Draw everything as it stands now. */
  update() {
    const session = this.#session;
    const game = session?.game;
    if (!session || !game || !this.isConnected) return;
    const acting = !this.hasAttribute("replay");
    const scene = makeScene({ game, table: session.table, you: session.you }, { acting, eyes: this.#eyes });
    for (const seat of this.#scene?.shown.exposed ?? []) {
      if (!scene.shown.exposed.includes(seat)) this.#escaped.set(seat, performance.now());
    }
    if (scene.turn && this.#scene?.turn === false && game.mine) {
      void this.#backstage.theater().then((motion) => motion.ring());
    }
    this.#scene = scene;
    if (this.#picked && !scene.cards.has(this.#picked)) this.#picked = null;
    const ask = askOf(scene, this.#picked);
    if (scene.turn && ask.prompt !== this.#ask?.prompt) announce(ask.prompt);
    this.#ask = ask;
    this.#seats.update(scene, new Set(seatAnswers(ask).keys()));
    this.#pile.update(scene);
    this.#hand.update(scene, this.#picked);
    this.#tray.update(scene, ask);
    this.#uno.update(scene);
    this.#own.update(scene);
    void this.#backstage.lever(scene);
    this.#showNews(scene);
    void this.#backstage.scores(scene, session, scene.shown.decision === "over" && !this.hasAttribute("replay"));
    const face = scene.shown.turn === scene.seat ? this.#own.face : this.#seats.faceOf(scene.shown.turn);
    this.#clock.update(scene, face, session.deadline);
    this.toggleAttribute("over", scene.shown.decision === "over" && acting);
    this.toggleAttribute("paused", scene.table?.paused ?? false);
    this.toggleAttribute("open", scene.open);
    this.toggleAttribute("crowded", scene.others.length > 5 && !this.hasAttribute("tv"));
    this.#arrange();
  }

  /** @param {number} seat */
  #placeOf(seat) {
    return seat === this.#scene?.seat ? this.#own.element : this.#seats.at(seat);
  }

  /** @param {readonly Happening[]} events */
  async #dealt(events) {
    this.update();
    const scene = this.#scene;
    if (!scene) return;
    this.#log.add(scene, events);
    const motion = await this.#backstage.theater();
    await motion.deal(scene);
    if (this.#scene === scene) await motion.perform(events, this.#actBefore(scene, []));
  }

  /** @param {readonly Happening[]} events */
  #happen(events) {
    const act = this.#scene && this.#actBefore(this.#scene, events);
    this.update();
    const scene = this.#scene;
    if (!scene) return;
    this.#log.add(scene, events);
    if (act) void this.#backstage.theater().then((motion) => motion.perform(events, { ...act, scene }));
    for (const event of events) this.#notice(scene, event);
  }

  /**
   * What is shown longer than a motion lasts.
   * @param {Scene} scene
   * @param {Happening} event
   */
  #notice(scene, { e, seat, other, cards, outcome }) {
    if (e === "lever") void this.#backstage.lever(scene, /** @type {Outcome} */ (outcome));
    if (e === "shown" && cards && other === scene.seat && seat != null) {
      this.#tell({ text: t("web.pick.shown", { player: nameOf(scene, seat) }), cards });
    }
  }

  /**
   * Where things were before what happens now.
   * @param {Scene} scene
   * @param {readonly Happening[]} events
   * @returns {Act}
   */
  #actBefore(scene, events) {
    /** @type {Map<string, DOMRect>} */
    const from = new Map();
    for (const { card, seat } of events) {
      const button = card && seat === scene.seat ? this.#hand.find(card) : null;
      if (card && button) from.set(card, button.getBoundingClientRect());
    }
    return { scene, from, before: scene.shown.counts };
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
    const held = this.#scene?.hand?.length ?? 0;
    const call = this.#uno.armed && held === 2 && !/^(throw|bury) /.test(move);
    if (call) this.#uno.armed = false;
    return this.#act(call ? `${move}!` : move);
  }

  /**
   * @param {string} card
   * @param {boolean} keyboard whether the focus is to follow
   */
  #tapCard(card, keyboard) {
    const scene = this.#scene;
    if (!scene?.game.mine) return;
    const choices = scene.cards.get(card) ?? [];
    if (choices.length === 0) return this.#explain(sampleMove(scene, card));
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
    const scene = this.#scene;
    if (!scene?.game.mine) return;
    if (moveOf(scene, "draw")) this.#act("draw");
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
    const scene = this.#scene;
    if (!scene?.game.mine) return;
    const move = `catch>${seat}`;
    const since = performance.now() - (this.#escaped.get(seat) ?? -Infinity);
    if (scene.shown.exposed.includes(seat)) void this.#act(move);
    else if (since > LATE_MS) return;
    // Where false catches are punished one that was meant well costs nothing.
    else if (scene.choices.some(({ text }) => text === move)) this.#tellLate(since);
    else void this.#act(move);
  }

  /** Catch whoever can be caught, or could a moment ago. */
  #catchOne() {
    const scene = this.#scene;
    if (!scene) return;
    const last = [...this.#escaped].sort(([, a], [, b]) => b - a).map(([seat]) => seat);
    const seat = [...scene.shown.exposed, ...last].find((other) => other !== scene.seat);
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

  /** Take back what was begun: a card picked, news, the drawer. */
  #cancel() {
    const picked = this.#picked;
    if (picked) {
      this.#picked = null;
      this.update();
      this.#hand.focus();
    } else if (this.#news) this.#tell(null);
    else this.#backstage.close();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (this.hasAttribute("replay") || this.hasAttribute("tv")) return;
    pressKey(event, {
      ask: () => this.#ask,
      answer: (answer) => this.#give(answer),
      draw: () => this.#draw(),
      uno: () => this.#uno.press(),
      catchOne: () => this.#catchOne(),
      cancel: () => this.#cancel(),
      log: () => this.#backstage.open("log", this.#log.list),
      hand: () => this.#hand.focus(),
      help: () => this.#backstage.open("keys", this.#log.list),
    });
  }

  // --- what is shown beside the cards -----------------------------------------------------------------

  /** @param {News | null} news */
  #tell(news) {
    clearTimeout(this.#newsTimer);
    this.#news = news;
    if (news) this.#newsTimer = setTimeout(() => this.#tell(null), news.cards ? LOOK_MS : NEWS_MS);
    if (this.#scene) this.#showNews(this.#scene);
  }

  /** News first, then a hint. @param {Scene} scene */
  #showNews(scene) {
    const acting = !this.hasAttribute("replay") && !this.hasAttribute("tv");
    this.#tray.show(this.#news ?? (acting ? hintFor(scene, () => this.update()) : null), scene.kind);
  }

  /** Seats by the room there is. */
  #arrange() {
    const { clientWidth: width, clientHeight: height } = this.#board;
    const round = this.hasAttribute("tv") || (this.#scene?.seat === null && width > 600 && height > 420);
    this.toggleAttribute("round", round);
    if (width) this.#seats.arrange(round);
  }
}

customElements.define("lc-game", LcGame);
