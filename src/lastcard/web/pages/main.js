/** The page's entry point: theme, language, then the screen of the address. */

import { FOLDER, isStaticSite } from "../ui/address.js";
import { later, load } from "../ui/resources.js";
import { applyTheme, wasReset, prefs } from "../ui/prefs.js";
import { startRouter } from "../ui/router.js";
import { guessLanguage, useLanguage } from "../ui/texts.js";
import { setLocalApi } from "../net/api.js";

/** A delay for the home page and the first hand, which take some seconds over a slow connection. */
const INSTALL_DELAY_MS = 4000;

setLocalApi(async () => (await load(import("../offline/localapi.js"))).answerRequest);
if (isStaticSite) {
  void later(() => import("../offline/install.js")).then(({ cacheSite }) => cacheSite());
} else if ("serviceWorker" in navigator) {
  setTimeout(() => {
    // The outage page: this service worker (`outageworker.js`) shows it when the server is down.
    later(() => import("../ui/workers.js"))
      .then(({ register }) => register(new URL(`${FOLDER}service.js`, location.href)))
      .catch((error) => console.warn(error));
  }, INSTALL_DELAY_MS);
}
applyTheme();
prefs.addEventListener("change", (event) => {
  if (["theme", "size", "table", "back"].includes(/** @type {CustomEvent} */ (event).detail)) applyTheme();
});

/** Screens that need a server. @type {import("../ui/router.js").Route[]} */
const served = [
  [/^\/tv\/([^/]+)$/, () => import("./tv.js")],
  [/^\/duplicate(?:\/(.+))?$/, () => import("./duplicatepage.js")],
  [/^\/privacy$/, () => import("./privacy.js")],
  [/^\/admin$/, () => import("./admin.js")],
];
void useLanguage(guessLanguage([prefs.get("language"), ...navigator.languages])).then(() => {
  const routes = /** @type {import("../ui/router.js").Route[]} */ ([
    [/^\/$/, () => import("./home.js")],
    [/^\/t\/([^/]+)$/, () => import("./table.js")],
    [/^\/(?:me|matches)$/, () => import("./me.js")],
    [/^\/match\/([^/]+)$/, () => import("./replay.js")],
    [/^\/rules(?:\/(.+))?$/, () => import("./rules.js")],
    [/^\/puzzles(?:\/(.+))?$/, () => import("./puzzles.js")],
    [/^\/daily$/, () => import("./daily.js")],
    [/^\/about$/, () => import("./about.js")],
    [/^\/program$/, () => import("./program.js")],
    ...(isStaticSite ? [] : served),
  ]);
  startRouter(routes, () => import("./unknown.js"));
  if (wasReset) void load(import("../ui/resetnotice.js")).then(({ announceReset }) => announceReset());
});
