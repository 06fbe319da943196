/** The clock of a table, which can be stopped, with one alarm. All times are in seconds. */

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

export class TableClock {
  /** When the alarm is due. */
  #when = Infinity;
  /** @type {unknown} */
  #handle = null;
  /** When it was stopped. A new clock is stopped. @type {number | null} */
  #stopped;
  #lost = 0;

  /** @param {Time} time @param {() => void} ring called once the alarm is due */
  constructor(time, ring) {
    this.time = time;
    this.ring = ring;
    this.#stopped = time.now();
  }

  /** Table time. */
  get now() {
    return (this.#stopped ?? this.time.now()) - this.#lost;
  }

  /** Sets the alarm to a table time; infinite for none. @param {number} when */
  set(when) {
    this.#when = when;
    this.#arm();
  }

  stop() {
    this.#stopped ??= this.time.now();
    this.#arm();
  }

  go() {
    if (this.#stopped !== null) this.#lost += this.time.now() - this.#stopped;
    this.#stopped = null;
    this.#arm();
  }

  #arm() {
    this.time.clear(this.#handle);
    if (this.#stopped !== null || this.#when === Infinity) return;
    const fire = () => {
      this.#when = Infinity;
      this.ring();
    };
    this.#handle = this.time.set(fire, Math.max(0, this.#when - this.now));
  }
}
