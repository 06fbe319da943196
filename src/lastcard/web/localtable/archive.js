/** Checks and replays of records without a table. The worker starts on first use. */

import { useTexts } from "../ui/texts.js";
import { takeWorker } from "./workerpool.js";
import { loadReportTexts, localize, localizePage, localizeReport } from "./wording.js";

/** @import { AdvisedMove, MasterRun, Replay, ReportPage, RuleFigures } from "../net/protocol.js" */
/** @import { Highlight } from "./highlights.js" */
/** @import { Client } from "./workerpool.js" */
/** @import { Checked } from "./replays.js" */
/** @import { EncodedObservation } from "./observation.js" */
/** @import { OpenPuzzle, OwnPuzzle, Puzzle } from "./puzzles.js" */
/** @import { Rating } from "./puzzlerating.js" */

/** A puzzle with its texts. @typedef {Omit<OpenPuzzle, "words"> & {words: Record<string, string>}} WordedPuzzle */

/** @type {Promise<Client> | null} */
let worker = null;

async function open() {
  worker ??= takeWorker();
  try {
    return await worker;
  } catch (error) {
    worker = null; // the next request tries again
    throw error;
  }
}

/** Returns the content of a record; rejects if it is not true. @param {string} text @returns {Promise<Checked>} */
export const check = async (text) => (await open()).ask("check", text);

/**
 * Returns the match of a record, as `GET /api/matches/ID/replay` does.
 * @param {string} text @param {{id?: string, started?: number, bots?: (string | null)[]}} [known] @returns {Promise<Replay>}
 */
export const replay = async (text, known = {}) => (await open()).ask("replay", text, known);

/**
 * Returns the highlights of a finished match, as `GET /api/matches/ID/moments` does.
 * @param {string} text @param {readonly number[]} seats the seats of people @returns {Promise<Highlight[]>}
 */
export const highlights = async (text, seats) => (await open()).ask("moments", text, seats);

/** Returns what a master makes of the daily deal of a record. @param {string} text @returns {Promise<MasterRun>} */
export const runMaster = async (text) => (await open()).ask("master", text);

/** Returns the luck of the person in a finished daily deal, in rounds won. @param {string} text @returns {Promise<number>} */
export const measureLuck = async (text) => (await open()).ask("luck", text);

/**
 * Returns the luck and skill report of a finished match, as `GET /api/matches/ID/report` does; it takes a while.
 * @param {string} text
 * @param {(share: number, first: ReportPage | undefined) => void} [onProgress] called with the fraction done, and once
 *   with the chances only
 * @returns {Promise<ReportPage | null>} null if it was canceled, for example by a newer request
 */
export async function report(text, onProgress = () => {}) {
  const [client] = await Promise.all([open(), loadReportTexts()]);
  client.onMessage = ({ share, first }) => onProgress(share, first && localizeReport(first));
  const made = await client.ask("report", text);
  return made && localizeReport(made);
}

/** Cancels the running report. */
export const stopReport = async () => (await open()).ask("stopReport");

/**
 * Returns the best moves of a seat as text, from its observation as sent by a server.
 * @param {EncodedObservation} observation @returns {Promise<readonly AdvisedMove[]>}
 */
export async function hints(observation) {
  const moves = await (await open()).ask("hints", observation);
  const advice = localize({ type: "advice", id: "", ply: 0, moves });
  return advice.type === "advice" ? advice.moves : [];
}

/**
 * Returns the shortest name of rules for a number of players; rejects if they do not fit.
 * @param {string} name @param {number} seats @returns {Promise<string>}
 */
export const rules = async (name, seats) => (await open()).ask("rules", name, seats);

/**
 * Returns the figures of rules, as `GET /api/figures/SEATS/RULES` does; rejects if they do not fit.
 * @param {string} name @param {number} seats @returns {Promise<RuleFigures>}
 */
export const figures = async (name, seats) => (await open()).ask("figures", name, seats);

/** Returns a rule card in canonical form; rejects if it is not one. @param {string} text @returns {Promise<string>} */
export const card = async (text) => (await open()).ask("card", text);

/** Opens a puzzle of the file. @param {Puzzle} puzzle @param {string} name the solver's name @returns {Promise<WordedPuzzle>} */
export const puzzle = async (puzzle, name) => wordPuzzle(await (await open()).ask("puzzle", puzzle, name));

/** Opens a puzzle made from a mistake. @param {OwnPuzzle} puzzle @returns {Promise<WordedPuzzle>} */
export const ownPuzzle = async (puzzle) => wordPuzzle(await (await open()).ask("ownPuzzle", puzzle));

/** @param {{game: string, page: OpenPuzzle}} opened @returns {Promise<WordedPuzzle>} */
async function wordPuzzle(opened) {
  if (opened.game === "wild-jackpot") await useTexts("jackpot");
  return localizePage(opened);
}

/**
 * Returns the refusal of a move in the opened puzzle; null if it is legal.
 * @param {string} move @returns {Promise<import("../net/protocol.js").Refused | null>}
 */
export async function whyNotInPuzzle(move) {
  const refused = await (await open()).ask("whyNotInPuzzle", move);
  return refused && /** @type {any} */ (localize(refused));
}

/**
 * Returns the solver's rating after a puzzle.
 * @param {Rating} rating @param {number} grade the puzzle's @param {boolean} solved @returns {Promise<Rating>}
 */
export const ratePuzzle = async (rating, grade, solved) => (await open()).ask("ratePuzzle", rating, grade, solved);
