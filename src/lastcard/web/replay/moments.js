/** The three moments that a player remembers of a match: the best, the worst and the luckiest, each with a picture and a sentence. */

import { gameOf } from "../bindings/rulename.js";
import { h } from "../ui/dom.js";
import { prefs } from "../ui/prefs.js";
import { need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";
import { cardBack, cardFace } from "../cards/art.js";
import { narrate } from "../cards/narrate.js";

/** @import { Happening, Replay, ReportPage } from "../net/protocol.js" */

need(useTexts("after"));

/** @typedef {{round: number, ply: number, change: number, events: readonly Happening[], lucky: boolean}} Turn a change of one chance */

/**
 * Returns the moments as buttons that lead to their moves, of the person in front of the screen if they played; null if there are none.
 * @param {Replay} replay @param {ReportPage} report @param {(round: number, step: number) => void} jump
 */
export function momentList(replay, report, jump) {
  const own = replay.names.findIndex((name, seat) => replay.bots[seat] === null && name === prefs.get("name"));
  const seat = own >= 0 ? own : Math.max(0, replay.bots.indexOf(null));
  const turns = turnsOf(replay, report, seat);
  const largest = (/** @type {Turn[]} */ among, sign = 1) =>
    among.filter(({ change }) => sign * change > 0).sort((a, b) => sign * (b.change - a.change))[0];
  const chosen = turns.filter(({ lucky }) => !lucky);
  const moments = { best: largest(chosen), worst: largest(chosen, -1), luckiest: largest(turns.filter(({ lucky }) => lucky)) };
  const items = Object.entries(moments).map(([kind, turn]) => turn && h("li", null, picture(kind, turn))).filter(Boolean);
  return items.length ? h("ul", { class: "report-moments" }, items) : null;

  /** @param {string} kind @param {Turn} turn */
  function picture(kind, { round, ply, events }) {
    const event = events.find(({ card }) => card) ?? events[0];
    const face = event.card ? cardFace(event.card, { game: gameOf(replay.rules) }) : cardBack();
    const words = narrate(event, { players: replay.names, rules: replay.rules, viewer: own >= 0 ? own : null });
    const title = h("b", null, t(`web.report.moment.${kind}`));
    return h("button", { type: "button", class: `bare report-moment ${kind}`, onclick: () => jump(round, ply) }, h("span", null, face), title, words);
  }
}

/**
 * Returns how each move changed the chance of a seat; others' moves and drawn cards are luck.
 * @param {Replay} replay @param {ReportPage} report @param {number} seat
 */
function turnsOf(replay, report, seat) {
  return report.curves.flatMap(({ chances }, round) =>
    replay.rounds[round].steps.slice(0, chances.length - 1).map((step, i) => {
      const lucky = step.seat !== seat || step.move === "draw";
      return { round, ply: i + 1, change: chances[i + 1][seat] - chances[i][seat], events: step.events, lucky };
    }).filter(({ events }) => events.length),
  );
}
