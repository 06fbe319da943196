/** Workers with the rules, which come once for all of them; one may wait for the first table. */

import { WorkerClient } from "./workerclient.js";

/** @import { Files } from "./worker.js" */

/** @param {string} name in the folder of the version */
const place = (name) => new URL(`../kernel/${name}`, import.meta.url).href;

/** @type {Promise<Files> | null} */
let files = null;
/** @type {Promise<WorkerClient> | null} */
let spare = null;

/** A worker that is loaded. @returns {Promise<WorkerClient>} */
export function takeWorker() {
  const client = spare ?? startClient();
  spare = null;
  return client;
}

/** Have a worker wait: whoever opens a table next need not. */
export function prepareSpare() {
  spare ??= startClient();
  spare.catch(() => (spare = null));
}

async function startClient() {
  const client = new WorkerClient();
  try {
    files ??= fetchFiles();
    await client.load(await files);
    return client;
  } catch (error) {
    files = null; // they may come when they are asked for again
    client.close();
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
