/** Creates elements without markup: everything on the screen is built here, so no text can ever become code. */

import { at } from "./address.js";
import { onceEach } from "./resources.js";

/** @typedef {Node | string | number | null | undefined | false | readonly unknown[]} Child */
/** @typedef {Record<string, unknown>} Props */

const SVG = "http://www.w3.org/2000/svg";
/** Properties set on the element itself, because their attribute is only the initial value. */
const PROPERTIES = new Set(["value", "checked", "selected", "disabled", "hidden", "open", "indeterminate"]);

/** Attributes that contain an address. */
const LINKS = new Set(["href", "src"]);

/**
 * Returns an HTML element: `h("button", {class: "button", onclick: play}, t("web.home.play"))`.
 *
 * A property that is a function named `on…` becomes a listener, `style` an object of CSS properties, `data` an object
 * of data attributes; null and false leave a property or child out, true sets an empty attribute. A path of ours in
 * `href` or `src` becomes its address.
 * @template {string} T
 * @param {T} tag @param {Props | null} [props] @param {...Child} children
 * @returns {T extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[T] : HTMLElement}
 */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  // Children first: a select takes its value from options it already has.
  append(element, children);
  setProps(element, props ?? {});
  return /** @type {any} */ (element);
}

/**
 * Returns an SVG element, built like `h`.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag @param {Props | null} [props] @param {...Child} children @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, props, ...children) {
  const element = document.createElementNS(SVG, tag);
  append(element, children);
  setProps(element, props ?? {});
  return element;
}

/**
 * Sets properties on an existing element, by the rules of `h`.
 * @param {HTMLElement | SVGElement} element @param {Props} props
 */
function setProps(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === "style") setAll(value, (key, text) => element.style.setProperty(key, text));
    else if (name === "data") setAll(value, (key, text) => element.setAttribute(`data-${key}`, text));
    else if (PROPERTIES.has(name) && name in element) Reflect.set(element, name, value ?? "");
    else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else if (LINKS.has(name) && String(value).startsWith("/")) element.setAttribute(name, at(String(value)));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {unknown} values @param {(key: string, text: string) => void} set */
function setAll(values, set) {
  for (const [key, value] of Object.entries(/** @type {Props} */ (values))) {
    if (value !== null && value !== undefined) set(key, String(value));
  }
}

/** @param {Element} element @param {Child[]} children */
function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child instanceof Node) element.append(child);
    else if (child !== null && child !== undefined && child !== false) element.append(String(child));
  }
}

/**
 * Loads a style sheet once; resolves when it applies. It may already be in the document. The name is a path below
 * `web/`, such as `lobby/lobby.css`.
 */
export const stylesheet = onceEach(async (name) => {
  const { href } = new URL(`../${name}`, import.meta.url);
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return;
  await new Promise((done) => {
    document.head.append(h("link", { rel: "stylesheet", href, onload: done, onerror: done }));
  });
});

/**
 * Restores the focus if its element is gone. Focusing lays out the page, so it waits for the next frame.
 * @param {HTMLElement} within
 * @param {string} selector the selector of the new focus
 */
export function restoreFocus(within, selector) {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    /** @type {HTMLElement | null} */ (within.querySelector(selector))?.focus();
  });
}

let ids = 0;

/** Returns an id for an element that a label or a description refers to. */
export function uniqueId() {
  ids += 1;
  return `id${ids}`;
}
