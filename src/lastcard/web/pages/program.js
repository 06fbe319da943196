/** The page about the program: a server for phones on a LAN, a terminal client, a library. */

import { h } from "../ui/dom.js";
import { panel } from "../ui/panels.js";
import { need } from "../ui/resources.js";
import { titledPage } from "../ui/router.js";
import { t, useTexts } from "../ui/texts.js";

/** @import { Page } from "../ui/router.js" */

need(useTexts("program"));

/** Shell commands by purpose. */
const COMMANDS = /** @type {const} */ ({
  serve: "lastcard serve",
  play: "lastcard play",
  verify: "lastcard verify match.toml",
  site: "lastcard build-site --out public",
});

/** @returns {Promise<Page>} */
export async function page() {
  const command = (/** @type {keyof typeof COMMANDS} */ name) =>
    h("li", { class: "stack tight" }, h("p", null, t(`web.program.${name}`)), h("code", { class: "code-text" }, COMMANDS[name]));
  const commands = /** @type {(keyof typeof COMMANDS)[]} */ (Object.keys(COMMANDS)).map(command);
  return titledPage(
    t("web.program.title"),
    "",
    h("p", null, t("web.program.lead")),
    panel(
      t("web.program.install"),
      h("p", null, h("code", { class: "code-text" }, "pip install .")),
      h("p", { class: "soft" }, t("web.program.needs")),
    ),
    panel(t("web.program.then"), h("ul", { class: "stack" }, commands)),
  );
}
