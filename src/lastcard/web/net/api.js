/** HTTP requests to the server, answered in JSON, in the screen's language. */

import { isStaticSite, at } from "../ui/address.js";
import { WordedError } from "../ui/failures.js";
import { language, t } from "../ui/texts.js";

/** A refusal by the server: its status, code and text. */
export class ApiError extends WordedError {
  /**
   * @param {number} status
   * @param {string} code stable, such as `rules`
   * @param {string} text the message
   */
  constructor(status, code, text) {
    super(text);
    this.status = status;
    this.code = code;
  }
}

/** @typedef {(method: string, path: string, body?: unknown) => Promise<any>} Answerer */

/** Loads the local API. @type {() => Promise<Answerer>} */
let localApi;

/**
 * Sets the API that answers requests to this device.
 * @param {() => Promise<Answerer>} answerer loaded on the first request
 */
export function setLocalApi(answerer) {
  localApi = answerer;
}

/**
 * @param {"GET" | "POST" | "DELETE"} method @param {string} path
 * @param {boolean} isLocal whether this device answers instead of the server
 * @param {unknown} [body]
 * @returns {Promise<any>} the answer; null for an empty one
 * @throws {ApiError} if the request is refused
 * @throws {WordedError} if no server answers, or only a proxy
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

/** @param {string} path @param {boolean} [isLocal] whether this device answers, as always on a static site */
export const get = (path, isLocal = isStaticSite) => request("GET", path, isLocal);

/** @param {string} path @param {unknown} [body] @param {boolean} [isLocal] as for `get` */
export const post = (path, body = {}, isLocal = isStaticSite) => request("POST", path, isLocal, body);

/** @param {string} path @param {boolean} [isLocal] as for `get` */
export const remove = (path, isLocal = isStaticSite) => request("DELETE", path, isLocal);
