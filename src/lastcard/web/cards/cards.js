/** Cards and moves of docs/notation.md: their parts, their order in a hand, their names as text. */

import { valueIn } from "../bindings/rulename.js";
import { t } from "../ui/texts.js";

/** @type {Readonly<Record<string, string>>} */
const COLOR_WORDS = { R: "red", Y: "yellow", G: "green", B: "blue" };

// Faces in their order in a hand; the empty one is the plain wild.
const FACES = ["", ..."0123456789", "s", "ss", "r", "+2", "@2", "+4", "x", "j"];

/** @type {Readonly<Record<string, string>>} */
const COLORED_KINDS = { s: "skip", r: "reverse", "+2": "draw_two", j: "jackpot" };

/** @type {Readonly<Record<string, string>>} */
const WILD_KINDS = { "": "wild", "+4": "wild_draw_four", j: "wild_jackpot" };

/** @type {Readonly<Record<string, string>>} */
const ALL_WILD_KINDS = {
  "": "all_wild.wild",
  r: "all_wild.reverse",
  s: "all_wild.skip",
  ss: "all_wild.skip_two",
  "+2": "all_wild.draw_two",
  "+4": "all_wild.draw_four",
  "@2": "all_wild.targeted",
  x: "all_wild.swap",
};

/**
 * @typedef {object} Move
 * @property {string} verb `play`, `draw`, `pass`, `uno`, `catch`, `challenge`, `accept`, `color`, `choose`, `pull`,
 *   `throw`, `stop`, `bury`, `take` or `done`
 * @property {string | null} card the card played, thrown or buried
 * @property {string | null} color the letter of the color named
 * @property {number | null} target the seat named
 * @property {boolean} call whether UNO is called with the play
 */

/** @param {string} code */
export const isWild = (code) => code[0] === "W";

/** Whether partners win together (6.8). @param {string} rules */
export const isTeamPlay = (rules) => valueIn(rules, "team_play") === "true";

/**
 * Returns the seat that wins and scores with a seat: in team play the opposite one of four (6.8); otherwise -1.
 * @param {string} rules @param {number} seat
 */
export const partnerOf = (rules, seat) => (isTeamPlay(rules) ? seat ^ 2 : -1);

/**
 * Whether a call of UNO by itself counts now, neither refused nor punished as false (CO-11, LC-17, LC-18). Mirrors `may_call` of
 * `match/refusals.py`.
 * @param {string} early the value of `uno_early_call`
 * @param {{decision: string, turn: number, counts: readonly number[]}} face the public state
 * @param {number} seat the seat that would call
 */
export function mayCall(early, { decision, turn, counts }, seat) {
  const inTurn = seat === turn && decision !== "challenge" && early === "own_turn_two_cards";
  const most = inTurn || early === "any_time" ? 2 : 1;
  return /play|drawn|challenge|stack/.test(decision) && counts[seat] > 0 && counts[seat] <= most;
}

/**
 * @typedef {{sign: "0" | "1" | "partner", words: string}} TeamMark a sign that `art.css` draws before a name, and its text
 */

/**
 * Returns a player's team mark: the team's sign for spectators, the partner sign for a player's partner; null for none.
 * @param {string} rules @param {number} seat
 * @param {readonly (string | null | undefined)[]} names the players' names; null for a free seat
 * @param {number | null} [own] the viewer's seat
 * @returns {TeamMark | null}
 */
export function teamMark(rules, seat, names, own = null) {
  const partner = partnerOf(rules, seat);
  if (partner < 0) return null;
  if (own !== null) return partner === own ? { sign: "partner", words: t("web.game.is_partner") } : null;
  const player = names[partner];
  return { sign: seat & 1 ? "1" : "0", words: player ? t("web.game.is_with", { player }) : "" };
}

/** Colors together, numbers before actions, wilds last. @param {string} code */
const place = (code) => "RYGBW?".indexOf(code[0]) * 32 + FACES.indexOf(code.slice(1));

/** Returns a hand in display order. @param {Iterable<string>} cards */
export const sortCards = (cards) => [...cards].sort((a, b) => place(a) - place(b));

/** Returns the word for a color: `red`. @param {string} letter */
export const colorName = (letter) => t(`color.${COLOR_WORDS[letter]}`);

/**
 * Returns a card's name in a game: `red 5`, `Wild Draw Four`.
 * @param {string} code
 * @param {string} game `all-wild`, `classic` or `wild-jackpot`; the wilds differ in name
 */
export function cardName(code, game) {
  const color = COLOR_WORDS[code[0]];
  const kind = cardKind(code, game);
  return color ? t(`card.${color}.${kind}`, { number: code.slice(1) }) : t(`card.${kind}`);
}

/**
 * Returns the effect of an All Wild card in a word or two, to print on it; empty for other cards.
 * @param {string} code @param {string} game
 */
export const plateOf = (code, game) => (game === "all-wild" && isWild(code) ? t(`plate.${cardKind(code, game)}`) : "");

/**
 * Returns the kind of a card, as text keys name it: `number`, `skip`, `wild`, `all_wild.swap`.
 * @param {string} code @param {string} game
 */
export function cardKind(code, game) {
  const face = code.slice(1);
  if (!isWild(code)) return COLORED_KINDS[face] ?? "number";
  const [own, other] = game === "all-wild" ? [ALL_WILD_KINDS, WILD_KINDS] : [WILD_KINDS, ALL_WILD_KINDS];
  return own[face] ?? other[face];
}

/**
 * Returns the names of cards in order of first occurrence, with counts: `red 5, 2 × Wild`.
 * @param {Iterable<string>} cards @param {string} game
 */
export function cardNames(cards, game) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  const words = [...counts].map(([code, number]) => {
    const card = cardName(code, game);
    return number === 1 ? card : t("cards.times", { number, card });
  });
  return words.join(", ") || t("cards.none");
}

// A verb with a seat, a verb with a color, a verb with a card, a bare verb; anything else is a play.
const VERB_MOVE = /^(?:(catch|choose|take)>(\d)|color=([RYGB])|(throw|bury) (\S+)|([a-z]{3,}))$/;
const CARD_MOVE = /^([RYGBW][^=>!]*)(?:=([RYGB])|>(\d))?(!?)$/;

/**
 * Returns the parts of a move's canonical text.
 * @param {string} text such as `W=G!`, `Wx>1`, `catch>2`, `throw R5`, `draw`
 * @returns {Move}
 */
export function moveParts(text) {
  const found = VERB_MOVE.exec(text);
  if (found) {
    const [, withSeat, seat, color, withCard, card, bare] = found;
    const verb = withSeat ?? withCard ?? bare ?? "color";
    return { verb, card: card ?? null, color: color ?? null, target: seat ? Number(seat) : null, call: false };
  }
  const play = CARD_MOVE.exec(text);
  if (!play) throw new Error(`not a move: ${text}`);
  const [, card, color, seat, call] = play;
  return { verb: "play", card, color: color ?? null, target: seat ? Number(seat) : null, call: call === "!" };
}
