/** The page's side of a worker: calls that are answered, and what it says by itself. */

import { WordedError } from "../ui/failures.js";
import { startWorker } from "../ui/workers.js";
import { refusalText } from "./wording.js";

/** @import { Files } from "./worker.js" */

/** What the worker refuses, by its code and in the words of the page. */
export class Refusal extends WordedError {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** What the worker refuses in English alone: a text that is no record, or a fault. */
export class PlainRefusal extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export class WorkerClient {
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: unknown) => void}>} */
  #open = new Map();
  #calls = 0;
  #worker;
  /** Whether it has ever said anything. */
  #works = false;
  /** Why it did not start. @type {PlainRefusal | null} */
  #fault = null;
  /** Gets what the worker says by itself. @type {(said: any) => void} */
  onMessage = () => {};

  /** @param {URL} [worker] */
  constructor(worker = new URL("./worker.js", import.meta.url)) {
    this.#worker = startWorker(worker);
    this.#worker.onmessage = ({ data }) => {
      this.#works = true;
      if ("answer" in data) this.#answer(data);
      else this.onMessage(data);
    };
    this.#worker.onerror = (event) => this.#fail(event.message || "the worker could not be loaded");
    this.#worker.onmessageerror = () => this.#fail("the worker said something unreadable");
  }

  /** Gives the worker what it works with, before anything else. @param {Files} files @returns {Promise<void>} */
  load(files) {
    return this.ask("load", files);
  }

  /** @param {string} name of a call of `worker.js` @param {unknown[]} args @returns {Promise<any>} */
  ask(name, ...args) {
    if (this.#fault) return Promise.reject(this.#fault);
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
    if (error) waiting?.reject(refusalOf(error));
    else waiting?.resolve(value);
  }

  /** @param {string} message */
  #fail(message) {
    console.error(message);
    const fault = new PlainRefusal("fault", message);
    if (!this.#works) this.#fault = fault;
    for (const { reject } of this.#open.values()) reject(fault);
    this.#open.clear();
  }
}

/** @param {{code: string, message: string, values: any}} error */
function refusalOf({ code, message, values }) {
  const words = code === "fault" ? null : refusalText(code, values);
  return words === null ? new PlainRefusal(code, message) : new Refusal(code, words);
}
