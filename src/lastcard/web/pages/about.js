/** The about page: the program, the data it stores, and how to delete them. */

import { isStaticSite, playsLocally } from "../ui/address.js";
import { button } from "../ui/button.js";
import { confirmDialog } from "../ui/dialog.js";
import { h } from "../ui/dom.js";
import { attempt, panel } from "../ui/panels.js";
import { need } from "../ui/resources.js";
import { prefs } from "../ui/prefs.js";
import { go, titledPage } from "../ui/router.js";
import { toast } from "../ui/toast.js";
import { t, useTexts } from "../ui/texts.js";
import { get, remove } from "../net/api.js";
import { forgetMe, me } from "../net/me.js";

/** @import { Page } from "../ui/router.js" */

need(useTexts("about"));

/** @returns {Promise<Page>} */
export async function page() {
  const known = await me();
  return titledPage(
    t("web.about.title"),
    "",
    panel(
      t("web.about.what"),
      t("web.about.what.table"),
      t(isStaticSite ? "web.about.what.alone" : "web.about.what.server"),
    ),
    panel(t("web.about.shuffle"), t("web.about.what.shuffle"), h("p", null, await checkLink())),
    panel(
      t("web.about.privacy"),
      t(isStaticSite ? "web.about.privacy.alone" : "web.about.privacy.stored"),
      !isStaticSite && t("web.about.privacy.browser"),
      t("web.about.privacy.nobody"),
      known && h("p", null, button(t("web.about.erase"), eraseMe, { look: "danger" })),
    ),
    panel(
      t("web.about.program"),
      t("web.about.program.text"),
      h("p", null, h("a", { href: "/program" }, t("web.about.program.link"))),
    ),
    panel(t("web.about.marks"), t("web.about.marks.text")),
  );
}

/** Returns a link to the check of the last match; to the first page if there is none, or none is found. */
async function checkLink() {
  const asked = [get("/api/matches"), playsLocally && !isStaticSite ? get("/api/matches", true) : []];
  const lists = await Promise.all(asked).catch(() => []);
  /** @type {import("../net/protocol.js").MatchLine[]} */
  const matches = lists.flat().filter(({ live }) => !live);
  const [last] = matches.sort((a, b) => b.started - a.started);
  if (!last) return h("a", { class: "button", href: "/" }, t("web.about.shuffle.play"));
  return button(t("web.about.shuffle.check"), () => go(`/match/${last.id}#check`));
}

async function eraseMe() {
  if (!(await confirmDialog(t("web.about.erase.ask"), t("web.about.erase")))) return;
  await attempt(async () => {
    if (playsLocally && !isStaticSite) await remove("/api/me", true);
    await remove("/api/me");
    prefs.clear();
    forgetMe();
    toast(t("web.about.erased"));
    await go("/");
  });
}
