/** Pages for addresses and tables that do not exist or have ended. Each offers a next step. */

import { button } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { form } from "../ui/fields.js";
import { need } from "../ui/resources.js";
import { go, lost, show } from "../ui/router.js";
import { t, useTexts } from "../ui/texts.js";
import { codeField } from "../guide/codefield.js";

/** @import { Page } from "../ui/router.js" */

need(useTexts("unknown"), useTexts("notice"));

/** Returns a page for an address that leads to no page. @param {string} [why] @returns {Promise<Page>} */
export async function page(why) {
  const rules = h("a", { class: "button", href: "/rules" }, t("web.home.rules"));
  return lost(t("web.page.unknown"), why || t("web.page.unknown.next"), rules);
}

/** Returns a page for a table that does not exist. @param {string} code @returns {Page} */
export function unknownTable(code) {
  return lost(t("web.table.unknown", { code }), t("web.table.unknown.next"), codeForm("/t/"));
}

/** Returns a page for a table that cannot be entered. @param {string} code @param {string} why as in `Bye` @returns {Page} */
export function closedTable(code, why) {
  if (why === "unknown") return unknownTable(code);
  if (why === "full") return lost(t("web.table.full"), t("web.net.ended.full"), button(t("web.page.again"), show));
  return lost(t("web.net.ended.gone"), t("web.table.unknown.next"), codeForm("/t/"));
}

/** Returns a field for the code of another table. @param {string} path what the code follows in the address */
export function codeForm(path) {
  const { element, input, code } = codeField();
  return form({ class: "panel" }, () => (code() ? go(`${path}${code()}`) : input.focus()), element);
}
