/** The dialog that checks the shuffle: one line for each check, with details to unfold. */

import { gameOf } from "../bindings/rulename.js";
import { button } from "../ui/button.js";
import { openDialog } from "../ui/dialog.js";
import { h, stylesheet } from "../ui/dom.js";
import { need } from "../ui/resources.js";
import { has, number, t, useTexts } from "../ui/texts.js";
import { shuffleOf } from "../net/shuffle.js";
import { cardNames } from "../cards/cards.js";
import { ruleWords } from "../cards/narrate.js";
import { checkShuffle } from "./verify.js";

/** @import { Replay } from "../net/protocol.js" */
/** @import { Fault, Part } from "./verify.js" */

need(useTexts("after"), useTexts("jackpot"));

const SIGNS = { ok: "✓", wrong: "✗", unknown: "–" };
const TALLIES = /** @type {const} */ (["dealt", "drawn", "reshuffles", "pulls", "rules", "blind"]);
/** Checks whose values are cards, and those whose values are numbers of cards. */
const CARDS = new Set(["hand", "draw", "first", "blind", "top", "held"]);
const COUNTS = new Set(["count", "draw_pile", "discard_pile", "reshuffle"]);

/**
 * Checks a finished match and shows the progress.
 * @param {Replay} replay
 * @param {(round: number, step: number) => void} [onPlace] shows the place of a fault
 */
export async function openCheck(replay, onPlace) {
  await Promise.all([stylesheet("ui/controls.css"), stylesheet("replay/verify.css")]);
  const result = h("p", { class: "verdict", role: "status" }, t("web.verify.working"));
  const list = h("ol", { class: "checks" });
  const content = h("div", { class: "stack" }, h("p", { class: "soft" }, t("web.verify.intro")), result, list, limits());
  const dialog = openDialog({ title: t("web.verify.title"), content, name: "check" });
  const stored = shuffleOf(replay.id);
  let good = true;
  for await (const part of checkShuffle(replay, stored)) {
    if (!dialog.element.isConnected) return;
    good &&= part.state !== "wrong";
    list.append(partLine(replay, part));
    const { fault, values } = part;
    if (fault && onPlace && part.name === "round") {
      const show = () => {
        dialog.close();
        onPlace(Number(values.round) - 1, fault.step);
      };
      list.append(h("li", null, button(t("web.verify.show"), show)));
    }
  }
  const outcome = good ? (replay.numbers.some(Boolean) ? "good" : "unproved") : "bad";
  result.textContent = t(`web.verify.${outcome}`);
  result.classList.add(outcome);
}

/** @param {Replay} replay @param {Part} part */
function partLine(replay, part) {
  const rows = part.fault ? faultRows(replay, part.fault) : detailRows(replay, part);
  const line = [
    h("span", { class: `check-sign ${part.state}`, "aria-hidden": "true" }, SIGNS[part.state]),
    h("span", null, t(`web.verify.${part.name}.${part.state}`, part.values)),
  ];
  if (rows.length === 0) return h("li", { class: "check-line" }, line);
  const pair = (/** @type {[string, string]} */ [name, value]) => h("div", null, h("dt", null, name), h("dd", null, value));
  const table = h("dl", { class: "stack tight small" }, rows.map(pair));
  const summary = h("summary", { class: "check-line unfold" }, line);
  return h("li", null, h("details", { open: part.state === "wrong" }, summary, table));
}

/**
 * Returns the compared values, for the details.
 * @param {Replay} replay @param {Part} part @returns {[string, string][]}
 */
function detailRows(replay, { name, values }) {
  if (name === "round") {
    const tallies = TALLIES.filter((tally) => values[tally]);
    return [
      [t("web.verify.dealer"), replay.names[Number(values.dealer)]],
      ...tallies.map((tally) => /** @type {[string, string]} */ ([t(`web.verify.tally.${tally}`), number(Number(values[tally]))])),
      [t("web.verify.tally.deck"), number(Number(values.deck))],
    ];
  }
  const given = name === "seed" ? replay.names.map((player, seat) => [player, replay.numbers[seat] || "–"]) : [];
  const texts = Object.entries(values).map(([key, value]) => [t(`web.verify.value.${key}`), String(value)]);
  return /** @type {[string, string][]} */ ([...given, ...texts]);
}

/**
 * Returns the difference between record and shuffle as text.
 * @param {Replay} replay @param {Fault} fault @returns {[string, string][]}
 */
function faultRows(replay, { what, expected, found, seat, step }) {
  const words = (/** @type {string} */ value) => valueWords(replay, what, value);
  /** @type {[string, string][]} */
  const rows = [
    [t("web.verify.what"), t(`web.verify.what.${what}`, { player: seat === null ? "" : replay.names[seat] })],
    [t("web.verify.expected"), words(expected)],
    [t("web.verify.found"), words(found)],
  ];
  return step > 0 ? [[t("web.verify.place"), t("web.verify.place.move", { step })], ...rows] : rows;
}

/** @param {Replay} replay @param {string} what @param {string} value */
function valueWords({ names, rules }, what, value) {
  if (what === "dealer") return names[Number(value)] ?? value;
  if (COUNTS.has(what) && /^\d+$/.test(value)) return number(Number(value));
  if (what === "lever" && has(`lever.${value}`)) return t(`lever.${value}`);
  if (what === "rule" && /^[a-z]/.test(value)) return ruleWords(value);
  if (!CARDS.has(what) || !/^[RYGBW]/.test(value)) return value;
  return cardNames(value.split(" "), gameOf(rules));
}

/** Returns the limits of the check: what a good result does not prove. */
function limits() {
  return h(
    "section",
    { class: "stack tight small" },
    h("h3", null, t("web.verify.limits")),
    h(
      "ul",
      { class: "bullets" },
      h("li", null, t("web.verify.limits.looked")),
      h("li", null, t("web.verify.limits.talked")),
      h("li", null, t("web.verify.limits.alone")),
      h("li", null, t("web.verify.limits.page")),
    ),
  );
}
