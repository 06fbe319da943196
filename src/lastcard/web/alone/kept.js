/** Where the kernel lies, and what can be read off a table that was kept. */

const kernel = (/** @type {string} */ name) => new URL(`../kernel/${name}`, import.meta.url).href;

/** What the rules and the bots need, in a version of the site. */
export const ADDRESSES = { module: kernel("lastcard.wasm"), description: kernel("lastcard.json"), bots: kernel("") };

/** Whether a match goes on there. @param {any} kept as the table gave it */
export const goesOn = ({ document, match }) => Boolean(match) && ["playing", "between"].includes(document.phase);
