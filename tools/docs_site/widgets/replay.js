/** A replay: the module verifies a record and plays it back, move by move. */

/** @typedef {import("../../../src/lastcard/web/bindings/lastcard.js").Match} Match */
/** @typedef {import("../../../src/lastcard/web/net/protocol.js").Happening} Happening */

/**
 * The table after the deal or a move.
 * @typedef {object} Step
 * @property {number} round its index, from 0
 * @property {number} turn @property {string} top @property {string | null} color
 * @property {string[][]} hands @property {number[]} scores @property {string[]} words
 */

const FILES = new URL("files/", import.meta.url);
const STEP_MS = 900;

/** @param {string} name @returns {Promise<any>} */
const module = (name) => import(new URL(name, FILES).href);
/** @type {typeof import("../../../src/lastcard/web/bindings/lastcard.js")} */
const { LastcardError, load, parseRecord, replay } = await module("web/bindings/lastcard.js");
/** @type {typeof import("../../../src/lastcard/web/ui/dom.js")} */
const { h, svg } = await module("web/ui/dom.js");
/** @type {typeof import("../../../src/lastcard/web/ui/texts.js")} */
const { useLanguage, useTexts } = await module("web/ui/texts.js");
/** @type {typeof import("../../../src/lastcard/web/cards/narrate.js")} */
const { narrate } = await module("web/cards/narrate.js");
/** @type {typeof import("../../../src/lastcard/web/cards/cards.js")} */
const { cardName, colorName, sortCards } = await module("web/cards/cards.js");
const kernel = await load(new URL("lastcard.wasm", FILES));
await useLanguage("en");
await useTexts("jackpot");

const root = /** @type {HTMLElement} */ (document.querySelector("[data-widget=replay]"));
const samples = h(
  "select",
  { "aria-label": "Record", onchange: () => void openSample() },
  ["classic", "all-wild", "wild-jackpot"].map((value) => h("option", { value }, value)),
);
const file = h("input", { type: "file", accept: ".toml", onchange: async () => open((await file.files?.[0]?.text()) ?? "") });
const place = h("input", { type: "range", min: 0, value: 0, "aria-label": "Move", oninput: () => show(Number(place.value)) });
const board = h("div", { class: "board" });
const words = h("ol", { class: "words", "aria-live": "polite" });
const run = h("button", { class: "md-button", onclick: () => (timer ? stop() : play()) }, "Play");
const step = (/** @type {string} */ name, /** @type {number} */ by) =>
  h("button", { class: "md-button", onclick: () => (stop(), show(Number(place.value) + by)) }, name);
/** @type {Step[]} */
let steps = [];
/** @type {string[]} */
let players = [];
let rules = "";
let timer = 0;

root.replaceChildren(
  h("p", null, h("label", null, "A record ", samples), " ", h("label", null, "or a file of yours ", file)),
  h("p", { class: "controls" }, step("Back", -1), run, step("Next", 1), place),
  board,
  words,
);
await openSample();

async function openSample() {
  open(await (await fetch(new URL(`${samples.value}.toml`, FILES))).text());
}

/** Verifies a record and shows its first deal. @param {string} text */
function open(text) {
  stop();
  try {
    const record = parseRecord(kernel, text);
    const found = [...readSteps(replay(record, kernel))];
    [steps, players, rules] = [found, [...record.players], String(record.rules)];
  } catch (error) {
    if (!(error instanceof LastcardError)) throw error;
    return board.replaceChildren(h("p", { class: "refused" }, error.message));
  }
  place.max = String(steps.length - 1);
  show(0);
}

/** Yields the steps of a match, with their events in words. @param {Iterable<Match>} matches the same match each time */
function* readSteps(matches) {
  for (const match of matches) {
    const { round, number, scores } = match;
    const { turn, top, color } = round.publicState();
    const hands = match.players.map((_, seat) => sortCards(round.hand(seat).map(round.notation.cardName)));
    const about = { players: match.players, rules: String(match.rules) };
    const sentences = match.events.map((event) => narrate(/** @type {Happening} */ (event), about));
    yield { round: number, turn, top, color, hands, scores: [...scores], words: sentences };
  }
}

/** @param {number} wanted the index of a step */
function show(wanted) {
  const at = Math.max(0, Math.min(steps.length - 1, wanted));
  const { round, turn, top, color, hands, scores, words: sentences } = steps[at];
  place.value = String(at);
  board.replaceChildren(
    h("p", null, `Round ${round + 1}, step ${at} of ${steps.length - 1}. On top: `, cards([top]), color ? ` ${colorName(color)}` : ""),
    ...players.map((name, seat) =>
      h("div", { class: seat === turn ? "player turn" : "player" }, h("strong", null, name), ` ${scores[seat]} points `, cards(hands[seat])),
    ),
  );
  words.replaceChildren(...sentences.map((sentence) => h("li", null, sentence)));
  if (at === steps.length - 1) stop();
}

/** Returns pictures of cards, with their names for screen readers. @param {string[]} codes */
function cards(codes) {
  const game = rules.split("+")[0];
  const known = (/** @type {string} */ code) => (game === "all-wild" && code !== "W" ? `all-wild-${code}` : code);
  const picture = (/** @type {string} */ code) => svg("svg", { viewBox: "0 0 100 150", role: "img", "aria-label": cardName(code, game) }, svg("use", { href: `${FILES.href}cards.svg#${known(code)}` }));
  return h("span", { class: "cards" }, codes.map(picture));
}

function play() {
  if (Number(place.value) === steps.length - 1) show(0);
  timer = window.setInterval(() => show(Number(place.value) + 1), STEP_MS);
  run.textContent = "Pause";
}

function stop() {
  clearInterval(timer);
  timer = 0;
  run.textContent = "Play";
}
