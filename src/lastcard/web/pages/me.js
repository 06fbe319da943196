/** Me: what my matches come to, the table of honor, and the matches themselves. */

import { alone, solo } from "../ui/address.js";
import { button } from "../ui/button.js";
import { confirmDialog } from "../ui/dialog.js";
import { h, stylesheet } from "../ui/dom.js";
import { errorWords } from "../ui/failures.js";
import { switchField } from "../ui/fields.js";
import { load, need } from "../ui/needs.js";
import { refill } from "../ui/presses.js";
import { pageHead } from "../ui/router.js";
import { toast } from "../ui/toast.js";
import { t, useTexts } from "../ui/words.js";
import { get, post, remove } from "../line/api.js";
import { forgetMe, me } from "../line/me.js";

/** @import { Career, LeaderboardEntry, MatchLine } from "../line/protocol.js" */
/** @import { Page } from "../ui/router.js" */

need(useTexts("me"), useTexts("honor"));

/** @returns {Promise<Page>} */
export async function page() {
  const [person, matches, own, career, honors, panels, honor, list] = await Promise.all([
    me(),
    /** @type {Promise<MatchLine[]>} */ (get("/api/matches")),
    solo && !alone ? /** @type {Promise<MatchLine[]>} */ (get("/api/matches", true)) : [],
    askCareer(),
    /** @type {Promise<LeaderboardEntry[]>} */ (get("/api/me/honors")),
    load(import("./career.js")),
    load(import("./honor.js")),
    load(import("./matches.js")),
    stylesheet("ui/controls.css"),
    stylesheet("pages/career.css"),
    stylesheet("pages/matches.css"),
  ]);
  const place = h("div");
  const show = (/** @type {Career | null} */ found) =>
    refill(place, () => [found?.total.matches ? panels.careerPanels(found) : ""]);
  show(career);
  let open = true;
  const goOn = async (/** @type {Career | null} */ found) => {
    // The server counts the calls of a few matches each time it is asked.
    while (open && found?.calls?.waiting) {
      found = await askCareer();
      if (open) show(found);
    }
  };
  goOn(career).catch(() => {});
  const title = t("web.me.title");
  const element = h(
    "div",
    { class: "page me" },
    pageHead(title),
    place,
    honor.honorTable(honors),
    person && !alone && shownField(person),
    list.matchList(matches),
    list.ownMatches(own),
    person && !alone && list.bringPanel(),
    person && !alone && signOut(),
  );
  return { title, element, close: () => (open = false) };
}

/** What the person's matches come to; null for one the server has not met. @returns {Promise<Career | null>} */
const askCareer = () => get("/api/me/career");

/** For a device that was lost or lent: this browser stays signed in, no other does. */
function signOut() {
  const end = async () => {
    if (!(await confirmDialog(t("web.me.out.ask"), t("web.me.out")))) return;
    try {
      await remove("/api/me/sessions");
      toast(t("web.me.out.done"), { kind: "good" });
    } catch (error) {
      toast(errorWords(error), { kind: "bad" });
    }
  };
  return h("div", { class: "panel stack" }, h("p", null, t("web.me.out.about")), h("p", null, button(t("web.me.out"), end)));
}

/** Whether others may see one in tables of honor. @param {import("../line/me.js").Me} person */
function shownField({ name, language, shown }) {
  const save = async (/** @type {boolean} */ wish) => {
    try {
      await post("/api/me", { name, language, shown: wish });
      forgetMe();
    } catch (error) {
      toast(errorWords(error), { kind: "bad" });
    }
  };
  const about = t("web.honor.shown.about");
  return h("div", { class: "panel" }, switchField(t("web.honor.shown"), shown, save, { about }));
}
