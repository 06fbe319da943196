/** The start of everything: theme, language, then the page of the address. */

import { applyTheme, prefs } from "./prefs.js";
import { startRouter } from "./router.js";
import { LANGUAGES, guessLanguage, useLanguage } from "./words.js";

applyTheme();
prefs.addEventListener("change", (event) => {
  if (/** @type {CustomEvent} */ (event).detail === "theme") applyTheme();
});

const chosen = LANGUAGES.find((ours) => ours === prefs.get("language"));
await useLanguage(chosen ?? guessLanguage(navigator.languages));

await startRouter([
  [/^\/$/, () => import("./home.js")],
  [/^\/t\/([^/]+)$/, () => import("./table.js")],
  [/^\/tv\/([^/]+)$/, () => import("./tv.js")],
  [/^\/matches$/, () => import("./matches.js")],
  [/^\/match\/([^/]+)$/, () => import("./replay.js")],
  [/^\/rules(?:\/(.+))?$/, () => import("./rulespage.js")],
  [/^\/about$/, () => import("./about.js")],
]);
