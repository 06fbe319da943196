/** The link to a running match at the top of the home page, with the player on turn. */

import { gameOf } from "../bindings/rulename.js";
import { h, stylesheet } from "../ui/dom.js";
import { need } from "../ui/resources.js";
import { language, t, useTexts } from "../ui/texts.js";

/** @import { RunningMatch } from "../net/protocol.js" */

need(useTexts("offline"), stylesheet("offline/continuelink.css"));

/** Returns a date and time in a few words. @param {number} ms since 1970 */
const shortTime = (ms) => new Intl.DateTimeFormat(language(), { weekday: "short", hour: "numeric", minute: "2-digit" }).format(ms);
/** @param {number} ms since 1970 */
const shortDate = (ms) => new Intl.DateTimeFormat(language(), { day: "numeric", month: "short" }).format(ms);

/** @param {Omit<RunningMatch, "due" | "closes"> & Partial<RunningMatch>} match */
export function continueLink({ table, rules, turn, yours, due, closes }) {
  const end = closes ? t("web.alone.closes", { time: shortDate(closes) }) : due && t("web.alone.due", { time: shortTime(due) });
  const whose = yours ? t("web.alone.turn.you") : turn !== null && t("web.alone.turn", { player: turn });
  const line = h("small", { class: "continue-game-turn" }, [t(`game.${gameOf(rules)}`), whose, end].filter(Boolean).join(" · "));
  return h("a", { class: "button big wide continue-game", href: `/t/${table}` }, h("span", null, t("web.alone.go_on")), " ", line);
}
