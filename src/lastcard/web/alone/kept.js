/** What can be read off a table that was kept. */

/** Whether a match goes on there. @param {any} kept as the table gave it */
export const goesOn = ({ document, match }) => Boolean(match) && ["playing", "between"].includes(document.phase);
