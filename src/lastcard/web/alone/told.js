/** What a server says of games in words, from files that were written with the site. */

import { ApiError } from "../line/api.js";
import { need } from "../ui/needs.js";
import { t, useTexts } from "../ui/words.js";
import { OFFICIAL, changesOf, optionsOf, parseRules } from "../lobby/rulesets.js";

need(useTexts("alone"));

/**
 * A file of this version.
 *
 * @param {string} name such as `options/classic-en.json`
 */
export async function readFile(name) {
  const answer = await fetch(new URL(`../${name}`, import.meta.url));
  if (!answer.ok) throw new ApiError(answer.status, "not-found", t("web.page.failed"));
  return answer.json();
}

/**
 * The rules of a table. Those of every game and preset are written down; what a table has of its own stands before them.
 *
 * @param {string} name of a ruleset
 * @param {string} language
 */
export async function rulesOf(name, language) {
  const rules = parseRules(name);
  const known = [rules.game, ...(rules.preset === OFFICIAL ? [] : [rules.preset])].join("+");
  const told = await readFile(`rules/${known}-${language}.json`);
  if (!Object.keys(rules.values).length) return told;
  const changes = changesOf({ ...rules, preset: rules.preset }, await optionsOf(rules.game, language));
  const own = changes.filter(({ name: option }) => option in rules.values);
  const lines = own.map(({ label, text, clauses }) => ({ text: `${label}: ${text}`, clauses, changed: true, cards: [] }));
  return { ...told, name, sections: [{ head: t("web.alone.rules"), lines }, ...told.sections] };
}
