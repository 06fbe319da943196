/** What the pages know of saved tables without opening them. */

import { readTables } from "./store.js";

/** @import { StoredTable } from "./store.js" */

/**
 * A saved table; `match` is null if none is running, and `yours` false if several people share the device.
 * @typedef {object} SavedTable
 * @property {string} code @property {number} at @property {string | null} match @property {string} rules
 * @property {string[]} names @property {string | null} turn the name of the player on turn @property {boolean} yours
 */

/**
 * Returns the saved tables, latest first, and whether others cannot be read.
 * @returns {Promise<{tables: SavedTable[], damaged: boolean}>}
 */
export async function readSavedTables() {
  const stored = await readTables();
  const tables = stored.flatMap((table) => describe(table) ?? []).sort((a, b) => b.at - a.at);
  return { tables, damaged: tables.length < stored.length };
}

/** Returns null if the table cannot be read. @param {StoredTable} stored @returns {SavedTable | null} */
function describe({ code, at, state }) {
  try {
    const { data, match, turn } = state;
    const { people, seats, settings } = data;
    const place = turn === null ? null : seats[turn];
    return {
      code,
      at,
      match: data.phase === "playing" || data.phase === "between" ? match.id : null,
      rules: settings.rules,
      names: seats.map((/** @type {{name: string} | null} */ seat) => seat?.name ?? "–"),
      turn: place?.name ?? null,
      yours: people.length === 1 && place?.player === people[0].id,
    };
  } catch (error) {
    console.warn(`table ${code} cannot be read:`, error);
    return null;
  }
}
