/** Three short tips for a first game, each when it matters; remembered once read. */

import { valueIn } from "../bindings/rulename.js";
import { prefs } from "../ui/prefs.js";
import { t } from "../ui/texts.js";

/** @import {View} from "../cards/view.js" */
/** @import {News} from "./actionbar.js" */

const TIPS = /** @type {const} */ (["play", "uno", "why"]);
/** What each teaches: to play or draw, to call, to ask why. @type {Readonly<Record<(typeof TIPS)[number], RegExp>>} */
const TEACHES = { play: /^([RYGBW]|draw$)/, uno: /^uno$|!$/, why: /^why$/ };
/** Where the table makes every call or nobody can be caught there is no race to tell of (LC-16). */
const NO_RACE = ["automatic_call", "no_penalty"];

/**
 * The tip that matters now; null where there is none or it has been seen.
 *
 * @param {View} view
 * @param {() => void} done the tip has been read
 * @returns {News | null}
 */
export function tipFor(view, done) {
  const name = TIPS.find((tip) => matters(tip, view) && !prefs.get("hints").includes(tip));
  if (!name) return null;
  /** @param {readonly string[]} names */
  const seen = (names) => {
    prefs.set("hints", [...new Set([...prefs.get("hints"), ...names])]);
    done();
  };
  return {
    text: t(`web.tip.${name}`),
    kind: "tip",
    buttons: [
      [t("web.tip.read"), () => seen([name])],
      [t("web.tip.skip"), () => seen(TIPS)],
    ],
  };
}

/**
 * The player has done something: whoever does what a tip teaches needs it no more.
 *
 * @param {string} move as it was made; `why` where a reason was asked for
 */
export function markLearned(move) {
  const known = prefs.get("hints");
  const taught = TIPS.filter((tip) => TEACHES[tip].test(move));
  if (!taught.every((tip) => known.includes(tip))) prefs.set("hints", [...new Set([...known, ...taught])]);
}

/**
 * @param {(typeof TIPS)[number]} tip
 * @param {View} view
 */
function matters(tip, { shown, turn, hand, game, seat, cards }) {
  if (!game.mine || seat === null || shown.decision === "over") return false;
  // It would stand in place of a question that its reader has not seen before either.
  if (turn && shown.decision !== "play") return false;
  if (tip === "play") return turn && cards.size > 0;
  if (tip === "uno" && NO_RACE.includes(valueIn(shown.rules, "uno_window") ?? "")) return false;
  if (tip === "uno") return hand !== null && (hand.length === 2 || shown.exposed.includes(seat));
  return turn && shown.discard_count > shown.counts.length + 1;
}
