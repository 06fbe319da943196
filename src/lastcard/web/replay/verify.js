/**
 * Check the shuffle: every outcome of chance in a finished match, worked out anew from its record.
 * Nothing is asked of the server and nothing of the rules engine is used; docs/fairness.md says what must come out.
 */

import { keyOf } from "./chacha.js";
import { Mismatch, RoundCards, expect } from "./roundcards.js";
import { Setup } from "./chancesetup.js";
import { fromHex, sha256, sha256Text } from "../bindings/sha256.js";

/** @import { Shuffle } from "../ui/prefs.js" */
/** @import { Replay, ReplayRound } from "../net/protocol.js" */

/**
 * One thing that was checked.
 * @typedef {object} Part
 * @property {"promise" | "yours" | "seed" | "commitment" | "round"} name
 * @property {"ok" | "wrong" | "unknown"} state `unknown`: nothing to compare with
 * @property {Record<string, string | number>} values what the words and the details tell
 * @property {Fault | null} fault where it went wrong
 */

/**
 * The place where record and shuffle part.
 * @typedef {object} Fault
 * @property {string} what which kind of outcome
 * @property {string} expected as the seed has it
 * @property {string} found as the record has it
 * @property {number | null} seat
 * @property {number} step of the round: 0 is the deal, then its moves from 1
 */

const SLICE_MS = 12; // milliseconds of work before the page may breathe
const HEX = /^[0-9a-f]{64}$/;

/**
 * Checks a match part by part and stops at the first that is wrong.
 * @param {Replay} replay of a finished match
 * @param {Shuffle | undefined} mine what this browser remembers: the promise it saw and the number it then gave
 * @returns {AsyncGenerator<Part, void>}
 */
export async function* checkShuffle(replay, mine) {
  for (const part of openings(replay, mine)) {
    yield part;
    if (part.state === "wrong") return;
  }
  const { rules, names, host, rule_cards: written } = replay;
  const setup = new Setup(keyOf(replay.seed ?? ""), rules, names.length, host, written);
  const yieldToPage = makeYield();
  for (let number = 0; number < replay.rounds.length; number++) {
    const part = await checkRound(setup, replay, number, yieldToPage);
    yield part;
    if (part.state === "wrong") return;
  }
}

/**
 * Secret, numbers, seed and commitment.
 * @param {Replay} replay @param {Shuffle | undefined} mine
 */
function* openings(replay, mine) {
  const { promise, numbers, commitment } = replay;
  const secret = replay.secret ?? "";
  const seed = replay.seed ?? "";
  yield checkPart("promise", () => {
    expect("promise", HEX.test(secret) ? sha256(fromHex(secret)) : "–", promise);
    return { secret, promise };
  });
  yield checkMine(replay, mine);
  yield checkPart("seed", () => {
    expect("seed", sha256Text(["lastcard shuffle", secret, ...numbers].join("\n")), seed);
    return { seed };
  });
  yield checkPart("commitment", () => {
    expect("commitment", HEX.test(seed) ? sha256(fromHex(seed)) : "–", commitment);
    return { seed, commitment };
  });
}

/**
 * Whether this is the promise that this browser saw, and the number it then gave went into the shuffle, for the seat in
 * which it was given.
 * @param {Replay} replay @param {Shuffle | undefined} mine
 * @returns {Part}
 */
function checkMine({ promise, numbers }, mine) {
  if (mine === undefined) return { name: "yours", state: "unknown", values: {}, fault: null };
  return checkPart("yours", () => {
    expect("promise", mine.promise, promise);
    if (numbers[mine.seat] !== mine.number) throw new Mismatch("number", mine.number, numbers.filter(Boolean).join(" ") || "–");
    return { number: mine.number };
  });
}

/**
 * A part from what its check returns or throws.
 * @param {Part["name"]} name @param {() => Part["values"]} check
 * @returns {Part}
 */
function checkPart(name, check) {
  try {
    return { name, state: "ok", values: check(), fault: null };
  } catch (error) {
    return { name, state: "wrong", values: {}, fault: faultOf(error, 0) };
  }
}

/**
 * @param {unknown} error @param {number} step
 * @returns {Fault}
 */
function faultOf(error, step) {
  if (error instanceof Mismatch) {
    const { what, expected, found, seat } = error;
    return { what, expected, found, seat, step };
  }
  // Whatever else breaks does so because the record is not one that a table can write.
  return { what: "record", expected: "–", found: String(error), seat: null, step };
}

/**
 * Who dealt: named by chance, or by the round before.
 * @param {Setup} setup @param {Replay} replay @param {number} number of the round
 */
function checkDealer(setup, replay, number) {
  const before = replay.rounds[number - 1];
  const end = before && lastPicture(before);
  const last = end && { dealer: before.dealer, winner: end.winner, points: end.points ?? [] };
  expect("dealer", last ? setup.nextDealer(number, last) : setup.firstDealer(), replay.rounds[number].dealer);
}

/** @param {ReplayRound} round */
const lastPicture = (round) => (round.steps.at(-1) ?? round.first).public;

/**
 * One round: every card dealt and drawn, and all else that chance brought.
 * @param {Setup} setup @param {Replay} replay @param {number} number @param {() => Promise<void>} yieldToPage
 * @returns {Promise<Part>}
 */
async function checkRound(setup, replay, number, yieldToPage) {
  const round = replay.rounds[number];
  let step = 0;
  try {
    checkDealer(setup, replay, number);
    const cards = new RoundCards(setup, number, round.dealer);
    for (const { events, public: seen, hands } of [round.first, ...round.steps]) {
      for (const event of events) cards.follow(event);
      cards.compare(seen, hands);
      await yieldToPage();
      step++;
    }
    const values = { round: number + 1, dealer: round.dealer, deck: setup.deck.length, ...cards.tally };
    return { name: "round", state: "ok", values, fault: null };
  } catch (error) {
    return { name: "round", state: "wrong", values: { round: number + 1 }, fault: faultOf(error, step) };
  }
}

/** A function to await between pieces of work, so that the page stays alive. */
function makeYield() {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  };
}
