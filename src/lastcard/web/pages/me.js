/** The person's page: statistics, the leaderboard, and the matches. */

import { hasOpenTables, isStaticSite, playsLocally } from "../ui/address.js";
import { button } from "../ui/button.js";
import { confirmDialog } from "../ui/dialog.js";
import { h, stylesheet } from "../ui/dom.js";
import { switchField } from "../ui/fields.js";
import { attempt } from "../ui/panels.js";
import { load, need } from "../ui/resources.js";
import { refill } from "../ui/presses.js";
import { titledPage } from "../ui/router.js";
import { toast } from "../ui/toast.js";
import { t, useTexts } from "../ui/texts.js";
import { get, post, remove } from "../net/api.js";
import { forgetMe, me } from "../net/me.js";
import { dataPanel, devicesPanel } from "./devices.js";
import { notificationPanel } from "./turnnotices.js";

/** @import { Career, LeaderboardEntry, MatchLine } from "../net/protocol.js" */
/** @import { Page } from "../ui/router.js" */

need(useTexts("me"), useTexts("leaderboard"));

/** @returns {Promise<Page>} */
export async function page() {
  const [person, matches, own, career, honors, openPanel, devices, notices, panels, board, list] = await Promise.all([
    me(),
    /** @type {Promise<MatchLine[]>} */ (get("/api/matches")),
    playsLocally && !isStaticSite ? /** @type {Promise<MatchLine[]>} */ (get("/api/matches", true)) : [],
    askCareer(),
    /** @type {Promise<LeaderboardEntry[]>} */ (get("/api/me/honors")),
    hasOpenTables ? load(import("./opentables.js")).then(({ ownPanel }) => ownPanel()) : null,
    isStaticSite ? null : me().then(devicesPanel),
    isStaticSite ? null : me().then((known) => known && notificationPanel()).catch(() => null),
    load(import("./career.js")),
    load(import("./leaderboard.js")),
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
    // The server counts the calls of a few matches at each request.
    while (open && found?.calls?.waiting) {
      found = await askCareer();
      if (open) show(found);
    }
  };
  goOn(career).catch(() => {});
  const { title, element } = titledPage(
    t("web.me.title"),
    "me",
    place,
    board.leaderboardPanel(honors),
    person && !isStaticSite && shownField(person),
    devices,
    openPanel,
    list.matchList(matches),
    list.localMatches(own),
    person && !isStaticSite && list.importPanel(),
    person && notices,
    person && !isStaticSite && signOut(),
    person && !isStaticSite && dataPanel(),
  );
  return { title, element, close: () => (open = false) };
}

/** Returns the person's statistics; null if the server does not know them. @returns {Promise<Career | null>} */
const askCareer = () => get("/api/me/career");

/** Signs out all other browsers, for a lost or lent device; this one stays signed in. */
function signOut() {
  const end = async () => {
    if (!(await confirmDialog(t("web.me.out.ask"), t("web.me.out")))) return;
    await attempt(async () => {
      await remove("/api/me/sessions");
      toast(t("web.me.out.done"), { kind: "good" });
    });
  };
  return h("div", { class: "panel stack" }, h("p", null, t("web.me.out.about")), h("p", null, button(t("web.me.out"), end)));
}

/** Returns the switch for the person's visibility in leaderboards. @param {import("../net/me.js").Me} person */
function shownField({ name, language, shown }) {
  const save = (/** @type {boolean} */ isShown) =>
    attempt(async () => {
      await post("/api/me", { name, language, shown: isShown });
      forgetMe();
    });
  const about = t("web.honor.shown.about");
  return h("div", { class: "panel" }, switchField(t("web.honor.shown"), shown, save, { about }));
}
