/**
 * The service worker of a server. If nobody answers a page request, it shows an outage page, retries, and loads the requested
 * page once the server is back. It stores nothing of the server, so no page is older than its server.
 */

/** @typedef {Record<string, {title: string, text: string, again: string}>} Texts */

/** TypeScript has types for pages or for workers, not for both. @type {any} */
const service = self;
/** The texts by language; the server writes them before this script. @type {Texts} */
const texts = service.away;
/** @type {string} */
const home = service.registration.scope;
const SCRIPT = `${home}away.js`;
/** Paths below the home that are no pages of ours. */
const NO_PAGE = /^(?:api|web|qr|metrics|healthz|readyz)(?:\/|$)/;
/** A proxy's answers if no server is behind it. */
const GATEWAY_ERRORS = [502, 503, 504];
/** How long to wait for a server that neither answers nor refuses. */
const RESPONSE_TIMEOUT_MS = 20_000;

const STYLE = `
:root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif; }
body { display: grid; min-height: 100vh; min-height: 100dvh; margin: 0; place-items: center; text-align: center;
  background: #f7f1e6; color: #22201c; }
main { max-width: 26rem; padding: 1.5rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
button { min-height: 3rem; padding: 0 1.5rem; border: 2px solid; border-radius: 0.75rem; font: inherit;
  font-weight: 700; background: none; color: inherit; }
@media (prefers-color-scheme: dark) {
  body { background: #16211d; color: #f3efe6; }
}
`;
const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'",
};

/** The outage page; its script writes the texts. */
const PAGE = `<!doctype html>
<html>
  <head>
    <meta charset="utf-8">
    <title>Last Card</title>
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1></h1>
      <p></p>
      <button type="button"></button>
    </main>
    <script src="${SCRIPT}"></script>
  </body>
</html>
`;

/**
 * Writes the texts in the chosen language, else in one of the browser's. A part of the outage page's script: its source is
 * copied into the page, so it uses nothing of this script.
 * @param {Texts} texts
 */
function showTexts(texts) {
  let chosen = "";
  try {
    chosen = JSON.parse(localStorage.lastcard).language;
  } catch {
    // Storage is blocked or empty.
  }
  const wanted = [chosen, ...navigator.languages].map((tag) => `${tag}`.toLowerCase().split("-")[0]);
  const language = wanted.find((tag) => Object.hasOwn(texts, tag)) ?? "en";
  const { title, text, again } = texts[language];
  document.documentElement.lang = language;
  document.title = `${title} – Last Card`;
  for (const [selector, words] of Object.entries({ h1: title, p: text, button: again })) {
    const node = document.querySelector(selector);
    if (node) node.textContent = words;
  }
}

/**
 * Retries every few seconds, and at once when the network or the person returns. Also part of the outage page's script.
 * @param {number[]} gatewayErrors
 */
function awaitServer(gatewayErrors) {
  let timer = 0;
  const ask = async () => {
    clearTimeout(timer);
    const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
    if (answer && !gatewayErrors.includes(answer.status)) location.reload();
    // Half of it is random, so that not all browsers ask a restarted server at the same moment.
    else timer = setTimeout(ask, 1500 + 1500 * Math.random());
  };
  addEventListener("online", ask);
  document.addEventListener("visibilitychange", () => document.hidden || ask());
  document.querySelector("button")?.addEventListener("click", ask);
  void ask();
}

/** @param {any} event the fetch event of a page */
async function respond({ request, preloadResponse }) {
  try {
    const asked = Promise.resolve(preloadResponse).then((answer) => answer ?? fetch(request));
    const answer = await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, RESPONSE_TIMEOUT_MS))]);
    if (answer && !GATEWAY_ERRORS.includes(answer.status)) return answer;
  } catch {
    // Any network error means that the server is down.
  }
  return new Response(PAGE, { status: 503, headers: HEADERS });
}

service.addEventListener("install", () => service.skipWaiting());
service.addEventListener("activate", (/** @type {any} */ event) => {
  // The request to the server runs while this script starts.
  event.waitUntil(service.registration.navigationPreload?.enable());
});
// A message through a push service; the server has written its texts. A later one of the same table replaces it.
service.addEventListener("push", (/** @type {any} */ event) => {
  const { title, body, url } = event.data.json();
  event.waitUntil(service.registration.showNotification(title, { body, tag: url, data: url, icon: `${home}web/icons/icon-192.png` }));
});
/** Opens the table of a notification, or the page that has shown one (on Android). @param {string | null} url */
async function openPage(url) {
  const pages = await service.clients.matchAll({ type: "window" });
  const page = pages.find((/** @type {any} */ each) => !url || each.url === url) ?? (url ? null : pages[0]);
  return page ? page.focus() : url && service.clients.openWindow(url);
}
service.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data));
});
service.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const [url] = request.url.split(/[?#]/);
  if (url === SCRIPT) {
    const script = `(${showTexts})(${JSON.stringify(texts)});\n(${awaitServer})(${JSON.stringify(GATEWAY_ERRORS)});\n`;
    event.respondWith(new Response(script, { headers: { "content-type": "text/javascript" } }));
  } else if (request.mode === "navigate" && request.method === "GET" && url.startsWith(home)) {
    if (!NO_PAGE.test(url.slice(home.length))) event.respondWith(respond(event));
  }
});
