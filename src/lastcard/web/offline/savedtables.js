/** Reading saved tables. */

/** Whether a match is running there; false if it cannot be read. @param {any} saved the table's saved state */
export const isMatchRunning = (saved) => Boolean(saved?.match) && ["playing", "between"].includes(saved.data?.phase);

/**
 * Returns the player on turn; if several people share the device, it is never the viewer's own turn.
 * @param {any} saved the table's saved state
 */
export function turnOf({ data: { people, seats }, turn }) {
  const place = turn === null ? null : seats[turn];
  const yours = people.length === 1 && place?.player === people[0].id;
  return { turn: /** @type {string | null} */ (place?.name ?? null), yours };
}
