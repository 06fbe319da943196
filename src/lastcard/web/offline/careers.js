/** Statistics of this device's matches, as in `server/game/career.py`: for one person, and for people who pass it around. */

import { LEADERBOARD_LINES } from "../bindings/constants.js";
import { gameOf } from "../bindings/rulename.js";
import { isTeamPlay } from "../cards/cards.js";

/** @import { Career, LeaderboardEntry, Share } from "../net/protocol.js" */
/** @import { StoredMatch } from "./store.js" */

/**
 * @typedef {Pick<StoredMatch, "rules" | "names" | "seats" | "finished" | "winners" | "takenBack">} CountedMatch the counted
 *   part of a match
 */
/** @typedef {{matches: number, won: number, chance: number}} Tally */

const ROUNDING_FACTOR = 1000;

/** @returns {Tally} */
const emptyTally = () => ({ matches: 0, won: 0, chance: 0 });

/** Adds a match, from one seat's view. @param {Tally} tally @param {CountedMatch} match @param {number} seat */
function add(tally, { rules, names, winners }, seat) {
  tally.matches += 1;
  tally.won += Number(winners?.includes(seat));
  tally.chance += isTeamPlay(rules) ? 0.5 : 1 / names.length; // the expected share if all play alike
}

/**
 * Returns the finished matches that count and have a fitting number of people at this device, latest first.
 * @param {readonly CountedMatch[]} matches @param {(persons: number) => boolean} fits
 */
const counted = (matches, fits) =>
  matches
    .filter(({ winners, seats, takenBack }) => winners && fits(seats.length) && !takenBack)
    .sort((a, b) => b.finished - a.finished);

/**
 * Returns the statistics of matches that one person played here.
 * @param {readonly CountedMatch[]} matches
 * @returns {Omit<Career, "calls" | "findings"> & {calls: null, findings: null}} without calls and findings
 */
export function career(matches) {
  const total = emptyTally();
  /** @type {Map<string, Share>} */
  const shares = new Map();
  const course = [];
  let [streak, longest] = [0, 0];
  for (const match of counted(matches, (persons) => persons === 1).reverse()) {
    const [seat] = match.seats;
    const game = gameOf(match.rules);
    const key = `${game} ${match.names.length}`;
    const share = shares.get(key) ?? { game, seats: match.names.length, ...emptyTally() };
    shares.set(key, share);
    add(total, match, seat);
    add(share, match, seat);
    streak = match.winners?.includes(seat) ? streak + 1 : 0;
    longest = Math.max(longest, streak);
    course.push(Math.round((total.won - total.chance) * ROUNDING_FACTOR) / ROUNDING_FACTOR);
  }
  const sorted = [...shares.values()].sort((a, b) => b.matches - a.matches);
  return { total, shares: sorted, streak, longest, course, calls: null, findings: null, rivals: [] };
}

/**
 * Returns the leaderboard of the people who have passed this device around, by name; the most wins beyond chance first.
 * @param {readonly CountedMatch[]} matches @returns {LeaderboardEntry[]}
 */
export function leaderboard(matches) {
  /** @type {Map<string, LeaderboardEntry>} */
  const lines = new Map();
  for (const match of counted(matches, (persons) => persons > 1)) {
    for (const seat of match.seats) {
      const name = match.names[seat];
      const line = lines.get(name) ?? { name, ...emptyTally() };
      lines.set(name, line);
      add(line, match, seat);
    }
  }
  const behind = (/** @type {LeaderboardEntry} */ { chance, won }) => chance - won;
  return [...lines.values()].sort((a, b) => behind(a) - behind(b) || b.matches - a.matches).slice(0, LEADERBOARD_LINES);
}
