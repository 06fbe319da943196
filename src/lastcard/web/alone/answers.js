/** What a server would answer over HTTP, answered by this device: who one is, tables, matches, words. */

import { ApiError } from "../line/api.js";
import { need } from "../ui/needs.js";
import { prefs } from "../ui/prefs.js";
import { guessLanguage, language, t, useTexts } from "../ui/words.js";
import { ruleWords } from "../cards/narrate.js";
import { Refusal } from "../device/office.js";
import { archive } from "../device/archive.js";
import { career, honors } from "./careers.js";
import { clear, dropMatch, readMatch, readMatches } from "./store.js";
import { closeTables, liveLines, makeTable } from "./tables.js";
import { readFile, rulesOf } from "./told.js";

/** @import { MatchLine } from "../line/protocol.js" */
/** @import { KeptMatch } from "./store.js" */
/** @typedef {{part: string, body: any, lang: string}} Question what the path names, what was sent, and in which language to answer */

need(useTexts("alone"));

/** @type {[method: string, path: RegExp, answer: (question: Question) => unknown][]} */
const ANSWERS = [
  ["GET", /^me$/, me],
  ["POST", /^me$/, ({ body }) => (prefs.set("name", body.name.trim()), me())],
  ["DELETE", /^me$/, forget],
  ["GET", /^me\/career$/, async () => career(await readMatches())],
  ["GET", /^me\/honors$/, async () => honors(await readMatches())],
  ["POST", /^tables$/, async ({ body }) => ({ code: await makeTable(body, me()?.name ?? "") })],
  ["GET", /^options\/([\w-]+)$/, ({ part, lang }) => readFile(`options/${part}-${lang}.json`)],
  ["POST", /^rules$/, ({ body }) => rulesFor(body.rules, body.seats)],
  ["GET", /^rules\/(.+)$/, ({ part, lang }) => rulesOf(decodeURIComponent(part), lang)],
  ["POST", /^card$/, ({ body }) => cardOf(body.text)],
  ["GET", /^matches$/, matches],
  ["DELETE", /^matches\/(\w+)$/, ({ part }) => dropMatch(part)],
  ["GET", /^matches\/(\w+)\/replay$/, async ({ part }) => replayOf(await matchOf(part))],
  ["GET", /^matches\/(\w+)\/record$/, ({ part }) => recordOf(part)],
  ["GET", /^matches\/(\w+)\/moments$/, ({ part }) => momentsOf(part)],
  ["GET", /^matches\/(\w+)\/report$/, async ({ part }) => archive.report(await recordOf(part))],
];

/**
 * @param {string} method
 * @param {string} path as of the server's API
 * @param {any} [body]
 * @returns {Promise<any>}
 * @throws {ApiError}
 */
export async function answer(method, path, body) {
  const url = new URL(path, "https://device");
  const asked = url.pathname.replace("/api/", "");
  const lang = guessLanguage([url.searchParams.get("lang") ?? language()]);
  for (const [known, pattern, give] of ANSWERS) {
    const found = method === known && pattern.exec(asked);
    if (found) return refusing(() => give({ part: found[1] ?? "", body, lang }));
  }
  return missing();
}

/**
 * What is refused is refused as a server does it.
 *
 * @param {() => unknown} give
 */
async function refusing(give) {
  try {
    return await give();
  } catch (error) {
    throw error instanceof Refusal ? new ApiError(422, error.code, error.message) : error;
  }
}

/** @param {string} [words] @returns {never} */
function missing(words = t("web.page.unknown")) {
  throw new ApiError(404, "not-found", words);
}

/** The person of this device; null before there was a name. */
function me() {
  const name = prefs.get("name");
  return name ? { id: "me", name, language: language(), shown: false } : null;
}

async function forget() {
  await closeTables(); // first, so that nothing is kept any more
  await clear();
}

/** @param {string} id */
async function matchOf(id) {
  return (await readMatch(id)) ?? missing(t("web.alone.unknown"));
}

/** @param {string} id */
const recordOf = async (id) => (await matchOf(id)).record;

/** @param {string} id */
async function momentsOf(id) {
  const { record, seats } = await matchOf(id);
  return archive.moments(record, seats);
}

/** @param {KeptMatch} match */
async function replayOf({ id, record, started, takenBack, bots }) {
  const replay = await archive.replay(record, { id, started, bots });
  return { ...replay, taken_back: Number(takenBack) };
}

/** Whether rules make sense for so many players, and their shortest name; else why not. @param {string} name @param {number} seats */
async function rulesFor(name, seats) {
  try {
    return { ok: true, rules: await archive.rules(name, seats) };
  } catch (error) {
    return { ok: false, text: refusalText(error) };
  }
}

/** A rule card in its canonical form and in words; for what is none, the words say why. @param {string} card */
async function cardOf(card) {
  try {
    const text = await archive.card(card);
    return { text, words: ruleWords(text) };
  } catch (error) {
    return { text: null, words: refusalText(error) };
  }
}

/** The words of a refusal; what is none is thrown on. @param {unknown} error */
function refusalText(error) {
  if (error instanceof Refusal) return error.message;
  throw error;
}

/** The matches of this device, latest first, those that go on before them. */
async function matches() {
  const kept = await readMatches();
  const over = kept.map((match) => /** @type {MatchLine} */ ({
    id: match.id,
    table: match.table,
    rules: match.rules,
    names: match.names,
    started: match.started,
    finished: match.finished,
    winners: match.winners,
    seat: match.seats[0] ?? -1,
    live: false,
    taken_back: match.takenBack,
    brought: match.table === "",
  }));
  return [...(await liveLines()), ...over.sort((a, b) => b.started - a.started)];
}
