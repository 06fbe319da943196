/** Bots of every level. The kernel decides; equal seed and observation of a seat give the same move. */

import { Workspace } from "./workspace.js";
import { UsageError } from "./errors.js";
import { fetchBytes } from "./kernel.js";
import { Notation } from "./notation.js";
import { fromHex, sha256 } from "./sha256.js";

/** @import { Area, BotType, Effort, Kernel } from "./kernel.js" */
/** @import { Match } from "./match.js" */
/** @import { Observation } from "./round.js" */

/**
 * @typedef {(name: string) => Promise<Uint8Array>} Fetch returns the file of a name: `heuristic.json`, `styles.json`,
 *   `value-classic.npy`, …
 */

const WARM_UP_STEPS = 12;
const DEFAULT = "expert";
const HEURISTIC = "heuristic";
/** The number type of weight files, by the start of their names. */
const FILE_TYPES = { value: "float32", policy: "float32", prior: "float32", habits: "int8" };

/** The bots' weights, loaded on first use. */
export class Library {
  /** @type {Map<string, Promise<Uint8Array>>} */
  #files = new Map();
  /** @type {Map<string, Area>} */
  #areas = new Map();

  /**
   * @param {Kernel} kernel the kernel that uses the weights
   * @param {Fetch | URL | string} source the folder's address, or a function that reads a file of it
   */
  constructor(kernel, source) {
    this.kernel = kernel;
    /** @type {Fetch} */
    this.fetch = typeof source === "function" ? source : (name) => fetchBytes(new URL(name, source));
  }

  /**
   * Returns the weights that a kind of bot needs for a game, in kernel memory.
   * @param {BotType} bot @param {string} game @param {number} players
   * @param {string} [style] the style of the heuristic policy; empty for none
   * @returns {Promise<Area[]>} weights of the heuristic, value net, policy net, prior net and habits; empty if unused
   */
  async weights({ weights: asked }, game, players, style = "") {
    const name = `thumb ${game} ${players === 2} ${style}`;
    const heuristic = await this.#area(name, "float64", () => this.#heuristicWeights(game, players, style));
    const exists = (/** @type {string} */ name) =>
      name !== "habits" || this.kernel.description.with_habits.includes(game);
    const nets = Object.entries(FILE_TYPES).map(([name, type]) =>
      asked.some((each) => each === name) && exists(name)
        ? this.#area(`${name}-${game}.npy`, type, async () => readNetwork(await this.#file(`${name}-${game}.npy`)))
        : { at: 0, type, shape: [0], bytes: 0 },
    );
    return [heuristic, ...(await Promise.all(nets))];
  }

  /** @param {string} name */
  #file(name) {
    const known = this.#files.get(name) ?? this.fetch(name);
    this.#files.set(name, known);
    known.catch(() => this.#files.delete(name));
    return known;
  }

  /** @param {string} name */
  async #read(name) {
    return JSON.parse(new TextDecoder().decode(await this.#file(name)));
  }

  /** @param {string} game @param {number} players @param {string} style */
  async #heuristicWeights(game, players, style) {
    /** @type {Record<string, number[]>} */
    const groups = (await this.#read("heuristic.json"))[game][players === 2 ? "two" : "more"];
    const more = style ? await this.#style(style) : {};
    const weights = Object.entries(groups).flatMap(([name, group]) =>
      group.map((weight, i) => weight + (more[name]?.[i] ?? 0)),
    );
    return new Uint8Array(Float64Array.from(weights).buffer);
  }

  /**
   * Returns what a style adds to the weights of the heuristic policy, by groups.
   * @param {string} style @returns {Promise<Record<string, number[]>>}
   */
  async #style(style) {
    const styles = await this.#read("styles.json");
    if (!Object.hasOwn(styles, style))
      throw new UsageError(`there is no style ${style}; there are ${Object.keys(styles).join(", ")}`);
    return styles[style];
  }

  /** @param {string} name @param {string} type @param {() => Promise<Uint8Array>} read @returns {Promise<Area>} */
  async #area(name, type, read) {
    const bytes = this.#areas.has(name) ? null : await read();
    const known = this.#areas.get(name); // another call may have made it meanwhile
    if (known || !bytes) return /** @type {Area} */ (known);
    const area = this.kernel.allocate(type, bytes.length / this.kernel.sizeOf(type));
    this.kernel.write(area, bytes);
    this.#areas.set(name, area);
    return area;
  }
}

/**
 * Returns the numbers of a network in a NumPy file. The file holds the first byte of every number, then the second, and so on;
 * older files hold the numbers as they are.
 * @param {Uint8Array} file
 * @returns {Uint8Array} float32
 */
function readNetwork(file) {
  const view = new DataView(file.buffer, file.byteOffset);
  const head = new TextDecoder().decode(file.subarray(10, 10 + view.getUint16(8, true)));
  const bytes = file.subarray(10 + head.length);
  if (file[6] === 1 && (head.includes("'<f4'") || head.includes("'|i1'"))) return bytes;
  if (file[6] !== 1 || !head.includes("'|u1'") || !head.includes("(4, ")) throw new UsageError("not a network");
  const count = bytes.length / 4;
  return bytes.map((_, i) => bytes[(i % 4) * count + (i >> 2)]);
}

/** A bot. It receives the observation of its seat, and nothing else. */
export class Bot {
  /**
   * @param {Kernel} kernel
   * @param {string} level one of `learner`, `casual`, `sharp`, `expert`, `master`, or a kind of bot; optionally with a style
   * @param {readonly Area[]} weights the result of `Library.weights`
   * @param {{seed: string, seat: number, effort?: Partial<Effort>}} who the match seed in hex, and the bot's seat
   */
  constructor(kernel, level, weights, { seed, seat, effort }) {
    this.kernel = kernel;
    this.type = botType(kernel, level);
    this.effort = this.type.effort && { ...this.type.effort, ...effort };
    this.notation = new Notation(kernel.description);
    this.#weights = weights;
    this.#workspace = new Workspace(kernel, this.searches ? "search" : "plain");
    this.#secret = fromHex(sha256(joined([encode("lastcard bot"), Uint8Array.of(seat), fromHex(seed)])));
  }

  #weights;
  #workspace;
  #secret;

  /** Whether its decisions take long enough to run in pieces. */
  get searches() {
    return this.type.effort !== null;
  }

  /** Returns a move for the bot's turn, with a call if its behavior profile makes one. @param {Observation} observation */
  choose(observation) {
    return /** @type {string} */ (finish(this.decide("decision.choose", observation)));
  }

  /** Returns the call it owes, a catch, or a jump-in; null for none. @param {Observation} observation */
  react(observation) {
    return finish(this.decide("decision.react", observation));
  }

  /**
   * Makes a decision in pieces of some milliseconds, for callers with other work in between. Meanwhile no other bot of this
   * kernel may search; rounds may go on, and bots that do not search may decide.
   * @param {"decision.choose" | "decision.react"} entry @param {Observation} observation
   * @returns {Generator<void, string | null>}
   */
  *decide(entry, observation) {
    const { kernel, type } = this;
    const { nothing, open } = kernel.description.actions;
    const { dice, scratch, searchState } = this.#workspace;
    kernel.writeNumbers(dice, throwDice(joined([this.#secret, encode(observationText(observation))])));
    const { calls, catches, jumps, bluffs, challenges } = type.behavior;
    const profile = [type.kind, calls, catches, jumps, bluffs, challenges, type.blunder_rate];
    const input = this.#workspace.setInput(observation);
    let action = kernel.call(entry, ...input, ...this.#weights, ...scratch, searchState, ...profile, dice);
    if (action === open) {
      yield* this.#workspace.search(input, this.#weights, /** @type {Effort} */ (this.effort));
      action = kernel.call("decision.resolve_open", ...input, searchState, ...profile, dice);
    }
    return action === nothing ? null : this.notation.text(this.notation.moveOf(action));
  }
}

/** Returns the result of a decision made without pauses. @template T @param {Generator<void, T>} deciding */
function finish(deciding) {
  let step = deciding.next();
  while (!step.done) step = deciding.next();
  return step.value;
}

/** Returns the kind of bot of a level, without its style. @param {Kernel} kernel @param {string} level @returns {BotType} */
export function botType({ description: { bots } }, level) {
  const [head] = level.split(":");
  if (!Object.hasOwn(bots, head))
    throw new UsageError(`there is no bot ${head}; there are ${Object.keys(bots).join(", ")}`);
  return bots[head];
}

/** Returns the style in a name such as `sharp:style=hoarder`; empty for none. @param {Kernel} kernel @param {string} level */
function styleOf(kernel, level) {
  const [head, ...words] = level.split(":");
  if (words.length === 0) return "";
  const [name, style] = words[0].split("=");
  const isHeuristic = botType(kernel, head).kind === botType(kernel, HEURISTIC).kind;
  if (!isHeuristic || words.length > 1 || name !== "style" || !style)
    throw new UsageError(`no ${level}; bots that play by rules of thumb have a style, as in sharp:style=hoarder`);
  return style;
}

/**
 * Makes a bot for a seat of a match.
 * @param {Match} match @param {number} seat @param {Library} library
 * @param {string} [level] optionally with a style, as in `sharp:style=hoarder`
 * @param {Partial<Effort>} [effort] changes to the search effort of its level
 */
export async function makeBot(match, seat, library, level = DEFAULT, effort = {}) {
  const { kernel, rules, players, seed } = match;
  const style = styleOf(kernel, level);
  const weights = await library.weights(botType(kernel, level), rules.game, players.length, style);
  return new Bot(kernel, level, weights, { seed, seat, effort });
}

/**
 * Returns a bot's reaction out of turn. Seats that can be caught come first, because a seat that owes a call knows it before the
 * others see it; then clockwise from the seat on turn.
 * @param {Match} match
 * @param {readonly (Bot | null)[]} bots by seat; null for a person
 * @returns {{seat: number, move: string} | null}
 */
export function reaction(match, bots) {
  const { exposed } = match.round.publicState();
  const clockwise = bots.map((_, i) => (match.turn + i) % bots.length);
  /** @param {number} seat */
  const owes = (seat) => exposed.includes(seat);
  for (const seat of [...clockwise.filter(owes), ...clockwise.filter((seat) => !owes(seat))]) {
    const move = bots[seat]?.react(match.round.observe(seat));
    if (move) return { seat, move };
  }
  return null;
}

// --- dice -------------------------------------------------------------------------------------------

/** @param {string} text */
const encode = (text) => new TextEncoder().encode(text);

/** @param {Uint8Array[]} parts */
function joined(parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Returns the state of dice (sfc32) after a seed. @param {Uint8Array} seed @returns {number[]} */
function throwDice(seed) {
  const words = new DataView(fromHex(sha256(seed)).buffer);
  let [a, b, c, counter] = [words.getUint32(0, true), words.getUint32(4, true), words.getUint32(8, true), 1];
  for (let i = 0; i < WARM_UP_STEPS; i++) {
    const word = (a + b + counter) >>> 0;
    counter++;
    [a, b, c] = [(b ^ (b >>> 9)) >>> 0, (c + (c << 3)) >>> 0, (((c << 21) | (c >>> 11)) + word) >>> 0];
  }
  return [a, b, c, counter];
}

/**
 * Returns an observation as Python writes the tuple that seeds the dice, so that both sides draw the same dice.
 * @param {Observation} sight
 */
function observationText({ seat, state, players, rule, choices, hand, decision, exposed }) {
  const drawn = decision === "drawn" && state.get("turn") === seat ? state.get("drawn") : null;
  const seen = [
    seat,
    quoted(decision),
    state.get("turn"),
    state.get("direction"),
    state.get("top"),
    state.get("color"),
    tupled(hand),
    tupled(state.list("held", players)),
    state.get("pile_n"),
    state.get("discard_n"),
    state.get("pending"),
    `[${exposed.join(", ")}]`,
    drawn ?? "None",
    rule === null ? "None" : quoted(rule),
    choices,
  ];
  return tupled(seen);
}

/** @param {readonly (number | string)[]} members */
const tupled = (members) => `(${members.join(", ")}${members.length === 1 ? "," : ""})`;

/** @type {Record<string, string>} */
const SHORT = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Returns a text as Python quotes it. @param {string} text */
function quoted(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const written = text.replace(/[\\\n\r\t]|(?! )[\p{C}\p{Z}]/gu, (char) => SHORT[char] ?? escaped(char));
  return quote + (quote === "'" ? written.replaceAll("'", "\\'") : written) + quote;
}

/** @param {string} char */
function escaped(char) {
  const code = /** @type {number} */ (char.codePointAt(0));
  const [sign, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return `\\${sign}${code.toString(16).padStart(/** @type {number} */ (digits), "0")}`;
}
