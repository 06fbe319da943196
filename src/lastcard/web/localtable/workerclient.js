/** The page's client of a worker: calls with answers, and messages from the worker. */

import { WordedError } from "../ui/failures.js";
import { startWorker } from "../ui/workers.js";
import { refusalText } from "./wording.js";

/** A refusal by the worker, with its code and the text in the page's language. */
export class Refusal extends WordedError {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** A refusal by the worker in English only: an invalid record, or a fault. */
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
  /** Whether the worker has ever sent a message. */
  #works = false;
  /** Why it did not start. @type {PlainRefusal | null} */
  #fault = null;
  /** Handles a message that is no answer. @type {(message: any) => void} */
  onMessage = () => {};

  constructor() {
    this.#worker = startWorker(new URL("./worker.js", import.meta.url));
    this.#worker.onmessage = ({ data }) => {
      this.#works = true;
      if ("answer" in data) this.#answer(data);
      else this.onMessage(data);
    };
    this.#worker.onerror = (event) => this.#fail(event.message || "the worker could not be loaded");
    this.#worker.onmessageerror = () => this.#fail("the worker said something unreadable");
  }

  /** @param {string} name a call in `worker.js`, `load` before any other @param {unknown[]} args @returns {Promise<any>} */
  ask(name, ...args) {
    if (this.#fault) return Promise.reject(this.#fault);
    const call = this.#calls++;
    return new Promise((resolve, reject) => {
      this.#open.set(call, { resolve, reject });
      this.#worker.postMessage({ call, name, args });
    });
  }

  /** Ends the worker; open calls get no answer. */
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
