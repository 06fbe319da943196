/** Parts of the table that its first picture does not need: motion, lever, side panel, scores. Each is loaded on first use. */

import { later, load } from "../ui/resources.js";
import { focusNew } from "../ui/repeats.js";
import { cardName } from "../cards/cards.js";
import { occupantOf } from "../cards/view.js";

/** @import {Happening} from "../net/protocol.js" */
/** @import {Session} from "../net/session.js" */
/** @import {View} from "../cards/view.js" */
/** @import {Before, EventMotion, Places} from "../motion/events.js" */
/** @import {LeverPanel, Outcome} from "../motion/lever.js" */
/** @import {Scoreboard} from "./scoreboard.js" */
/** @import {Scores} from "./scores.js" */
/** @import {Targets} from "../guide/lesson.js" */
/** @import {Prompt} from "./prompt.js" */
/** @import {SidePanel} from "./sidepanel.js" */

/** How long the last card is visible before the scores appear. */
const SCORES_DELAY_MS = 500;

/** A screen with space beside the table, as in `scoreboard.css`; a media query, because it needs no measurement. */
const wide = matchMedia("(min-width: 1200px)");

export class DeferredParts {
  /** @type {EventMotion | null} */
  #motion = null;
  /** @type {LeverPanel | null} */
  #lever = null;
  /** @type {SidePanel | null} */
  #panel = null;
  /** @type {Scoreboard | null} */
  #scoreboard = null;
  /** @type {import("../guide/cardinfo.js").CardInfo | null} */
  #cardInfo = null;
  /** The animation that is running on the table. @type {Promise<unknown>} */
  #landing = Promise.resolve();
  /** The match whose end was seen live. */
  #watched = "";
  /** @type {Scores | null} */
  #scores = null;
  /** Whether the scores should be visible, although they may still be loading. */
  #over = false;
  /** The lesson module while a lesson runs, and its end panel while shown. @type {typeof import("../guide/lesson.js") | null} */
  #lesson = null;
  /** @type {HTMLElement | null} */
  #lessonEnd = null;
  /** The tips for a first game. @type {typeof import("./tips.js") | null} */
  tips = null;
  /** The keyboard control. @type {typeof import("./keys.js") | null} */
  keys = null;
  #game;

  /**
   * @param {{table: HTMLElement, board: HTMLElement, middle: HTMLElement, places: Places, targets: Targets, pull: () => void}}
   *   game the game element; `targets` are the elements a lesson points at
   */
  constructor(game) {
    this.#game = game;
  }

  /** Returns motion and sound, loaded on first use. */
  async motion() {
    if (this.#motion) return this.#motion;
    // The first picture is drawn before anything moves in it.
    const { EventMotion } = await later(() => import("../motion/events.js"));
    if (!this.#motion) {
      this.#motion = new EventMotion(this.#game.places);
      this.#game.board.parentElement?.append(this.#motion.layer);
    }
    return this.#motion;
  }

  /** @param {readonly Happening[]} events @param {Before} before */
  show(events, before) {
    this.#landing = this.motion().then((motion) => motion.show(events, before));
  }

  /**
   * Shows the leaders and the last events on a wide screen.
   * @param {View} view @param {readonly string[]} events
   * @param {() => void} open shows all events
   */
  async scoreboard(view, events, open) {
    const { table } = this.#game;
    if (table.hasAttribute("replay") || !wide.matches) return;
    if (!this.#scoreboard) {
      const { Scoreboard } = await later(() => import("./scoreboard.js"));
      this.#scoreboard ??= new Scoreboard(open, table.hasAttribute("tv"));
      this.#game.board.parentElement?.append(this.#scoreboard.element);
    }
    this.#scoreboard.update(view, events);
  }

  /**
   * Makes the cards of the hand draggable onto the piles.
   * @param {HTMLElement} hand @param {(card: string) => void} drop
   */
  async drag(hand, drop) {
    const { enableDrag } = await later(() => import("./drag.js"));
    enableDrag({ table: this.#game.table, hand, piles: this.#game.middle }, drop);
  }

  /** Settled once tips and keys are loaded. @type {Promise<void>} */
  guided = Promise.resolve();

  /** @param {() => void} again called when the tips are loaded */
  loadTipsAndKeys(again) {
    this.guided = Promise.all([later(() => import("./keys.js")), later(() => import("./tips.js"))]).then((loaded) => {
      [this.keys, this.tips] = loaded;
      again();
    });
  }

  /**
   * Lets people ask about any card of the table.
   * @param {(at: Element) => boolean} describe returns whether there is a card
   */
  async enableCardInfo(describe) {
    const { onLongPress } = await later(() => import("../guide/longpress.js"));
    onLongPress(this.#game.table, describe);
  }

  finish() {
    this.#motion?.finish();
  }

  /**
   * Shows the lever if it must be or has been pulled.
   * @param {View} view
   * @param {Outcome} [outcome] its outcome
   */
  async lever({ shown, turn, game }, outcome) {
    const due = shown.decision === "pull";
    if (!due && !outcome && !this.#lever) return;
    const { LeverPanel } = await load(import("../motion/lever.js"));
    if (!this.#lever) {
      this.#lever = new LeverPanel(this.#game.pull);
      this.#game.middle.prepend(this.#lever.element);
    }
    if (outcome) await this.#lever.show(outcome);
    else this.#lever.update(due, turn && Boolean(game.mine));
  }

  /**
   * Returns the question; in a lesson with the lesson's text and permitted answers, and points at its target.
   * @param {View} view @param {Prompt} prompt
   * @param {boolean} picked whether the viewer is naming a color or player
   * @param {() => void} again called when the lesson's texts are loaded
   * @returns {Prompt}
   */
  withLesson(view, prompt, picked, again) {
    if (!view.game.mine?.lesson) return prompt;
    if (!this.#lesson) {
      void load(import("../guide/lesson.js")).then((lesson) => {
        this.#lesson = lesson;
        again();
      });
      return prompt;
    }
    this.#lesson.point(view, this.#game.targets);
    if (picked) return prompt;
    // A lesson permits fewer answers than the table.
    const answers = prompt.answers.filter(({ move }) => !move || view.choices.some(({ text }) => text === move));
    return { ...prompt, answers, prompt: this.#lesson.wordsOf(view) ?? prompt.prompt };
  }

  /**
   * Opens the side panel, or closes it if it shows that already.
   * @param {"log" | "keys"} name @param {HTMLElement} log
   */
  async openPanel(name, log) {
    (await this.#loadSidePanel()).toggle(name, log);
  }

  async #loadSidePanel() {
    const { SidePanel } = await load(import("./sidepanel.js"));
    if (!this.#panel) {
      this.#panel = new SidePanel();
      this.#game.board.after(this.#panel.element);
    }
    return this.#panel;
  }

  /**
   * Describes a card in the side panel.
   * @param {{card: string, held: boolean}} shown the card, and whether it is in the viewer's hand
   * @param {View} view @param {Session} session
   */
  async showCard(shown, view, session) {
    const [panel, { CardInfo }] = await Promise.all([this.#loadSidePanel(), load(import("../guide/cardinfo.js"))]);
    this.#cardInfo = new CardInfo(shown, view);
    void this.#cardInfo.update(view, session);
    panel.open("card", cardName(shown.card, view.kind), this.#cardInfo.element);
  }

  /** Updates the description of a card after an event. @param {View} view @param {Session} session */
  updateCard(view, session) {
    if (this.#panel?.showing === "card") void this.#cardInfo?.update(view, session);
  }

  /** Closes the description of a card. @returns {boolean} whether one was open */
  closeCard() {
    if (this.#panel?.showing !== "card") return false;
    this.#panel.close();
    return true;
  }

  closePanel() {
    this.#panel?.close();
  }

  /**
   * Shows the scores once a round is over.
   * @param {View} view @param {Session} session
   * @param {boolean} over whether to show them
   */
  async scores(view, session, over) {
    const round = `${view.game.match} ${view.shown.round}`;
    this.#over = over;
    if (!over) {
      this.#watched = round;
      if (this.#scores) this.#scores.element.hidden = true;
      else if (Math.min(...view.shown.counts) === 1) void load(import("./scores.js"));
      return;
    }
    const lesson = Boolean(view.game.mine?.lesson);
    const { Scores } = await load(import("./scores.js"));
    // The last card lands, followed by a short pause.
    if (this.#watched === round) {
      await this.#landing;
      await new Promise((resolve) => setTimeout(resolve, SCORES_DELAY_MS));
      this.#watched = "";
    }
    if (!this.#over) return;
    if (lesson) return this.#endLesson(view);
    if (!this.#scores) {
      this.#scores = new Scores(session);
      this.#game.board.after(this.#scores.element);
    }
    const { element } = this.#scores;
    const came = element.hidden;
    element.hidden = false;
    this.#scores.update(view);
    if (!came) return;
    // The focused element may be hidden now.
    if (document.activeElement === document.body || this.#game.table.contains(document.activeElement)) element.focus();
    const isWonByPerson = view.shown.winners?.some((seat) => occupantOf(view, seat)?.player); // not by a bot
    if (isWonByPerson) void load(import("../motion/confetti.js")).then(({ rain }) => rain(this.#game.table));
  }

  /** @param {View} view */
  async #endLesson(view) {
    const { lessonEnd } = await load(import("../guide/lesson.js"));
    if (this.#lessonEnd) return;
    this.#lessonEnd = lessonEnd(view);
    this.#game.board.after(this.#lessonEnd);
    const next = this.#lessonEnd.querySelector("button");
    if (next) focusNew(next);
    void load(import("../motion/confetti.js")).then(({ rain }) => rain(this.#game.table));
  }
}
