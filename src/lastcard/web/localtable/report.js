/** The report of a match: chances, luck and skill, the best and the worst decisions, as phrases. Mirrors `analysis/report.py`. */

import { ACCOUNT_PARTS, JUDGE, REPORT } from "../bindings/constants.js";
import { Workspace } from "../bindings/workspace.js";
import { latestKernel } from "../bindings/latest.js";
import { Notation } from "../bindings/notation.js";
import { parseRecord } from "../bindings/record.js";
import { addAttributions, isMistake, missedCalls, possibleCatch, costOfCalls, attributeRound } from "./attribution.js";
import { Chances } from "./chances.js";
import { isCertain, largest, rounded } from "./statistics.js";
import { findWin } from "./opencardsolver.js";
import { Evaluator, evaluatorWeights } from "./evaluate.js";
import { isWild } from "./reasons.js";
import { likeness } from "./scale.js";
import { seedOf, replayRounds } from "./replayedround.js";

/** @import { Library } from "../bindings/bots.js" */
/** @import { Area, Kernel } from "../bindings/kernel.js" */
/** @import { Attribution, MissedCall } from "./attribution.js" */
/** @import { Estimate } from "./statistics.js" */
/** @import { Evaluation } from "./evaluate.js" */
/** @import { Phrase } from "./refusals.js" */
/** @import { Ply, ReplayedRound } from "./replayedround.js" */

/** A part of a page that must still be rendered as text. @typedef {{said: Phrase}} PendingText */

/**
 * A round and its analysis.
 * @typedef {object} RoundReport
 * @property {ReplayedRound} replayed @property {Chances} chances @property {Map<number, Evaluation>} evaluations by ply
 * @property {MissedCall[]} missed calls @property {Estimate[]} prices their costs
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
 * @param {(share: number) => void} [onProgress] called with the fraction done
 * @returns {Promise<() => Generator<void, {game: string, page: object}>>} the work, which has pauses
 */
export async function makeReport(record, library, onProgress = () => {}) {
  const kernel = latestKernel();
  const read = parseRecord(kernel, record);
  const { rules, players, winners } = read;
  const learnedWeights = await evaluatorWeights(library, rules.game, players.length);
  return function* () {
    const evaluator = new Evaluator(new Workspace(kernel, "search"), learnedWeights, JUDGE);
    const replayed = replayRounds(kernel, read, learnedWeights[0]);
    const progress = new Progress(replayed, onProgress);
    const rounds = [];
    for (const round of replayed) rounds.push(yield* reportRound(kernel, round, learnedWeights[0], evaluator, progress));
    return { game: rules.game, page: new ReportPageModel(kernel, learnedWeights[0], rules.game, players, rounds).render(winners !== null) };
  };
}

/** The progress of a report. */
class Progress {
  #done = 0;
  #all;
  #onProgress;

  /** @param {readonly ReplayedRound[]} rounds @param {(share: number) => void} onProgress */
  constructor(rounds, onProgress) {
    this.#all = rounds.reduce((sum, { plies }) => sum + plies.length, 0);
    this.#onProgress = onProgress;
  }

  /** Counts one finished ply. */
  step() {
    this.#onProgress(++this.#done / this.#all);
  }
}

/**
 * @param {Kernel} kernel @param {ReplayedRound} round @param {Area} weights @param {Evaluator} evaluator
 * @param {Progress} progress @returns {Generator<void, RoundReport>}
 */
function* reportRound(kernel, round, weights, evaluator, progress) {
  const missed = missedCalls(round);
  const catches = missed.filter(({ by }) => by === null).map((each) => possibleCatch(kernel, round, each));
  const chances = new Chances(kernel, round, REPORT.rollouts, catches);
  yield* chances.run(weights, seedOf(round, 0));
  /** @type {Map<number, Evaluation>} */
  const evaluations = new Map();
  for (const [i, { observation, moves, withoutCall, heuristic }] of round.plies.entries()) {
    if (observation) evaluations.set(i, yield* evaluator.evaluate(observation, moves, withoutCall, heuristic, seedOf(round, i + 1)));
    progress.step();
  }
  return { replayed: round, chances, evaluations, missed, prices: costOfCalls(chances, missed) };
}

/** Builds the curves, tables and lists of a report. */
class ReportPageModel {
  /**
   * @param {Kernel} kernel @param {Area} weights of the heuristic policy
   * @param {string} game @param {readonly string[]} players @param {RoundReport[]} rounds
   */
  constructor(kernel, weights, game, players, rounds) {
    this.kernel = kernel;
    this.weights = weights;
    this.game = game;
    this.notation = new Notation(kernel.description);
    this.players = players;
    this.rounds = rounds;
    this.seats = players.map((_, seat) => seat);
    /** @type {Attribution[]} */
    this.accounts = this.seats.map((seat) =>
      addAttributions(rounds.map(({ chances, evaluations }) => attributeRound(chances, evaluations, seat))),
    );
  }

  /** @param {boolean} over whether the match is over */
  render(over) {
    const notes = [text("model", { rollouts: REPORT.rollouts }), text("interval")];
    if (!over) notes.push(text("unfinished"));
    return {
      notes: notes.map(pending),
      marks: pending(text("chart.marks")),
      curves: this.rounds.map((round) => this.#curve(round)),
      tables: [this.#results(), this.#decisions(), ...this.#kinds()],
      lists: [this.#worst(), this.#best(), this.#strokes(), this.#calls()],
    };
  }

  /** @param {RoundReport} round */
  #curve({ replayed, chances, evaluations }) {
    const { links } = chances;
    const jobs = [1, ...links.slice(0, -1).map(({ after }) => after)];
    const moments = jobs.map((job) => this.seats.map((seat) => chances.chance(job, seat)));
    moments.push(this.seats.map((seat) => ({ value: chances.result(seat), error: 0 })));
    const { number, winner } = replayed;
    const title =
      winner === null
        ? text("round.void", { round: number + 1 })
        : text("round.won", { round: number + 1, player: this.players[winner] });
    return {
      title: pending(title),
      chances: moments.map((moment) => moment.map(({ value }) => rounded(value, DIGITS))),
      errors: moments.map((moment) => moment.map(({ error }) => rounded(error, DIGITS))),
      marks: [...evaluations].flatMap(([i, evaluation]) => {
        const { seat } = replayed.plies[i];
        const kind = isMistake(evaluation) ? "mistake" : isCertain(evaluation.changes[seat]) ? "find" : null;
        return kind ? [{ ply: i + 1, seat, kind }] : [];
      }),
    };
  }

  #results() {
    const heads = ["player", "won", ...ACCOUNT_PARTS].map((name) => text(`account.${name}`));
    const rows = this.accounts.map((account, seat) => {
      const parts = ACCOUNT_PARTS.map((part) => shares(account[part]));
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
    const mistakes = this.#evaluated().filter(({ evaluation }) => isMistake(evaluation));
    for (const seat of this.seats) {
      for (const { ply, evaluation } of mistakes)
        if (ply.seat === seat) count(this.#topic(ply.withoutCall, evaluation.best), seat);
      for (const { missed } of this.rounds) for (const call of missed) if (call.seat === seat && call.by !== null) count("call", seat);
    }
    const sum = (/** @type {number[]} */ each) => each.reduce((one, other) => one + other);
    const sorted = [...counts].sort(([, one], [, other]) => sum(other) - sum(one));
    if (sorted.length === 0) return [];
    const rows = sorted.map(([kind, each]) => [[kindName(kind), ""], ...each.map((n) => [n, ""])]);
    return [figures("kinds.title", "kinds.about", [text("kinds.kind"), ...this.players], rows)];
  }

  /**
   * Returns the topic in which the made move and the best differ, as `Decision.topic`.
   * @param {number} action @param {number} other
   */
  #topic(action, other) {
    const made = this.notation.moveOf(action);
    const best = other < 0 ? null : this.notation.moveOf(other);
    if (best === null || made.verb !== best.verb) {
      const verbs = [made.verb, best?.verb ?? ""];
      const has = (/** @type {string[]} */ ...names) => verbs.some((verb) => names.includes(verb));
      return has("challenge", "accept") ? "challenge" : has("draw", "pass") ? "draw" : "other";
    }
    if (made.card !== null && best.card !== null && made.card !== best.card) {
      const [one, other] = [made.card, best.card].map((card) => isWild(this.notation.cardName(card)));
      return one === other ? "card" : "wild";
    }
    return made.color !== best.color ? "color" : made.target !== best.target ? "target" : "other";
  }

  /** Returns the worst decisions, and the worst of every seat. */
  #worst() {
    const mistakes = this.#evaluated().filter(({ evaluation }) => isMistake(evaluation));
    const ranked = largest(mistakes, ({ evaluation }) => evaluation.loss.value);
    const worstOf = new Map([...ranked].reverse().map((each) => [each.ply.seat, each]));
    const shown = ranked.filter((each, i) => i < MAX_LINES || worstOf.get(each.ply.seat) === each);
    const lines = shown.map(({ at, ply, evaluation, round }) => {
      const grade = Object.entries(REPORT.grades).find(([, least]) => evaluation.loss.value >= least)?.[0];
      const values = { ...this.#made(ply, evaluation.best), grade: text(`grade.${grade}`), worth: percent(evaluation.loss) };
      const sentence = text("worst.line", values);
      const won = this.#wonBy(round, at.ply - 1, ply.seat);
      return line(at, won.length ? { sentences: [sentence, text("worst.open", { moves: { joined: won, by: " → " } })] } : sentence);
    });
    return listing("worst", lines);
  }

  /**
   * Returns how a losing seat could have won by another move; of a long line the beginning of its own moves.
   * @param {RoundReport} round @param {number} i @param {number} seat
   */
  #wonBy({ replayed, chances }, i, seat) {
    if (chances.result(seat)) return [];
    const own = findWin(this.kernel, replayed, i, this.weights).filter((move) => move.seat === seat);
    const moves = own.slice(0, REPORT.shown).map(({ action }) => this.#move(action));
    return own.length > REPORT.shown ? [...moves, "…"] : moves;
  }

  #best() {
    const skill = (/** @type {{evaluation: Evaluation, ply: Ply}} */ { evaluation, ply }) => evaluation.changes[ply.seat];
    const finds = this.#evaluated().filter((each) => isCertain(skill(each)));
    const lines = largest(finds, (each) => skill(each).value, MAX_LINES).map(({ at, ply, evaluation }) => {
      const values = { ...this.#made(ply, ply.heuristic), worth: percent(evaluation.changes[ply.seat]) };
      return line(at, text("best.line", values));
    });
    return listing("best", lines);
  }

  #strokes() {
    const strokes = this.rounds.flatMap(({ replayed, chances }) =>
      replayed.plies.flatMap(({ chance }, i) => {
        const { chosen, after } = chances.links[i];
        const changes = this.seats.map((seat) => chances.change(chosen, after, seat));
        const change = changes.reduce((one, other) => (Math.abs(other.value) > Math.abs(one.value) ? other : one));
        if (chance === null || Math.abs(change.value) <= change.error) return [];
        return [{ at: { round: replayed.number, ply: i + 1 }, seat: changes.indexOf(change), chance, change }];
      }),
    );
    const lines = largest(strokes, ({ change }) => Math.abs(change.value), MAX_LINES).map(({ at, seat, chance, change }) => {
      const values = { player: this.players[seat], what: text(`luck.${chance}`), change: percent(change, true) };
      return line(at, text("luck.line", values));
    });
    return listing("luck", lines);
  }

  #calls() {
    const lines = this.rounds.flatMap(({ replayed, missed, prices }) =>
      missed.map(({ seat, ply, by }, i) => {
        const values = { player: this.players[seat], price: percent(prices[i]) };
        const sentence = by === null ? text("calls.free", values) : text("calls.caught", { ...values, by: this.players[by] });
        return line({ round: replayed.number, ply: ply + 1 }, sentence);
      }),
    );
    return listing("calls", lines);
  }

  #evaluated() {
    return this.rounds.flatMap((round) =>
      [...round.evaluations].map(([i, evaluation]) => ({
        at: { round: round.replayed.number, ply: i + 1 },
        ply: round.replayed.plies[i],
        evaluation,
        round,
      })),
    );
  }

  /** @param {Ply} ply @param {number} other */
  #made({ seat, withoutCall }, other) {
    return { player: this.players[seat], made: this.#move(withoutCall), other: this.#move(other) };
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

/** Returns a line with its place in the match. @param {{round: number, ply: number}} at @param {Phrase} phrase */
const line = ({ round, ply }, phrase) => [round, ply, pending(phrase)];

/** @param {string} name @param {object[]} lines */
const listing = (name, lines) => ({ title: pending(text(`${name}.title`)), none: pending(text(`${name}.none`)), lines });
