/** The page's side of MCP Apps: JSON-RPC messages to the chat that shows it, and their answers. */

/** The version of the protocol between page and host. */
const PROTOCOL = "2026-01-26";
const UNKNOWN_METHOD = -32601;

/** The host of the page. Fires `context` and `result` with what the host sends: its theme, and the result of the tool. */
export class Host extends EventTarget {
  #calls = 0;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
  #open = new Map();

  /** Introduces the page to the host, and asks for a height in CSS pixels. @param {number} height */
  async connect(height) {
    addEventListener("message", ({ source, data }) => source === parent && data?.jsonrpc === "2.0" && this.#receive(data));
    const about = { appInfo: { name: "lastcard", version: "1" }, appCapabilities: {}, protocolVersion: PROTOCOL };
    const { hostContext } = await this.#ask("ui/initialize", about);
    this.#emit("context", hostContext ?? {});
    this.#post({ method: "ui/notifications/initialized" });
    this.#post({ method: "ui/notifications/size-changed", params: { height } });
  }

  /**
   * Calls a tool of the server.
   * @param {string} name @param {Record<string, unknown>} args
   * @returns {Promise<any>} the structured result
   * @throws {Error} if the host does not pass it on
   */
  async callTool(name, args) {
    return (await this.#ask("tools/call", { name, arguments: args })).structuredContent;
  }

  /** @param {string} method @param {object} params @returns {Promise<any>} */
  #ask(method, params) {
    const id = ++this.#calls;
    this.#post({ id, method, params });
    return new Promise((resolve, reject) => this.#open.set(id, { resolve, reject }));
  }

  /** @param {object} message */
  #post(message) {
    parent.postMessage({ jsonrpc: "2.0", ...message }, "*"); // the page cannot know the host's origin, and says no secret
  }

  /** @param {any} message */
  #receive({ id, method, params, result, error }) {
    if (method === "ui/notifications/tool-result") this.#emit("result", params);
    else if (method === "ui/notifications/host-context-changed") this.#emit("context", params);
    else if (method === "ping" || method === "ui/resource-teardown") this.#post({ id, result: {} });
    else if (method && id !== undefined) this.#post({ id, error: { code: UNKNOWN_METHOD, message: "unknown method" } });
    else if (error) this.#open.get(id)?.reject(new Error(error.message));
    else this.#open.get(id)?.resolve(result);
    if (!method) this.#open.delete(id);
  }

  /** @param {string} name @param {unknown} detail */
  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
