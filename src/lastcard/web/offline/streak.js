/** Days in UTC, and streaks of days. Mirrors `game/daily_deal.py`. */

export const DAY_MS = 86_400_000;

/** Returns a day in UTC, by default today. @param {number} [ms] milliseconds since 1970 */
export const dayOf = (ms = Date.now()) => new Date(ms).toISOString().slice(0, 10);

/**
 * Returns on how many days in succession somebody has played, up to today or yesterday. A wrong clock costs no streak: if it is
 * behind the last day played, the longer of that day's streak and today's counts.
 * @param {readonly string[]} days @param {string} today
 */
export function countStreak(days, today) {
  const yesterday = dayOf(Date.parse(today) - DAY_MS);
  const last = days.reduce((one, other) => (one > other ? one : other), today);
  return Math.max(...[today, yesterday, last].map((day) => streakUntil(days, day)));
}

/** @param {readonly string[]} days @param {string} day */
function streakUntil(days, day) {
  let streak = 0;
  for (let at = Date.parse(day); days.includes(dayOf(at)); at -= DAY_MS) streak++;
  return streak;
}
