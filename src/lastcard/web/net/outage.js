/** The outage page: if the browser allows it, a service worker (`outageworker.js`) shows it when the server is down. */

import { FOLDER } from "../ui/address.js";
import { prefs } from "../ui/prefs.js";
import { language } from "../ui/texts.js";
import { register } from "../ui/workers.js";

/** Installs the outage page, in the screen's language. */
export function registerOutagePage() {
  void install();
  prefs.addEventListener("change", (event) => {
    if (/** @type {CustomEvent} */ (event).detail === "language") void install();
  });
}

/** The language is in the address, so another language is another script. */
const install = () =>
  register(new URL(`${FOLDER}service.js?lang=${language()}`, location.href)).catch((error) => console.warn(error));
