/** Import of match records from files. */

import { WordedError } from "../ui/failures.js";
import { need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";
import { MAX_RECORD_BYTES } from "../net/recordlink.js";
import * as archive from "../localtable/archive.js";
import { PlainRefusal } from "../localtable/workerclient.js";
import { putMatch, readMatches } from "./store.js";

need(useTexts("offline"), useTexts("after"));

/**
 * Imports a record after verifying every part of it.
 * @param {File} file
 * @returns {Promise<string>} the match's id
 * @throws {WordedError} if it is no record, or a false one
 */
export async function importRecord(file) {
  if (file.size > MAX_RECORD_BYTES) throw new WordedError(t("web.matches.bring.large", { limit: MAX_RECORD_BYTES }));
  const record = await file.text();
  let checked;
  try {
    checked = await archive.check(record);
  } catch (error) {
    if (!(error instanceof PlainRefusal) || error.code !== "record") throw error;
    throw new WordedError(t("web.alone.record.bad", { why: error.message }));
  }
  const { commitment, rules, names, winners } = checked;
  const known = (await readMatches()).find((match) => match.record.includes(commitment));
  if (known) return known.id;
  const id = commitment.slice(0, 22);
  const at = file.lastModified;
  await putMatch({ id, table: "", rules, names: [...names], seats: [], started: at, finished: at, winners, takenBack: false, record });
  return id;
}
