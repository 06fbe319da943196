/** The rules explorer: choose options, and read the sentences and clauses that change. */

/** @typedef {import("../../../src/lastcard/web/lobby/rulesets.js").GameOptions} GameOptions */
/** @typedef {import("../../../src/lastcard/web/lobby/rulesets.js").Option} Option */
/** @typedef {[text: string, clauses: string[]]} Rule a sentence and its clauses */
/** @typedef {Record<string, Record<string, Record<"removed" | "added", Rule[]>>>} Changes by option and value */

const GAMES = { classic: "UNO", "all-wild": "UNO All Wild", "wild-jackpot": "UNO Wild Jackpot" };
/** The clauses of a game, by their first letters. @type {Record<string, RegExp>} */
const CLAUSES = { classic: /^(CO|LC|CL)/, "all-wild": /^(CO|LC|AW)/, "wild-jackpot": /^(CO|LC|CL|WJ)/ };
const FILES = new URL("files/", import.meta.url);

/** @param {string} name @returns {Promise<any>} */
const module = (name) => import(new URL(name, FILES).href);
/** @type {typeof import("../../../src/lastcard/web/bindings/lastcard.js")} */
const { load, Match, Rules, RulesError } = await module("web/bindings/lastcard.js");
/** @type {typeof import("../../../src/lastcard/web/ui/dom.js")} */
const { h } = await module("web/ui/dom.js");
/** @param {string} name @returns {Promise<any>} */
const data = async (name) => (await fetch(new URL(name, FILES))).json();
const { description } = await load(new URL("lastcard.wasm", FILES));
/** @type {Record<string, string>} */
const clauses = await data("clauses.json");

const root = /** @type {HTMLElement} */ (document.querySelector("[data-widget=explorer]"));
const choices = h("div", { class: "choices" });
const result = h("div", { class: "changes", role: "status" });
const games = h(
  "select",
  { "aria-label": "Game", onchange: () => void open(games.value) },
  Object.entries(GAMES).map(([value, name]) => h("option", { value }, name)),
);
root.replaceChildren(h("p", null, games), h("div", { class: "explorer" }, choices, result));
await open(games.value);

/** Shows the options of a game. @param {string} game */
async function open(game) {
  /** @type {[GameOptions, Changes]} */
  const [{ options }, changes] = await Promise.all([data(`options-${game}.json`), data(`changes-${game}.json`)]);
  /** @type {Map<string, string>} */
  const chosen = new Map();
  const change = (/** @type {string} */ name, /** @type {string} */ value) => {
    chosen.set(name, value);
    show(game, options.filter((option) => (chosen.get(option.name) ?? option.default) !== option.default), chosen, changes);
  };
  const group = (/** @type {string} */ title, /** @type {boolean} */ isHouseRule) =>
    h(
      "details",
      { open: isHouseRule },
      h("summary", null, title),
      options.filter(({ house, choices: all }) => house === isHouseRule && all.length > 1).map((option) => field(option, change)),
    );
  choices.replaceChildren(group("House rules", true), group("Other options", false));
  show(game, [], chosen, changes);
}

/** @param {Option} option @param {(name: string, value: string) => void} change */
function field({ name, label, default: official, choices: all }, change) {
  const select = h(
    "select",
    { name, onchange: () => change(name, select.value) },
    all.map(({ value, text }) => h("option", { value, selected: value === official }, text)),
  );
  return h("label", null, label, select);
}

/**
 * Shows the name of a ruleset, and what each changed option does to the official rules.
 * @param {string} game @param {Option[]} changed @param {Map<string, string>} chosen @param {Changes} changes
 */
function show(game, changed, chosen, changes) {
  const words = changed.map(({ name }) => `${name}=${chosen.get(name)}`);
  try {
    const rules = Rules.parse(description, [game, ...words].join("+"));
    const { turn, round } = new Match(rules, { players: 4, seed: 1 });
    const name = h("p", null, "Ruleset ", h("code", null, String(rules)), `: seat ${turn} begins an example with ${round.hand(turn).length} cards.`);
    const note = changed.length ? "" : h("p", null, "These are the official rules. Change an option.");
    result.replaceChildren(name, note, ...changed.map((option) => changeOf(option, chosen.get(option.name) ?? "", changes)));
  } catch (error) {
    if (!(error instanceof RulesError)) throw error;
    result.replaceChildren(h("p", { class: "refused" }, error.message));
  }
}

/** @param {Option} option @param {string} value @param {Changes} changes */
function changeOf({ name, label, clauses: ids, choices: values }, value, changes) {
  const { removed = [], added = [] } = changes[name]?.[value] ?? {};
  const all = new Set([...ids, ...[...removed, ...added].flatMap(([, found]) => found)]);
  const cited = [...all].filter((id) => CLAUSES[games.value].test(id));
  return h(
    "section",
    null,
    h("h3", null, label),
    h("p", null, values.find((choice) => choice.value === value)?.text ?? value),
    h("ul", null, removed.map(([text]) => h("li", null, h("del", null, text))), added.map(([text]) => h("li", null, h("ins", null, text)))),
    h("details", null, h("summary", null, `Clauses: ${cited.join(", ")}`), h("dl", null, cited.map(clauseOf))),
  );
}

/** @param {string} id */
const clauseOf = (id) => [h("dt", null, h("a", { href: `../rules/#${id}` }, id)), h("dd", null, clauses[id])];
