// What the table asks the person just now, as plain data: one line and the answers to it.

import { t } from "../ui/words.js";
import { cardName, colorName } from "../cards/cards.js";
import { ruleWords } from "../cards/narrate.js";
import { choicesOf, isDry, moveOf, nameOf } from "../cards/scene.js";

/** @import {Choice, Scene} from "../cards/scene.js" */

/**
 * @typedef {object} Answer
 * @property {string} label
 * @property {string} [move] the move it makes
 * @property {"cancel" | "sit"} [does] or what else it does
 * @property {string} [color] a letter, where it names a color
 * @property {number} [seat] where it names a player
 * @property {string} [card] where it plays one
 * @property {boolean} [strong] whether it is what one most likely wants
 */

/**
 * @typedef {object} Ask
 * @property {string} prompt
 * @property {string | null} rule the rule card that is being performed, as canonical text, and by whom
 * @property {number | null} performer
 * @property {readonly Answer[]} answers
 * @property {boolean} urgent whether the table waits for this person
 */

/**
 * @param {Scene} scene
 * @param {string | null} picked the card for which a color or player is still to be named
 * @returns {Ask}
 */
export function askOf(scene, picked) {
  const { performer, decision: waits } = scene.shown;
  // Who performs a dare is told it as the question.
  const rule = waits === "perform" && scene.turn ? null : scene.shown.rule;
  const [prompt, answers] = picked ? naming(scene, picked) : decision(scene);
  return { prompt, rule, performer, answers, urgent: scene.turn };
}

/**
 * @typedef {[prompt: string, answers: Answer[]]} Question
 */

/**
 * Which color or player for a card?
 * @param {Scene} scene
 * @param {string} card
 * @returns {Question}
 */
function naming(scene, card) {
  const choices = scene.cards.get(card) ?? [];
  const name = cardName(card, scene.kind);
  const prompt = choices[0]?.color ? t("web.pick.color_for", { card: name }) : t("web.pick.player_for", { card: name });
  return [prompt, [...choices.map((choice) => named(scene, choice)), { label: t("web.pick.cancel"), does: "cancel" }]];
}

/**
 * @param {Scene} scene
 * @param {Choice} choice
 * @returns {Answer}
 */
function named(scene, { text, color, target }) {
  if (color) return { label: colorName(color), color, move: text };
  const seat = target ?? 0;
  return { label: seat === scene.seat ? t("web.pick.myself") : nameOf(scene, seat), seat, move: text };
}

/**
 * @param {Scene} scene
 * @returns {Question}
 */
function decision(scene) {
  const { shown, table, game } = scene;
  if (shown.decision === "over") return [shown.void ? t("event.round_void") : t("web.game.round_over"), []];
  if (table?.paused) return [t("web.game.paused"), []];
  if (game.mine && scene.turn) return (QUESTIONS[shown.decision] ?? plain)(scene);
  return [t("web.game.turn_of", { player: nameOf(scene, shown.turn) }), meanwhile(scene)];
}

/**
 * What can be done while somebody else is on turn.
 * @param {Scene} scene
 * @returns {Answer[]}
 */
function meanwhile(scene) {
  if (moveOf(scene, "challenge")) return [{ label: t("web.pick.challenge"), move: "challenge" }];
  const watches = scene.you !== null && !scene.table?.seats.some((info) => info?.player === scene.you);
  if (!watches) return [];
  const queued = scene.table?.guests.some(({ player, queued: waits }) => waits && player === scene.you);
  return [queued ? { label: t("web.game.queued") } : { label: t("web.game.sit"), does: "sit" }];
}

/** @param {Scene} scene @returns {Question} */
const plain = (scene) => [t(`prompt.${scene.shown.decision}`), []];

/** @param {Scene} scene @returns {Question} */
function playOrDraw(scene) {
  const draw = moveOf(scene, "draw");
  if (scene.cards.size) return [draw ? t("prompt.play") : t("web.pick.must_play"), []];
  if (isDry(scene)) return [t("web.pick.only_pass"), [{ label: t("web.game.pass"), move: "draw", strong: true }]];
  return [t("web.pick.only_draw"), [{ label: t("web.game.draw"), move: "draw", strong: true }]];
}

/** @param {Scene} scene @returns {Question} */
function drawn(scene) {
  const card = scene.game.mine?.drawn ?? scene.shown.top;
  const name = cardName(card, scene.kind);
  /** @type {Answer[]} */
  const answers = scene.cards.has(card) ? [{ label: t("web.pick.play_drawn"), card, strong: true }] : [];
  if (moveOf(scene, "pass")) answers.push({ label: t("web.pick.keep"), move: "pass" });
  return [t("web.pick.drawn", { card: name }), answers];
}

/** @param {Scene} scene @returns {Question} */
function challenge(scene) {
  const n = scene.shown.pending;
  return [
    t("web.pick.bluff", { n }),
    [
      { label: t("web.pick.challenge"), move: "challenge", strong: true },
      { label: t("web.pick.accept", { n }), move: "accept" },
    ],
  ];
}

/** @param {Scene} scene @returns {Question} */
function stack(scene) {
  const n = scene.shown.pending;
  return [t("web.pick.stack", { n }), [{ label: t("web.pick.accept", { n }), move: "accept", strong: !scene.cards.size }]];
}

/**
 * A question whose answers name a color or a player.
 * @param {string} verb
 * @returns {(scene: Scene) => Question}
 */
const nameOne = (verb) => (scene) => [
  t(`prompt.${verb}`),
  choicesOf(scene, verb).map((choice) => named(scene, choice)),
];

/** @param {Scene} scene @returns {Question} */
const throwOff = (scene) => [t("web.pick.throw"), moveOf(scene, "stop") ? [{ label: t("web.pick.stop"), move: "stop" }] : []];

/** @param {Scene} scene @returns {Question} */
const pull = (scene) => [
  t("prompt.pull"),
  moveOf(scene, "pull") ? [{ label: t("web.pick.pull"), move: "pull", strong: true }] : [],
];

/** @param {Scene} scene @returns {Question} */
const perform = ({ shown }) => [
  t("web.pick.perform", { text: ruleWords(shown.rule ?? "") }),
  [{ label: t("web.pick.done"), move: "done", strong: true }],
];

/** @type {Readonly<Record<string, (scene: Scene) => Question>>} */
const QUESTIONS = {
  play: playOrDraw,
  drawn,
  challenge,
  stack,
  color: nameOne("color"),
  choose: nameOne("choose"),
  take: nameOne("take"),
  throw: throwOff,
  pull,
  perform,
};

/**
 * The seats that can be named by a tap on the player.
 * @param {Ask} ask
 * @returns {Map<number, string>} the move by seat
 */
export function seatAnswers(ask) {
  /** @type {Map<number, string>} */
  const moves = new Map();
  for (const { seat, move } of ask.answers) if (seat !== undefined && move) moves.set(seat, move);
  return moves;
}
