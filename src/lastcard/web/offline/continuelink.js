/** The link to a running match at the top of the home page, with the player on turn. */

import { gameOf } from "../bindings/rulename.js";
import { h, stylesheet } from "../ui/dom.js";
import { need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";

/** @import { RunningMatch } from "../net/protocol.js" */

need(useTexts("offline"), stylesheet("offline/continuelink.css"));

/** @param {RunningMatch} match */
export function continueLink({ table, rules, turn, yours }) {
  const whose = yours ? t("web.alone.turn.you") : turn !== null && t("web.alone.turn", { player: turn });
  const line = h("small", { class: "continue-game-turn" }, [t(`game.${gameOf(rules)}`), whose].filter(Boolean).join(" · "));
  return h("a", { class: "button big wide continue-game", href: `/t/${table}` }, h("span", null, t("web.alone.go_on")), " ", line);
}
