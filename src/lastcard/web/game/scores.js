/** The panel between rounds and after the match: the winner, the hands left, the scores, and how play continues. */

import { valueIn } from "../bindings/rulename.js";
import { isLocal } from "../ui/address.js";
import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { listed } from "../ui/lists.js";
import { attempt } from "../ui/panels.js";
import { load, need } from "../ui/resources.js";
import { refill } from "../ui/presses.js";
import { number, t, useTexts } from "../ui/texts.js";
import { get } from "../net/api.js";
import { avatar, cardFace } from "../cards/art.js";
import { cardName, cardNames, partnerOf, sortCards, teamMark } from "../cards/cards.js";
import { markedName } from "../cards/marks.js";
import { isScored, avatarOf, markOf, nameOf, secondsUntil } from "../cards/view.js";

/** @import {Replay, SeatInfo} from "../net/protocol.js" */
/** @import {Session} from "../net/session.js" */
/** @import {Highlight} from "../localtable/highlights.js" */
/** @import {View} from "../cards/view.js" */

need(useTexts("after"), stylesheet("game/scores.css"));

/**
 * A session in a page that has no address for a finished match; `review` shows the match there.
 * @typedef {Session & {review?: (part: "replay" | "luck") => void}} ReviewableSession
 */

export class Scores {
  #body = h("div", { class: "scores-body scroller", tabindex: 0 });
  #actions = h("div", { class: "row scores-actions" });
  #countdown = h("span", { class: "scores-next" });
  element = h("section", { class: "scores raised", hidden: true, tabindex: -1 }, this.#body, this.#actions);
  #drawn = "";
  #highlight = h("p", { class: "scores-highlight optional", role: "status" });
  /** The match of the shown highlight. */
  #highlightMatch = "";
  #timer = 0;
  #session;

  /** @param {ReviewableSession} session */
  constructor(session) {
    this.#session = session;
  }

  /** @param {View} view */
  update(view) {
    const { shown, game, table } = view;
    const takers = takeoverText(view);
    const drawn = JSON.stringify([game.match, shown.round, shown.winners, shown.scores, view.others, takers]);
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      const title = h("h2", null, headline(view));
      this.element.setAttribute("aria-label", title.textContent ?? "");
      this.#highlight.textContent = "";
      this.#highlightMatch = "";
      this.#body.replaceChildren(title, winners(view), h("div", null, placementText(view), this.#highlight), results(view), takers && h("p", { class: "soft scores-takeovers" }, takers));
      this.#body.scrollTop = 0; // scrolled to the end by the last round
    }
    if (table?.phase === "over" && shown.winners) void this.#showHighlight(view);
    refill(this.#actions, () => {
      const actions = shown.winners ? this.#afterMatch(view) : this.#afterRound(view);
      return actions.filter((action) => action !== false);
    });
    this.#tick();
  }

  /** Shows one highlight of this match. @param {View} view */
  async #showHighlight(view) {
    const { match } = view.game;
    if (this.#highlightMatch === match) return;
    this.#highlightMatch = match;
    /** @type {Highlight[]} */
    const found = await get(`/api/matches/${match}/moments`, isLocal(match)).catch(() => []);
    if (this.#highlightMatch !== match) return;
    this.#highlight.textContent = highlightText(view, found);
  }

  /** @param {View} view @returns {(HTMLElement | false)[]} */
  #afterRound(view) {
    const { seat } = this.#session;
    if (seat === null) return [this.#join(view), readyFaces(view), this.#countdown];
    const next = () => this.#session.send({ type: "ready" });
    return [this.#goOn(view, t("web.score.next"), next), readyFaces(view), this.#countdown];
  }

  /**
   * Returns the button with which a person who watches joins, or leaves the queue; false for others.
   * @param {View} view @returns {HTMLElement | false}
   */
  #join({ table, you }) {
    const guest = table?.guests.find(({ player }) => player === you);
    if (!guest) return false;
    const words = guest.queued ? [t("web.game.queued"), " ", h("small", null, t("web.game.queued.stop"))] : t("web.game.sit");
    return button(words, () => this.#session.queue(!guest.queued), { look: "primary big", data: { key: "join" } });
  }

  /** @param {View} view @returns {(HTMLElement | false)[]} */
  #afterMatch(view) {
    const { isHost, seat, tv, review } = this.#session;
    const faces = readyFaces(view);
    if (review) {
      const luck = button(t("web.score.luck"), () => review("luck"), { data: { key: "luck" } });
      return [luck, button(t("web.score.replay"), () => review("replay"), { data: { key: "replay" } })];
    }
    if (tv) return [faces];
    const path = `/match/${view.game.match}`;
    const again = () => this.#session.send({ type: "ready" });
    const start = () => this.#session.send({ type: "start" });
    // The table page listens for this event.
    const settings = () => this.element.dispatchEvent(new CustomEvent("lobby", { bubbles: true }));
    const links = [
      h("a", { class: "button", href: `${path}#luck`, data: { key: "luck" } }, t("web.score.luck")),
      h("a", { class: "button", href: path, data: { key: "replay" } }, t("web.score.replay")),
    ];
    const { daily, duplicate } = view.table ?? {};
    if (daily) return [h("a", { class: "button primary big", href: "/daily", data: { key: "daily" } }, t("web.home.daily")), ...links];
    if (duplicate) {
      const next = duplicate.deal < duplicate.deals ? this.#afterRound(view) : [];
      return [...next, h("a", { class: "button", href: `/duplicate/${duplicate.code}`, data: { key: "daily" } }, t("web.score.standings")), ...links];
    }
    return [
      seat === null ? this.#join(view) : false,
      seat === null ? h("p", { class: "soft" }, t("web.score.host_again")) : this.#goOn(view, t("web.score.again"), again),
      faces,
      isHost && missing(view) > 0 && missing(view) < people(view).length && button(t("web.score.start"), start, { data: { key: "start" } }),
      ...links,
      isHost && button(t("web.score.settings"), settings, { data: { key: "settings" } }),
      button(t("web.score.check"), () => showCheck(view.game.match), { look: "quiet", data: { key: "check" } }),
    ];
  }

  /**
   * Returns the button to go on, and the names of the players it then waits for.
   * @param {View} view @param {string} text @param {() => void} press
   */
  #goOn(view, text, press) {
    const ready = view.table?.seats[this.#session.seat ?? -1]?.ready ?? false;
    const left = missing(view);
    const waiting = left ? t("web.score.waiting", { n: left }) : t("web.score.dealing");
    return button(ready ? waiting : text, press, { look: "primary big", disabled: ready, data: { key: "go on" } });
  }

  /** Updates the seconds until the next round starts automatically. */
  #tick() {
    clearTimeout(this.#timer);
    const { nextAt } = this.#session;
    const left = nextAt === null ? 0 : secondsUntil(nextAt);
    this.#countdown.textContent = left ? t("web.score.next_in", { n: left }) : "";
    if (left && this.element.isConnected) this.#timer = setTimeout(() => this.#tick(), 500);
  }
}

/** Returns who takes over which seat, with its points. @param {View} view */
function takeoverText(view) {
  const { table, shown, you } = view;
  if (table?.phase !== "between" || !isScored(view)) return "";
  const lines = table.seats.flatMap((info, seat) => {
    if (!info?.player || !table.played_by[seat]) return [];
    const values = { player: info.name, other: nameOf(view, seat), points: t("count.points", { n: shown.scores[seat] }) };
    return [t(info.player === you ? "web.score.takes_place.you" : "web.score.takes_place", values)];
  });
  return lines.join(" ");
}

/** Returns the people whom the table waits for before it goes on. @param {View} view */
const people = ({ table }) => table?.seats.filter((info) => info?.player && (info.here || info.awaited) && !info.standin) ?? [];

/** Returns the number of people who are not ready yet. @param {View} view */
const missing = (view) => people(view).filter((info) => !info?.ready).length;

/** Returns the avatars of ready people if others may have to wait. @param {View} view */
function readyFaces(view) {
  const all = people(view);
  const item = (/** @type {SeatInfo | null} */ info) =>
    info &&
    h(
      "li",
      { class: info.ready ? "ready" : "" },
      avatar(info.name, info),
      h("span", { class: "visually-hidden" }, t(info.ready ? "web.score.is_ready" : "web.score.is_not_ready", { player: info.name })),
    );
  return all.length > 1 && h("ul", { class: "scores-ready" }, all.map(item));
}

/**
 * Returns the winners of the match, or else of the round; partners win together.
 * @param {View} view @returns {readonly number[]}
 */
function wonBy(view) {
  const { winner, winners } = view.shown;
  if (winners || winner === null) return winners ?? [];
  return [winner, partnerOf(view.shown.rules, winner)].filter((seat) => seat >= 0).sort();
}

/** @param {View} view */
function headline(view) {
  const won = wonBy(view);
  const match = view.shown.winners !== null;
  if (!won.length) return t("event.round_void");
  if (won.length > 1) {
    const players = listed(won.map((seat) => nameOf(view, seat)));
    return t(match ? "web.score.won_together" : "web.score.round_together", { players });
  }
  if (won[0] === view.seat) return t(match ? "web.score.won_you" : "event.round_won.you");
  return t(match ? "web.score.won" : "event.round_won", { player: nameOf(view, won[0]) });
}

/** Whether points are bad: every player adds up the cards left in hand (CL-52). @param {View} view */
const isTally = ({ shown }) => valueIn(shown.rules, "scoring") === "tally";

/** Returns the distance of every seat from the lead: the lower, the better the place. @param {View} view */
function distances(view) {
  const { shown } = view;
  const scored = isScored(view);
  const sign = scored && !isTally(view) ? -1 : 1;
  return (scored ? shown.scores : shown.counts).map((each) => each * sign);
}

/** Returns all seats by place: the match winners first, whatever their points. @param {View} view */
function byPlace(view) {
  const behind = distances(view);
  const lost = (/** @type {number} */ seat) => Number(!view.shown.winners?.includes(seat));
  return behind.map((_, seat) => seat).sort((a, b) => lost(a) - lost(b) || behind[a] - behind[b]);
}

/** Returns a text about the viewer's place if they have not won the match. @param {View} view */
function placementText(view) {
  const { shown, seat } = view;
  if (seat === null || !shown.winners || shown.winners.includes(seat)) return null;
  const behind = distances(view);
  const place = 1 + behind.filter((each) => each < behind[seat]).length;
  const n = behind[seat] - Math.min(...behind);
  const text = isScored(view) ? "web.score.stand.points" : "web.score.stand.cards";
  return h("p", { class: "scores-placement" }, t(text, { place, all: shown.counts.length, n }));
}

/** Decisions that can be named in a few words. */
const NAMED = new Set(["play", "draw", "pass", "accept", "challenge"]);

/**
 * Returns the highlight most relevant to the viewer: their own mistake, the winner's luck, then any other.
 * @param {View} view
 * @param {readonly Highlight[]} found the most telling first
 */
function highlightText(view, found) {
  const own = found.find(({ kind, seat }) => kind === "cost" && seat === view.seat);
  const shown = own ?? found.find(({ kind }) => kind !== "cost");
  if (!shown) return "";
  const sentence = shown === own ? costText(own, view.kind) : winText(view, shown);
  return view.shown.round > 0 ? t("web.score.moment.round", { sentence, number: shown.round + 1 }) : sentence;
}

/** Returns the sentence about a mistake. @param {Highlight} highlight @param {string} game */
export function costText({ verb, points, card }, game) {
  const name = verb !== null && NAMED.has(verb) ? verb : "other";
  return t(`web.score.moment.cost.${name}`, { n: points, card: card ? cardName(card, game) : "" });
}

/** @param {View} view @param {Highlight} highlight */
function winText(view, { kind, seat, points }) {
  const key = `web.score.moment.${kind}${seat === view.seat ? ".you" : ""}`;
  return t(key, { player: nameOf(view, seat), n: points });
}

/** @param {View} view */
function results(view) {
  const scored = isScored(view);
  const heads = [t("web.score.player"), t("web.score.held"), ...(scored ? [t("web.score.total")] : [])];
  const table = h(
    "table",
    null,
    h("caption", { class: "visually-hidden" }, t("web.score.table")),
    h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", null, byPlace(view).map((seat) => row(view, seat, scored))),
  );
  return h("div", { class: "scores-table" }, table, view.shown.winners && view.shown.round > 0 ? roundsOf(view) : "");
}

/** Returns the avatars of the winners. @param {View} view */
function winners(view) {
  return h(
    "div",
    { class: `scores-winners ${view.shown.winners ? "match" : ""}`, data: { mood: "glad" } },
    wonBy(view).map((seat) => avatar(nameOf(view, seat), avatarOf(view, seat))),
  );
}

/** @param {View} view @param {number} seat @param {boolean} scored whether to show a total */
function row(view, seat, scored) {
  const { shown, kind } = view;
  const hand = sortCards(shown.hands?.[seat] ?? []);
  const won = wonBy(view).includes(seat);
  return h(
    "tr",
    { class: `${won ? "won" : ""} ${seat === view.seat ? "own" : ""}` },
    markedName("th", { scope: "row" }, nameOf(view, seat), markOf(view, seat)),
    h(
      "td",
      null,
      hand.length > 0 &&
        h(
          "span",
          { class: "held", role: "img", "aria-label": cardNames(hand, kind) },
          hand.map((card) => h("span", null, cardFace(card, { game: kind }))),
        ),
      h("span", { class: "points" }, pointsOfHand(view, seat)),
    ),
    scored && h("td", { class: "total" }, number(shown.scores[seat])),
  );
}

/**
 * Returns the points of the cards in a hand: for the winner of the round, or against their holder (CL-52).
 * @param {View} view @param {number} seat
 */
function pointsOfHand(view, seat) {
  const n = view.shown.points?.[seat] ?? 0;
  if (!n) return "";
  if (!isScored(view)) return t("web.score.cards", { n: view.shown.counts[seat] });
  return isTally(view) ? `+${number(n)}` : t("web.score.worth", { n });
}

/** Returns the score after each round, loaded on demand. @param {View} view */
function roundsOf(view) {
  const { game } = view;
  const content = h("div", { class: "scores-rounds" });
  return h(
    "details",
    {
      ontoggle: async () => {
        if (content.firstChild) return;
        const replay = await replayOf(game.match);
        if (replay) content.replaceChildren(roundTable(replay, view.seat));
      },
    },
    h("summary", null, t("web.score.by_round")),
    content,
  );
}

/** @param {Replay} replay @param {number | null} own the viewer's seat */
function roundTable({ names, rounds, rules }, own) {
  const rows = rounds.map(({ first, steps }, i) =>
    h(
      "tr",
      null,
      h("th", { scope: "row" }, t("web.score.round", { number: i + 1 })),
      (steps.at(-1) ?? first).public.scores.map((score) => h("td", null, number(score))),
    ),
  );
  const head = h("tr", null, h("td", null), names.map((name, seat) => markedName("th", { scope: "col" }, name, teamMark(rules, seat, names, own))));
  return h("table", null, h("thead", null, head), h("tbody", null, rows));
}

/** Shows the check of a match's shuffle. @param {string} match */
async function showCheck(match) {
  const [{ openCheck }, replay] = await Promise.all([load(import("../replay/verifydialog.js")), replayOf(match)]);
  if (replay) await openCheck(replay);
}

/**
 * Returns the match from its first card; null, with a message, if it is unavailable.
 * @param {string} match @returns {Promise<Replay | null>}
 */
const replayOf = (match) => attempt(() => get(`/api/matches/${match}/replay`, isLocal(match)));
