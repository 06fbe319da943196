/** The tables of this page: each runs in a worker while it is looked at, and is kept by the device. */

import { FOLDER } from "../ui/address.js";
import { need } from "../ui/needs.js";
import { prefs } from "../ui/prefs.js";
import { toast } from "../ui/toast.js";
import { t, useTexts } from "../ui/words.js";
import { ApiError } from "../line/api.js";
import { randomHex } from "../line/shuffle.js";
import { DeviceTable } from "../device/devicetable.js";
import { openOffice } from "../device/offices.js";
import { goesOn } from "./kept.js";
import { dropTable, keepMatch, keepTable, readTable, readTables } from "./store.js";

/** @import { Finished } from "../device/table.js" */
/** @import { MatchLine } from "../line/protocol.js" */

need(useTexts("alone"));

/** How long the window that was loaded anew may take to let go of its table. */
const PATIENCE_MS = 2000;

/** Running tables by code. @type {Map<string, Promise<DeviceTable>>} */
const running = new Map();
/** What is being written of them. @type {Map<string, Promise<unknown>>} */
const writing = new Map();
/** Whether it has been said that nothing is kept. */
let told = false;
/** What lets go of the tables of this window. @type {(() => void)[]} */
const held = [];

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
  await hold(code);
  const people = [{ name, look: prefs.get("look") }];
  await run(code, { settings, people, quick, lesson });
  await writing.get(code); // whoever loads the page anew at once finds it
  return code;
}

/**
 * A table by its code, running or kept; null where there is none.
 *
 * @param {string} code
 * @returns {Promise<DeviceTable | null>}
 * @throws {ApiError} where it runs in another window
 */
export async function findTable(code) {
  const found = running.get(code);
  if (found) return found;
  if (!(await hold(code))) throw new ApiError(409, "elsewhere", t("web.alone.elsewhere"));
  const kept = await readTable(code);
  return kept ? run(code, kept.kept) : null;
}

/** Keep other windows from running a table too; false where one does. @param {string} code @returns {Promise<boolean>} */
function hold(code) {
  if (!("locks" in navigator)) return Promise.resolve(true); // without https nobody can say
  return new Promise((settle) => {
    const keep = () => (settle(true), new Promise((release) => held.push(() => release(undefined))));
    const signal = AbortSignal.timeout(PATIENCE_MS);
    navigator.locks.request(`lastcard ${FOLDER} ${code}`, { signal }, keep).catch(() => settle(false));
  });
}

/** @param {string} code @param {any} what a setup, or what was kept of a table */
function run(code, what) {
  const opening = openOffice().then((office) =>
    DeviceTable.open(what, {
      office,
      keep: (kept) => void writing.set(code, keepTable({ code, at: Date.now(), kept }).catch(tellUnkept)),
      finished: (match) => void keepFinished(match, code),
    }),
  );
  running.set(code, opening);
  opening.catch(() => running.delete(code));
  return opening;
}

/** A match is over; a lesson is none. @param {Finished} match @param {string} table */
async function keepFinished({ record, players, ...match }, table) {
  if (record === null) return;
  const seats = players.flatMap((player, seat) => (player === null ? [] : [seat]));
  await keepMatch({ ...match, record, seats, table }).catch(tellUnkept);
}

/** What is played is lost with the page, where storage is full or blocked: one knows it in time. @param {unknown} error */
function tellUnkept(error) {
  console.warn("nothing is kept here:", error);
  if (!told) toast(t("web.alone.unkept"), { kind: "bad" });
  told = true;
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
  for (const release of held.splice(0)) release();
}

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
      brought: false,
    }));
}
