/** Who sits at this browser, as the server knows it: a name and a language, kept by a cookie. */

import { prefs } from "../ui/prefs.js";
import { language, useLanguage } from "../ui/words.js";
import { ApiError, get, post } from "./api.js";

/** @import {Language} from "../ui/words.js" */
/** @typedef {{id: string, name: string, language: string}} Me */

/** @type {Me | null | undefined} */
let known;

/**
 * The person; null for one the server has not met.
 *
 * @returns {Promise<Me | null>}
 */
export async function me() {
  if (known === undefined) {
    known = await get("/api/me").catch((error) => {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    });
  }
  return known ?? null;
}

/** Ask the server again next time: the cookie is gone, or the person is. */
export function forgetMe() {
  known = undefined;
}

/**
 * Introduce the person to the server, or change the name.
 *
 * @param {string} name
 */
export async function introduce(name) {
  const before = await me();
  if (before?.name !== name || before.language !== language())
    known = await post("/api/me", { name, language: language() });
  prefs.set("name", known?.name ?? name);
}

/**
 * Put the page in another language and tell the server, whose own words follow.
 *
 * @param {Language} wanted
 */
export async function switchLanguage(wanted) {
  await useLanguage(wanted);
  prefs.set("language", wanted);
  const before = await me();
  if (before) await introduce(before.name);
}
