/** Hints: the best moves on the viewer's turn, with their chances and a reason for each, beside a running game. */

import { gameOf } from "../bindings/rulename.js";
import { analyzesLocally } from "../ui/address.js";
import { h, stylesheet, uniqueId } from "../ui/dom.js";
import { load, need } from "../ui/resources.js";
import { Popover } from "../ui/popover.js";
import { percent, t, useTexts } from "../ui/texts.js";
import { randomHex } from "../net/shuffle.js";
import { avatar, cardBack, cardFace, colorSymbol } from "../cards/art.js";
import { moveParts } from "../cards/cards.js";

/** @import {AdvisedMove, SeatObservation} from "../net/protocol.js" */
/** @import {Answer, Session} from "../net/session.js" */

need(stylesheet("ui/controls.css"), stylesheet("game/advice.css"), useTexts("advice"));

export class AdvicePanel {
  #session;
  /** Counts requests, so that only the answer to the last one is shown. */
  #asked = 0;

  /** @param {Session} session @param {HTMLButtonElement} button */
  constructor(session, button) {
    this.#session = session;
    this.popover = new Popover(button, "advice", t("web.table.hint"), () => void this.#ask());
    // Each event makes the hints obsolete.
    for (const event of ["moved", "dealt"]) session.addEventListener(event, this.popover.close);
  }

  async #ask() {
    this.#asked += 1;
    const asked = this.#asked;
    this.#show(h("p", { class: "soft" }, t("web.advice.thinking")));
    const here = analyzesLocally && !this.#session.isLocal;
    const answer = await this.#session.ask({ type: "advise", id: randomHex(12), ...(here ? { here } : {}) });
    const found = answer?.type === "sight" ? await this.#think(answer) : answer;
    if (asked !== this.#asked || !this.popover.isOpen) return;
    if (found?.type === "refused") this.#show(h("p", { role: "alert" }, found.text));
    else if (found?.type !== "advice" || found.ply !== this.#session.game?.ply) this.popover.close();
    else this.#showMoves(found.moves);
  }

  /**
   * Returns the hint that a server would give, computed in the page; if the page cannot compute it, the server does.
   * @param {SeatObservation} answer the observation that the server sent
   * @returns {Promise<Answer | null>}
   */
  async #think({ id, ply, table, past }) {
    const { game, seat } = this.#session;
    if (!game || seat === null || game.ply !== ply) return null;
    try {
      const archive = await load(import("../localtable/archive.js"));
      const { rules, players, public: open } = game;
      return { type: "advice", id, ply, moves: [...(await archive.hints({ rules, players, seat, rule: open.rule, table, past }))] };
    } catch (error) {
      console.warn(error);
      return this.#session.ask({ type: "advise", id: randomHex(12) });
    }
  }

  /** @param {readonly AdvisedMove[]} moves */
  #showMoves(moves) {
    this.#show(
      h(
        "ol",
        { class: "advice-moves" },
        moves.map((advised, i) => item(advised, this.#picture(advised.move), i === 0)),
      ),
      h("p", { class: "advice-about soft small" }, t("web.advice.about")),
    );
  }

  /**
   * Returns the picture of a move: its card, color or player; the card that is drawn or kept; else the card that it is about.
   * @param {string} move
   */
  #picture(move) {
    const { game, table } = this.#session;
    const { verb, card, color, target } = moveParts(move);
    const face = (/** @type {string} */ code) => cardFace(code, { game: gameOf(game?.rules ?? "") });
    if (card !== null) return face(card);
    if (color !== null) return colorSymbol(color);
    const info = target === null ? null : table?.seats[target];
    if (info) return avatar(info.name, info);
    if (verb === "draw" || verb === "accept") return cardBack();
    return face((verb === "pass" && game?.mine?.drawn) || (game?.public.top ?? "??"));
  }

  /** @param {...HTMLElement} parts */
  #show(...parts) {
    const content = h("div", { class: "stack", role: "status" }, parts);
    this.popover.panel.replaceChildren(h("h2", null, t("web.table.hint")), content);
  }
}

/**
 * Returns a list item for a move; on small screens its text appears when it is selected.
 * @param {AdvisedMove} advised @param {SVGElement} picture @param {boolean} checked
 */
function item({ words, chance, error, why }, picture, checked) {
  const share = `${percent(chance)} ± ${percent(Math.max(0.01, error))}`; // half the interval, which is never shown as zero
  const id = uniqueId();
  return h(
    "li",
    { class: "advice-move" },
    h("input", { type: "radio", id, name: "advice", class: "advice-choice", checked, "aria-label": `${words}, ${share}` }),
    h(
      "label",
      { class: "advice-pick", for: id },
      h("span", { class: "advice-card" }, picture),
      h("span", { class: "advice-chance" }, share),
    ),
    h("div", { class: "advice-words" }, h("strong", null, words), h("p", { class: "small" }, why)),
  );
}
