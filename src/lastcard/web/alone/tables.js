/** The tables of this page: each runs in a worker while it is looked at, and is kept by the device. */

import { randomHex } from "../line/shuffle.js";
import { prefs } from "../ui/prefs.js";
import { DeviceTable } from "../device/devicetable.js";
import { ADDRESSES, goesOn } from "./kept.js";
import { dropTable, keepMatch, keepTable, readTable, readTables } from "./store.js";

/** @import { MatchLine } from "../line/protocol.js" */

/** Running tables by code. @type {Map<string, Promise<DeviceTable>>} */
const running = new Map();

/**
 * A new table.
 *
 * @param {{settings: object, quick?: boolean, lesson?: boolean}} wanted as one asks a server
 * @param {string} name of the person who opens it
 * @returns {Promise<string>} its code
 */
export async function makeTable({ settings, quick, lesson }, name) {
  await tidy();
  const code = randomHex(6);
  const people = [{ name, look: prefs.get("look") }];
  await run(code, { settings, people, quick, lesson });
  return code;
}

/**
 * A table by its code, running or kept; null where there is none.
 *
 * @param {string} code
 * @returns {Promise<DeviceTable | null>}
 */
export async function findTable(code) {
  const found = running.get(code);
  if (found) return found;
  const kept = await readTable(code);
  return kept ? run(code, kept.kept) : null;
}

/** @param {string} code @param {any} what a setup, or what was kept of a table */
function run(code, what) {
  const opening = DeviceTable.open(what, {
    addresses: ADDRESSES,
    keep: (/** @type {any} */ kept) => void keepTable({ code, at: Date.now(), kept }),
    finished: (/** @type {any} */ match) => keepMatch({ ...match, table: code }),
  });
  running.set(code, opening);
  opening.catch(() => running.delete(code));
  return opening;
}

/** Let go of tables at which nothing is going on, and of workers that nobody looks at. */
async function tidy() {
  await closeTables();
  for (const { code, kept } of await readTables()) if (!goesOn(kept)) await dropTable(code);
}

/** End all workers; what they hold is kept. */
export async function closeTables() {
  const tables = [...running.values()];
  running.clear();
  for (const table of tables) (await table.catch(() => null))?.close();
}

/** End all workers, so that nothing is kept any more. */
export const forgetTables = closeTables;

/** The matches that go on, latest first. @returns {Promise<MatchLine[]>} */
export async function liveLines() {
  const tables = (await readTables()).filter(({ kept }) => goesOn(kept));
  return tables
    .sort((a, b) => b.at - a.at)
    .map(({ code, at, kept }) => ({
      id: kept.match.id,
      table: code,
      rules: kept.document.settings.rules,
      names: kept.document.seats.map((/** @type {{name: string} | null} */ seat) => seat?.name ?? "–"),
      started: at,
      finished: null,
      winners: null,
      seat: 0,
      live: true,
      taken_back: false,
    }));
}
