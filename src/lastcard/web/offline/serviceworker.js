/**
 * The service worker of a static site. It caches one complete version for use without a network. The next version replaces it as
 * a whole, when no page of this one is open any more or on request.
 */

/** TypeScript has types for pages or for workers, not for both. @type {any} */
const worker = self;
/** Written before this script, when the site is built. @type {{version: string, page: string, files: string[]}} */
const { version, page, files } = worker.site;
/** @type {string} */
const scope = worker.registration.scope;
/** Other sites may be on the same host. */
const CACHE_PREFIX = `lastcard ${scope} `;
const CACHE_NAME = CACHE_PREFIX + version;
/** The number of parallel downloads: a running game needs the connection more. */
const PARALLEL_FETCHES = 2;
/** A module of a removed version reloads its page, as a server would do. */
const RELOAD_SCRIPT = "setTimeout(() => location.reload(), 2000 - performance.now());\nawait new Promise(() => {});\n";

/** Fetches all files; if one fails, none is used. */
async function install() {
  const cache = await caches.open(CACHE_NAME);
  const left = [...files];
  const fill = async () => {
    for (let name = left.shift(); name; name = left.shift()) {
      if (await cache.match(scope + name)) continue;
      // Content at a version's address never changes, so the browser's cached copy is valid.
      const how = /** @type {RequestInit} */ ({ priority: "low", cache: "force-cache" });
      await cache.add(new Request(scope + name, how));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_FETCHES }, fill));
}

/** Removes earlier versions. */
async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE_NAME).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {Request} request @param {string} name the requested path within the site */
async function respond(request, name) {
  const cache = await caches.open(CACHE_NAME);
  const cached = await cache.match(scope + name);
  if (cached) return cached;
  const answer = await fetch(request).catch(() => null);
  if (answer?.ok || !name.endsWith(".js")) return answer ?? Response.error();
  return new Response(RELOAD_SCRIPT, { headers: { "content-type": "text/javascript" } });
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));
worker.addEventListener("message", (/** @type {MessageEvent} */ { data }) => data === "take over" && worker.skipWaiting());
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const [url] = request.url.split(/[?#]/);
  if (request.method !== "GET" || !url.startsWith(scope)) return;
  const name = url.slice(scope.length);
  if (request.mode === "navigate" && ["", "index.html"].includes(name)) event.respondWith(respond(request, page));
  else if (name.startsWith("web/")) event.respondWith(respond(request, name));
});
