// <lc-game>: the table as one person sees it. It draws what the session says and asks the server for everything else.
// Attributes: `tv` (a big screen without a hand), `replay` (nothing can be done; `eyes` says whose hand lies below).

import { askOf, seatAnswers } from "./ask.js";
import { avatar } from "./art.js";
import { Choreography } from "./choreography.js";
import { h, stylesheet } from "./dom.js";
import { Drawer } from "./drawer.js";
import { Hand } from "./hand.js";
import { hintFor } from "./hints.js";
import { keyList, pressKey } from "./keys.js";
import { Log } from "./log.js";
import { Machine } from "./machine.js";
import { Tray } from "./pickers.js";
import { Pile } from "./pile.js";
import { makeScene, moveOf, nameOf, sampleMove } from "./scene.js";
import { Seats, TurnClock, describe } from "./seats.js";
import { playSound, vibrate } from "./sound.js";
import { UnoButton } from "./unobutton.js";
import { number, t } from "./words.js";

/** @import {Answer, Ask} from "./ask.js" */
/** @import {Session} from "./net.js" */
/** @import {News} from "./pickers.js" */
/** @import {Dealt, Happening, Moved, Refused} from "./protocol.js" */
/** @import {Scene} from "./scene.js" */
/** @import {Scores} from "./scores.js" */

await Promise.all(["art.css", "game.css", "seats.css", "hand.css", "pickers.css"].map(stylesheet));

/** Milliseconds of a turn and of a bank, by pace. @type {Readonly<Record<string, {turn: number, bank: number}>>} */
const PACES = {
  relaxed: { turn: 60_000, bank: 120_000 },
  normal: { turn: 30_000, bank: 60_000 },
  fast: { turn: 12_000, bank: 30_000 },
};
/** How long an explanation stays. */
const NEWS_MS = 8000;
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
  /** When each seat could last be caught, by `performance.now()`. @type {Map<number, number>} */
  #exposed = new Map();
  /** @type {AbortController | null} */
  #listening = null;
  /** @type {Scores | null} */
  #scores = null;

  #seats = new Seats((seat) => this.#tapSeat(seat));
  #pile = new Pile(() => this.#draw());
  #hand = new Hand((card, keyboard) => this.#tapCard(card, keyboard));
  #own = new OwnSeat();
  #tray = new Tray(this.#own.element, {
    answer: (answer) => this.#give(answer),
    dismiss: () => this.#tell(null),
  });
  #uno = new UnoButton(
    () => this.#act("uno"),
    () => this.update(),
  );
  #log = new Log(() => this.#toggleLog());
  #drawer = new Drawer();
  #machine = new Machine(() => this.#act("pull"));
  #clock = new TurnClock();
  #board = h("div", { class: "board" }, this.#pile.element, this.#seats.element);
  #motion = new Choreography({
    seat: (seat) => this.#placeOf(seat),
    hand: (seat) => (seat === this.#scene?.seat && this.#scene.hand ? this.#hand.element : this.#placeOf(seat)),
    draw: this.#pile.draw,
    discard: this.#pile.discard,
    ring: this.#pile.ring,
    force: this.#pile.force,
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
    const bar = h("div", { class: "bar-below" }, this.#tray.element, this.#uno.element);
    const felt = [this.#log.strip, this.#board, this.#machine.element, this.#drawer.element, bar, this.#hand.element];
    this.replaceChildren(h("div", { class: "felt" }, felt), this.#motion.layer);
    this.#resize.observe(this.#board);
    this.#listen();
  }

  disconnectedCallback() {
    this.#listening?.abort();
    this.#resize.disconnect();
    this.#clock.stop();
    this.#motion.finish();
  }

  #listen() {
    this.#listening?.abort();
    const session = this.#session;
    if (!session) return;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    /** @param {string} name @param {(detail: any) => void} act */
    const on = (name, act) => session.addEventListener(name, (event) => act(/** @type {CustomEvent} */ (event).detail), { signal });
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
  }

  /** Draw everything as it stands now. */
  update() {
    const session = this.#session;
    const game = session?.game;
    if (!session || !game || !this.isConnected) return;
    const scene = makeScene({ game, table: session.table, you: session.you }, { acting: !this.hasAttribute("replay"), eyes: this.#eyes });
    if (scene.turn && !this.#scene?.turn && scene.game.mine) this.#ring();
    this.#scene = scene;
    if (this.#picked && !scene.cards.has(this.#picked)) this.#picked = null;
    for (const seat of scene.shown.exposed) this.#exposed.set(seat, performance.now());
    this.#ask = askOf(scene, this.#picked);
    this.#seats.update(scene, new Set(seatAnswers(this.#ask).keys()));
    this.#pile.update(scene);
    this.#hand.update(scene, this.#picked);
    this.#tray.update(scene, this.#ask);
    this.#uno.update(scene);
    this.#own.update(scene);
    void this.#machine.update(scene.shown.decision === "pull", scene.turn && Boolean(scene.game.mine));
    this.#showNews(scene);
    this.#showScores(scene);
    this.#startClock(scene);
    this.toggleAttribute("over", scene.shown.decision === "over" && !this.hasAttribute("replay"));
    this.toggleAttribute("paused", scene.table?.paused ?? false);
    this.toggleAttribute("crowded", scene.others.length > 5);
    this.#arrange();
  }

  /** It is one's turn. */
  #ring() {
    playSound("turn");
    vibrate("turn");
  }

  /** @param {number} seat */
  #placeOf(seat) {
    return seat === this.#scene?.seat ? this.#own.element : this.#seats.at(seat);
  }

  /** @param {readonly Happening[]} events */
  #dealt(events) {
    this.update();
    const scene = this.#scene;
    if (!scene) return;
    this.#log.add(scene, events);
    if (events.length) void this.#motion.deal(scene).then(() => this.#motion.perform(events, this.#actBefore(scene, [])));
  }

  /**
   * Where things were before what happens now.
   * @param {Scene} scene
   * @param {readonly Happening[]} events
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

  /** @param {readonly Happening[]} events */
  #happen(events) {
    const act = this.#scene && this.#actBefore(this.#scene, events);
    this.update();
    const scene = this.#scene;
    if (!scene) return;
    this.#log.add(scene, events);
    void this.#motion.perform(events, { ...(act ?? this.#actBefore(scene, [])), scene });
    const pulled = events.find(({ e }) => e === "lever")?.outcome;
    if (pulled) void this.#machine.show(/** @type {import("./lever.js").Outcome} */ (pulled));
    const shown = events.find(({ e, cards, other }) => e === "shown" && cards && other === scene.seat);
    if (shown?.cards && shown.seat != null) {
      this.#tell({ text: t("web.pick.shown", { player: nameOf(scene, shown.seat) }), cards: shown.cards });
    }
  }

  // --- what the person does -------------------------------------------------------------------------

  /**
   * Make a move; a refusal is told in words.
   * @param {string} move
   */
  async #act(move) {
    this.#picked = null;
    this.#tell(null);
    const answer = await this.#session?.act(move);
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
    if (move) return this.#picked ? this.#play(move) : this.#act(move);
    const catchable = performance.now() - (this.#exposed.get(seat) ?? -Infinity) < LATE_MS;
    if (catchable && this.#scene?.game.mine) this.#act(`catch>${seat}`);
  }

  /** Catch whoever can be caught, or could a moment ago. */
  #catchOne() {
    const scene = this.#scene;
    const seats = scene?.others.filter((seat) => this.#exposed.has(seat)) ?? [];
    seats.sort((a, b) => (this.#exposed.get(b) ?? 0) - (this.#exposed.get(a) ?? 0));
    if (scene?.game.mine && seats.length) this.#act(`catch>${seats[0]}`);
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
    else this.#drawer.close();
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
      log: () => this.#toggleLog(),
      hand: () => this.#hand.focus(),
      help: () => this.#drawer.open("keys", t("web.keys.title"), keyList()),
    });
  }

  #toggleLog() {
    if (this.#drawer.showing === "log") this.#drawer.close();
    else this.#drawer.open("log", t("web.game.log"), this.#log.list);
  }

  // --- what is shown beside the cards -----------------------------------------------------------------

  /** @param {News | null} news */
  #tell(news) {
    clearTimeout(this.#newsTimer);
    this.#news = news;
    if (news && !news.cards) this.#newsTimer = setTimeout(() => this.#tell(null), NEWS_MS);
    if (this.#scene) this.#showNews(this.#scene);
  }

  /** News first, then a hint. @param {Scene} scene */
  #showNews(scene) {
    const acting = !this.hasAttribute("replay") && !this.hasAttribute("tv");
    this.#tray.show(this.#news ?? (acting ? hintFor(scene, () => this.update()) : null), scene.kind);
  }

  /** @param {Scene} scene */
  async #showScores(scene) {
    const over = scene.shown.decision === "over" && !this.hasAttribute("replay");
    if (!over && this.#scores) this.#scores.element.hidden = true;
    if (!over || !this.#session) return;
    const [{ Scores }] = await Promise.all([import("./scores.js"), stylesheet("scores.css")]);
    if (this.#scene?.shown.decision !== "over" || !this.#session) return;
    this.#scores ??= new Scores(this.#session);
    if (!this.#scores.element.isConnected) this.#board.after(this.#scores.element);
    this.#scores.element.hidden = false;
    this.#scores.update(this.#scene);
  }

  /** @param {Scene} scene */
  #startClock({ game, shown, seat, table }) {
    const running = shown.decision !== "over" && !table?.paused && Boolean(game.clock);
    const face = shown.turn === seat ? this.#own.face : this.#seats.faceOf(shown.turn);
    if (face && this.#clock.element.parentElement !== face) face.append(this.#clock.element);
    const full = PACES[table?.settings.pace ?? ""] ?? PACES.normal;
    this.#clock.start(running ? (this.#session?.deadline ?? null) : null, game.clock?.bank ?? 0, full);
  }

  /** Seats by the room there is. */
  #arrange() {
    const { clientWidth: width, clientHeight: height } = this.#board;
    const round = this.hasAttribute("tv") || (this.#scene?.seat === null && width > 600 && height > 420);
    this.toggleAttribute("round", round);
    if (width) this.#seats.arrange({ width, height }, round);
  }
}

/** One's own face, beside the tray. */
class OwnSeat {
  face = h("span", { class: "seat-face" });
  #name = h("span", { class: "seat-name" });
  element = h("div", { class: "own seat", role: "img" }, h("span", { class: "seat-top" }, this.face), this.#name);
  #drawn = "";

  /** @param {Scene} scene */
  update(scene) {
    const { shown, seat } = scene;
    this.element.hidden = seat === null;
    if (seat === null) return;
    const name = nameOf(scene, seat);
    const state = {
      turn: shown.turn === seat && shown.decision !== "over",
      exposed: shown.exposed.includes(seat),
      called: shown.called.includes(seat),
      dealer: shown.dealer === seat,
    };
    for (const [key, on] of Object.entries(state)) this.element.classList.toggle(key, on);
    this.element.setAttribute("aria-label", describe(scene, seat, { ...state, exposed: false }));
    this.element.dataset.seat = String(seat);
    this.#name.textContent = name;
    if (this.#drawn === name) return;
    this.#drawn = name;
    this.face.querySelector(".avatar")?.remove();
    this.face.prepend(avatar(name));
  }
}

/**
 * A refusal in words; of a call or catch that came too late also how late.
 * @param {Refused} refused
 */
function refusal({ text, late }) {
  if (late == null) return text;
  const seconds = number(Math.max(0.1, late / 1000), { maximumFractionDigits: 1, minimumFractionDigits: 1 });
  return `${t("web.uno.late", { seconds })} ${text}`;
}

customElements.define("lc-game", LcGame);
