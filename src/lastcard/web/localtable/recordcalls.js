/** The calls of a page about records and observations, which need no table. */

import { Workspace } from "../bindings/workspace.js";
import { findHighlights } from "./highlights.js";
import { findHints } from "./hints.js";
import { measureLuck, runMaster } from "./masterrun.js";
import { decodeObservation } from "./observation.js";
import { checkRecord, replayOf } from "./replays.js";
import { makeReport } from "./report.js";
import { Thinker } from "./thinking.js";

/** @import { Library } from "../bindings/bots.js" */
/** @import { EncodedObservation } from "./observation.js" */

/**
 * Returns the calls by name. They run one after another, in pieces.
 * @param {() => Library} library returns the bots' weights, whose kernel was loaded last
 * @param {(progress: {share: number, first?: object}) => void} post receives the progress of a report
 * @returns {Record<string, (...args: any[]) => unknown>}
 */
export function recordCalls(library, post) {
  const thinker = new Thinker();
  /** Counts requests and cancellations of reports: only the last one is made. */
  let reports = 0;
  return {
    /** @param {string} text @param {readonly number[]} seats */
    moments: async (text, seats) => thinker.think(await findHighlights(text, seats, library())),
    /** Returns null if it was canceled. @param {string} text */
    report: async (text) => {
      const request = ++reports;
      const make = await makeReport(text, library(), (share, first) => post({ share, first }));
      return thinker.think(make, () => request === reports);
    },
    /** @param {string} text */
    master: async (text) => thinker.think(await runMaster(text, library())),
    /** @param {string} text */
    luck: async (text) => thinker.think(await measureLuck(text, library())),
    stopReport: () => void reports++,
    /** @param {EncodedObservation} seen */
    hints: (seen) => {
      const { kernel } = library();
      const think = (/** @type {() => Generator<void, any>} */ work) => thinker.think(work);
      return findHints(decodeObservation(kernel, seen), seen.seat, library(), think, new Workspace(kernel, "search"));
    },
    check: checkRecord,
    replay: replayOf,
  };
}
