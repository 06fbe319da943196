/** The page's side of a worker: calls that are answered, and what it says by itself. */

/** @import { Files } from "./worker.js" */

/** Where the files lie; relative to the page, or whole. @typedef {Files & {worker?: string | URL}} Addresses */

/** What the worker refuses, by a code and what stands in the words. */
export class Refusal extends Error {
  /** @param {{code: string, message: string, values: Record<string, unknown>}} error */
  constructor({ code, message, values }) {
    super(message);
    this.code = code;
    this.values = values;
  }
}

export class Office {
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: unknown) => void}>} */
  #open = new Map();
  #calls = 0;
  #worker;

  /**
   * @param {Addresses} addresses
   * @param {(said: any) => void} [hear] what the worker says by itself
   */
  constructor({ worker = new URL("./worker.js", import.meta.url), ...files }, hear = () => {}) {
    const whole = Object.entries(files).map(([name, address]) => [name, new URL(address, location.href).href]);
    /** @type {Files} */
    this.files = Object.fromEntries(whole);
    this.#worker = new Worker(worker, { type: "module" });
    this.#worker.onmessage = ({ data }) => ("answer" in data ? this.#answer(data) : hear(data));
    this.#worker.onerror = (event) => this.#fail(event.message || "the worker could not be loaded");
    this.#worker.onmessageerror = () => this.#fail("the worker said something unreadable");
  }

  /** @param {string} name of a call of `worker.js` @param {unknown[]} args @returns {Promise<any>} */
  ask(name, ...args) {
    const call = this.#calls++;
    return new Promise((resolve, reject) => {
      this.#open.set(call, { resolve, reject });
      this.#worker.postMessage({ call, name, args });
    });
  }

  /** Ends the worker; what is still open gets no answer. */
  close() {
    this.#worker.terminate();
    this.#open.clear();
  }

  /** @param {{answer: number, value?: unknown, error?: any}} data */
  #answer({ answer, value, error }) {
    const waiting = this.#open.get(answer);
    this.#open.delete(answer);
    if (error) waiting?.reject(new Refusal(error));
    else waiting?.resolve(value);
  }

  /** @param {string} message */
  #fail(message) {
    const error = new Refusal({ code: "fault", message, values: {} });
    for (const { reject } of this.#open.values()) reject(error);
    this.#open.clear();
  }
}
