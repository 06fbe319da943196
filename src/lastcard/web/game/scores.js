/** Between rounds and after the match: who has won, what everybody held, the scores, and how it goes on. */

import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { load, need } from "../ui/needs.js";
import { number, t, useTexts } from "../ui/words.js";
import { get } from "../line/api.js";
import { avatar, cardFace } from "../cards/art.js";
import { cardNames, sortCards } from "../cards/cards.js";
import { nameOf, sitter } from "../cards/view.js";

/** @import {Replay} from "../line/protocol.js" */
/** @import {Session} from "../line/session.js" */
/** @import {View} from "../cards/view.js" */

need(useTexts("after"), stylesheet("game/scores.css"));

export class Scores {
  #body = h("div", { class: "scores-body", tabindex: 0 });
  #actions = h("div", { class: "scores-actions" });
  #countdown = h("span", { class: "scores-next" });
  element = h("section", { class: "scores raised", hidden: true, tabindex: -1 }, this.#body, this.#actions);
  #drawn = "";
  #timer = 0;
  #session;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  /** @param {View} view */
  update(view) {
    const { shown, game, table } = view;
    const drawn = JSON.stringify([game.match, shown.round, shown.winners, shown.scores, view.others, table?.phase]);
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      const title = h("h2", null, headline(view));
      this.element.setAttribute("aria-label", title.textContent ?? "");
      this.#body.replaceChildren(title, winners(view), this.#results(view));
    }
    const focused = this.#actions.contains(document.activeElement);
    const actions = shown.winners ? this.#afterMatch(view) : this.#afterRound(view);
    this.#actions.replaceChildren(...actions.filter((action) => action !== false));
    if (focused) this.#actions.querySelector("button")?.focus();
    this.#tick();
  }

  /** @param {View} view */
  #results(view) {
    const { shown } = view;
    const several = shown.round > 0 || !shown.winners;
    const order = view.seat === null ? view.others : [view.seat, ...view.others];
    const rows = order.map((seat) => row(view, seat, several));
    const heads = [t("web.score.player"), t("web.score.held"), ...(several ? [t("web.score.total")] : [])];
    const table = h(
      "table",
      null,
      h("caption", { class: "visually-hidden" }, t("web.score.table")),
      h(
        "thead",
        null,
        h("tr", null, heads.map((head) => h("th", { scope: "col" }, head))),
      ),
      h("tbody", null, rows),
    );
    return h("div", { class: "scores-table" }, table, several && shown.winners ? roundsOf(view) : "");
  }

  /** @param {View} view */
  #afterRound(view) {
    const seat = this.#session.seat;
    if (seat === null) return [this.#countdown];
    const ready = sitter(view, seat)?.ready ?? false;
    const others = view.table?.seats.filter((info) => info?.player && info.here && !info.ready).length ?? 0;
    const text = ready ? t("web.score.waiting", { n: others }) : t("web.score.next");
    const next = () => this.#session.send({ type: "ready" });
    return [button(text, next, { look: "primary big", disabled: ready }), this.#countdown];
  }

  /** @param {View} view */
  #afterMatch(view) {
    const path = `/match/${view.game.match}`;
    const check = () => showCheck(view.game.match);
    const { hosting, tv } = this.#session;
    if (tv) return [];
    const again = () => this.#session.send({ type: "start" });
    // The page of the table listens for it.
    const settings = () => this.element.dispatchEvent(new CustomEvent("lobby", { bubbles: true }));
    return [
      hosting
        ? button(t("web.score.again"), again, { look: "primary big" })
        : h("p", { class: "soft" }, t("web.score.host_again")),
      hosting && button(t("web.score.settings"), settings),
      h("a", { class: "button", href: path }, t("web.score.replay")),
      button(t("web.score.check"), check),
    ];
  }

  /** Seconds until the next round comes by itself. */
  #tick() {
    clearTimeout(this.#timer);
    const { nextAt } = this.#session;
    const left = nextAt === null ? 0 : Math.max(0, Math.ceil((nextAt - performance.now()) / 1000));
    this.#countdown.textContent = left ? t("web.score.next_in", { n: left }) : "";
    if (left && this.element.isConnected) this.#timer = setTimeout(() => this.#tick(), 500);
  }
}

/** @param {View} view */
function headline(view) {
  const { shown, seat } = view;
  const [winner, ...more] = shown.winners ?? [];
  if (more.length) {
    const players = [winner, ...more].map((each) => nameOf(view, each)).join(", ");
    return t("web.score.won_together", { players });
  }
  if (shown.winners) return winner === seat ? t("web.score.won_you") : t("web.score.won", { player: nameOf(view, winner) });
  if (shown.winner === null) return t("event.round_void");
  return shown.winner === seat ? t("event.round_won.you") : t("event.round_won", { player: nameOf(view, shown.winner) });
}

/** The faces of those who have won. @param {View} view */
function winners(view) {
  const { shown } = view;
  const seats = shown.winners ?? (shown.winner === null ? [] : [shown.winner]);
  return h(
    "div",
    { class: `scores-winners ${shown.winners ? "match" : ""}` },
    seats.map((seat) => avatar(nameOf(view, seat), { bot: sitter(view, seat)?.bot ?? null })),
  );
}

/**
 * @param {View} view
 * @param {number} seat
 * @param {boolean} several whether there is a total to show
 */
function row(view, seat, several) {
  const { shown, kind } = view;
  const hand = sortCards(shown.hands?.[seat] ?? []);
  const won = (shown.winners ?? [shown.winner]).includes(seat);
  return h(
    "tr",
    { class: won ? "won" : seat === view.seat ? "own" : "" },
    h("th", { scope: "row" }, nameOf(view, seat)),
    h(
      "td",
      null,
      hand.length > 0 &&
        h(
          "span",
          { class: "held", role: "img", "aria-label": cardNames(hand, kind) },
          hand.map((card) => h("span", null, cardFace(card, { game: kind }))),
        ),
      h("span", { class: "points" }, t("count.points", { n: shown.points?.[seat] ?? 0 })),
    ),
    several && h("td", { class: "total" }, number(shown.scores[seat])),
  );
}

/** The score after each round, fetched when it is wanted. @param {View} view */
function roundsOf(view) {
  const { game } = view;
  const content = h("div", { class: "scores-rounds" });
  return h(
    "details",
    {
      ontoggle: async () => {
        if (content.firstChild) return;
        /** @type {Replay} */
        const replay = await get(`/api/matches/${game.match}/replay`);
        content.replaceChildren(roundTable(replay));
      },
    },
    h("summary", null, t("web.score.by_round")),
    content,
  );
}

/** @param {Replay} replay */
function roundTable({ names, rounds }) {
  const rows = rounds.map(({ first, steps }, i) =>
    h(
      "tr",
      null,
      h("th", { scope: "row" }, t("web.score.round", { number: i + 1 })),
      (steps.at(-1) ?? first).public.scores.map((score) => h("td", null, number(score))),
    ),
  );
  const head = h("tr", null, h("td", null), names.map((name) => h("th", { scope: "col" }, name)));
  return h("table", null, h("thead", null, head), h("tbody", null, rows));
}

/** Check the shuffle of a match before the person's eyes. @param {string} match */
async function showCheck(match) {
  const loading = load(import("../replay/verifydialog.js"));
  const [{ openCheck }, replay] = await Promise.all([loading, get(`/api/matches/${match}/replay`)]);
  await openCheck(replay);
}
