/**
 * The check of the shuffle: recomputes every outcome of chance in a finished match from its record. It uses neither the server
 * nor the rules engine; docs/fairness.md specifies the results.
 */

import { keyOf } from "./chacha.js";
import { Mismatch, RoundCards, expect } from "./roundcards.js";
import { Setup } from "./chancesetup.js";
import { fromHex, sha256, sha256Text } from "../bindings/sha256.js";

/** @import { Shuffle } from "../ui/prefs.js" */
/** @import { Replay } from "../net/protocol.js" */

/**
 * The result of one check.
 * @typedef {object} Part
 * @property {"promise" | "yours" | "seed" | "commitment" | "round"} name
 * @property {"ok" | "wrong" | "unknown"} state `unknown` without anything to compare
 * @property {Record<string, string | number>} values the values in the text and the details
 * @property {Fault | null} fault the fault if it is wrong
 */

/**
 * The first difference between record and shuffle, and the step of the round: 0 is the deal, then its moves from 1.
 * @typedef {Pick<Mismatch, "what" | "expected" | "found" | "seat"> & {step: number}} Fault
 */

const SLICE_MS = 12; // milliseconds of work before the page may respond
const HEX = /^[0-9a-f]{64}$/;

/**
 * Checks a match part by part and stops at the first failure.
 * @param {Replay} replay the replay of a finished match
 * @param {Shuffle | undefined} stored this browser's stored promise and number
 * @returns {AsyncGenerator<Part, void>}
 */
export async function* checkShuffle(replay, stored) {
  for (const part of openings(replay, stored)) {
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

/** Checks secret, numbers, seed and commitment. @param {Replay} replay @param {Shuffle | undefined} stored */
function* openings(replay, stored) {
  const { promise, numbers, commitment } = replay;
  const secret = replay.secret ?? "";
  const seed = replay.seed ?? "";
  yield checkPart("promise", () => {
    expect("promise", HEX.test(secret) ? sha256(fromHex(secret)) : "–", promise);
    return { secret, promise };
  });
  yield checkStored(replay, stored);
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
 * Checks that this browser saw the promise, and that its number went into the shuffle for the seat in which it was given.
 * @param {Replay} replay @param {Shuffle | undefined} stored @returns {Part}
 */
function checkStored({ promise, numbers }, stored) {
  if (stored === undefined) return { name: "yours", state: "unknown", values: {}, fault: null };
  return checkPart("yours", () => {
    expect("promise", stored.promise, promise);
    if (numbers[stored.seat] !== stored.number)
      throw new Mismatch("number", stored.number, numbers.filter(Boolean).join(" ") || "–");
    return { number: stored.number };
  });
}

/**
 * Returns a part from what its check returns or throws.
 * @param {Part["name"]} name @param {() => Part["values"]} check @returns {Part}
 */
function checkPart(name, check) {
  try {
    return { name, state: "ok", values: check(), fault: null };
  } catch (error) {
    return { name, state: "wrong", values: {}, fault: faultOf(error, 0) };
  }
}

/** @param {unknown} error @param {number} step @returns {Fault} */
function faultOf(error, step) {
  if (error instanceof Mismatch) {
    const { what, expected, found, seat } = error;
    return { what, expected, found, seat, step };
  }
  // Any other error means that the record is not one that a table can write.
  return { what: "record", expected: "–", found: String(error), seat: null, step };
}

/**
 * Checks the dealer: named by chance, or by the previous round.
 * @param {Setup} setup @param {Replay} replay @param {number} number the round's index
 */
function checkDealer(setup, replay, number) {
  const before = replay.rounds[number - 1];
  const end = before && (before.steps.at(-1) ?? before.first).public;
  const last = end && { dealer: before.dealer, winner: end.winner, points: end.points ?? [] };
  expect("dealer", last ? setup.nextDealer(number, last) : setup.firstDealer(), replay.rounds[number].dealer);
}

/**
 * Checks one round: every card dealt and drawn, and all other outcomes of chance.
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

/** Returns a function to await between pieces of work, so that the page stays responsive. */
function makeYield() {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  };
}
