/** Records of matches as files: taken in from anywhere, and written out. */

import { WordedError } from "../ui/failures.js";
import { need } from "../ui/needs.js";
import { t, useTexts } from "../ui/words.js";
import { MOST_BYTES } from "../line/records.js";
import { archive } from "../device/archive.js";
import { PlainRefusal } from "../device/office.js";
import { keepMatch, readMatches } from "./store.js";

need(useTexts("alone"), useTexts("after"));

/**
 * Take a record in: every word of it is proved first.
 *
 * @param {File} file
 * @returns {Promise<string>} the id of the match
 * @throws {WordedError} where it is no record, or not a true one
 */
export async function takeIn(file) {
  if (file.size > MOST_BYTES) throw new WordedError(t("web.matches.bring.large", { limit: MOST_BYTES }));
  const record = await file.text();
  let told;
  try {
    told = await archive.check(record);
  } catch (error) {
    if (!(error instanceof PlainRefusal) || error.code !== "record") throw error;
    throw new WordedError(t("web.alone.record.bad", { why: error.message }));
  }
  const { commitment, rules, names, winners } = told;
  const known = (await readMatches()).find((match) => match.record.includes(commitment));
  if (known) return known.id;
  const id = commitment.slice(0, 22);
  const at = file.lastModified;
  await keepMatch({ id, table: "", rules, names: [...names], seats: [], started: at, finished: at, winners, takenBack: false, record });
  return id;
}
