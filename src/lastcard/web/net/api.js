/** Questions to the server over HTTP, answered in JSON, in the language of the screen. */

import { isStaticSite, at } from "../ui/address.js";
import { WordedError } from "../ui/failures.js";
import { language, t } from "../ui/texts.js";

/** A refusal of the server: its status, its code and its words. */
export class ApiError extends WordedError {
  /**
   * @param {number} status
   * @param {string} code stable, such as `rules`
   * @param {string} text in words
   */
  constructor(status, code, text) {
    super(text);
    this.status = status;
    this.code = code;
  }
}

/** @typedef {(method: string, path: string, body?: unknown) => Promise<any>} Answerer */

/** Who answers for this device. @type {() => Promise<Answerer>} */
let localApi;

/**
 * What is asked of this device is answered by somebody in the page.
 *
 * @param {() => Promise<Answerer>} answerer loaded when something is asked
 */
export function setLocalApi(answerer) {
  localApi = answerer;
}

/**
 * @param {"GET" | "POST" | "DELETE"} method
 * @param {string} path
 * @param {boolean} isLocal whether this device is asked and not the server
 * @param {unknown} [body]
 * @returns {Promise<any>} the answer; null for an empty one
 * @throws {ApiError} what is refused
 * @throws {WordedError} where no server answers, or something that stands before it
 */
async function request(method, path, isLocal, body) {
  if (isLocal) return (await localApi())(method, path, body);
  /** @type {Record<string, string>} */
  const headers = { "Accept-Language": language() };
  /** @type {RequestInit} */
  const options = { method, headers };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    headers["Content-Type"] = "application/json";
  }
  try {
    return await parseResponse(await fetch(at(path), options));
  } catch (error) {
    throw error instanceof ApiError ? error : new WordedError(t("web.net.unreachable"), { cause: error });
  }
}

/** @param {Response} answer */
async function parseResponse(answer) {
  const text = await answer.text();
  const data = text ? JSON.parse(text) : null;
  if (answer.ok) return data;
  throw data?.error ? new ApiError(answer.status, data.error, data.text) : new Error(`status ${answer.status}`);
}

/** @param {string} path @param {boolean} [isLocal] whether this device is asked, as it always is where there is no server */
export const get = (path, isLocal = isStaticSite) => request("GET", path, isLocal);

/** @param {string} path @param {unknown} [body] @param {boolean} [isLocal] as for `get` */
export const post = (path, body = {}, isLocal = isStaticSite) => request("POST", path, isLocal, body);

/** @param {string} path @param {boolean} [isLocal] as for `get` */
export const remove = (path, isLocal = isStaticSite) => request("DELETE", path, isLocal);
