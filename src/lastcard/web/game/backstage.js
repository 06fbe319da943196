// What the first picture of a table does not need: motion, lever, drawer, scores. Each is fetched when it is wanted.

import { stylesheet } from "../ui/dom.js";
import { load } from "../ui/needs.js";
import { t } from "../ui/words.js";

/** @import {Session} from "../line/session.js" */
/** @import {Scene} from "../cards/scene.js" */
/** @import {Choreography, Places} from "../motion/choreography.js" */
/** @import {Outcome} from "../motion/lever.js" */
/** @import {Machine} from "../motion/machine.js" */
/** @import {Drawer} from "./drawer.js" */
/** @import {Scores} from "./scores.js" */

export class Backstage {
  /** @type {Choreography | null} */
  #motion = null;
  /** @type {Machine | null} */
  #machine = null;
  /** @type {Drawer | null} */
  #drawer = null;
  /** @type {Scores | null} */
  #scores = null;
  /** Whether the scores are to be seen, although they may still be on their way. */
  #over = false;
  #table;
  #board;
  #places;
  #pull;

  /**
   * @param {{table: HTMLElement, board: HTMLElement, places: Places, pull: () => void}} parts
   */
  constructor({ table, board, places, pull }) {
    this.#table = table;
    this.#board = board;
    this.#places = places;
    this.#pull = pull;
  }

  /** Motion and sound. */
  async theater() {
    // The first picture comes before what moves in it.
    if (!this.#motion) await new Promise((resolve) => setTimeout(resolve));
    const { Choreography } = await load(import("../motion/choreography.js"));
    if (!this.#motion) {
      this.#motion = new Choreography(this.#places);
      this.#table.append(this.#motion.layer);
    }
    return this.#motion;
  }

  /** Nothing moves any more. */
  finish() {
    this.#motion?.finish();
  }

  /**
   * The lever, where one is due or has been pulled.
   *
   * @param {Scene} scene
   * @param {Outcome} [outcome] what it showed
   */
  async lever({ shown, turn, game }, outcome) {
    const due = shown.decision === "pull";
    if (!due && !outcome && !this.#machine) return;
    const { Machine } = await load(import("../motion/machine.js"));
    if (!this.#machine) {
      this.#machine = new Machine(this.#pull);
      this.#board.after(this.#machine.element);
    }
    if (outcome) await this.#machine.show(outcome);
    else await this.#machine.update(due, turn && Boolean(game.mine));
  }

  /**
   * Open the drawer, or close it where it shows that already.
   *
   * @param {"log" | "keys"} name
   * @param {HTMLElement} log
   */
  async open(name, log) {
    const { Drawer, keyList } = await load(import("./drawer.js"));
    if (!this.#drawer) {
      this.#drawer = new Drawer();
      this.#board.after(this.#drawer.element);
    }
    if (this.#drawer.showing === name) this.#drawer.close();
    else if (name === "log") this.#drawer.open(name, t("web.game.log"), log);
    else this.#drawer.open(name, t("web.game.keys"), keyList());
  }

  /** Close the drawer. */
  close() {
    this.#drawer?.close();
  }

  /**
   * The scores, once a round is over.
   *
   * @param {Scene} scene
   * @param {Session} session
   * @param {boolean} over whether they are wanted
   */
  async scores(scene, session, over) {
    this.#over = over;
    if (this.#scores) this.#scores.element.hidden = !over;
    if (!over) return;
    const [{ Scores }] = await Promise.all([load(import("./scores.js")), stylesheet("game/scores.css")]);
    if (!this.#over) return;
    if (!this.#scores) {
      this.#scores = new Scores(session);
      this.#board.after(this.#scores.element);
    }
    const { element } = this.#scores;
    const came = element.hidden;
    element.hidden = false;
    this.#scores.update(scene);
    if (!came) return;
    // What had the focus may be hidden now.
    if (document.activeElement === document.body || this.#table.contains(document.activeElement)) element.focus();
    if (scene.shown.winners) void load(import("../motion/confetti.js")).then(({ rain }) => rain(this.#table));
  }
}
