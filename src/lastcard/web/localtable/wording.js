/** Renders phrases in a local table's messages as text: reasons for refusals and for moves. */

import { DECIMAL_COMMA } from "../bindings/constants.js";
import { cardName, cardNames, colorName } from "../cards/cards.js";
import { need } from "../ui/resources.js";
import { has, language, t, useTexts } from "../ui/texts.js";
import { rounded } from "./statistics.js";

/** @import { ReportPage, ServerUnion } from "../net/protocol.js" */
/** @import { Message, Phrase, PendingTexts } from "./refusals.js" */

need(useTexts("localtable"));
void useTexts("options"); // texts about settings that conflict

/** Returns a message with all its phrases rendered as text. @param {Message} message @returns {ServerUnion} */
export function localize(message) {
  const { pendingTexts, ...said } = message;
  if (said.type !== "advice") return localizeFields(said, pendingTexts);
  /** @type {(typeof said.moves[number] & {pendingTexts?: PendingTexts})[]} */
  const moves = said.moves;
  return { ...said, moves: moves.map(({ pendingTexts: parts, ...move }) => localizeFields(move, parts)) };
}

/**
 * Returns the text of a refusal; null if it has none.
 * @param {string} code @param {Record<string, Phrase>} values
 */
export function refusalText(code, values) {
  const text = `web.refused.${code}`;
  return has(text) ? render({ text, values }, "") : null;
}

/**
 * Returns a report with all its phrases rendered as text.
 * @param {{game: string, page: unknown}} report a report from `report.js`
 * @returns {Promise<ReportPage>}
 */
export async function localizeReport({ game, page }) {
  await Promise.all([useTexts("report"), useTexts("me")]); // kinds of mistakes are named there
  return /** @type {ReportPage} */ (localizeTree(page, game));
}

/** Returns a value with all phrases in it rendered. @param {any} part @param {string} game @returns {unknown} */
function localizeTree(part, game) {
  if (Array.isArray(part)) return part.map((each) => localizeTree(each, game));
  if (typeof part !== "object" || part === null) return part;
  if ("said" in part) return render(part.said, game);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, localizeTree(value, game)]));
}

/** @template {object} T @param {T} part @param {PendingTexts} [pendingTexts] @returns {T} */
function localizeFields(part, pendingTexts) {
  const says = Object.entries(pendingTexts?.phrases ?? {}).map(([key, said]) => [key, render(said, pendingTexts?.game ?? "")]);
  return { ...part, ...Object.fromEntries(says) };
}

/** @param {Phrase} said @param {string} game @returns {string} */
function render(said, game) {
  if (typeof said !== "object") return String(said);
  if ("card" in said) return cardName(said.card, game) + (said.color ? ` (${colorName(said.color)})` : "");
  if ("cards" in said) return cardNames(said.cards, game);
  if ("color" in said) return colorName(said.color);
  if ("late" in said) return seconds(said.late);
  if ("figure" in said) return figure(said.figure, said.digits, said.signed);
  if ("joined" in said) return said.joined.map((part) => render(part, game)).join(said.by ?? " – ");
  if ("sentences" in said) return said.sentences.map((part) => render(part, game)).join(" ");
  const special = `${said.text}.${said.inGame}`;
  const key = has(special) ? special : said.text;
  if (said.optional && !has(key)) return "";
  const values = Object.entries(said.values).map(([name, value]) => [name, name === "n" ? value : render(value, game)]);
  return withInitial(t(key, Object.fromEntries(values)), said.begins);
}

/** @param {string} text @param {"capital" | "small"} [begins] */
function withInitial(text, begins) {
  if (begins === "capital") return text[0].toUpperCase() + text.slice(1);
  if (begins === "small" && !text.startsWith("UNO")) return text[0].toLowerCase() + text.slice(1);
  return text;
}

/** @param {number} late milliseconds */
const seconds = (late) => figure(late / 1000, late >= 50 ? 1 : 2);

/** Returns a number in the language's format. @param {number} value @param {number} digits @param {boolean} [signed] */
function figure(value, digits, signed = false) {
  const text = Math.abs(rounded(value, digits)).toFixed(digits);
  const sign = Number(text) === 0 ? "" : value < 0 ? "\u2212" : signed ? "+" : "";
  return sign + (DECIMAL_COMMA.includes(language()) ? text.replace(".", ",") : text);
}
