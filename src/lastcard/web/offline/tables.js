/** The tables of this page: each runs in a worker while it is looked at, and is kept by the device. */

import { FOLDER } from "../ui/address.js";
import { need } from "../ui/resources.js";
import { prefs } from "../ui/prefs.js";
import { toast } from "../ui/toast.js";
import { t, useTexts } from "../ui/texts.js";
import { ApiError } from "../net/api.js";
import { randomHex } from "../net/shuffle.js";
import { LocalTable } from "../localtable/localtable.js";
import { takeWorker } from "../localtable/workerpool.js";
import { isMatchRunning } from "./savedtables.js";
import { deleteTable, putMatch, putTable, readTable, readTables } from "./store.js";

/** @import { Finished } from "../localtable/table.js" */
/** @import { MatchLine } from "../net/protocol.js" */

need(useTexts("offline"));

/** How long the window that was loaded anew may take to let go of its table. */
const LOCK_TIMEOUT_MS = 2000;

/** Running tables by code. @type {Map<string, Promise<LocalTable>>} */
const running = new Map();
/** What is being written of them. @type {Map<string, Promise<unknown>>} */
const pendingWrites = new Map();
/** Whether it has been said that nothing is kept. */
let hasWarned = false;
/** What lets go of the tables of this window. @type {(() => void)[]} */
const lockReleases = [];

/**
 * A new table.
 *
 * @param {{settings: object, quick?: boolean, lesson?: boolean}} wanted as one asks a server
 * @param {string} name of the person who opens it
 * @returns {Promise<string>} its code
 */
export async function makeTable({ settings, quick, lesson }, name) {
  await deleteIdleTables();
  const code = randomHex(6);
  await lockTable(code);
  const people = [{ name, look: prefs.get("look") }];
  await startTable(code, { settings, people, quick, lesson });
  await pendingWrites.get(code); // whoever loads the page anew at once finds it
  return code;
}

/**
 * A table by its code, running or kept; null where there is none.
 *
 * @param {string} code
 * @returns {Promise<LocalTable | null>}
 * @throws {ApiError} where it runs in another window
 */
export async function findTable(code) {
  const found = running.get(code);
  if (found) return found;
  if (!(await lockTable(code))) throw new ApiError(409, "elsewhere", t("web.alone.elsewhere"));
  const stored = await readTable(code);
  return stored ? startTable(code, stored.state) : null;
}

/** Keep other windows from running a table too; false where one does. @param {string} code @returns {Promise<boolean>} */
function lockTable(code) {
  if (!("locks" in navigator)) return Promise.resolve(true); // without https nobody can say
  return new Promise((resolve) => {
    const holdLock = () => (resolve(true), new Promise((release) => lockReleases.push(() => release(undefined))));
    const signal = AbortSignal.timeout(LOCK_TIMEOUT_MS);
    navigator.locks.request(`lastcard ${FOLDER} ${code}`, { signal }, holdLock).catch(() => resolve(false));
  });
}

/** @param {string} code @param {any} what a setup, or what was kept of a table */
function startTable(code, what) {
  const opening = takeWorker().then((office) =>
    LocalTable.open(what, {
      worker: office,
      save: (state) => void pendingWrites.set(code, putTable({ code, at: Date.now(), state }).catch(warnNotStored)),
      finished: (match) => void storeFinished(match, code),
    }),
  );
  running.set(code, opening);
  opening.catch(() => running.delete(code));
  return opening;
}

/** A match is over; a lesson is none. @param {Finished} match @param {string} table */
async function storeFinished({ record, players, ...match }, table) {
  if (record === null) return;
  const seats = players.flatMap((player, seat) => (player === null ? [] : [seat]));
  await putMatch({ ...match, record, seats, table }).catch(warnNotStored);
}

/** What is played is lost with the page, where storage is full or blocked: one knows it in time. @param {unknown} error */
function warnNotStored(error) {
  console.warn("nothing is kept here:", error);
  if (!hasWarned) toast(t("web.alone.unkept"), { kind: "bad" });
  hasWarned = true;
}

/** Let go of tables at which nothing is going on, and of workers that nobody looks at. */
async function deleteIdleTables() {
  await closeTables();
  for (const { code, state } of await readTables()) if (!isMatchRunning(state)) await deleteTable(code);
}

/** End all workers; what they hold is kept. */
export async function closeTables() {
  const tables = [...running.values()];
  running.clear();
  for (const table of tables) (await table.catch(() => null))?.close();
  for (const release of lockReleases.splice(0)) release();
}

/** The matches that go on, latest first. @returns {Promise<MatchLine[]>} */
export async function runningMatches() {
  const tables = (await readTables()).filter(({ state }) => isMatchRunning(state));
  return tables
    .sort((a, b) => b.at - a.at)
    .map(({ code, at, state }) => ({
      id: state.match.id,
      table: code,
      rules: state.data.settings.rules,
      names: state.data.seats.map((/** @type {{name: string} | null} */ seat) => seat?.name ?? "–"),
      started: at,
      finished: null,
      winners: null,
      seat: 0,
      live: true,
      taken_back: false,
      brought: false,
    }));
}
