/** The way back to a match that goes on, with whose turn it is: at the head of the first page. */

import { gameOf } from "../local/rulename.js";
import { h, stylesheet } from "../ui/dom.js";
import { need } from "../ui/needs.js";
import { t, useTexts } from "../ui/words.js";

/** @import { RunningMatch } from "../line/protocol.js" */

need(useTexts("alone"), stylesheet("alone/goon.css"));

/** @param {RunningMatch} match */
export function goOnLink({ table, rules, turn, yours }) {
  const whose = yours ? t("web.alone.turn.you") : turn !== null && t("web.alone.turn", { player: turn });
  const line = h("small", { class: "go-on-turn" }, [t(`game.${gameOf(rules)}`), whose].filter(Boolean).join(" · "));
  return h("a", { class: "button big wide go-on", href: `/t/${table}` }, h("span", null, t("web.alone.go_on")), " ", line);
}
