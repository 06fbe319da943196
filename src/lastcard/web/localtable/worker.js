/** The worker of a page: it runs the kernel and a table, or checks records; it receives calls and posts answers. */

import { Library } from "../bindings/bots.js";
import { DEFAULT_SETTINGS } from "../bindings/constants.js";
import { LastcardError } from "../bindings/errors.js";
import { load } from "../bindings/lastcard.js";
import { latestKernel } from "../bindings/latest.js";
import { readCard } from "./dealing.js";
import * as hosting from "./hosting.js";
import { openOwnPuzzle, openPuzzle, whyNotInPuzzle } from "./puzzles.js";
import { ratePuzzle } from "./puzzlerating.js";
import { measureRules } from "./rulefigures.js";
import { recordCalls } from "./recordcalls.js";
import { Table } from "./table.js";

/** @import { ClientUnion } from "../net/protocol.js" */
/** @import { Setup } from "./hosting.js" */
/** @import { Description } from "../bindings/kernel.js" */
/** @import { SavedTable } from "./table.js" */

/**
 * The worker's resources: the module and its description (`load` of lastcard.js), and the address of the bots' weights, which are
 * fetched on demand.
 * @typedef {{module: string | WebAssembly.Module, description: string | Description, bots: string}} Files
 */

/** The bots' weights. @type {Library} */
let library;
/** @type {Table | null} */
let table = null;

/** The calls that the page may make. @type {Record<string, (...args: any[]) => unknown>} */
const CALLS = {
  /** @param {Files} files */
  load: async (files) => {
    library = new Library(await load(files.module, files.description), files.bots);
  },

  /** @param {Setup | SavedTable} what */
  open: (what) => {
    try {
      table = new Table(library.kernel, library, what, {
        send: (message) => postMessage({ message }),
        save: (saved) => postMessage({ saved }),
        finished: (match) => postMessage({ finished: match }),
      });
    } catch (error) {
      if (what && "people" in what) throw error;
      throw new LastcardError(`a saved table cannot be read: ${error}`, "damaged");
    }
    return table.viewer;
  },

  /** @param {ClientUnion} message */
  say: (message) => openTable().handle(message),
  /** @param {string | null} player */
  setViewer: (player) => openTable().setViewer(player),
  /** @param {{name: string}} person */
  addPerson: (person) => openTable().addPerson(person),
  /** @param {string} player */
  removePerson: (player) => openTable().removePerson(player),
  hangUp: () => openTable().hangUp(),

  /** @param {string} rules @param {number} seats */
  rules: (rules, seats) =>
    hosting.checkSettings(latestKernel().description, { ...DEFAULT_SETTINGS, rules, seats }).rules,
  /** @param {string} rules @param {number} seats */
  figures: (rules, seats) => measureRules(rules, seats, library),
  /** @param {string} text */
  card: (text) => readCard(latestKernel().description, text),
  ...recordCalls(() => library, postMessage),
  puzzle: openPuzzle,
  ownPuzzle: openOwnPuzzle,
  whyNotInPuzzle,
  ratePuzzle,
};

/** @returns {Table} */
function openTable() {
  if (!table) throw new LastcardError("no table is open", "no-table");
  return table;
}

addEventListener("message", async ({ data: { call, name, args } }) => {
  try {
    postMessage({ answer: call, value: await CALLS[name](...args) });
  } catch (error) {
    if (!(error instanceof LastcardError)) console.error(error);
    const { code = "fault", message, values = {} } = /** @type {any} */ (error);
    postMessage({ answer: call, error: { code, message, values } });
  }
});
