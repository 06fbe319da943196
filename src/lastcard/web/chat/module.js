/** The module in the page inside a chat: it computes hints, replays and reports without a worker, which hosts do not admit. */

import { Library } from "../bindings/bots.js";
import { loadKernel } from "../bindings/kernel.js";
import { setLatestKernel } from "../bindings/latest.js";
import { WordedError } from "../ui/failures.js";
import { need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";
import * as archive from "../localtable/archive.js";
import { recordCalls } from "../localtable/recordcalls.js";
import { setClientStarter } from "../localtable/workerpool.js";

need(useTexts("unknown"));

/**
 * What the server gives the page about a match.
 * @typedef {object} MatchSource
 * @property {() => Promise<string>} record the record of the finished match
 * @property {(name: string) => Promise<string>} weights a file of a network, in base64
 */

/** @param {string} name a file of the page */
const inPage = (name) => fetch(new URL(`../kernel/${name}`, import.meta.url));

/** A client that runs the calls in the page, in pieces. */
class PageClient {
  /** Handles a message that is no answer. @type {(message: any) => void} */
  onMessage = () => {};
  #calls;

  /** @param {Library} library */
  constructor(library) {
    this.#calls = recordCalls(
      () => library,
      (message) => this.onMessage(message),
    );
  }

  /** @param {string} name @param {unknown[]} args @returns {Promise<any>} */
  async ask(name, ...args) {
    return this.#calls[name](...args);
  }

  /** Does nothing: there is no worker to end. */
  close() {}
}

/**
 * Has the page compute hints, and returns what answers its requests about the match.
 * @param {MatchSource} source @param {number | null} seat the person's seat
 * @returns {import("../net/api.js").Answerer}
 */
export function useModule(source, seat) {
  setClientStarter(async () => {
    const [module, description] = await Promise.all([inPage("lastcard.wasm"), inPage("lastcard.json")]);
    const kernel = setLatestKernel(await loadKernel(await module.arrayBuffer(), await description.json()));
    return new PageClient(new Library(kernel, (name) => readWeights(name, source)));
  });
  /** @type {Record<string, (id: string) => Promise<unknown>>} */
  const answers = {
    record: () => source.record(),
    replay: async (id) => archive.replay(await source.record(), { id }),
    moments: async () => archive.highlights(await source.record(), seat === null ? [] : [seat]),
  };
  return async (_, path) => {
    const [, id, part] = /^\/api\/matches\/([^/]+)\/(\w+)$/.exec(path) ?? [];
    if (!Object.hasOwn(answers, part ?? "")) throw new WordedError(t("web.page.unknown"));
    return answers[part](id);
  };
}

/** @param {string} name @param {MatchSource} source @returns {Promise<Uint8Array>} */
async function readWeights(name, source) {
  const found = await inPage(name);
  if (found.ok) return new Uint8Array(await found.arrayBuffer());
  return Uint8Array.from(atob(await source.weights(name)), (char) => char.charCodeAt(0));
}
