/** The three games, by name. */

export const GAMES = /** @type {const} */ (["all-wild", "classic", "wild-jackpot"]);
