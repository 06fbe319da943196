/** The router: shows the page of an address without reloading the document. */

import { at, pathOf } from "./address.js";
import { button } from "./button.js";
import { h } from "./dom.js";
import { load } from "./resources.js";
import { released } from "./presses.js";
import { t } from "./texts.js";

/** @import {Child} from "./dom.js" */

/**
 * @typedef {object} Page
 * @property {string} title
 * @property {HTMLElement} element an element with one h1
 * @property {() => void} [close] called when the person leaves the page
 */
/** @typedef {(param: string) => Promise<Page>} PageMaker makes a page; gets the parameter in the address */
/** @typedef {[pattern: RegExp, maker: () => Promise<{page: PageMaker}>]} Route */

const NAME = "Last Card";

/** @type {Route[]} */
let routes = [];
/** Makes the page of an address that no route has. @type {Route[1]} */
let unknown;
/** @type {Page | null} */
let current = null;
let visits = 0;

const main = h("main", { id: "main", tabindex: -1 });

/** Shows the page of the address, and follows navigation. @param {Route[]} known @param {Route[1]} other for other addresses */
export function startRouter(known, other) {
  routes = known;
  unknown = other;
  const skip = h("a", { class: "skip-link", href: "#main" }, t("web.page.skip"));
  document.body.prepend(skip, main);
  document.addEventListener("click", follow);
  addEventListener("popstate", leave);
  return show();
}

/**
 * Goes to another page.
 * @param {string} path
 * @param {object} [state] data for that page, in `history.state`
 */
export function go(path, state) {
  history.pushState(state ?? null, "", at(path));
  return leave();
}

/** Leaves the current page; anything open over it closes. */
function leave() {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  return show();
}

/** Shows the page of the address again, in the current language. */
export const show = async () => {
  visits += 1;
  const visit = visits;
  const [maker, param] = find(address());
  const page = await open(maker, param);
  await released(main);
  // The person may have left while the page was loading.
  if (visit !== visits) return page.close?.();
  current?.close?.();
  current = page;
  document.title = page.title ? `${page.title} – ${NAME}` : NAME;
  main.replaceChildren(page.element);
  if (visit === 1) return;
  const heading = main.querySelector("h1") ?? main;
  heading.setAttribute("tabindex", "-1");
  heading.focus({ preventScroll: true });
  scrollTo(0, 0);
};

/** Returns the decoded path of the page; an invalid one matches no route. */
function address() {
  try {
    return decodeURI(pathOf(location));
  } catch {
    return "";
  }
}

/** @param {string} path @returns {[() => Promise<{page: PageMaker}>, string]} */
function find(path) {
  for (const [pattern, maker] of routes) {
    const found = pattern.exec(path);
    if (found) return [maker, found[1] ?? ""];
  }
  return [unknown, ""];
}

/** @param {() => Promise<{page: PageMaker}>} maker @param {string} param */
async function open(maker, param) {
  try {
    return await (await load(maker())).page(param);
  } catch (error) {
    console.error(error);
    return lost(t("web.page.failed"), button(t("web.page.again"), show));
  }
}

/**
 * Returns a page for content that cannot be shown.
 * @param {string} text @param {...(string | HTMLElement)} next what a person can do about it
 * @returns {Page}
 */
export function lost(text, ...next) {
  const home = h("a", { class: "button primary", href: "/" }, t("web.page.home"));
  const steps = next.map((step) => (typeof step === "string" ? h("p", null, step) : step));
  return { title: text, element: h("div", { class: "page stack lost" }, h("h1", null, text), steps, home) };
}

/**
 * Returns a page with a header: its title, and a link to the home page.
 * @param {string} title @param {string} look its classes @param {...Child} parts
 */
export function titledPage(title, look, ...parts) {
  const home = h("a", { class: "button quiet", href: "/" }, t("web.page.home"));
  const head = h("header", { class: "row" }, h("h1", { class: "grow" }, title), home);
  return { title, element: h("div", { class: `page ${look}`.trim() }, head, parts) };
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
