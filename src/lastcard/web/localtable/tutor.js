/** The tutor of a lesson: the learner's permitted moves, the texts, and the bots' moves. */

import { LEARNER, LESSONS } from "../bindings/constants.js";

/** @import { LessonStep } from "../net/protocol.js" */
/** @import { Match } from "../bindings/match.js" */
/** @import { Lesson } from "../bindings/constants.js" */

/**
 * Returns the tutor of a match that begins at a lesson's position; null for any other.
 * @param {Match} match @param {string | null} position
 */
export function findTutor(match, position) {
  const lessons = LESSONS[match.rules.game];
  const lesson = lessons.find((one) => one.position === position);
  return lesson ? new Tutor(match, lesson, (lessons.indexOf(lesson) + 2) % (lessons.length + 1)) : null;
}

export class Tutor {
  /** @param {Match} match the match, updated by its moves @param {Lesson} lesson @param {number} next as in `LessonStep` */
  constructor(match, lesson, next) {
    this.match = match;
    this.lesson = lesson;
    this.next = next;
  }

  /** Whether the learner must move before anybody else. */
  get waits() {
    return this.open.length > 0;
  }

  /** The learner's legal moves that the step permits. */
  get open() {
    const moves = this.#step?.moves ?? [];
    return this.match.legal(LEARNER).filter((move) => moves.includes(move));
  }

  /** Whether the learner may make a move now, possibly with a call, whose step comes earlier. @param {string} move */
  allows(move) {
    return this.#step?.moves.includes(move.replace(/!$/, "")) ?? false;
  }

  /** The current step of the lesson, for the screen. @returns {LessonStep} */
  get lessonStep() {
    const { beats, steps, done } = this.lesson;
    const { next } = this;
    const step = this.#step;
    if (this.match.round.over || !step) return { beat: beats + 1, beats, say: done, at: "over", seat: null, next };
    const last = steps[this.#countMoves(LEARNER) - 1];
    if (this.waits || !last) return { beat: step.beat, beats, say: step.say, at: step.at, seat: step.seat, next };
    return { beat: last.beat, beats, say: last.then ?? "wait", at: "seats", seat: last.seat, next };
  }

  /** Returns a bot's next scripted move; null if the script has no legal one. @param {number} seat */
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
