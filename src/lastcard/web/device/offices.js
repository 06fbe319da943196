/** Workers with the rules, which come once for all of them; one may wait for the first table. */

import { Office } from "./office.js";

/** @import { Files } from "./worker.js" */

/** @param {string} name in the folder of the version */
const place = (name) => new URL(`../kernel/${name}`, import.meta.url).href;

/** @type {Promise<Files> | null} */
let files = null;
/** @type {Promise<Office> | null} */
let spare = null;

/** A worker that is loaded. @returns {Promise<Office>} */
export function openOffice() {
  const office = spare ?? startOffice();
  spare = null;
  return office;
}

/** Have a worker wait: whoever opens a table next need not. */
export function keepSpare() {
  spare ??= startOffice();
  spare.catch(() => (spare = null));
}

async function startOffice() {
  const office = new Office();
  try {
    files ??= fetchFiles();
    await office.load(await files);
    return office;
  } catch (error) {
    files = null; // they may come when they are asked for again
    office.close();
    throw error;
  }
}

/** @returns {Promise<Files>} */
async function fetchFiles() {
  const [module, description] = await Promise.all([
    fetch(place("lastcard.wasm")).then((answer) => answer.arrayBuffer()),
    fetch(place("lastcard.json")).then((answer) => answer.json()),
  ]);
  return { module: await WebAssembly.compile(module), description, bots: place("") };
}
