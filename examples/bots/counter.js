// A bot for lastcard with a memory: it follows the events, and plays colors that the next player lacks.
//
//     lastcard bot node examples/bots/counter.js
//
// docs/bot-protocol.md describes the messages; the bot needs only Node.

"use strict";

const readline = require("node:readline");

/** Colors that each seat probably lacks, because it drew under them. Cleared when hands move. */
let lacking = [];
/** The current color, as far as the events show it. */
let color = null;

/** @param {Record<string, any>} event */
function follow(event) {
  if (event.card && (event.e === "played" || event.e === "turned")) {
    color = event.color ?? (event.card[0] === "W" ? null : event.card[0]);
  } else if (event.e === "color_named") {
    color = event.color;
  } else if (event.e === "drew" && color !== null) {
    lacking[event.seat].add(color);
  } else if (event.e === "swapped" || event.e === "hands_passed") {
    lacking = lacking.map(() => new Set());
  }
}

/** Returns the current color after a play: R5 → R, W=G → G. @param {string} move */
const leaves = (move) => (move.includes("=") ? move.split("=")[1] : move[0]);

/** @param {Record<string, any>} view @param {string} move */
function score(view, move) {
  const next = (view.seat + view.direction + view.counts.length) % view.counts.length;
  const [card, seat] = move.split(">");
  const theirs = view.counts[seat ?? next];
  if (seat && !card.endsWith("@2")) return 2 * (view.hand.length - 1 - theirs); // hands are exchanged
  const own = view.hand.filter((mine) => mine[0] === leaves(move)).length;
  const stops = /^.(s|ss|r|\+[24]|@2)/.test(move) ? 10 - theirs : 0;
  const dry = lacking[next]?.has(leaves(move)) ? 4 : 0;
  return own + stops + dry - (move[0] === "W" ? 5 : 0);
}

/** @param {Record<string, any>} view @param {string[]} legal */
function choose(view, legal) {
  const plays = legal.filter((move) => "RYGBW".includes(move[0]));
  if (plays.length === 0) return legal[0];
  const best = plays.reduce((a, b) => (score(view, b) > score(view, a) ? b : a));
  return view.hand.length === 2 ? `${best}!` : best;
}

/** @param {object} answer */
const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  switch (message.type) {
    case "hello":
      say({ type: "ready", protocol: 1, name: "counter" });
      break;
    case "round":
      lacking = message.players.map(() => new Set());
      color = message.view.color;
      break;
    case "event":
      follow(message);
      break;
    case "choose":
      say({ id: message.id, move: choose(message.view, message.legal) });
      break;
    case "react":
      say({ id: message.id, move: message.legal[0] });
      break;
    case "fault":
      process.stderr.write(`fault: ${message.text}\n`);
  }
});
