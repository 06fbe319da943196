/** Where the page starts: theme, language, then the screen that the address names. */

import { applyTheme, prefs } from "../ui/prefs.js";
import { startRouter } from "../ui/router.js";
import { LANGUAGES, guessLanguage, useLanguage } from "../ui/words.js";

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
  [/^\/rules(?:\/(.+))?$/, () => import("./rules.js")],
  [/^\/about$/, () => import("./about.js")],
]);
