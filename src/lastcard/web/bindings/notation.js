/** Cards and moves as text; see docs/notation.md. */

import { blankPattern, strip } from "./blanks.js";
import { MAX_PLAYERS, MAX_TIMES } from "./constants.js";
import { NotationError, IllegalMove } from "./errors.js";

/** @import { Description } from "./kernel.js" */

/**
 * A move without its seat. Parts it does not name are null.
 * @typedef {object} Move
 * @property {string} verb `play`, `draw`, `pass`, …
 * @property {number | null} card
 * @property {number | null} color
 * @property {number | null} target
 * @property {boolean} uno whether UNO is called with the play
 */

// Each part includes the white space before it, so that columns can be counted.
const MOVE = blankPattern(String.raw`([\s]*[^\s=>!]*)([\s]*[=>]?)([\s]*[^\s=>!]*)([\s]*!?)[\s]*`, "y");
const PLAY = blankPattern(String.raw`[\s]*play[\s]+`, "iy");
const SEAT_MOVE = blankPattern(String.raw`^[\s]*([^:]*?)[\s]*:([^]*)$`);
const BLANKS = blankPattern(String.raw`[\s]+`);
const TIMES = /^\d{1,9}$/;
/** @type {Record<string, string>} */
const COLOR_WORDS = { red: "R", yellow: "Y", green: "G", blue: "B" };

/** Parses and writes the cards and moves of a description. */
export class Notation {
  /** @param {Description} description */
  constructor(description) {
    this.description = description;
    /** @type {Map<number, string>} */
    this.names = new Map(Object.entries(description.cards).map(([name, card]) => [card, name]));
    /** @type {Map<string, number>} */
    this.cards = new Map(Object.entries(description.cards).map(([name, card]) => [name.toLowerCase(), card]));
    /** @type {Map<number, string>} */
    this.verbs = new Map(Object.entries(description.actions.verbs).map(([verb, code]) => [code, verb]));
  }

  /** Returns the name of a card. @param {number} card @returns {string} */
  cardName = (card) => {
    const name = this.names.get(card);
    if (name === undefined) throw new NotationError(`${card} is not the number of a card`);
    return name;
  };

  /** Returns the number of a card. @param {string} text @returns {number} */
  card(text) {
    const card = this.cards.get(strip(text).toLowerCase());
    if (card === undefined) throw new NotationError(`${text} is not a card`);
    return card;
  }

  /** Returns cards separated by blanks; `W*3` means three of them. @param {string} text @returns {number[]} */
  pile(text) {
    return text
      .split(BLANKS)
      .filter(Boolean)
      .flatMap((word) => {
        const [name, times] = word.split(/\*(.*)/, 2);
        if (times !== undefined && !(TIMES.test(times) && Number(times) >= 1 && Number(times) <= MAX_TIMES)) {
          throw new NotationError(`after * a number from 1 to ${MAX_TIMES} was expected, not ${times}`);
        }
        return /** @type {number[]} */ (Array(Number(times ?? 1)).fill(this.card(name)));
      });
  }

  /** Returns the letter of a color; null for none. @param {number | null} color */
  colorLetter = (color) => (color === null || color < 0 ? null : this.description.colors[color]);

  /** Returns the color of a letter. @param {string} text */
  color(text) {
    const letter = (COLOR_WORDS[strip(text).toLowerCase()] ?? strip(text)).toUpperCase();
    const color = letter.length === 1 ? this.description.colors.indexOf(letter) : -1;
    if (color < 0) throw new NotationError(`${text} is not a color; expected one of ${this.description.colors}`);
    return color;
  }

  /** Returns the seat and the move of a text such as `0:Wx>2!`. @param {string} text @returns {{seat: number, move: Move}} */
  seatMove(text) {
    const found = SEAT_MOVE.exec(text);
    if (!found) throw new NotationError(`${text}: no seat; expected a seat, a colon and a move, such as 0:R5`);
    return { seat: seatOf(found[1]), move: this.move(found[2]) };
  }

  /** Returns the move of a text such as `R5!`, `W=G`, `catch>2`, `throw R5`. @param {string} text @returns {Move} */
  move(text) {
    PLAY.lastIndex = 0;
    const play = PLAY.test(text);
    MOVE.lastIndex = play ? PLAY.lastIndex : 0;
    let end = MOVE.lastIndex;
    const [word, sign, named, call] = /** @type {RegExpExecArray} */ (MOVE.exec(text)).slice(1).map((part) => {
      end += part.length;
      const inner = strip(part);
      return new Part(inner, end - inner.length, text);
    });
    end = MOVE.lastIndex;
    if (!word.text) throw word.wrong("no move");
    const { verbs, also } = this.description.actions;
    const lower = word.text.toLowerCase();
    const verb = Object.hasOwn(also, lower) ? also[lower] : lower;
    const move =
      Object.hasOwn(verbs, verb) && !play ? this.#verb(verb, sign, named) : this.#play(word, sign, named, call);
    if (end < text.length) throw new NotationError(`${text.slice(end)} is too much`, text, end);
    if (call.text && move.verb !== "play" && move.verb !== "uno") throw call.wrong("! calls UNO with a play");
    return move;
  }

  /** @param {Part} word @param {Part} sign @param {Part} named @param {Part} call @returns {Move} */
  #play(word, sign, named, call) {
    const card = word.read((text) => this.card(text));
    if (named.text && !sign.text) throw named.wrong(`${named.text} is not right here`);
    const color = sign.text === "=" ? named.read((text) => this.color(text)) : null;
    const target = sign.text === ">" ? named.read(seatOf) : null;
    return { verb: "play", card, color, target, uno: call.text !== "" };
  }

  /** @param {string} verb @param {Part} sign @param {Part} named @returns {Move} */
  #verb(verb, sign, named) {
    const { name_a_color: colors, name_a_seat: seats, name_a_card: cards } = this.description.actions;
    const right = colors.includes(verb) ? "=" : seats.includes(verb) ? ">" : "";
    if (sign.text && sign.text !== right) throw sign.wrong(`${sign.text} is not right after ${verb}`);
    const takes = right || cards.includes(verb);
    if (named.text && !takes) throw named.wrong(`${named.text} is not right after ${verb}`);
    return {
      verb,
      card: cards.includes(verb) ? named.read((text) => this.card(text)) : null,
      color: right === "=" ? named.read((text) => this.color(text)) : null,
      target: right === ">" ? named.read(seatOf) : null,
      uno: false,
    };
  }

  /** Returns the action id of a move. @param {Move} move @returns {number} */
  action({ verb, card, color, target, uno }) {
    const { verbs, shifts, no_arg: none, color_cards: colored } = this.description.actions;
    if (target !== null && target >= MAX_PLAYERS) throw new IllegalMove("bad-target", "CO-47", "no-seat");
    const arg = color ?? target ?? none;
    if (verb !== "play") return verbs[verb] | (arg << shifts.arg) | ((card ?? 0) << shifts.card);
    const named = /** @type {number} */ (card);
    if ((colored.includes(named) ? target : color) !== null) throw new IllegalMove("surplus", "CO-3");
    return named | (arg << shifts.arg) | (Number(uno) << shifts.uno);
  }

  /** Returns the move of an action id. @param {number} action @returns {Move} */
  moveOf(action) {
    const {
      shifts,
      no_arg: none,
      color_cards: colored,
      name_a_card: cards,
      name_a_color: colors,
    } = this.description.actions;
    const code = action & 255;
    const arg = (action >> shifts.arg) & 15;
    const verb = this.verbs.get(code) ?? "play";
    const play = verb === "play";
    const named = arg === none ? null : arg;
    const isColor = play ? colored.includes(code) : colors.includes(verb);
    const card = play ? code : cards.includes(verb) ? action >> shifts.card : null;
    const uno = ((action >> shifts.uno) & 1) === 1;
    return { verb, card, color: isColor ? named : null, target: isColor ? null : named, uno };
  }

  /** Returns the text of a move: `Wx>2!`. @param {Move} move */
  text({ verb, card, color, target, uno }) {
    const words = [verb === "play" ? "" : verb, card === null ? "" : this.cardName(card)].filter(Boolean).join(" ");
    return (
      words +
      (color === null ? "" : `=${this.colorLetter(color)}`) +
      (target === null ? "" : `>${target}`) +
      (uno ? "!" : "")
    );
  }
}

/** A part of a text and its column. */
class Part {
  /** @param {string} text @param {number} column @param {string} whole */
  constructor(text, column, whole) {
    this.text = text;
    this.column = column;
    this.whole = whole;
  }

  /** @param {string} message */
  wrong(message) {
    return new NotationError(message, this.whole, this.column);
  }

  /** Returns the result of a reader for this part. @template T @param {(text: string) => T} reader @returns {T} */
  read(reader) {
    try {
      return reader(this.text);
    } catch (error) {
      throw error instanceof NotationError ? this.wrong(error.message) : error;
    }
  }
}

/** @param {string} word */
function seatOf(word) {
  if (!/^\d{1,2}$/.test(word)) throw new NotationError(`${word || "nothing"} is not a seat, a number from 0`);
  return Number(word);
}
