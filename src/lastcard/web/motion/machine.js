// The lever on the table: it comes when somebody must pull, shows what it showed, and goes.

import { h, stylesheet } from "../ui/dom.js";
import { load } from "../ui/needs.js";

/** @import {Lever, Outcome} from "./lever.js" */

/** How long the result stays. */
const HOLD_MS = 1800;

export class Machine {
  element = h("div", { class: "machine", hidden: true });
  /** @type {Lever | null} */
  #lever = null;
  #wanted = false;
  /** A lever that spins is not taken away. */
  #busy = false;
  #timer = 0;
  #pull;

  /** @param {() => void} pull */
  constructor(pull) {
    this.#pull = pull;
    this.element.addEventListener("pull", () => this.#pull());
  }

  /**
   * @param {boolean} wanted whether a pull is due
   * @param {boolean} pullable whether the one who looks on is to pull
   */
  async update(wanted, pullable) {
    this.#wanted = wanted;
    if (wanted) {
      const lever = await this.#fetch();
      if (!this.#wanted || this.#busy) return;
      this.element.hidden = false;
      if (lever.pullable !== pullable) lever.pullable = pullable;
    } else if (!this.#busy) this.element.hidden = true;
  }

  /** @param {Outcome} outcome */
  async show(outcome) {
    clearTimeout(this.#timer);
    this.#busy = true;
    this.element.hidden = false;
    const lever = await this.#fetch();
    await lever.show(outcome);
    this.#timer = setTimeout(() => this.finish(), HOLD_MS);
  }

  /** Take the lever away, unless another pull is due. */
  finish() {
    this.#busy = false;
    this.#lever?.finish();
    this.element.hidden = !this.#wanted;
  }

  /** The lever is fetched when it is first wanted: only one of the games has one. */
  async #fetch() {
    const [module] = await Promise.all([load(import("./lever.js")), stylesheet("motion/lever.css")]);
    if (!this.#lever) {
      this.#lever = new module.Lever();
      this.element.append(this.#lever);
    }
    return this.#lever;
  }
}
