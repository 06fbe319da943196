/** This device's storage of tables and matches, in IndexedDB, in place of a server's database. */

import { load } from "../ui/resources.js";

/**
 * A saved table that can be resumed.
 * @typedef {object} StoredTable
 * @property {string} code
 * @property {number} at when it was saved, in milliseconds since 1970
 * @property {any} state the table's opaque state
 */
/**
 * A finished match.
 * @typedef {object} StoredMatch
 * @property {string} id
 * @property {string} table the code; empty for an imported record
 * @property {string} rules
 * @property {string[]} names
 * @property {number[]} seats the seats of people at this device
 * @property {(string | null)[]} [bots] levels, by seat; unknown for an imported record
 * @property {number} started in milliseconds since 1970; `finished` too
 * @property {number} finished
 * @property {readonly number[] | null} winners
 * @property {boolean} takenBack whether moves were taken back
 * @property {string} record
 */

/**
 * A puzzle made from a mistake.
 * @typedef {object} StoredPuzzle
 * @property {string} id
 * @property {string} record of its match
 * @property {string[]} names
 * @property {number} round
 * @property {number} step the number of moves before the moment
 * @property {string} best the best move, without a call
 * @property {string} about the sentence of the report
 */

const DATABASE_NAME = "lastcard";
/** The database version. Tables and matches of other versions are removed. */
const DATABASE_VERSION = 5;

/** @type {Promise<IDBDatabase> | undefined} */
let database;
/** Warns that nothing can be stored, as in some private windows; play is still possible. @param {unknown} error */
const warnNotStored = (error) => console.warn("nothing is kept here:", error);

/** @returns {Promise<IDBDatabase>} */
function open() {
  database ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE_NAME, DATABASE_VERSION);
    asked.onupgradeneeded = ({ oldVersion }) => {
      for (const name of asked.result.objectStoreNames) asked.result.deleteObjectStore(name);
      if (oldVersion) void load(import("../ui/resetnotice.js")).then(({ announceReset }) => announceReset());
      asked.result.createObjectStore("tables", { keyPath: "code" });
      asked.result.createObjectStore("matches", { keyPath: "id" });
      asked.result.createObjectStore("puzzles", { keyPath: "id" });
    };
    asked.onsuccess = () => {
      asked.result.onversionchange = () => asked.result.close();
      resolve(asked.result);
    };
    asked.onblocked = () => reject(new Error("another window has an earlier version"));
    asked.onerror = () => reject(asked.error);
  });
  return database;
}

/**
 * Runs one request in a transaction.
 * @template T
 * @param {"tables" | "matches" | "puzzles"} kind @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} ask
 * @returns {Promise<T>} resolves when it is on disk
 */
async function transact(kind, mode, ask) {
  const change = (await open()).transaction(kind, mode);
  const asked = ask(change.objectStore(kind));
  return new Promise((resolve, reject) => {
    change.oncomplete = () => resolve(asked.result);
    change.onabort = () => reject(change.error);
  });
}

/** @param {string} code @returns {Promise<StoredTable | undefined>} */
export const readTable = (code) =>
  transact("tables", "readonly", (store) => store.get(code)).catch((error) => (warnNotStored(error), undefined));

/** @returns {Promise<StoredTable[]>} */
export const readTables = () =>
  transact("tables", "readonly", (store) => store.getAll()).catch((error) => (warnNotStored(error), []));

/** @param {StoredTable} table */
export const putTable = (table) => transact("tables", "readwrite", (store) => store.put(table));

/** @param {string} code */
export const deleteTable = (code) => transact("tables", "readwrite", (store) => store.delete(code)).catch(warnNotStored);

/** @param {string} id @returns {Promise<StoredMatch | undefined>} */
export const readMatch = (id) => transact("matches", "readonly", (store) => store.get(id));

/** @returns {Promise<StoredMatch[]>} */
export const readMatches = () =>
  transact("matches", "readonly", (store) => store.getAll()).catch((error) => (warnNotStored(error), []));

/** @param {StoredMatch} match */
export const putMatch = (match) => transact("matches", "readwrite", (store) => store.put(match));

/** @param {string} id */
export const deleteMatch = (id) => transact("matches", "readwrite", (store) => store.delete(id));

/** @returns {Promise<StoredPuzzle[]>} */
export const readPuzzles = () =>
  transact("puzzles", "readonly", (store) => store.getAll()).catch((error) => (warnNotStored(error), []));

/** @param {StoredPuzzle} puzzle */
export const putPuzzle = (puzzle) => transact("puzzles", "readwrite", (store) => store.put(puzzle));

/** @param {string} id */
export const deletePuzzle = (id) => transact("puzzles", "readwrite", (store) => store.delete(id));

/** Deletes everything. */
export async function clear() {
  await transact("tables", "readwrite", (store) => store.clear());
  await transact("matches", "readwrite", (store) => store.clear());
  await transact("puzzles", "readwrite", (store) => store.clear());
}
