/** The site without a network: if the browser allows it, a service worker (`serviceworker.js`) caches all of it. */

import { FOLDER } from "../ui/address.js";
import { register } from "../ui/workers.js";

/** A delay for the home page and the first hand, which take some seconds over a slow connection. */
const INSTALL_DELAY_MS = 8000;

/** Caches the site on this device, if the browser allows it. */
export function cacheSite() {
  if (!("serviceWorker" in navigator) || "embedded" in document.documentElement.dataset) return;
  setTimeout(() => {
    register(new URL(`${FOLDER}service.js`, location.href)).catch((error) => console.warn(error));
  }, INSTALL_DELAY_MS);
}

/**
 * Reports a new version. It activates by itself when no page of this one is open any more.
 * @param {(activate: () => void) => void} notify receives a function that activates it at once
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
