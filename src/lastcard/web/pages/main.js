/** Where the page starts: theme, language, then the screen that the address names. */

import { alone } from "../ui/address.js";
import { later, load } from "../ui/needs.js";
import { applyTheme, dropped, prefs } from "../ui/prefs.js";
import { startRouter } from "../ui/router.js";
import { guessLanguage, useLanguage } from "../ui/words.js";
import { answerBy } from "../line/api.js";

/** What can wait waits for the first page and the first hand; over a slow line they take some seconds. */
const QUIET_MS = 4000;

answerBy(async () => (await load(import("../alone/answers.js"))).answer);
if (alone) {
  void later(() => import("../alone/offline.js")).then(({ keepSite }) => keepSite());
} else if ("serviceWorker" in navigator) {
  setTimeout(() => {
    later(() => import("../line/away.js")).then(({ coverAbsence }) => coverAbsence(), (error) => console.warn(error));
  }, QUIET_MS);
}
applyTheme();
prefs.addEventListener("change", (event) => {
  if (["theme", "size", "table", "back"].includes(/** @type {CustomEvent} */ (event).detail)) applyTheme();
});

/** Screens about a server. @type {import("../ui/router.js").Route[]} */
const served = [
  [/^\/tv\/([^/]+)$/, () => import("./tv.js")],
  [/^\/privacy$/, () => import("./privacy.js")],
  [/^\/admin$/, () => import("./admin.js")],
];
void useLanguage(guessLanguage([prefs.get("language"), ...navigator.languages])).then(() => {
  startRouter([
    [/^\/$/, () => import("./home.js")],
    [/^\/t\/([^/]+)$/, () => import("./table.js")],
    [/^\/(?:me|matches)$/, () => import("./me.js")],
    [/^\/match\/([^/]+)$/, () => import("./replay.js")],
    [/^\/rules(?:\/(.+))?$/, () => import("./rules.js")],
    [/^\/about$/, () => import("./about.js")],
    [/^\/program$/, () => import("./program.js")],
    ...(alone ? [] : served),
  ]);
  if (dropped) void load(import("../ui/dropped.js")).then(({ sayDropped }) => sayDropped());
});
