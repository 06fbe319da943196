/** The worker of a page: it holds the rules, and a table or what records ask for; calls come in, answers go out. */

import { Library } from "../local/bots.js";
import { LastcardError } from "../local/errors.js";
import { load } from "../local/lastcard.js";
import * as hosting from "./hosting.js";
import { checkRecord, replayOf } from "./records.js";
import { Table } from "./table.js";

/** @import { ClientUnion } from "../line/protocol.js" */
/** @import { Person } from "./document.js" */
/** @import { Setup } from "./hosting.js" */
/** @import { KeptTable } from "./table.js" */

/** Where the files lie that a table needs: the module, its description, the folder of what bots have learned. @typedef {{module: string, description: string, bots: string}} Files */

/** @typedef {{call: number, name: string, args: any[]}} Call */

/** @type {Promise<import("../local/kernel.js").Kernel> | null} */
let kernel = null;
/** @type {Table | null} */
let table = null;

/** What the page may call. @type {Record<string, (...args: any[]) => unknown>} */
const CALLS = {
  /** @param {Files} files */
  load: async ({ module, description }) => {
    kernel ??= load(module, description);
    await kernel.catch((error) => {
      kernel = null; // it may be there when it is asked for again
      throw error;
    });
  },

  /** @param {Setup | KeptTable} what @param {Files} files */
  open: async (what, { bots }) => {
    const loaded = await /** @type {NonNullable<typeof kernel>} */ (kernel);
    table = new Table(loaded, new Library(loaded, bots), what, {
      tell: (message) => postMessage({ tell: message }),
      keep: (kept) => postMessage({ keep: kept }),
      finished: (match) => postMessage({ finished: match }),
    });
    return table.eyes;
  },

  /** @param {ClientUnion} message */
  say: (message) => at().handle(message),
  /** @param {string | null} player */
  look: (player) => at().look(player),
  /** @param {Person} person @param {number | null} seat */
  addPerson: (person, seat) => at().changePeople((document) => hosting.addPerson(document, person, seat)),
  /** @param {string} player */
  removePerson: (player) => at().changePeople((document) => hosting.removePerson(document, player)),
  /** @param {string} player @param {string} name */
  renamePerson: (player, name) => at().changePeople((document) => hosting.renamePerson(document, player, name)),
  record: () => at().record(),
  hangUp: () => at().hangUp(),

  check: checkRecord,
  replay: replayOf,
};

/** @returns {Table} */
function at() {
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
