/** From addresses to pages, without loading the document anew. */

import { at, pathOf } from "./address.js";
import { h } from "./dom.js";
import { load } from "./resources.js";
import { released } from "./presses.js";
import { t } from "./texts.js";

/**
 * @typedef {object} Page
 * @property {string} title
 * @property {HTMLElement} element has one h1
 * @property {() => void} [close] called when the person goes elsewhere
 */
/** @typedef {(param: string) => Promise<Page>} PageMaker gets the part of the address that names the thing */
/** @typedef {[pattern: RegExp, maker: () => Promise<{page: PageMaker}>]} Route */

const NAME = "Last Card";

/** @type {Route[]} */
let routes = [];
/** @type {Page | null} */
let current = null;
let visits = 0;

const main = h("main", { id: "main", tabindex: -1 });

/**
 * Show the page of the address, and follow the person from there.
 *
 * @param {Route[]} known
 */
export function startRouter(known) {
  routes = known;
  const skip = h("a", { class: "skip-link", href: "#main" }, t("web.page.skip"));
  document.body.prepend(skip, main);
  document.addEventListener("click", follow);
  addEventListener("popstate", leave);
  return show();
}

/**
 * Go to another page.
 *
 * @param {string} path
 * @param {object} [state] what that page should know, in `history.state`
 */
export function go(path, state) {
  history.pushState(state ?? null, "", at(path));
  return leave();
}

/** Show the page of another address; what was open over this one goes with it. */
function leave() {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  return show();
}

/** Show the page of the address again, in the language of now. */
export const show = async () => {
  visits += 1;
  const visit = visits;
  const [maker, param] = find(address());
  const page = await open(maker, param);
  await released(main);
  // The person may have gone on while the page was loading.
  if (visit !== visits) return page.close?.();
  current?.close?.();
  current = page;
  document.title = page.title ? `${page.title} – ${NAME}` : NAME;
  main.replaceChildren(page.element);
  if (visit > 1) focusHeading();
};

/** The path of the page, as a person reads it; one that is no text leads nowhere. */
function address() {
  try {
    return decodeURI(pathOf(location));
  } catch {
    return "";
  }
}

/**
 * @param {string} path
 * @returns {[() => Promise<{page: PageMaker}>, string]}
 */
function find(path) {
  for (const [pattern, maker] of routes) {
    const found = pattern.exec(path);
    if (found) return [maker, found[1] ?? ""];
  }
  return [() => Promise.resolve({ page: async () => lost(t("web.page.unknown")) }), ""];
}

/**
 * @param {() => Promise<{page: PageMaker}>} maker
 * @param {string} param
 */
async function open(maker, param) {
  try {
    return await (await load(maker())).page(param);
  } catch (error) {
    console.error(error);
    return lost(t("web.page.failed"));
  }
}

/**
 * A page for what cannot be shown.
 *
 * @param {string} text
 * @returns {Page}
 */
export function lost(text) {
  const home = h("a", { class: "button primary", href: "/" }, t("web.page.home"));
  return { title: text, element: h("div", { class: "page" }, h("h1", null, text), h("p", null, home)) };
}

/**
 * The head of a page: its title, and a way back to the first page.
 *
 * @param {string} title
 */
export function pageHead(title) {
  const home = h("a", { class: "button quiet", href: "/" }, t("web.page.home"));
  return h("header", { class: "row" }, h("h1", { class: "grow" }, title), home);
}

function focusHeading() {
  const heading = main.querySelector("h1") ?? main;
  heading.setAttribute("tabindex", "-1");
  heading.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** @param {MouseEvent} event */
function follow(event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (link.target || link.hasAttribute("download") || link.origin !== location.origin || link.hash) return;
  const path = pathOf(link);
  if (!routes.some(([pattern]) => pattern.test(path))) return;
  event.preventDefault();
  go(path);
}
