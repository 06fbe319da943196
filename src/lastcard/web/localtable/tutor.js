/** The tutor of a lesson: what the learner may do next, what is said about it, and what the bots do meanwhile. */

import { LEARNER, LESSONS } from "../bindings/constants.js";


/** @import { LessonStep } from "../net/protocol.js" */
/** @import { Match } from "../bindings/match.js" */
/** @import { Lesson } from "../bindings/constants.js" */

/** The tutor of a match that begins where a lesson does; null for any other. @param {Match} match @param {string | null} position */
export function findTutor(match, position) {
  const lesson = LESSONS[match.rules.game];
  return lesson && position === lesson.position ? new Tutor(match, lesson) : null;
}

export class Tutor {
  /** @param {Match} match that goes on by its moves @param {Lesson} lesson */
  constructor(match, lesson) {
    this.match = match;
    this.lesson = lesson;
  }

  /** Whether the learner has something to do before anybody goes on. */
  get waits() {
    return this.open.length > 0;
  }

  /** Those of the learner's possible moves that the step leaves open. */
  get open() {
    const moves = this.#step?.moves ?? [];
    return this.match.legal(LEARNER).filter((move) => moves.includes(move));
  }

  /** Whether the learner may make a move now; a call may go with it, for its step comes before. @param {string} move */
  allows(move) {
    return this.#step?.moves.includes(move.replace(/!$/, "")) ?? false;
  }

  /** Where the lesson is, for the screen. @returns {LessonStep} */
  get lessonStep() {
    const { beats, steps } = this.lesson;
    const step = this.#step;
    if (this.match.round.over || !step) return { beat: beats + 1, beats, say: "done", at: "over", seat: null };
    const last = steps[this.#countMoves(LEARNER) - 1];
    if (this.waits || !last) return { beat: step.beat, beats, say: step.say, at: step.at, seat: step.seat };
    return { beat: last.beat, beats, say: last.then ?? "wait", at: "seats", seat: last.seat };
  }

  /** What a bot does next by the script; null where that says nothing that is possible. @param {number} seat */
  botMove(seat) {
    const line = this.lesson.script[String(seat)][this.#countMoves(seat)];
    return line?.split(" ").find((move) => this.match.round.can(seat, move)) ?? null;
  }

  get #step() {
    return this.lesson.steps[this.#countMoves(LEARNER)] ?? null;
  }

  /** @param {number} seat */
  #countMoves(seat) {
    return this.match.moves.filter((text) => text.startsWith(`${seat}:`)).length;
  }
}
