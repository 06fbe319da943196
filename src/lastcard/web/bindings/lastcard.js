/**
 * The entry point for JavaScript programs: the rules as the server plays them, in a page or in Node, without a build step.
 *
 *     import { load, Match } from "lastcard.js";
 *     await load(new URL("lastcard.wasm", "https://…"));
 *     const match = new Match("classic+stacking=same", { players: 4, seed: 7 });
 *     match.do(match.turn, match.legal()[0]);
 *
 * See docs/everywhere.md.
 */

import { loadKernel } from "./kernel.js";
import { setLatestKernel } from "./latest.js";

/** @import { Description, Kernel } from "./kernel.js" */

export { Bot, Library, makeBot, reaction } from "./bots.js";
export { readCases, runCase } from "./cases.js";
export { LastcardError, NotationError, RecordError, IllegalMove, RulesError, UsageError } from "./errors.js";
export { Kernel } from "./kernel.js";
export { Match, replay } from "./match.js";
export { parseRecord, recordText } from "./record.js";
export { Rules } from "./rules.js";

/**
 * Loads the module. Matches that name no other kernel use the one loaded last.
 * @param {BufferSource | URL | string | WebAssembly.Module} module its bytes, its address, or the compiled module
 * @param {Description | URL | string} [description] the description or its address; by default beside the module's address
 * @returns {Promise<Kernel>}
 */
export async function load(module, description) {
  return setLatestKernel(await loadKernel(module, description));
}
