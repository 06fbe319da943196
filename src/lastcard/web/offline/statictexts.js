/** A server's texts about games, from files built with the site. */

import { GAMES } from "../bindings/constants.js";
import { ApiError } from "../net/api.js";
import { need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";
import { changesOf, optionsOf, parseRules, writeRules } from "../lobby/rulesets.js";
import * as archive from "../localtable/archive.js";

need(useTexts("offline"));

/** Returns a file of this version. @param {string} name such as `options/classic-en.json` */
export async function readFile(name) {
  const answer = await fetch(new URL(`../${name}`, import.meta.url));
  if (!answer.ok) throw new ApiError(answer.status, "not-found", t("web.page.failed"));
  return answer.json();
}

/** A number of players that every game permits. */
const SEATS = 4;

/**
 * Returns the rules of a table. The site has those of every game and preset; a table's own options are placed before them.
 * @param {string} asked the name of a ruleset
 * @param {string} language
 */
export async function rulesOf(asked, language) {
  // An invalid ruleset name is refused, any other gets its shortest form; a game's own name needs no check.
  const name = GAMES.some((game) => game === asked) ? asked : await archive.rules(asked, SEATS);
  const rules = parseRules(name);
  const known = writeRules({ ...rules, values: {} });
  const ruleText = await readFile(`rules/${known}-${language}.json`);
  const changes = changesOf(rules, await optionsOf(rules.game, language));
  const own = changes.filter(({ name: option }) => option in rules.values);
  if (!own.length) return ruleText;
  const lines = own.map(({ label, text, clauses }) => ({ text: `${label}: ${text}`, clauses, changed: true, cards: [] }));
  return { ...ruleText, name, sections: [{ head: t("web.alone.rules"), lines }, ...ruleText.sections] };
}
