/** The worker of a page: it holds the rules, and a table or what records ask for; calls come in, answers go out. */

import { Library } from "../local/bots.js";
import { DEFAULT_SETTINGS } from "../local/constants.js";
import { LastcardError } from "../local/errors.js";
import { load } from "../local/lastcard.js";
import { Desk } from "../local/desk.js";
import { latestKernel } from "../local/latest.js";
import { readCard } from "./dealing.js";
import { findHints } from "./hints.js";
import * as hosting from "./hosting.js";
import { findMoments } from "./moments.js";
import { checkRecord, replayOf } from "./records.js";
import { makeReport } from "./report.js";
import { readSeen } from "./seen.js";
import { Table } from "./table.js";
import { Thinker } from "./thoughts.js";

/** @import { ClientUnion } from "../line/protocol.js" */
/** @import { Person } from "./document.js" */
/** @import { Setup } from "./hosting.js" */
/** @import { Description } from "../local/kernel.js" */
/** @import { Seen } from "./seen.js" */
/** @import { KeptTable } from "./table.js" */

/**
 * What the worker works with: the module and its description (`load` of lastcard.js), and the folder of what bots have
 * learned, whose files are fetched when they are first needed.
 * @typedef {{module: string | WebAssembly.Module, description: string | Description, bots: string}} Files
 */

/** @typedef {{call: number, name: string, args: any[]}} Call */

/** What bots have learned. @type {Library} */
let library;
/** For records: one after another. */
const thinker = new Thinker();
/** @type {Table | null} */
let table = null;
/** Counts the reports that were asked for or given up: only the last one is made. */
let reports = 0;

/** What the page may call. @type {Record<string, (...args: any[]) => unknown>} */
const CALLS = {
  /** @param {Files} files */
  load: async (files) => {
    library = new Library(await load(files.module, files.description), files.bots);
  },

  /** @param {Setup | KeptTable} what */
  open: (what) => {
    table = new Table(library.kernel, library, what, {
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
    hosting.checkSettings(latestKernel().description, { ...DEFAULT_SETTINGS, rules, seats }).rules,
  /** @param {string} text */
  card: (text) => readCard(latestKernel().description, text),
  /** @param {string} text @param {readonly number[]} seats */
  moments: async (text, seats) => thinker.think(await findMoments(text, seats, library)),
  /** Null where it was given up. @param {string} text */
  report: async (text) => {
    const mine = ++reports;
    const make = await makeReport(text, library, (share) => postMessage({ share }));
    return thinker.think(make, () => mine === reports);
  },
  stopReport: () => void reports++,
  /** @param {Seen} seen */
  hints: (seen) => {
    const { kernel } = library;
    const think = (/** @type {() => Generator<void, any>} */ work) => thinker.think(work);
    return findHints(readSeen(kernel, seen), seen.seat, library, think, new Desk(kernel, "search"));
  },
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
