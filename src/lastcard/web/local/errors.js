/** What goes wrong, by kinds: the tree of the library, for programs to tell apart. */

/** The root: anything that is refused. `code` is stable, the message is for people. */
export class LastcardError extends Error {
  /** @param {string} message @param {string} [code] */
  constructor(message, code = "error") {
    super(message);
    this.name = new.target.name;
    this.code = code;
  }
}

/** A ruleset, option or combination of options that makes no sense. */
export class RulesError extends LastcardError {
  /** @param {string} message */
  constructor(message) {
    super(message, "rules");
  }
}

/** Text that is not a card, move, position, case or rule card. */
export class NotationError extends LastcardError {
  /** @param {string} message */
  constructor(message) {
    super(message, "notation");
  }
}

/** A match record that is damaged, edited or of another version. */
export class RecordError extends LastcardError {
  /** @param {string} message */
  constructor(message) {
    super(message, "record");
  }
}

/** A wrong number of players, an unknown bot, a finished round, a module and a description that do not fit. */
export class UsageError extends LastcardError {
  /** @param {string} message */
  constructor(message) {
    super(message, "usage");
  }
}

/** An act the rules do not allow; nothing has changed. */
export class Refused extends LastcardError {
  /**
   * @param {string} code the stable name of the reason, such as `no-match`
   * @param {string} clause the clause that refuses it, such as `CL-15`
   */
  constructor(code, clause) {
    super(`${code}: ${clause}`, code);
    this.clause = clause;
  }
}
