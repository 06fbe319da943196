/**
 * A match between bots in Node: events go to standard error, the record to standard output.
 *
 *     node examples/everywhere/round.js classic+stacking=same porch sharp sharp casual > match.toml
 */

import { Library, Match, load, makeBot, reaction } from "../../src/lastcard/web/bindings/lastcard.js";

const [rules = "classic", seed = "porch", ...levels] = process.argv.slice(2);
const names = levels.length > 1 ? levels : ["sharp", "casual", "learner"];
const here = new URL("../../src/lastcard/", import.meta.url);

const kernel = await load(new URL("kernel/lastcard.wasm", here));
const library = new Library(kernel, new URL("bots/", here));
const match = new Match(rules, { players: names.map((level, i) => `${level} ${i}`), seed });
const bots = await Promise.all(names.map((level, seat) => makeBot(match, seat, library, level)));

while (!match.over) {
  if (match.round.over) {
    match.nextRound();
    console.error(`round ${match.number + 1}, dealt by ${match.players[match.dealer]}`);
  }
  const { turn } = match;
  const { seat, move } = reaction(match, bots) ?? { seat: turn, move: bots[turn].choose(match.round.observe(turn)) };
  for (const { e, ...what } of match.do(seat, move)) console.error(e, JSON.stringify(what));
}
console.log(match.record());
