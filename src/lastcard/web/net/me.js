/** Who sits at this browser, as the server knows it: a name and a language, kept by a cookie. */

import { selectField } from "../ui/fields.js";
import { prefs } from "../ui/prefs.js";
import { show } from "../ui/router.js";
import { LANGUAGE_CHOICES, guessLanguage, language, t, useLanguage } from "../ui/texts.js";
import { get, post } from "./api.js";

/** @import {Language} from "../ui/texts.js" */
/** @typedef {{id: string, name: string, language: string, shown: boolean}} Me */

/** @type {Me | null | undefined} */
let known;

/**
 * The person; null for one the server has not met.
 *
 * @returns {Promise<Me | null>}
 */
export async function me() {
  if (known === undefined) known = /** @type {Me | null} */ (await get("/api/me"));
  return known;
}

/** Ask the server again next time: the cookie is gone, or the person is. */
export function forgetMe() {
  known = undefined;
}

/**
 * Introduce the person to the server, or change the name.
 *
 * @param {string} name
 * @param {string} [table] the code of the table the person is on the way to, who may share an address with many
 */
export async function introduce(name, table = "") {
  // Whom this browser does not know the server has not met: that need not be asked.
  const before = prefs.get("name") ? await me() : null;
  if (before?.name !== name || before.language !== language())
    known = await post("/api/me", { name, language: language(), table });
  prefs.set("name", known?.name ?? name);
}

/**
 * The field in which a person chooses the language of the screen.
 *
 * @param {{labelHidden?: boolean}} [options]
 */
export function languageField({ labelHidden } = {}) {
  return selectField({
    label: t("web.home.language"),
    labelHidden,
    choices: LANGUAGE_CHOICES,
    value: language(),
    onchange: async (wanted) => {
      await switchLanguage(guessLanguage([wanted]));
      await show();
    },
  });
}

/**
 * Put the page in another language and tell the server, whose own words follow.
 *
 * @param {Language} wanted
 */
async function switchLanguage(wanted) {
  await useLanguage(wanted);
  prefs.set("language", wanted);
  const before = await me();
  if (before) await introduce(before.name);
}
