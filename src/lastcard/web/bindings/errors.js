/** The library's error classes, which programs can tell apart. */

/** The base class of all refusals. `code` is stable, the message is for people. */
export class LastcardError extends Error {
  /** @param {string} message @param {string} [code] */
  constructor(message, code = "error") {
    super(message);
    this.name = new.target.name;
    this.code = code;
  }
}

/**
 * The invalid part of a ruleset: options whose values conflict (in a game, if only there), or a word that cannot be parsed, as an
 * option's value if `option` is set.
 * @typedef {{pairs?: [name: string, value: unknown][], game?: string, word?: string, option?: string}} InvalidRules
 */

/** A ruleset, option or combination of options that is invalid. */
export class RulesError extends LastcardError {
  /** @param {string} message @param {InvalidRules} [what] */
  constructor(message, { pairs = [], game, word, option } = {}) {
    super(message, "rules");
    this.pairs = pairs;
    this.game = game ?? null;
    this.word = word ?? null;
    this.option = option ?? null;
  }
}

/** Text that is not a card, move, position, case or rule card. */
export class NotationError extends LastcardError {
  /**
   * @param {string} message @param {string} [text] the whole text @param {number} [column] the column of the error, from 0
   */
  constructor(message, text = "", column = 0) {
    super(text ? `${text}: ${message} (at column ${column + 1})` : message, "notation");
    this.text = text;
    this.column = column;
  }
}

/** A match record that is damaged, edited or of another version. */
export class RecordError extends LastcardError {
  /** @param {string} message */
  constructor(message) {
    super(message, "record");
  }
}

/** A wrong number of players, an unknown bot, a finished round, or a module whose description does not match. */
export class UsageError extends LastcardError {
  /** @param {string} message @param {[name: string, value: unknown][]} [pairs] the options and values that prevent it */
  constructor(message, pairs = []) {
    super(message, "usage");
    this.pairs = pairs;
  }
}

/** A move the rules do not allow; nothing has changed. */
export class IllegalMove extends LastcardError {
  /**
   * @param {string} code the stable name of the reason, such as `no-match`
   * @param {string} clause the clause that refuses it, such as `CL-15`
   * @param {string} [variant] the variant of its text, `refused.<code>.<variant>`; empty for `refused.<code>`
   */
  constructor(code, clause, variant = "") {
    super(`${code}: ${clause}`, code);
    this.clause = clause;
    this.variant = variant;
  }
}
