/** The person at this browser, as the server knows them: a name and a language, identified by a cookie. */

import { selectField } from "../ui/fields.js";
import { prefs } from "../ui/prefs.js";
import { show } from "../ui/router.js";
import { LANGUAGE_CHOICES, guessLanguage, language, t, useLanguage } from "../ui/texts.js";
import { get, post } from "./api.js";

/** @typedef {{id: string, name: string, language: string, shown: boolean}} Me */

/** @type {Me | null | undefined} */
let known;

/** Returns the person; null if the server does not know them. @returns {Promise<Me | null>} */
export async function me() {
  if (known === undefined) known = /** @type {Me | null} */ (await get("/api/me"));
  return known;
}

/** Discards the cached answer: the cookie is gone, or the person is. */
export function forgetMe() {
  known = undefined;
}

/**
 * Registers the person with the server, or changes their name.
 * @param {string} name
 * @param {string} [table] the code of the table that the person, maybe at a shared address, is about to join
 */
export async function introduce(name, table = "") {
  // A person whom this browser does not know is unknown to the server: no request is needed.
  const before = prefs.get("name") ? await me() : null;
  if (before?.name !== name || before.language !== language())
    known = await post("/api/me", { name, language: language(), table });
  prefs.set("name", known?.name ?? name);
}

/** Returns the field in which a person chooses the screen's language. @param {{labelHidden?: boolean}} [options] */
export function languageField({ labelHidden } = {}) {
  return selectField({
    label: t("web.home.language"),
    labelHidden,
    choices: LANGUAGE_CHOICES,
    value: language(),
    onchange: async (wanted) => {
      const chosen = guessLanguage([wanted]);
      await useLanguage(chosen);
      prefs.set("language", chosen);
      const before = await me();
      if (before) await introduce(before.name); // the server's own texts follow
      await show();
    },
  });
}
