// Three short hints for a first game, each when it matters; remembered once read.

import { prefs } from "../ui/prefs.js";
import { t } from "../ui/words.js";

/** @import {Scene} from "../cards/scene.js" */
/** @import {News} from "./pickers.js" */

const HINTS = /** @type {const} */ (["play", "uno", "why"]);

/**
 * The hint that matters now; null where there is none or it has been seen.
 *
 * @param {Scene} scene
 * @param {() => void} done the hint has been read
 * @returns {News | null}
 */
export function hintFor(scene, done) {
  const name = HINTS.find((hint) => matters(hint, scene) && !prefs.get("hints").includes(hint));
  if (!name) return null;
  /** @param {readonly string[]} names */
  const seen = (names) => {
    prefs.set("hints", [...new Set([...prefs.get("hints"), ...names])]);
    done();
  };
  return {
    text: t(`web.hint.${name}`),
    kind: "hint",
    buttons: [
      [t("web.hint.read"), () => seen([name])],
      [t("web.hint.skip"), () => seen(HINTS)],
    ],
  };
}

/**
 * @param {(typeof HINTS)[number]} hint
 * @param {Scene} scene
 */
function matters(hint, { shown, turn, hand, game, seat, cards }) {
  if (!game.mine || seat === null || shown.decision === "over") return false;
  if (hint === "play") return turn && shown.decision === "play" && cards.size > 0;
  if (hint === "uno") return hand !== null && (hand.length === 2 || shown.exposed.includes(seat));
  return turn && shown.discard_count > shown.counts.length + 1;
}
