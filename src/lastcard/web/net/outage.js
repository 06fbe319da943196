/** A server that is away when a page is loaded: where the browser allows it, a service worker (`awayworker.js`) says so. */

import { FOLDER } from "../ui/address.js";
import { prefs } from "../ui/prefs.js";
import { language } from "../ui/texts.js";
import { register } from "../ui/workers.js";

/** Let the browser say that the server is away, in the language of the screen. */
export function registerOutagePage() {
  void install();
  prefs.addEventListener("change", (event) => {
    if (/** @type {CustomEvent} */ (event).detail === "language") void install();
  });
}

/** The language is in the address, so another one is another script. */
const install = () =>
  register(new URL(`${FOLDER}service.js?lang=${language()}`, location.href)).catch((error) => console.warn(error));
