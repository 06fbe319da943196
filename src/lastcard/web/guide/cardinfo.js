/** A large card, its effect under the table's rules, and whether it can be played now or why not. */

import { h, stylesheet } from "../ui/dom.js";
import { errorWords } from "../ui/failures.js";
import { need, onceEach } from "../ui/resources.js";
import { language, t, useTexts } from "../ui/texts.js";
import { get } from "../net/api.js";
import { cardFace } from "../cards/art.js";
import { cardKind } from "../cards/cards.js";
import { cited } from "../cards/narrate.js";
import { sampleMove } from "../cards/view.js";

/** @import {Session} from "../net/session.js" */
/** @import {View} from "../cards/view.js" */

need(stylesheet("guide/cardinfo.css"), useTexts("card"));

/** Effects by kind of card. @typedef {{effects: Record<string, string>, cites: Record<string, string[]>}} Effects */

/** Returns the effects at a path with the ruleset and the language. @type {(path: string) => Promise<Effects>} */
const effectsAt = onceEach((path) => get(path));

export class CardInfo {
  #does = h("p", { class: "card-does" });
  #now = h("p", { class: "card-now", role: "status" });
  /** The ply for which the text says whether the card can be played. */
  #ply = -1;
  #card;
  #held;

  /**
   * @param {{card: string, held: boolean}} shown the card, and whether it is in the viewer's hand
   * @param {View} view
   */
  constructor({ card, held }, view) {
    this.#card = card;
    this.#held = held;
    const picture = h("div", { class: "card-large", "aria-hidden": "true" }, cardFace(card, { game: view.kind }));
    const words = h("div", { class: "card-words" }, this.#does, this.#now);
    this.element = h("div", { class: "row card-about" }, picture, words);
    this.#describe(view).catch((error) => (this.#does.textContent = errorWords(error)));
  }

  /** @param {View} view */
  async #describe({ game, kind }) {
    const own = cardKind(this.#card, kind);
    const { effects, cites } = await effectsAt(`/api/rules/${encodeURIComponent(game.rules)}?lang=${language()}`);
    const does = cited(effects[own] ?? "", cites[own] ?? []);
    this.#does.textContent = own === "number" ? `${t("web.card.number")} ${does}` : does;
  }

  /**
   * Updates whether the card can be played, if it is in the viewer's hand.
   * @param {View} view @param {Session} session
   */
  async update(view, session) {
    const { game, hand, cards } = view;
    const held = this.#held && game.mine !== null && (hand?.includes(this.#card) ?? false);
    this.#now.hidden = !held;
    if (!held || this.#ply === game.ply) return;
    this.#ply = game.ply;
    const can = cards.has(this.#card);
    const reason = can ? null : await session.why(sampleMove(view, this.#card));
    if (this.#ply !== game.ply) return;
    this.#now.classList.toggle("can", can);
    this.#now.textContent = reason ? cited(reason.text, reason.clause ? [reason.clause] : []) : t("web.card.can");
  }
}
