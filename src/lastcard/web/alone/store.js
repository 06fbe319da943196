/** What this device keeps of tables and matches: IndexedDB, where a server would have its database. */

import { load } from "../ui/needs.js";

/**
 * A table that was left, to be taken up again.
 * @typedef {object} KeptTable
 * @property {string} code
 * @property {number} at when it was kept, in milliseconds since 1970
 * @property {any} kept what the table gave; opaque
 */
/**
 * A match that is over.
 * @typedef {object} KeptMatch
 * @property {string} id
 * @property {string} table the code; empty for a record that was taken in
 * @property {string} rules
 * @property {string[]} names
 * @property {number[]} seats those of persons at this device
 * @property {(string | null)[]} [bots] levels, by seat; of a record that was taken in nobody knows them
 * @property {number} started in milliseconds since 1970; `finished` too
 * @property {number} finished
 * @property {readonly number[] | null} winners
 * @property {boolean} takenBack whether moves were taken back
 * @property {string} record
 */

const NAME = "lastcard";
/** Tables and matches of another version are removed. */
const VERSION = 2;

/** @type {Promise<IDBDatabase> | undefined} */
let opening;
/** A browser may have kept nothing, as in some private windows; one plays all the same. @param {unknown} error */
const unkept = (error) => console.warn("nothing is kept here:", error);

/** @returns {Promise<IDBDatabase>} */
function open() {
  opening ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, VERSION);
    asked.onupgradeneeded = ({ oldVersion }) => {
      for (const name of asked.result.objectStoreNames) asked.result.deleteObjectStore(name);
      if (oldVersion) void load(import("../ui/dropped.js")).then(({ sayDropped }) => sayDropped());
      asked.result.createObjectStore("tables", { keyPath: "code" });
      asked.result.createObjectStore("matches", { keyPath: "id" });
    };
    asked.onsuccess = () => {
      asked.result.onversionchange = () => asked.result.close();
      resolve(asked.result);
    };
    asked.onblocked = () => reject(new Error("another window has an earlier version"));
    asked.onerror = () => reject(asked.error);
  });
  return opening;
}

/**
 * Do one thing with what is kept.
 *
 * @template T
 * @param {"tables" | "matches"} kind
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} ask
 * @returns {Promise<T>} when it is on disk
 */
async function work(kind, mode, ask) {
  const change = (await open()).transaction(kind, mode);
  const asked = ask(change.objectStore(kind));
  return new Promise((resolve, reject) => {
    change.oncomplete = () => resolve(asked.result);
    change.onabort = () => reject(change.error);
  });
}

/** @param {string} code @returns {Promise<KeptTable | undefined>} */
export const readTable = (code) =>
  work("tables", "readonly", (store) => store.get(code)).catch((error) => (unkept(error), undefined));

/** @returns {Promise<KeptTable[]>} */
export const readTables = () =>
  work("tables", "readonly", (store) => store.getAll()).catch((error) => (unkept(error), []));

/** @param {KeptTable} table */
export const keepTable = (table) => work("tables", "readwrite", (store) => store.put(table));

/** @param {string} code */
export const dropTable = (code) => work("tables", "readwrite", (store) => store.delete(code)).catch(unkept);

/** @param {string} id @returns {Promise<KeptMatch | undefined>} */
export const readMatch = (id) => work("matches", "readonly", (store) => store.get(id));

/** @returns {Promise<KeptMatch[]>} */
export const readMatches = () =>
  work("matches", "readonly", (store) => store.getAll()).catch((error) => (unkept(error), []));

/** @param {KeptMatch} match */
export const keepMatch = (match) => work("matches", "readwrite", (store) => store.put(match));

/** @param {string} id */
export const dropMatch = (id) => work("matches", "readwrite", (store) => store.delete(id));

/** Forget everything. */
export async function clear() {
  await work("tables", "readwrite", (store) => store.clear());
  await work("matches", "readwrite", (store) => store.clear());
}
