/** Named alarms of a table, on one timer; table time pauses while stopped. All times are in seconds. */

/**
 * A clock and a timer.
 * @typedef {object} Time
 * @property {() => number} now
 * @property {(wake: () => void, seconds: number) => unknown} set
 * @property {(handle: any) => void} clear
 */

/** The clock of this machine. @type {Time} */
export const TIME = {
  now: () => performance.now() / 1000,
  set: (wake, seconds) => setTimeout(wake, 1000 * seconds),
  clear: (handle) => clearTimeout(handle),
};

/** Timers may fire early by a tiny amount. */
const TIMER_TOLERANCE_S = 1e-6;

export class Alarms {
  /** @type {Map<string, number>} */
  #when = new Map();
  /** @type {unknown} */
  #handle = null;
  /** @type {number | null} */
  #stopped = null;
  #lost = 0;

  /** @param {Time} time @param {() => void} ring called when alarms are due; `due` returns their names */
  constructor(time, ring) {
    this.time = time;
    this.ring = ring;
  }

  /** Table time. */
  get now() {
    return (this.#stopped ?? this.time.now()) - this.#lost;
  }

  get stopped() {
    return this.#stopped !== null;
  }

  /** Sets an alarm to a table time, or moves it; null removes it. @param {string} name @param {number | null} when */
  set(name, when) {
    if (when === null) this.#when.delete(name);
    else this.#when.set(name, when);
    this.#arm();
  }

  /**
   * Sets an alarm `delay` seconds from now if it is wanted and not set; removes it if not wanted.
   * @param {string} name @param {boolean} wanted @param {number} delay
   */
  ensure(name, wanted, delay) {
    if (!wanted || !this.#when.has(name)) this.set(name, wanted ? this.now + delay : null);
  }

  /** Removes and returns the names of due alarms, earliest first. */
  due() {
    const now = this.now + TIMER_TOLERANCE_S;
    const due = [...this.#when].filter(([, when]) => when <= now).sort(([, a], [, b]) => a - b);
    for (const [name] of due) this.#when.delete(name);
    return due.map(([name]) => name);
  }

  /** Stops table time. */
  stop() {
    this.#stopped ??= this.time.now();
    this.#arm();
  }

  /** Resumes table time. */
  go() {
    if (this.#stopped !== null) this.#lost += this.time.now() - this.#stopped;
    this.#stopped = null;
    this.#arm();
  }

  #arm() {
    this.time.clear(this.#handle);
    this.#handle = null;
    if (this.stopped || this.#when.size === 0) return;
    const left = Math.min(...this.#when.values()) - this.now;
    this.#handle = this.time.set(() => this.#fire(), Math.max(0, left));
  }

  #fire() {
    this.ring();
    this.#arm();
  }
}
