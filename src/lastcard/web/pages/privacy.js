/** The privacy page: which personal data this server stores and for how long, from its own settings. */

import { h } from "../ui/dom.js";
import { panel } from "../ui/panels.js";
import { need } from "../ui/resources.js";
import { titledPage } from "../ui/router.js";
import { t, useTexts } from "../ui/texts.js";
import { get } from "../net/api.js";

/** @import { Page } from "../ui/router.js" */
/** @import { SiteFacts } from "../net/protocol.js" */

need(useTexts("privacy"));

/** @returns {Promise<Page>} */
export async function page() {
  const { matches, tables, reports, chat, reader, puzzles, open } = /** @type {SiteFacts} */ (await get("/api/site"));
  return titledPage(
    t("web.privacy.title"),
    "",
    h("p", { class: "soft" }, t("web.privacy.lead")),
    panel(
      t("web.privacy.you"),
      t("web.privacy.you.text"),
      t("web.privacy.notify"),
      h("p", null, h("a", { class: "button", href: "/about" }, t("web.privacy.you.erase"))),
    ),
    panel(
      t("web.privacy.matches"),
      matches === null ? t("web.privacy.matches.ever") : t("web.privacy.matches.days", { n: matches }),
      t("web.privacy.matches.others"),
      puzzles && t("web.privacy.puzzles"),
      open && t("web.privacy.open"),
      "passkeys" in document.documentElement.dataset && t("web.privacy.passkeys"),
      t("web.privacy.tables", { n: tables }),
    ),
    panel(
      t("web.privacy.chat"),
      t(chat ? "web.privacy.chat.kept" : "web.privacy.chat.never"),
      chat && t("web.privacy.voice"),
      reports !== null && t("web.privacy.reports", { n: reports }),
    ),
    panel(
      t("web.privacy.else"),
      t("web.privacy.late"),
      t("web.privacy.address"),
      t("web.privacy.logs"),
      t("web.privacy.backups"),
      reader !== null && t("web.privacy.reader", { whose: reader }),
      t("web.privacy.nobody"),
    ),
  );
}
