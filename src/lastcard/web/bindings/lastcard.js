/**
 * lastcard for programs in JavaScript: the rules as the server plays them, in a page or in Node, with nothing to build.
 *
 *     import { load, Match } from "lastcard.js";
 *     await load(new URL("lastcard.wasm", "https://…"));
 *     const match = new Match("classic+stacking=same", { players: 4, seed: 7 });
 *     match.do(match.turn, match.legal()[0]);
 *
 * docs/everywhere.md tells more.
 */

import { loadKernel } from "./kernel.js";
import { setLatestKernel } from "./latest.js";

/** @import { Description, Kernel } from "./kernel.js" */

export { Bot, Library, makeBot, reaction } from "./bots.js";
export { readCases, runCase } from "./cases.js";
export { LastcardError, NotationError, RecordError, IllegalMove as Refused, RulesError, UsageError } from "./errors.js";
export { Kernel } from "./kernel.js";
export { Match, replay } from "./match.js";
export { parseRecord, recordText } from "./record.js";
export { Rules } from "./rules.js";

/**
 * Loads the module; matches that name no other kernel are played by the one loaded last.
 * @param {BufferSource | URL | string | WebAssembly.Module} module its bytes, its address, or what was compiled of it
 * @param {Description | URL | string} [description] or its address; beside the module where that is an address
 * @returns {Promise<Kernel>}
 */
export async function load(module, description) {
  return setLatestKernel(await loadKernel(module, description));
}
