/** A panel over a part of the table that blocks nothing: the game goes on, the UNO button stays free. */

import { iconButton } from "../ui/button.js";
import { h, stylesheet, uniqueId } from "../ui/dom.js";
import { closeIcon } from "../ui/icons.js";
import { need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";

need(useTexts("side"), stylesheet("game/sidepanel.css"));

export class SidePanel {
  #id = uniqueId();
  #title = h("h2", { id: this.#id, tabindex: -1 });
  #content = h("div", { class: "content scroller", tabindex: 0 });
  #name = "";
  /** @type {Element | null} */
  #from = null;
  element = h("section", { class: "side-panel raised", "aria-labelledby": this.#id, hidden: true });

  constructor() {
    const close = iconButton(closeIcon(), t("web.pick.close"), () => this.close());
    this.element.append(h("header", null, this.#title, close), this.#content);
  }

  /** The name of the shown content; empty when closed. */
  get showing() {
    return this.element.hidden ? "" : this.#name;
  }

  /** @param {string} name the content's name @param {string} title @param {Node} content */
  open(name, title, content) {
    if (this.element.hidden) this.#from = document.activeElement;
    this.#name = name;
    this.#title.textContent = title;
    this.#content.replaceChildren(content);
    this.#show(true);
    this.#title.focus();
    this.#content.scrollTop = name === "log" ? this.#content.scrollHeight : 0;
  }

  /** @param {boolean} shown */
  #show(shown) {
    this.element.hidden = !shown;
    document.body.classList.toggle("has-side-panel", shown); // for what a page places over the table
  }

  /**
   * Opens the log or the list of keys, or closes the panel if it shows that already.
   * @param {"log" | "keys"} name @param {HTMLElement} log
   */
  toggle(name, log) {
    if (this.showing === name) this.close();
    else if (name === "log") this.open(name, t("web.game.log"), log);
    else this.open(name, t("web.keys.title"), keyList());
  }

  close() {
    if (this.element.hidden) return;
    this.#show(false);
    if (this.#from instanceof HTMLElement && this.#from.isConnected) this.#from.focus();
  }
}

function keyList() {
  /** @type {[string, string][]} */
  const keys = [
    ["← →", t("web.keys.cards")],
    ["↑ ↓", t("web.keys.pile")],
    ["Enter", t("web.keys.play")],
    ["D", t("web.keys.draw")],
    ["P", t("web.keys.pass")],
    ["U", t("web.keys.uno")],
    ["C", t("web.keys.catch")],
    ["R Y G B", t("web.keys.colors")],
    ["1 – 9", t("web.keys.answers")],
    ["X A", t("web.keys.challenge")],
    ["J", t("web.keys.pull")],
    ["Z", t("web.keys.take_back")],
    ["V", t("web.keys.voice")],
    ["L", t("web.keys.log")],
    ["Esc", t("web.keys.cancel")],
    ["?", t("web.keys.help")],
  ];
  return h(
    "dl",
    { class: "keys" },
    keys.map(([key, words]) => [h("dt", null, h("kbd", null, key)), h("dd", null, words)]),
  );
}
