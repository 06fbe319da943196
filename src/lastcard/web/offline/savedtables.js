/** What can be read from a saved table. */

/** Whether a match goes on there. @param {any} saved as the table gave it */
export const isMatchRunning = ({ data, match }) => Boolean(match) && ["playing", "between"].includes(data.phase);

/** Whose turn it is there; where several people share the device it is nobody's own. @param {any} saved as the table gave it */
export function turnOf({ data: { people, seats }, turn }) {
  const place = turn === null ? null : seats[turn];
  const yours = people.length === 1 && place?.player === people[0].id;
  return { turn: /** @type {string | null} */ (place?.name ?? null), yours };
}
