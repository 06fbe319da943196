/** Events and rule cards as sentences, limited to what the viewer may know. */

import { BUILT_IN_CARDS } from "../bindings/constants.js";
import { gameOf } from "../bindings/rulename.js";
import { prefs } from "../ui/prefs.js";
import { has, t } from "../ui/texts.js";
import { cardName, cardNames, colorName, partnerOf } from "./cards.js";

/** @import {Happening} from "../net/protocol.js" */

/**
 * The viewer, the players and the rules.
 * @typedef {object} Perspective
 * @property {readonly string[]} players names by seat
 * @property {string} rules such as `classic+team_play`
 * @property {number | null} [viewer] the viewer's seat; none for a spectator
 */

/**
 * The parts of a sentence: text key, actor, the other player, further values.
 * @typedef {[key: string, actor?: number | null, other?: number | null, values?: Record<string, string | number>]} Sentence
 */

/** @param {Happening} event @returns {Sentence} */
const plain = (event) => [event.e, event.seat, event.other];
/** @param {Happening} event @param {string} game @returns {Sentence} */
const withCard = (event, game) => [event.e, event.seat, null, { card: named(event.card, game) }];
/** @param {Happening} event @returns {Sentence} */
const turning = (event) => [`${event.e}.${event.direction === 1 ? "cw" : "ccw"}`];
/** On the wire the actor is the second seat. @param {Happening} event @param {string} key @returns {Sentence} */
const doneTo = (event, key) => [key, event.other, event.seat];

/** @param {string | null | undefined} card @param {string} game */
const named = (card, game) => (card ? cardName(card, game) : "");
/** @param {readonly string[] | null | undefined} cards @param {string} game */
const listed = (cards, game) => (cards ? cardNames(cards, game) : "");

/** @type {Readonly<Partial<Record<string, (event: Happening, game: string, rules: string) => Sentence>>>} */
const SENTENCES = {
  turned: (event, game) => ["turned", null, null, { card: named(event.card, game) }],
  played: (event, game) => {
    const card = named(event.card, game);
    if (!event.color) return ["played", event.seat, null, { card }];
    return ["played_color", event.seat, null, { card, color: colorName(event.color) }];
  },
  drew: (event, game) => ["drew", event.seat, null, { n: event.count ?? 0, cards: listed(event.cards, game) }],
  reversed: turning,
  hands_passed: turning,
  caught: (event) => doneTo(event, "caught"),
  challenged: (event) => doneTo(event, event.guilty ? "guilty" : "innocent"),
  shown: (event, game) => ["shown", event.seat, event.other, { cards: listed(event.cards, game) }],
  color_named: (event) => ["color_named", event.seat, null, { color: event.color ? colorName(event.color) : "" }],
  chose: (event) => (event.seat === event.other ? ["chose_self", event.seat] : plain(event)),
  lever: (event) => ["lever", event.seat, null, { outcome: t(`lever.${event.outcome}`) }],
  rule: (event) => ["rule", event.seat, null, { text: ruleWords(event.rule ?? "") }],
  threw: withCard,
  buried: withCard,
  took: (event, game) => ["took", event.seat, event.other, { card: named(event.card, game) }],
  reshuffled: (event) => ["reshuffled", null, null, { n: event.count ?? 0 }],
  round_over: ({ seat }, _, rules) => {
    if (seat == null) return ["round_void"];
    const partner = partnerOf(rules, seat);
    return partner < 0 ? ["round_won", seat] : ["round_won_together", seat, partner];
  },
};

/**
 * Returns one event as a sentence: `Ada plays red 5.`, `You draw 2 cards: …`.
 * @param {Happening} event @param {Perspective} perspective
 */
export function narrate(event, { players, rules, viewer = null }) {
  let [key, actor, other, values = {}] = (SENTENCES[event.e] ?? plain)(event, gameOf(rules), rules);
  // In a swap the order of the two players does not matter.
  if (viewer !== null && viewer === other && key === "swapped") [actor, other] = [other, actor];
  key = `event.${key}`;
  if (viewer !== null && viewer === actor && has(`${key}.you`)) key += ".you";
  else if (viewer !== null && viewer === other && has(`${key}.at_you`)) key += ".at_you";
  if (actor != null) values.player = players[actor];
  if (other != null) values.other = players[other];
  return t(key, values);
}

/**
 * Returns a rule card as sentences: `Draw 2 cards. Then the direction of play reverses.`
 * @param {string} text the card's canonical text
 */
export function ruleWords(text) {
  const place = BUILT_IN_CARDS.indexOf(text);
  if (place >= 0) return t(`rulecard.R${place + 1}`);
  if (text.startsWith("dare: ")) return text.slice("dare: ".length);
  const [first, ...rest] = text.split("; ").map(effectWords);
  return [first, ...rest.map((next) => t("effect.then", { next: small(next) }))].join(" ");
}

/** @param {string} effect such as `draw until 7`, `take 2 most` */
function effectWords(effect) {
  const words = effect.replace(" until", "_until").replace(" draws", "").split(" ");
  const n = Number(words.find((word) => /^\d+$/.test(word)));
  const verb = words.filter((word) => !/^\d+$/.test(word));
  return t(`effect.${verb.join(".")}`, { n });
}

/** Returns a sentence with a small first letter, to follow another word. @param {string} sentence */
const small = (sentence) => (sentence.startsWith("UNO") ? sentence : sentence[0].toLowerCase() + sentence.slice(1));

/**
 * Returns a sentence, with its clauses in brackets if the person wants them.
 * @param {string} text
 * @param {readonly string[]} clauses such as `CL-15`
 */
export const cited = (text, clauses) =>
  clauses.length && prefs.get("clauses") ? `${text} [${clauses.join(" ")}]` : text;
