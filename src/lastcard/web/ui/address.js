/** Where the page lies, and how its own paths, such as `/rules/classic`, are written there as addresses. */

/** Whether there is no server behind the page: it lies on some web host, which has nothing but files. */
export const isStaticSite = document.documentElement.hasAttribute("data-static-site");

/** Whether *Play now* runs in the page although there is a server: its host may want it so. */
export const playsLocally = isStaticSite || (document.documentElement.dataset.solo === "client" && "WebAssembly" in globalThis);

/** Whether hints and reports of matches against bots on a server are worked out in the page: its host may want it so. */
export const analyzesLocally = document.documentElement.dataset.analysis === "client" && "WebAssembly" in globalThis;

/** Codes of tables in the page, and ids of their matches; a server has others. */
const LOCAL_ID = /^(?:[0-9a-f]{12}|[0-9a-f]{24})$/;

/**
 * Whether a table or a match is of this device.
 *
 * @param {string} id of a match, or the code of a table
 */
export const isLocal = (id) => isStaticSite || (playsLocally && LOCAL_ID.test(id));

/** The path of the folder in which all of it lies, with a slash at its end; this file is in `web/VERSION/packs/`. */
export const FOLDER = new URL("../../../", import.meta.url).pathname;

/**
 * A path of ours as an address. A web host has one page, so there the path of a screen is what follows `?`.
 *
 * @param {string} path such as `/match/ID`
 */
export function at(path) {
  if (!isStaticSite) return FOLDER + path.slice(1);
  return path === "/" ? FOLDER : `${FOLDER}?${path}`;
}

/**
 * The path of ours that an address leads to; empty for one that leads elsewhere.
 *
 * @param {{pathname: string, search: string}} address
 */
export function pathOf({ pathname, search }) {
  if (!pathname.startsWith(FOLDER)) return "";
  if (!isStaticSite) return `/${pathname.slice(FOLDER.length)}`;
  return search.startsWith("?/") ? search.slice(1) : "/";
}
