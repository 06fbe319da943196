/** Records of matches as files: taken in from anywhere, and written out. */

import { need } from "../ui/needs.js";
import { t, useTexts } from "../ui/words.js";
import { ApiError } from "../line/api.js";
import { MOST_BYTES } from "../line/records.js";
import { archive } from "../device/archive.js";
import { keepMatch, readMatches } from "./store.js";

need(useTexts("alone"));

/**
 * Take a record in: every word of it is proved first.
 *
 * @param {File} file
 * @returns {Promise<string>} the id of the match
 * @throws {ApiError} where it is no record, or not a true one
 */
export async function takeIn(file) {
  const bad = (/** @type {string} */ why) => new ApiError(422, "record", t("web.alone.record.bad", { why }));
  if (file.size > MOST_BYTES) throw bad(`the file has ${file.size} bytes; a record has at most ${MOST_BYTES}`);
  const record = await file.text();
  let told;
  try {
    told = await archive.check(record);
  } catch (error) {
    throw bad(/** @type {Error} */ (error).message);
  }
  const { commitment, rules, names, winners } = told;
  const known = (await readMatches()).find((match) => match.record.includes(commitment));
  if (known) return known.id;
  const id = commitment.slice(0, 22);
  const at = file.lastModified;
  await keepMatch({ id, table: "", rules, names: [...names], seats: [], started: at, finished: at, winners, takenBack: false, record });
  return id;
}
