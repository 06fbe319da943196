/** The tables of this page: each runs in a worker while it is open, and is saved on the device. */

import { FOLDER } from "../ui/address.js";
import { button } from "../ui/button.js";
import { errorWords } from "../ui/failures.js";
import { attempt } from "../ui/panels.js";
import { need } from "../ui/resources.js";
import { prefs } from "../ui/prefs.js";
import { go, lost } from "../ui/router.js";
import { toast } from "../ui/toast.js";
import { t, useTexts } from "../ui/texts.js";
import { ApiError } from "../net/api.js";
import { randomHex } from "../net/shuffle.js";
import { LocalTable } from "../localtable/localtable.js";
import { takeWorker } from "../localtable/workerpool.js";
import { finishTry } from "./dailytries.js";
import { readSavedTables } from "./savedtables.js";
import { deleteTable, putMatch, putTable, readTable, readTables } from "./store.js";

/** @import { Finished } from "../localtable/table.js" */
/** @import { MatchLine } from "../net/protocol.js" */
/** @import { Page } from "../ui/router.js" */

need(useTexts("offline"), useTexts("unknown"));

/** How long a reloaded window may take to release its table. */
const LOCK_TIMEOUT_MS = 2000;

/** Running tables by code. @type {Map<string, Promise<LocalTable>>} */
const running = new Map();
/** Pending writes by code. @type {Map<string, Promise<unknown>>} */
const pendingWrites = new Map();
/** Whether the warning about missing storage was shown. */
let hasWarned = false;
/** Functions that release this window's table locks. @type {(() => void)[]} */
const lockReleases = [];

/**
 * Makes a new table.
 * @param {{settings: object, quick?: boolean, lesson?: number, bots?: readonly string[], daily?: string}} wanted
 *   as in a request to a server; or the day whose deal is played
 * @param {string} name the name of the person who opens it
 * @returns {Promise<string>} the table's code
 */
export async function makeTable({ settings, quick, lesson, bots, daily }, name) {
  await deleteIdleTables();
  const code = randomHex(6);
  await lockTable(code);
  const people = [{ name, look: prefs.get("look") }];
  await startTable(code, { settings, people, quick, lesson, level: bots?.[0], daily });
  await pendingWrites.get(code); // so that an immediate reload finds it
  return code;
}

/**
 * Returns a table by its code, running or saved, or the page that says why it cannot be opened.
 * @param {string} code @returns {Promise<LocalTable | Page>}
 */
export async function openTable(code) {
  try {
    return (await findTable(code)) ?? lost(t("web.table.unknown.here"));
  } catch (error) {
    const isDamaged = /** @type {{code?: string}} */ (error).code === "damaged";
    const page = lost(isDamaged ? t("web.alone.damaged") : errorWords(error));
    if (isDamaged) page.element.append(button(t("web.home.create"), () => replaceTable(code)));
    return page;
  }
}

/**
 * Returns a table by its code, running or saved; null if there is none.
 * @param {string} code @returns {Promise<LocalTable | null>}
 * @throws {ApiError} if it runs in another window
 */
async function findTable(code) {
  const found = running.get(code);
  if (found) return found;
  if (!(await lockTable(code))) throw new ApiError(409, "elsewhere", t("web.alone.elsewhere"));
  const stored = await readTable(code);
  return stored ? startTable(code, stored.state) : null;
}

/** Deletes a table that cannot be read, and opens a new one. @param {string} code */
const replaceTable = (code) =>
  attempt(async () => {
    await deleteTable(code);
    await go(`/t/${await makeTable({ settings: { rules: prefs.get("game") } }, prefs.get("name"))}`);
  });

/** Prevents other windows from running a table; false if one runs it. @param {string} code @returns {Promise<boolean>} */
function lockTable(code) {
  if (!("locks" in navigator)) return Promise.resolve(true); // without HTTPS there are no locks
  return new Promise((resolve) => {
    const holdLock = () => (resolve(true), new Promise((release) => lockReleases.push(() => release(undefined))));
    const signal = AbortSignal.timeout(LOCK_TIMEOUT_MS);
    navigator.locks.request(`lastcard ${FOLDER} ${code}`, { signal }, holdLock).catch(() => resolve(false));
  });
}

/** @param {string} code @param {any} what a setup, or a saved table */
function startTable(code, what) {
  const opening = takeWorker().then((worker) =>
    LocalTable.open(what, {
      worker,
      save: (state) => void pendingWrites.set(code, putTable({ code, at: Date.now(), state }).catch(warnNotStored)),
      finished: (match) => void storeFinished(match, code),
    }),
  );
  running.set(code, opening);
  opening.catch(() => running.delete(code));
  return opening;
}

/** Stores a finished match; a lesson is none. @param {Finished} match @param {string} table */
async function storeFinished({ record, players, daily, ...match }, table) {
  if (record === null) return;
  if (daily) finishTry(table, { ...match, ...daily });
  const seats = players.flatMap((player, seat) => (player === null ? [] : [seat]));
  await putMatch({ ...match, record, seats, table }).catch(warnNotStored);
}

/** Warns early that matches are lost with the page, because storage is full or blocked. @param {unknown} error */
function warnNotStored(error) {
  console.warn("nothing is kept here:", error);
  if (!hasWarned) toast(t("web.alone.unkept"), { kind: "bad" });
  hasWarned = true;
}

/** Closes all tables, and deletes those without a running match. */
async function deleteIdleTables() {
  await closeTables();
  const { tables } = await readSavedTables();
  const running = tables.flatMap(({ code, match }) => match && code);
  for (const { code } of await readTables()) if (!running.includes(code)) await deleteTable(code);
}

/** Ends all workers; their tables stay saved. */
export async function closeTables() {
  const tables = [...running.values()];
  running.clear();
  for (const table of tables) (await table.catch(() => null))?.close();
  for (const release of lockReleases.splice(0)) release();
}

/** Returns the running matches, latest first. @returns {Promise<MatchLine[]>} */
export async function runningMatches() {
  const { tables } = await readSavedTables();
  return tables.flatMap(({ code, at, match, rules, names }) => {
    const line = { table: code, rules, names, started: at, finished: null, winners: null, seat: 0, live: true };
    return match === null ? [] : [{ id: match, ...line, taken_back: false, brought: false }];
  });
}
