/** The question that the table asks the viewer, as plain data: one line and its answers. */

import { t } from "../ui/texts.js";
import { cardName, colorName } from "../cards/cards.js";
import { ruleWords } from "../cards/narrate.js";
import { choicesOf, isAway, isSupplyExhausted, moveOf, nameOf, secondsUntil, occupantOf } from "../cards/view.js";

/** @import {Choice, View} from "../cards/view.js" */

/**
 * @typedef {object} Answer
 * @property {string} label
 * @property {string} [about] its possible cost
 * @property {string} [move] the move it makes
 * @property {"cancel" | "sit" | "unqueue"} [does] its effect if it is no move
 * @property {string} [color] a letter, where it names a color
 * @property {number} [seat] the seat it names
 * @property {string} [card] the card it plays
 * @property {boolean} [strong] whether it is the most likely choice
 * @property {import("./advice.js").Mark} [mark] its hint
 */

/**
 * @typedef {object} Prompt
 * @property {string} prompt
 * @property {string | null} rule the rule card being performed, as canonical text
 * @property {readonly Answer[]} answers
 * @property {boolean} urgent whether the table waits for this person
 */

/** The cost of a wrong challenge, on top of the cards that had to be drawn anyway (CL-36, LC-19). */
const WRONG_CHALLENGE_CARDS = 2;

/**
 * @param {View} view
 * @param {string | null} picked the card for which the viewer is naming a color or player
 * @param {number | null} deadline the end of the turn's time, by `performance.now()`; null for none
 * @returns {Prompt}
 */
export function promptOf(view, picked, deadline) {
  const { decision: waits } = view.shown;
  // The performer of a dare sees it as the question.
  const rule = waits === "perform" && view.turn ? null : view.shown.rule;
  const [prompt, answers] = picked ? naming(view, picked) : decision(view, deadline);
  return { prompt, rule, answers, urgent: view.turn };
}

/** @typedef {[prompt: string, answers: Answer[]]} Question */

/** Asks for the color or player of a card. @param {View} view @param {string} card @returns {Question} */
function naming(view, card) {
  const choices = view.cards.get(card) ?? [];
  const name = cardName(card, view.kind);
  const prompt = choices[0]?.color ? t("web.pick.color_for", { card: name }) : t("web.pick.player_for", { card: name });
  return [prompt, [...answersOf(view, choices), { label: t("web.pick.cancel"), does: "cancel" }]];
}

/**
 * Returns colors in their order; players in seating order, from the next one on, the viewer last.
 * @param {View} view @param {readonly Choice[]} choices
 */
function answersOf(view, choices) {
  const order = [...view.others, view.seat];
  const place = (/** @type {Choice} */ { target }) => order.indexOf(target ?? -1);
  return [...choices].sort((a, b) => place(a) - place(b)).map((choice) => named(view, choice));
}

/** @param {View} view @param {Choice} choice @returns {Answer} */
function named(view, { text, color, target }) {
  if (color) return { label: colorName(color), color, move: text };
  const seat = target ?? 0;
  return { label: seat === view.seat ? t("web.pick.myself") : nameOf(view, seat), seat, move: text };
}

/** @param {View} view @param {number | null} deadline @returns {Question} */
function decision(view, deadline) {
  const { shown, table, game } = view;
  if (shown.decision === "over") return [shown.void ? t("event.round_void") : t("web.game.round_over"), []];
  if (table?.paused) return [t("web.game.paused"), []];
  if (game.mine && view.turn) return (QUESTIONS[shown.decision] ?? plain)(view);
  return [waitsFor(view, deadline), outOfTurnAnswers(view)];
}

/**
 * Returns a text with the player whom the table waits for; with the time left if they are absent.
 * @param {View} view @param {number | null} deadline
 */
function waitsFor(view, deadline) {
  const player = nameOf(view, view.shown.turn);
  if (!isAway(occupantOf(view, view.shown.turn))) return t("web.game.turn_of", { player });
  if (deadline === null) return t("web.game.turn_of_away", { player });
  return t("web.game.turn_of_away_in", { player, seconds: secondsUntil(deadline) });
}

/** Returns the answers that a seat can give out of turn. @param {View} view @returns {Answer[]} */
function outOfTurnAnswers(view) {
  if (moveOf(view, "challenge")) return [challengeAnswer(WRONG_CHALLENGE_CARDS)];
  const watches = view.you !== null && !view.table?.seats.some((info) => info?.player === view.you);
  if (!watches) return [];
  const queued = view.table?.guests.some(({ player, queued: waits }) => waits && player === view.you);
  if (!queued) return [{ label: t("web.game.sit"), does: "sit" }];
  return [{ label: t("web.game.queued"), about: t("web.game.queued.stop"), does: "unqueue" }];
}

/** @param {View} view @returns {Question} */
const plain = (view) => [t(`prompt.${view.shown.decision}`), []];

/** @param {View} view @returns {Question} */
function playOrDraw(view) {
  const draw = moveOf(view, "draw");
  if (view.cards.size) return [draw ? t("prompt.play") : t("web.pick.must_play"), []];
  if (isSupplyExhausted(view)) return [t("web.pick.only_pass"), [{ label: t("web.game.pass"), move: "draw", strong: true }]];
  return [t("web.pick.only_draw"), [{ label: t("web.game.draw"), move: "draw", strong: true }]];
}

/** @param {View} view @returns {Question} */
function drawn(view) {
  const card = view.game.mine?.drawn ?? view.shown.top;
  const name = cardName(card, view.kind);
  /** @type {Answer[]} */
  const answers = view.cards.has(card) ? [{ label: t("web.pick.play_drawn"), card, strong: true }] : [];
  if (moveOf(view, "pass")) answers.push({ label: t("web.pick.keep"), move: "pass" });
  return [t("web.pick.drawn", { card: name }), answers];
}

/** @param {View} view @returns {Question} */
function challenge(view) {
  const n = view.shown.pending;
  return [
    t(view.cards.size ? "web.pick.bluff_answer" : "web.pick.bluff", { n }),
    [challengeAnswer(n + WRONG_CHALLENGE_CARDS), { label: t("web.pick.accept", { n }), move: "accept", strong: true }],
  ];
}

/**
 * A challenge is a gamble, so its text gives the possible cost.
 * @param {number} n the number of cards drawn if there was no bluff
 * @returns {Answer}
 */
const challengeAnswer = (n) => ({ label: t("web.pick.challenge"), about: t("web.pick.wrong", { n }), move: "challenge" });

/**
 * Returns a question whose answers name a color or a player.
 * @param {string} verb @returns {(view: View) => Question}
 */
const nameOne = (verb) => (view) => [t(`prompt.${verb}`), answersOf(view, choicesOf(view, verb))];

/** @type {Readonly<Record<string, (view: View) => Question>>} */
const QUESTIONS = {
  play: playOrDraw,
  drawn,
  challenge,
  stack: ({ shown: { pending: n }, cards }) => [
    t("web.pick.stack", { n }),
    [{ label: t("web.pick.accept", { n }), move: "accept", strong: !cards.size }],
  ],
  color: nameOne("color"),
  choose: nameOne("choose"),
  take: nameOne("take"),
  throw: (view) => [t("web.pick.throw"), moveOf(view, "stop") ? [{ label: t("web.pick.stop"), move: "stop" }] : []],
  pull: (view) => [t("prompt.pull"), moveOf(view, "pull") ? [{ label: t("web.pick.pull"), move: "pull", strong: true }] : []],
  perform: ({ shown }) => [
    t("web.pick.perform", { text: ruleWords(shown.rule ?? "") }),
    [{ label: t("web.pick.done"), move: "done", strong: true }],
  ],
};

/**
 * Returns the seats that can be named by a tap on the player.
 * @param {Prompt} prompt
 * @returns {Map<number, string>} the moves by seat
 */
export function seatAnswers(prompt) {
  /** @type {Map<number, string>} */
  const moves = new Map();
  for (const { seat, move } of prompt.answers) if (seat !== undefined && move) moves.set(seat, move);
  return moves;
}
