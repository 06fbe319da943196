/** What can be read off a table that was kept. */

/** Whether a match goes on there. @param {any} kept as the table gave it */
export const goesOn = ({ document, match }) => Boolean(match) && ["playing", "between"].includes(document.phase);

/** Whose turn it is there; where several people share the device it is nobody's own. @param {any} kept as the table gave it */
export function turnOf({ document: { people, seats }, turn }) {
  const place = turn === null ? null : seats[turn];
  const yours = people.length === 1 && place?.player === people[0].id;
  return { turn: /** @type {string | null} */ (place?.name ?? null), yours };
}
