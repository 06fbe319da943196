/** The report of a match: chances, luck and skill, the best and the worst decisions, as phrases. Mirrors `analysis/report.py`. */

import { ACCOUNT_PARTS, JUDGE, REPORT } from "../bindings/constants.js";
import { Workspace } from "../bindings/workspace.js";
import { latestKernel } from "../bindings/latest.js";
import { Notation } from "../bindings/notation.js";
import { parseRecord } from "../bindings/record.js";
import { isCertain, largest, rounded, total } from "./statistics.js";
import { findWin } from "./opencardsolver.js";
import { Evaluator, evaluatorWeights, figureOf } from "./evaluate.js";
import { attributeRound, evaluatePly, replayRounds } from "./roundanalysis.js";
import { likeness } from "./scale.js";

/** @import { Library } from "../bindings/bots.js" */
/** @import { Area, Kernel } from "../bindings/kernel.js" */
/** @import { KernelRecord } from "../bindings/kernelrecord.js" */
/** @import { Estimate } from "./statistics.js" */
/** @import { Phrase } from "./refusals.js" */
/** @import { ReplayedRound } from "./roundanalysis.js" */

/** The page of a report and its game, for card names. @typedef {{game: string, page: object}} GameReport */

/** A part of a page that must still be rendered as text. @typedef {{said: Phrase}} PendingText */

/**
 * A round and its analysis: an ACCOUNT for each seat, and the MISSED_CALL records.
 * @typedef {{replayed: ReplayedRound, accounts: KernelRecord[], calls: KernelRecord[]}} RoundReport
 */

/**
 * A seat's result in rounds won: its parts, the loss against the best choices, the number of decisions and mistakes.
 * @typedef {{result: number, parts: Estimate[], given: Estimate, decisions: number, mistakes: number}} Attribution
 */

/**
 * A ply (a PLY) and its place.
 * @typedef {{replayed: ReplayedRound, accounts: KernelRecord[], i: number, ply: KernelRecord}} Place
 */

const MAX_LINES = 5; // lines of a list
const DIGITS = 3;
const TIED = "\u00a0";

/** @param {string} name @param {Record<string, Phrase>} [values] @returns {Phrase} */
const text = (name, values = {}) => ({ text: `report.${name}`, values });
/** @param {Phrase} phrase @returns {PendingText} */
const pending = (phrase) => ({ said: phrase });

/**
 * Returns the report of a match, as the server does for `GET /api/matches/ID/report`, with texts still to be rendered.
 * @param {string} record the record of a finished match
 * @param {Library} library
 * @param {(share: number, first?: GameReport) => void} [onProgress] called with the fraction done, and once with the chances
 * @returns {Promise<() => Generator<void, GameReport>>} the work, which has pauses
 */
export async function makeReport(record, library, onProgress = () => {}) {
  const kernel = latestKernel();
  const read = parseRecord(kernel, record);
  const { rules, players, winners } = read;
  const learnedWeights = await evaluatorWeights(library, rules.game, players.length);
  return function* () {
    const evaluator = new Evaluator(new Workspace(kernel, "search"), learnedWeights, JUDGE);
    const [weights] = learnedWeights;
    const replayed = replayRounds(kernel, read, weights);
    const all = replayed.reduce((sum, { plies }) => sum + plies.length, 0);
    const modelOf = (/** @type {RoundReport[]} */ rounds) =>
      new ReportPageModel(kernel, weights, rules.game, players, rounds, winners !== null);
    /** @type {RoundReport[]} */
    const chances = [];
    for (const round of replayed)
      chances.push({ replayed: round, ...(yield* attributeRound(kernel, round, weights, REPORT.firstRollouts)) });
    onProgress(0, { game: rules.game, page: modelOf(chances).renderChances() });
    let done = 0;
    /** @type {RoundReport[]} */
    const rounds = [];
    for (const round of replayed) {
      for (const i of round.plies.keys()) {
        yield* evaluatePly(evaluator, round, i);
        onProgress(++done / all);
      }
      rounds.push({ replayed: round, ...(yield* attributeRound(kernel, round, weights, REPORT.rollouts)) });
    }
    return { game: rules.game, page: modelOf(rounds).render() };
  };
}

/** Builds the curves, tables and lists of a report. */
class ReportPageModel {
  /**
   * @param {Kernel} kernel @param {Area} weights of the heuristic policy
   * @param {string} game @param {readonly string[]} players @param {RoundReport[]} rounds
   * @param {boolean} over whether the match is over
   */
  constructor(kernel, weights, game, players, rounds, over) {
    this.kernel = kernel;
    this.weights = weights;
    this.game = game;
    this.notation = new Notation(kernel.description);
    this.players = players;
    this.rounds = rounds;
    this.over = over;
    this.seats = players.map((_, seat) => seat);
    /** @type {Attribution[]} */
    this.accounts = this.seats.map((seat) => addAccounts(rounds.map(({ accounts }) => accounts[seat])));
    /** @type {Place[]} */
    this.plies = rounds.flatMap(({ replayed, accounts }) =>
      replayed.plies.map(({ record }, i) => ({ replayed, accounts, i, ply: record })),
    );
    this.evaluated = this.plies.filter(({ ply }) => ply.get("is_evaluated"));
    this.mistakes = this.evaluated.filter(({ ply }) => kindOf(ply) === "mistake");
  }

  render() {
    return {
      notes: this.#notes(REPORT.rollouts),
      marks: pending(text("chart.marks")),
      curves: this.rounds.map((round) => this.#curve(round)),
      tables: [this.#results(), this.#decisions(), ...this.#kinds()],
      lists: [this.#changes(), this.#worst(), this.#best(), this.#strokes(), this.#calls()],
    };
  }

  /** Returns the part of the report that is shown first. */
  renderChances() {
    return {
      notes: this.#notes(REPORT.firstRollouts),
      marks: "",
      curves: this.rounds.map((round) => this.#curve(round)),
      tables: [],
      lists: [this.#changes()],
    };
  }

  /** @param {number} rollouts */
  #notes(rollouts) {
    const notes = [text("model", { rollouts }), text("interval")];
    if (!this.over) notes.push(text("unfinished"));
    return notes.map(pending);
  }

  /** @param {RoundReport} round */
  #curve({ replayed: { number, winner, plies }, accounts }) {
    const dealt = this.seats.map((seat) => figureOf(accounts[seat], "dealt"));
    const moments = [dealt, ...plies.map(({ record }) => this.seats.map((seat) => figureOf(record, "chances", seat)))];
    const title =
      winner === null
        ? text("round.void", { round: number + 1 })
        : text("round.won", { round: number + 1, player: this.players[winner] });
    return {
      title: pending(title),
      chances: moments.map((moment) => moment.map(({ value }) => rounded(value, DIGITS))),
      errors: moments.map((moment) => moment.map(({ error }) => rounded(error, DIGITS))),
      marks: plies.flatMap(({ record }, i) => {
        const kind = record.get("is_evaluated") ? kindOf(record) : null;
        const better = kind === "mistake" ? record.get("best") : -1;
        const best = better < 0 ? null : this.notation.text(this.notation.moveOf(better));
        return kind ? [{ ply: i + 1, seat: record.get("seat"), kind, best }] : [];
      }),
    };
  }

  #results() {
    const heads = ["player", "won", ...ACCOUNT_PARTS].map((name) => text(`account.${name}`));
    const rows = this.accounts.map((account, seat) => {
      const parts = account.parts.map(shares);
      return [[this.players[seat], ""], [{ figure: account.result, digits: 0 }, ""], ...parts];
    });
    return figures("account.title", "account.sum", heads, rows);
  }

  #decisions() {
    const names = ["account.player", ...["count", "mistakes", "given", "rate", "like"].map((name) => `decisions.${name}`)];
    const rows = this.accounts.map(({ decisions, mistakes, given }, seat) => {
      const per = 100 / Math.max(1, decisions);
      const rate = { value: given.value * per, error: given.error * per };
      const like = decisions ? likeness(this.game, this.players.length, rate) : [];
      const levels = like.map((level) => text(`level.${level}`));
      return [
        [this.players[seat], ""],
        [decisions, ""],
        [mistakes, ""],
        shares(given),
        shares(rate),
        [levels.length ? { joined: levels } : "–", ""],
      ];
    });
    const heads = names.map((name) => text(name));
    return figures("decisions.title", "decisions.about", heads, rows);
  }

  /** Counts every player's mistakes by kind, the most frequent first. */
  #kinds() {
    /** @type {Map<string, number[]>} */
    const counts = new Map();
    const count = (/** @type {string} */ kind, /** @type {number} */ seat) => {
      const found = counts.get(kind) ?? this.seats.map(() => 0);
      counts.set(kind, found);
      found[seat] += 1;
    };
    for (const seat of this.seats) {
      for (const { ply } of this.mistakes) if (ply.get("seat") === seat) count(REPORT.topics[ply.get("topic")], seat);
      for (const { calls } of this.rounds)
        for (const call of calls) if (call.get("seat") === seat && call.get("by") >= 0) count("call", seat);
    }
    const sum = (/** @type {number[]} */ each) => each.reduce((one, other) => one + other);
    const sorted = [...counts].sort(([, one], [, other]) => sum(other) - sum(one));
    if (sorted.length === 0) return [];
    const rows = sorted.map(([kind, each]) => [[kindName(kind), ""], ...each.map((n) => [n, ""])]);
    return [figures("kinds.title", "kinds.about", [text("kinds.kind"), ...this.players], rows)];
  }

  /** Returns the worst decisions, and the worst of every seat. */
  #worst() {
    const ranked = largest(this.mistakes, ({ ply }) => figureOf(ply, "lead").value);
    const worstOf = new Map([...ranked].reverse().map((each) => [each.ply.get("seat"), each]));
    const shown = ranked.filter((each, i) => i < MAX_LINES || worstOf.get(each.ply.get("seat")) === each);
    const lines = shown.map((each) => {
      const { ply } = each;
      const grade = text(`grade.${REPORT.grades[ply.get("grade")]}`);
      const values = { ...this.#made(ply, ply.get("best")), grade, worth: percent(figureOf(ply, "lead")) };
      const sentence = text("worst.line", values);
      const moves = this.#wonBy(each);
      const won = text("worst.open", { moves: { joined: moves, by: " → " } });
      return line(each, moves.length ? { sentences: [sentence, won] } : sentence);
    });
    return listing("worst", lines);
  }

  /**
   * Returns how a losing seat could have won by another move; of a long line the beginning of its own moves.
   * @param {Place} place
   */
  #wonBy({ replayed, accounts, i, ply }) {
    const seat = ply.get("seat");
    if (accounts[seat].get("result")) return [];
    const own = findWin(this.kernel, replayed, i, this.weights).filter((move) => move.seat === seat);
    const moves = own.slice(0, REPORT.shown).map(({ action }) => this.#move(action));
    return own.length > REPORT.shown ? [...moves, "…"] : moves;
  }

  #best() {
    const skill = (/** @type {Place} */ { ply }) => figureOf(ply, "changes", ply.get("seat"));
    const finds = this.evaluated.filter((each) => isCertain(skill(each)));
    const lines = largest(finds, (each) => skill(each).value, MAX_LINES).map((each) => {
      const values = { ...this.#made(each.ply, each.ply.get("usual")), worth: percent(skill(each)) };
      return line(each, text("best.line", values));
    });
    return listing("best", lines);
  }

  #changes() {
    const changes = this.plies.flatMap((place) => {
      const found = largestEffect(
        this.seats.map((seat) => total(["choice", "luck"].map((name) => figureOf(place.ply, name, seat)))),
      );
      return found ? [{ place, ...found }] : [];
    });
    const ranked = largest(changes, ({ change }) => Math.abs(change.value), REPORT.changes);
    const lines = ranked.map(({ place, seat, change }) => {
      const player = this.players[place.ply.get("seat")];
      const move = this.#move(place.ply.get("action"));
      const values = { player, move, other: this.players[seat], change: percent(change, true) };
      return line(place, text("changes.line", values));
    });
    return listing("changes", lines);
  }

  #strokes() {
    const strokes = this.plies.flatMap((place) => {
      const event = place.ply.get("chance_event");
      const found = largestEffect(this.seats.map((seat) => figureOf(place.ply, "luck", seat)));
      return event < 0 || !found ? [] : [{ place, event: REPORT.events[event], ...found }];
    });
    const ranked = largest(strokes, ({ change }) => Math.abs(change.value), MAX_LINES);
    const lines = ranked.map(({ place, seat, event, change }) => {
      const values = { player: this.players[seat], what: text(`luck.${event}`), change: percent(change, true) };
      return line(place, text("luck.line", values));
    });
    return listing("luck", lines);
  }

  #calls() {
    const lines = this.rounds.flatMap(({ replayed, calls }) =>
      calls.map((call) => {
        const [seat, by, i] = ["seat", "by", "ply"].map((name) => call.get(name));
        const values = { player: this.players[seat], price: percent(figureOf(call, "price")) };
        const caught = () => text("calls.caught", { ...values, by: this.players[by] });
        return line({ replayed, i }, by < 0 ? text("calls.free", values) : caught());
      }),
    );
    return listing("calls", lines);
  }

  /** @param {KernelRecord} ply @param {number} other */
  #made(ply, other) {
    return { player: this.players[ply.get("seat")], made: this.#move(ply.get("made")), other: this.#move(other) };
  }

  /** Returns a move as a phrase. @param {number} action @returns {Phrase} */
  #move(action) {
    if (action < 0) return text("move.none");
    const { verb, card, color, target } = this.notation.moveOf(action);
    /** @type {Record<string, Phrase>} */
    const values = {};
    if (card !== null) values.card = { card: this.notation.cardName(card) };
    if (color !== null) values.color = { color: /** @type {string} */ (this.notation.colorLetter(color)) };
    if (target !== null) values.player = this.players[target];
    if (verb === "play") return text(`move.play.${color !== null ? "color" : target !== null ? "target" : "plain"}`, values);
    if (["accept", "choose", "color"].includes(verb)) return text(`move.${verb}`, values);
    return { text: `play.choice.${verb}`, values };
  }
}

/** Returns the kind of an evaluated decision, null for an ordinary one. @param {KernelRecord} ply */
const kindOf = (ply) => REPORT.kinds[ply.get("kind")];

/** Returns the largest of the changes of all seats, null if it is within its margin. @param {Estimate[]} changes */
function largestEffect(changes) {
  const change = changes.reduce((one, other) => (Math.abs(other.value) > Math.abs(one.value) ? other : one));
  return Math.abs(change.value) > change.error ? { seat: changes.indexOf(change), change } : null;
}

/** Returns the sum of a seat's accounts of several rounds. @param {KernelRecord[]} accounts @returns {Attribution} */
function addAccounts(accounts) {
  const sum = (/** @type {string} */ name) => accounts.reduce((count, account) => count + account.get(name), 0);
  return {
    result: sum("result"),
    parts: ACCOUNT_PARTS.map((_, part) => total(accounts.map((account) => figureOf(account, "parts", part)))),
    given: total(accounts.map((account) => figureOf(account, "given"))),
    decisions: sum("decisions"),
    mistakes: sum("mistakes"),
  };
}

/** @param {string} kind a kind of mistake @returns {Phrase} */
const kindName = (kind) => (kind === "call" ? text("kinds.call") : { text: `web.me.mistake.${kind}`, values: {} });

/** Returns a share of rounds won, and its uncertainty. @param {Estimate} figure @returns {Phrase[]} */
const shares = ({ value, error }) => [
  { figure: value, digits: 2, signed: true },
  { joined: ["±", { figure: error, digits: 2 }], by: "" },
];

/**
 * Returns a chance, or a change of it, with its uncertainty.
 * @param {Estimate} figure @param {boolean} [signed] @returns {Phrase}
 */
const percent = ({ value, error }, signed = false) => ({
  joined: [{ figure: 100 * value, digits: 1, signed }, `${TIED}±`, { figure: 100 * error, digits: 1 }, `${TIED}%`],
  by: "",
});

/** @param {string} title @param {string} about @param {Phrase[]} heads @param {Phrase[][][]} rows */
const figures = (title, about, heads, rows) => ({
  title: pending(text(title)),
  about: pending(text(about)),
  heads: heads.map(pending),
  rows: rows.map((row) => row.map((cell) => cell.map(pending))),
});

/** Returns a line with its place in the match. @param {Pick<Place, "replayed" | "i">} place @param {Phrase} phrase */
const line = ({ replayed, i }, phrase) => [replayed.number, i + 1, pending(phrase)];

/** @param {string} name @param {object[]} lines */
const listing = (name, lines) => ({ title: pending(text(`${name}.title`)), none: pending(text(`${name}.none`)), lines });
