/** Starts workers from the site's own scripts. The content security policy accepts worker addresses only from here. */

import { FOLDER } from "./address.js";

/**
 * TypeScript does not know trusted types yet.
 * @type {{createPolicy: (name: string, rules: object) => {createScriptURL: (url: string) => string}} | undefined}
 */
const trusted = Reflect.get(globalThis, "trustedTypes");

/** @param {string} url @returns {string} */
function own(url) {
  if (!new URL(url).pathname.startsWith(FOLDER)) throw new TypeError(`${url} is no script of ours`);
  return url;
}

/** @type {{createScriptURL: (url: string) => string} | undefined} */
let policy;

/**
 * Returns an address for a worker. The policy is made on first use, because pages that start no worker may make none.
 * @param {URL} url
 */
function trust({ href }) {
  policy ??= trusted?.createPolicy("workers", { createScriptURL: own }) ?? { createScriptURL: own };
  return policy.createScriptURL(href);
}

/** Starts a worker that runs a module. @param {URL} url the module's address */
export const startWorker = (url) => new Worker(trust(url), { type: "module" });

/** Registers a service worker. @param {URL} url the script's address */
export const register = (url) => navigator.serviceWorker.register(trust(url), { updateViaCache: "none" });
