/** Three short tips for a first game, each shown when it is relevant, and never again once read. */

import { valueIn } from "../bindings/rulename.js";
import { prefs } from "../ui/prefs.js";
import { need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";
import { isCalledByTable } from "./unobutton.js";

/** @import {View} from "../cards/view.js" */
/** @import {News} from "./actionbar.js" */

need(useTexts("notice"));

const TIPS = /** @type {const} */ (["play", "uno", "why"]);
/** The moves that each tip teaches: play or draw, call, ask why. @type {Readonly<Record<(typeof TIPS)[number], RegExp>>} */
const TEACHES = { play: /^([RYGBW]|draw$)/, uno: /^uno$|!$/, why: /^why$/ };

/**
 * Returns the relevant tip; null if there is none or it has been seen.
 * @param {View} view
 * @param {() => void} done called when the tip has been read
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
 * Marks a tip as seen after the player has made the move that it teaches.
 * @param {string} move the move made; `why` after a request for a reason
 */
export function markLearned(move) {
  const known = prefs.get("hints");
  const taught = TIPS.filter((tip) => TEACHES[tip].test(move));
  if (!taught.every((tip) => known.includes(tip))) prefs.set("hints", [...new Set([...known, ...taught])]);
}

/** @param {(typeof TIPS)[number]} tip @param {View} view */
function matters(tip, view) {
  const { shown, turn, hand, game, seat, cards } = view;
  if (!game.mine || seat === null || shown.decision === "over") return false;
  // It would replace a question that a new player has not seen before either.
  if (turn && shown.decision !== "play") return false;
  if (tip === "play") return turn && cards.size > 0;
  // Without a penalty there is no race (LC-16).
  if (tip === "uno" && (isCalledByTable(view) || valueIn(shown.rules, "uno_window") === "no_penalty")) return false;
  if (tip === "uno") return hand !== null && (hand.length === 2 || shown.exposed.includes(seat));
  return turn && shown.discard_count > shown.counts.length + 1;
}
