/** What the first picture of a table does not need: motion, lever, side panel, scores. Each is loaded when wanted. */

import { load } from "../ui/needs.js";
import { t } from "../ui/words.js";

/** @import {Session} from "../line/session.js" */
/** @import {View} from "../cards/view.js" */
/** @import {EventMotion, Places} from "../motion/events.js" */
/** @import {LeverPanel, Outcome} from "../motion/lever.js" */
/** @import {Scores} from "./scores.js" */
/** @import {SidePanel} from "./sidepanel.js" */

export class LazyParts {
  /** @type {EventMotion | null} */
  #motion = null;
  /** @type {LeverPanel | null} */
  #lever = null;
  /** @type {SidePanel | null} */
  #panel = null;
  /** @type {Scores | null} */
  #scores = null;
  /** Whether the scores are to be seen, although they may still be on their way. */
  #over = false;
  #game;

  /** @param {{table: HTMLElement, board: HTMLElement, places: Places, pull: () => void}} game what they are parts of */
  constructor(game) {
    this.#game = game;
  }

  /** What moves and sounds, from its first use on. */
  async motion() {
    // The first picture comes before what moves in it.
    if (!this.#motion) await new Promise((resolve) => setTimeout(resolve));
    const { EventMotion } = await load(import("../motion/events.js"));
    if (!this.#motion) {
      this.#motion = new EventMotion(this.#game.places);
      this.#game.table.append(this.#motion.layer);
    }
    return this.#motion;
  }

  /** End every motion. */
  finish() {
    this.#motion?.finish();
  }

  /**
   * The lever, where one is due or has been pulled.
   *
   * @param {View} view
   * @param {Outcome} [outcome] what it showed
   */
  async lever({ shown, turn, game }, outcome) {
    const due = shown.decision === "pull";
    if (!due && !outcome && !this.#lever) return;
    const { LeverPanel } = await load(import("../motion/lever.js"));
    if (!this.#lever) {
      this.#lever = new LeverPanel(this.#game.pull);
      this.#game.board.after(this.#lever.element);
    }
    if (outcome) await this.#lever.show(outcome);
    else this.#lever.update(due, turn && Boolean(game.mine));
  }

  /**
   * Open the side panel, or close it where it shows that already.
   *
   * @param {"log" | "keys"} name
   * @param {HTMLElement} log
   */
  async openPanel(name, log) {
    const { SidePanel, keyList } = await load(import("./sidepanel.js"));
    if (!this.#panel) {
      this.#panel = new SidePanel();
      this.#game.board.after(this.#panel.element);
    }
    if (this.#panel.showing === name) this.#panel.close();
    else if (name === "log") this.#panel.open(name, t("web.game.log"), log);
    else this.#panel.open(name, t("web.game.keys"), keyList());
  }

  /** Close the side panel. */
  closePanel() {
    this.#panel?.close();
  }

  /**
   * The scores, once a round is over.
   *
   * @param {View} view
   * @param {Session} session
   * @param {boolean} over whether they are wanted
   */
  async scores(view, session, over) {
    this.#over = over;
    if (this.#scores) this.#scores.element.hidden = !over;
    if (!over) return;
    const { Scores } = await load(import("./scores.js"));
    if (!this.#over) return;
    if (!this.#scores) {
      this.#scores = new Scores(session);
      this.#game.board.after(this.#scores.element);
    }
    const { element } = this.#scores;
    const came = element.hidden;
    element.hidden = false;
    this.#scores.update(view);
    if (!came) return;
    // What had the focus may be hidden now.
    if (document.activeElement === document.body || this.#game.table.contains(document.activeElement)) element.focus();
    if (view.shown.winners) void load(import("../motion/confetti.js")).then(({ rain }) => rain(this.#game.table));
  }
}
