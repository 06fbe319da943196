/**
 * Proves a match record in Node: the seed matches its commitment, every move is legal, every number is right.
 *
 *     node examples/everywhere/check_record.js match.toml
 */

import { readFile } from "node:fs/promises";

import { Match, RecordError, load } from "../../src/lastcard/web/bindings/lastcard.js";

await load(new URL("../../src/lastcard/kernel/lastcard.wasm", import.meta.url));
try {
  const match = Match.fromRecord(await readFile(process.argv[2], "utf8"));
  console.log(`true: ${match.number + 1} rounds, scores ${match.scores.join(", ")}`);
} catch (error) {
  if (!(error instanceof RecordError)) throw error;
  console.log(`not true: ${error.message}`);
  process.exitCode = 1;
}
