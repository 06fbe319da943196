/** The site without a network: where the browser allows it, a service worker keeps all of it (`service.js`). */

import { FOLDER } from "../ui/address.js";
import { register } from "../ui/workers.js";

/** The first page and the first hand come first; over a slow line they take some seconds. */
const INSTALL_DELAY_MS = 8000;

/** Keep the site on this device; nothing happens where the browser does not allow it. */
export function cacheSite() {
  if (!("serviceWorker" in navigator)) return;
  setTimeout(() => {
    register(new URL(`${FOLDER}service.js`, location.href)).catch((error) => console.warn(error));
  }, INSTALL_DELAY_MS);
}

/**
 * Say when another version has come. It takes over by itself when no page of this one is open any more.
 *
 * @param {(activate: () => void) => void} notify gets what lets it take over at once
 */
export async function awaitUpdate(notify) {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.ready;
  const take = () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    registration.waiting?.postMessage("take over");
  };
  const check = () => registration.waiting && navigator.serviceWorker.controller && notify(take);
  check();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", check));
}
