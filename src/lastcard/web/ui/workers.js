/** Workers: scripts of ours beside the page. The policy of the page takes an address for one only from here. */

import { FOLDER } from "./address.js";

/** TypeScript does not know trusted types yet. @type {{createPolicy: (name: string, rules: object) => {createScriptURL: (url: string) => string}} | undefined} */
const trusted = Reflect.get(globalThis, "trustedTypes");

/** @param {string} url @returns {string} */
function own(url) {
  if (!new URL(url).pathname.startsWith(FOLDER)) throw new TypeError(`${url} is no script of ours`);
  return url;
}

const policy = trusted?.createPolicy("workers", { createScriptURL: own }) ?? { createScriptURL: own };

/**
 * A worker that runs a module.
 *
 * @param {URL} url of the module
 */
export const startWorker = (url) => new Worker(policy.createScriptURL(url.href), { type: "module" });

/**
 * Let a script stand between the page and the network.
 *
 * @param {URL} url of the script
 */
export const register = (url) =>
  navigator.serviceWorker.register(policy.createScriptURL(url.href), { updateViaCache: "none" });
