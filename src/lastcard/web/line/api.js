/** Questions to the server over HTTP, answered in JSON, in the language of the screen. */

import { at } from "../ui/address.js";
import { language } from "../ui/words.js";

/** A refusal of the server: its status, its code and its words. */
export class ApiError extends Error {
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

/** Who answers in place of a server. @type {(() => Promise<Answerer>) | null} */
let own = null;

/**
 * Where there is no server, somebody in the page answers.
 *
 * @param {() => Promise<Answerer>} answerer loaded when something is asked
 */
export function answerBy(answerer) {
  own = answerer;
}

/**
 * @param {"GET" | "POST" | "DELETE"} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>} the answer; null for an empty one
 */
async function request(method, path, body) {
  if (own) return (await own())(method, path, body);
  /** @type {Record<string, string>} */
  const headers = { "Accept-Language": language() };
  /** @type {RequestInit} */
  const options = { method, headers };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    headers["Content-Type"] = "application/json";
  }
  const answer = await fetch(at(path), options);
  const text = await answer.text();
  const data = text ? JSON.parse(text) : null;
  if (!answer.ok) throw new ApiError(answer.status, data?.error ?? "", data?.text ?? answer.statusText);
  return data;
}

/** @param {string} path */
export const get = (path) => request("GET", path);

/** @param {string} path @param {unknown} [body] */
export const post = (path, body = {}) => request("POST", path, body);

/** @param {string} path */
export const remove = (path) => request("DELETE", path);
