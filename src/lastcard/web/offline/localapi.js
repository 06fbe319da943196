/** The server's HTTP API, answered by this device: the person, tables, matches, texts. */

import { ApiError } from "../net/api.js";
import { need } from "../ui/resources.js";
import { prefs } from "../ui/prefs.js";
import { guessLanguage, language, t, useTexts } from "../ui/texts.js";
import { ruleWords } from "../cards/narrate.js";
import { Refusal } from "../localtable/workerclient.js";
import * as archive from "../localtable/archive.js";
import { career, leaderboard } from "./careers.js";
import { showStandings, showToday, startTry } from "./dailydeals.js";
import { clear, deleteMatch, readMatch, readMatches } from "./store.js";
import { closeTables, runningMatches, makeTable } from "./tables.js";
import { readFile, rulesOf } from "./statictexts.js";

/** @import { MatchLine } from "../net/protocol.js" */
/** @import { StoredMatch } from "./store.js" */
/** @typedef {{part: string, body: any, lang: string}} ApiRequest the path's parameter, the body, the answer's language */

need(useTexts("offline"), useTexts("unknown"));

/** @type {[method: string, path: RegExp, answer: (question: ApiRequest) => unknown][]} */
const ROUTES = [
  ["GET", /^me$/, me],
  ["POST", /^me$/, ({ body }) => (prefs.set("name", body.name.trim()), me())],
  ["DELETE", /^me$/, async () => (await closeTables(), clear())], // in this order, so that nothing is saved any more
  ["GET", /^me\/career$/, async () => career(await readMatches())],
  ["GET", /^me\/honors$/, async () => leaderboard(await readMatches())],
  ["POST", /^tables$/, async ({ body }) => ({ code: await makeTable(body, me()?.name ?? "") })],
  ["GET", /^daily$/, showToday],
  ["POST", /^daily$/, ({ body }) => startTry(body.game, me()?.name ?? "")],
  ["GET", /^daily\/([\d-]+\/[\w-]+)$/, async ({ part }) => (await showStandings(part)) ?? throwNotFound()],
  ["GET", /^options\/([\w-]+)$/, ({ part, lang }) => readFile(`options/${part}-${lang}.json`)],
  ["POST", /^rules$/, ({ body }) => checkRules(body.rules, body.seats)],
  ["GET", /^rules\/(.+)$/, ({ part, lang }) => rulesOf(decodeURIComponent(part), lang)],
  ["GET", /^figures\/(\d+\/.+)$/, ({ part }) => figuresOf(part)],
  ["POST", /^card$/, ({ body }) => parseCard(body.text)],
  ["GET", /^matches$/, listMatches],
  ["DELETE", /^matches\/(\w+)$/, ({ part }) => deleteMatch(part)],
  ["GET", /^matches\/(\w+)\/replay$/, async ({ part }) => replayOf(await matchOf(part))],
  ["GET", /^matches\/(\w+)\/record$/, ({ part }) => recordOf(part)],
  ["GET", /^matches\/(\w+)\/moments$/, async ({ part }) => {
    const { record, seats } = await matchOf(part);
    return archive.highlights(record, seats);
  }],
  ["GET", /^matches\/(\w+)\/report$/, async ({ part }) => archive.report(await recordOf(part))],
];

/**
 * @param {string} method
 * @param {string} path a path of the server's API
 * @param {any} [body] @returns {Promise<any>}
 * @throws {ApiError}
 */
export async function answerRequest(method, path, body) {
  const url = new URL(path, "https://device");
  const asked = url.pathname.replace("/api/", "");
  const lang = guessLanguage([url.searchParams.get("lang") ?? language()]);
  for (const [known, pattern, give] of ROUTES) {
    const found = method === known && pattern.exec(asked);
    try {
      if (found) return await give({ part: found[1] ?? "", body, lang });
    } catch (error) {
      throw error instanceof Refusal ? new ApiError(422, error.code, error.message) : error;
    }
  }
  return throwNotFound();
}

/** @param {string} [words] @returns {never} */
function throwNotFound(words = t("web.page.unknown")) {
  throw new ApiError(404, "not-found", words);
}

/** Returns the person of this device; null before they have a name. */
function me() {
  const name = prefs.get("name");
  return name ? { id: "me", name, language: language(), shown: false } : null;
}

/** @param {string} id */
async function matchOf(id) {
  return (await readMatch(id)) ?? throwNotFound(t("web.alone.unknown"));
}

/** @param {string} id */
const recordOf = async (id) => (await matchOf(id)).record;

/** @param {StoredMatch} match */
async function replayOf({ id, record, started, takenBack, bots }) {
  const replay = await archive.replay(record, { id, started, bots });
  return { ...replay, taken_back: Number(takenBack) };
}

/**
 * Returns the shortest name of rules for a number of players; throws with the reason if they do not fit.
 * @param {string} name @param {number} seats
 */
async function checkRules(name, seats) {
  try {
    return { ok: true, rules: await archive.rules(name, seats) };
  } catch (error) {
    return { ok: false, text: refusalText(error) };
  }
}

/** Returns the figures of rules. @param {string} path the number of seats and the rules, such as `4/classic` */
function figuresOf(path) {
  const [seats, name] = path.split("/", 2);
  return archive.figures(decodeURIComponent(name), Number(seats));
}

/** Returns a rule card in canonical form and as text; if it is invalid, the text says why. @param {string} card */
async function parseCard(card) {
  try {
    const text = await archive.card(card);
    return { text, words: ruleWords(text) };
  } catch (error) {
    return { text: null, words: refusalText(error) };
  }
}

/** Returns the text of a refusal; rethrows other errors. @param {unknown} error */
function refusalText(error) {
  if (error instanceof Refusal) return error.message;
  throw error;
}

/** Returns the matches of this device, latest first, running ones before them. */
async function listMatches() {
  const stored = await readMatches();
  const over = stored.map(({ seats, bots, takenBack, record, ...match }) => /** @type {MatchLine} */ ({
    ...match,
    seat: seats[0] ?? -1,
    live: false,
    taken_back: takenBack,
    brought: match.table === "",
  }));
  return [...(await runningMatches()), ...over.sort((a, b) => b.started - a.started)];
}
