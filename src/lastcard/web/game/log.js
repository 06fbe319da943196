// What has happened, in words: the last lines above the table, all of them in a list, and read out.

import { h } from "../ui/dom.js";
import { announce } from "../ui/toast.js";
import { t } from "../ui/words.js";
import { narrate } from "../cards/narrate.js";

/** @import {Happening} from "../line/protocol.js" */
/** @import {Scene} from "../cards/scene.js" */

const KEPT = 300;
/** The strip shows two lines where they are short. */
const STRIP = 76;

export class Log {
  list = h("ol", { class: "log" });
  #last = h("span");
  strip = h("button", { type: "button", class: "log-strip" }, this.#last);

  /** @param {() => void} open shows the whole list */
  constructor(open) {
    this.strip.addEventListener("click", open);
  }

  /**
   * Begin anew with what is known of the last moves.
   * @param {Scene} scene
   */
  reset(scene) {
    this.list.replaceChildren();
    this.#write(scene, scene.game.recent);
  }

  /**
   * @param {Scene} scene
   * @param {readonly Happening[]} events
   */
  add(scene, events) {
    const lines = this.#write(scene, events);
    if (lines.length) announce(lines.join(" "));
  }

  /**
   * @param {Scene} scene
   * @param {readonly Happening[]} events
   */
  #write(scene, events) {
    const { game, table, kind, seat } = scene;
    const players = game.players.map((name, i) => table?.seats[i]?.name ?? name);
    const lines = events.map((event) => narrate(event, { players, game: kind, viewer: seat }));
    this.list.append(...lines.map((line) => h("li", null, line)));
    while (this.list.children.length > KEPT) this.list.firstElementChild?.remove();
    const [before, now] = ["", "", ...[...this.list.children].map((line) => line.textContent ?? "")].slice(-2);
    const last = before.length + now.length < STRIP ? `${before} ${now}`.trim() : now;
    this.#last.textContent = last || t("web.game.log");
    this.strip.setAttribute("aria-label", `${t("web.game.log")}. ${last}`);
    const scroller = this.list.parentElement;
    if (scroller) scroller.scrollTop = scroller.scrollHeight;
    return lines;
  }
}
