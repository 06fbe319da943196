/** Workers that share one download of the kernel; one spare may wait for the first table. */

import { WorkerClient } from "./workerclient.js";

/** @import { Files } from "./worker.js" */
/** @typedef {Pick<WorkerClient, "ask" | "onMessage" | "close">} Client what runs the calls */

/** @param {string} name a file in the version's folder */
const place = (name) => new URL(`../kernel/${name}`, import.meta.url).href;

/** @type {Promise<Files> | null} */
let files = null;
/** @type {Promise<Client> | null} */
let spare = null;
/** @type {() => Promise<Client>} */
let startClient = startWorkerClient;

/** Sets what starts a loaded client, in a page that may start no worker. @param {() => Promise<Client>} start */
export function setClientStarter(start) {
  startClient = start;
}

/** Returns a loaded worker. @returns {Promise<Client>} */
export function takeWorker() {
  const client = spare ?? startClient();
  spare = null;
  return client;
}

/** Prepares a spare worker, so that the next table opens at once. */
export function prepareSpare() {
  spare ??= startClient();
  spare.catch(() => (spare = null));
}

async function startWorkerClient() {
  const client = new WorkerClient();
  try {
    files ??= fetchFiles();
    await client.ask("load", await files);
    return client;
  } catch (error) {
    files = null; // the next request tries again
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
