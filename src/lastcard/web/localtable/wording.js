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
  const { pendingTexts, ...rest } = message;
  if (rest.type !== "advice") return localizeFields(rest, pendingTexts);
  /** @type {(typeof rest.moves[number] & {pendingTexts?: PendingTexts})[]} */
  const moves = rest.moves;
  return { ...rest, moves: moves.map(({ pendingTexts: parts, ...move }) => localizeFields(move, parts)) };
}

/** Returns the text of a refusal; null if it has none. @param {string} code @param {Record<string, Phrase>} values */
export function refusalText(code, values) {
  const text = `web.refused.${code}`;
  return has(text) ? render({ text, values }, "") : null;
}

/**
 * Returns a report with all its phrases rendered as text.
 * @param {{game: string, page: unknown}} report a report from `report.js`
 * @returns {ReportPage}
 */
export const localizeReport = (report) => /** @type {ReportPage} */ (localizePage(report));

/** Returns a value with all its phrases rendered. @param {{game: string, page: any}} pending @returns {any} */
export const localizePage = ({ game, page }) => localizeTree(page, game);

/** Loads the texts of reports; kinds of mistakes are named in those about a person. */
export const loadReportTexts = () => Promise.all([useTexts("report"), useTexts("me")]);

/** Returns a value with all phrases in it rendered. @param {any} part @param {string} game @returns {unknown} */
function localizeTree(part, game) {
  if (Array.isArray(part)) return part.map((each) => localizeTree(each, game));
  if (typeof part !== "object" || part === null) return part;
  if ("said" in part) return render(part.said, game);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, localizeTree(value, game)]));
}

/** @template {object} T @param {T} part @param {PendingTexts} [pendingTexts] @returns {T} */
function localizeFields(part, pendingTexts) {
  const texts = Object.entries(pendingTexts?.phrases ?? {}).map(([key, each]) => [key, render(each, pendingTexts?.game ?? "")]);
  return { ...part, ...Object.fromEntries(texts) };
}

/** @param {Phrase} phrase @param {string} game @returns {string} */
function render(phrase, game) {
  if (typeof phrase !== "object") return String(phrase);
  if ("card" in phrase) return cardName(phrase.card, game) + (phrase.color ? ` (${colorName(phrase.color)})` : "");
  if ("cards" in phrase) return cardNames(phrase.cards, game);
  if ("color" in phrase) return colorName(phrase.color);
  if ("late" in phrase) return figure(phrase.late / 1000, phrase.late >= 50 ? 1 : 2);
  if ("figure" in phrase) return figure(phrase.figure, phrase.digits, phrase.signed);
  if ("joined" in phrase) return phrase.joined.map((part) => render(part, game)).join(phrase.by ?? " – ");
  if ("sentences" in phrase) return phrase.sentences.map((part) => render(part, game)).join(" ");
  const special = `${phrase.text}.${phrase.inGame}`;
  const key = has(special) ? special : phrase.text;
  if (phrase.optional && !has(key)) return "";
  const values = Object.entries(phrase.values).map(([name, value]) => [name, name === "n" ? value : render(value, game)]);
  return withInitial(t(key, Object.fromEntries(values)), phrase.begins);
}

/** @param {string} text @param {"capital" | "small"} [begins] */
function withInitial(text, begins) {
  if (begins === "capital") return text[0].toUpperCase() + text.slice(1);
  if (begins === "small" && !text.startsWith("UNO")) return text[0].toLowerCase() + text.slice(1);
  return text;
}

/** Returns a number in the language's format. @param {number} value @param {number} digits @param {boolean} [signed] */
function figure(value, digits, signed = false) {
  const text = Math.abs(rounded(value, digits)).toFixed(digits);
  const sign = Number(text) === 0 ? "" : value < 0 ? "\u2212" : signed ? "+" : "";
  return sign + (DECIMAL_COMMA.includes(language()) ? text.replace(".", ",") : text);
}
