/** The game from the viewer's seat, computed once for each drawing: seats and possible moves. */

import { gameOf, valueIn } from "../bindings/rulename.js";
import { isWild, mayCall, moveParts, teamMark } from "./cards.js";

/** @import {Game, Public, SeatInfo, TableInfo} from "../net/protocol.js" */
/** @import {Move} from "./cards.js" */

/** @typedef {Move & {text: string}} Choice a possible move and its parts */

/**
 * @typedef {object} View
 * @property {Game} game
 * @property {Public} shown the public state
 * @property {TableInfo | null} table null in a replay
 * @property {readonly (string | null)[]} bots the levels of bots by seat, if there is no table
 * @property {string | null} you the viewer's player id
 * @property {string} kind the game that is played, such as `classic`
 * @property {number | null} seat the viewer's seat; null if no hand is shown
 * @property {number[]} others the other seats, clockwise from the one on the left
 * @property {readonly string[] | null} hand
 * @property {boolean} turn whether the table waits for the viewer
 * @property {readonly Choice[]} choices the viewer's legal moves
 * @property {Map<string, Choice[]>} cards plays, throws and burials by card
 * @property {boolean} open whether every hand is shown
 */

/**
 * @param {{game: Game, table: TableInfo | null, you: string | null, bots: readonly (string | null)[]}} session
 * @param {{acting: boolean, viewer: number | null}} how whether moves can be made here; otherwise the viewer's seat
 * @returns {View}
 */
export function makeView({ game, table, you, bots }, { acting, viewer }) {
  const shown = game.public;
  const mine = acting ? game.mine : null;
  const seat = mine ? playedSeat(game, table, you) : viewer;
  const choices = mine && !table?.paused ? mine.legal.map((text) => ({ ...moveParts(text), text })) : [];
  return {
    game,
    shown,
    table,
    bots,
    you,
    kind: gameOf(game.rules),
    seat,
    others: othersOf(shown.counts.length, seat),
    hand: (mine?.seat === seat ? mine?.hand : null) ?? (seat === null ? null : (shown.hands?.[seat] ?? null)),
    turn: seat === shown.turn && shown.decision !== "over",
    choices,
    cards: byCard(choices),
    open: Boolean(shown.hands) && !acting && viewer === null,
  };
}

/**
 * Returns the viewer's seat; after the round the seat they have played in, if any.
 * @param {Game} game @param {TableInfo | null} table @param {string | null} you
 */
function playedSeat({ mine, public: { decision } }, table, you) {
  if (!mine || decision !== "over" || !table?.played_by.length) return mine?.seat ?? null;
  const before = table.played_by.findIndex((player) => player !== null && player.player === you);
  return before >= 0 ? before : table.played_by[mine.seat] ? null : mine.seat;
}

/** @param {readonly Choice[]} choices */
function byCard(choices) {
  /** @type {Map<string, Choice[]>} */
  const cards = new Map();
  for (const choice of choices) {
    if (choice.card !== null) cards.set(choice.card, [...(cards.get(choice.card) ?? []), choice]);
  }
  return cards;
}

/** @param {number} players @param {number | null} seat */
function othersOf(players, seat) {
  const first = seat === null ? 0 : seat + 1;
  const others = seat === null ? players : players - 1;
  return Array.from({ length: others }, (_, i) => (first + i) % players);
}

/** @param {View} view @param {string} verb */
export const choicesOf = (view, verb) => view.choices.filter((choice) => choice.verb === verb);

/** Returns the first possible move of a verb as text. @param {View} view @param {string} verb */
export const moveOf = (view, verb) => view.choices.find((choice) => choice.verb === verb)?.text ?? null;

/**
 * Returns the player of a seat and whether they are a bot; for a finished round, the player who played it.
 * @param {View} view @param {number} seat
 * @returns {Pick<SeatInfo, "name" | "player" | "bot" | "look" | "here" | "standin"> | null}
 */
export function occupantOf({ table, shown }, seat) {
  const former = shown.decision === "over" && table?.played_by[seat];
  return former ? { ...former, here: true, standin: false } : (table?.seats[seat] ?? null);
}

/**
 * Returns the avatar of a seat's player: one that a person built, or that of a bot.
 * @param {View} view @param {number} seat
 */
export function avatarOf(view, seat) {
  const info = occupantOf(view, seat);
  return { bot: info ? info.bot : (view.bots[seat] ?? null), look: info?.look };
}

/**
 * Whether a person has left and no bot plays for them yet.
 * @param {Pick<SeatInfo, "player" | "here" | "standin"> | null | undefined} info
 */
export const isAway = (info) => info != null && info.player !== null && !info.here && !info.standin;

/** Returns whole seconds, rounded up. @param {number} moment by `performance.now()` */
export const secondsUntil = (moment) => Math.max(0, Math.ceil((moment - performance.now()) / 1000));

/** @param {View} view @param {number} seat */
export const nameOf = (view, seat) => occupantOf(view, seat)?.name ?? view.game.players[seat];

/** @param {View} view @param {number} seat */
export const markOf = (view, seat) =>
  teamMark(
    view.shown.rules,
    seat,
    view.game.players.map((_, other) => nameOf(view, other)),
    view.seat,
  );

/**
 * Whether a call of UNO by itself counts now. No preset sets how early that may be, so the rules name it only if it is unusual.
 * @param {View} view
 */
export const canCall = ({ shown, seat }) =>
  seat !== null && mayCall(valueIn(shown.rules, "uno_early_call") ?? "own_turn_two_cards", shown, seat);

/** Whether points count: not in a match of one round, as All Wild is by default (AW-50, LC-32). @param {View} view */
export const isScored = ({ kind, shown }) =>
  (valueIn(shown.rules, "match_mode") ?? (kind === "all-wild" ? "single_round" : "to_target")) === "to_target";

/**
 * Whether there is nothing to draw, so that drawing is passing (CO-34): a reshuffle may also take the top discard (LC-10).
 * @param {View} view
 */
export const isSupplyExhausted = ({ shown }) =>
  shown.draw_count === 0 && shown.discard_count <= (valueIn(shown.rules, "reshuffle") === "keep_none" ? 0 : 1);

/** Returns a complete move for a card, to ask the server why it is illegal. @param {View} view @param {string} card */
export function sampleMove(view, card) {
  const { decision } = view.shown;
  if (view.turn && (decision === "throw" || decision === "bury")) return `${decision} ${card}`;
  if (card === "Wx" || card === "W@2") return `${card}>${view.others[0]}`;
  return isWild(card) && view.kind !== "all-wild" ? `${card}=R` : card;
}
