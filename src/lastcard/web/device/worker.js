/** The worker of a page: it holds the rules, and a table or what records ask for; calls come in, answers go out. */

import { Library } from "../local/bots.js";
import { LastcardError } from "../local/errors.js";
import { load } from "../local/lastcard.js";
import { latestKernel } from "../local/latest.js";
import { readCard } from "./dealing.js";
import { FACTS } from "./facts.js";
import * as hosting from "./hosting.js";
import { checkRecord, replayOf } from "./records.js";
import { Table } from "./table.js";

/** @import { ClientUnion } from "../line/protocol.js" */
/** @import { Person } from "./document.js" */
/** @import { Setup } from "./hosting.js" */
/** @import { Description } from "../local/kernel.js" */
/** @import { KeptTable } from "./table.js" */

/**
 * What the worker works with: the module and its description (`load` of lastcard.js), and the folder of what bots have
 * learned, whose files are fetched when they are first needed.
 * @typedef {{module: string | WebAssembly.Module, description: string | Description, bots: string}} Files
 */

/** @typedef {{call: number, name: string, args: any[]}} Call */

/** The folder of what bots have learned. */
let bots = "";
/** @type {Table | null} */
let table = null;

/** What the page may call. @type {Record<string, (...args: any[]) => unknown>} */
const CALLS = {
  /** @param {Files} files */
  load: async (files) => {
    await load(files.module, files.description);
    bots = files.bots;
  },

  /** @param {Setup | KeptTable} what */
  open: (what) => {
    const kernel = latestKernel();
    table = new Table(kernel, new Library(kernel, bots), what, {
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

  /** @param {string} rules @param {number} seats */
  rules: (rules, seats) =>
    hosting.checkSettings(latestKernel().description, { ...FACTS.settings, rules, seats }).rules,
  /** @param {string} text */
  card: (text) => readCard(latestKernel().description, text),
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
