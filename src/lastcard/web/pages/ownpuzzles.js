/** Puzzles made from mistakes in reports, stored on this device. */

import { at, isLocal } from "../ui/address.js";
import { attempt } from "../ui/panels.js";
import { go } from "../ui/router.js";
import { get } from "../net/api.js";
import { putPuzzle } from "../offline/store.js";

/** @import { Replay } from "../net/protocol.js" */

/**
 * Stores a mistake of a match as a puzzle, and opens it.
 * @param {Replay} replay @param {{round: number, step: number, best: string, about: string}} mistake
 */
export const makeOwnPuzzle = ({ id, names }, mistake) =>
  attempt(async () => {
    const puzzle = `${id}-${mistake.round}-${mistake.step}`;
    await putPuzzle({ ...mistake, id: puzzle, names, record: await recordOf(id) });
    await go(`/puzzles/${puzzle}`);
  });

/** @param {string} id @returns {Promise<string>} */
async function recordOf(id) {
  const path = `/api/matches/${encodeURIComponent(id)}/record`;
  return isLocal(id) ? get(path, true) : (await fetch(at(path))).text();
}
