/** The page's base address, and addresses of its own paths, such as `/rules/classic`. */

/** Whether there is no server: the page is on a web host that only has files, or inside a chat. */
export const isStaticSite = document.documentElement.hasAttribute("data-static-site");

/** Whether *Play now* runs in the page although there is a server: its operator may choose so. */
export const playsLocally = isStaticSite || (document.documentElement.dataset.solo === "client" && "WebAssembly" in globalThis);

/** Whether hints and reports of matches against bots on a server are computed in the page: the operator may choose so. */
export const analyzesLocally = document.documentElement.dataset.analysis === "client" && "WebAssembly" in globalThis;

/** Whether the server seats strangers at open tables: its operator may choose so. */
export const hasOpenTables = document.documentElement.hasAttribute("data-open-tables");

/** Codes of tables in the page, and ids of their matches; a server's have another form. */
const LOCAL_ID = /^(?:[0-9a-f]{12}|[0-9a-f]{24})$/;

/** Whether a table or a match belongs to this device. @param {string} id a match's id, or a table's code */
export const isLocal = (id) => isStaticSite || (playsLocally && LOCAL_ID.test(id));

/** The path of the site's folder, with a trailing slash; this file is in `web/VERSION/packs/`. */
export const FOLDER = new URL("../../../", import.meta.url).pathname;

/**
 * Returns the address of a path. A web host has one page, so there the path of a screen follows `?`.
 * @param {string} path such as `/match/ID`
 */
export function at(path) {
  if (!isStaticSite) return FOLDER + path.slice(1);
  return path === "/" ? FOLDER : `${FOLDER}?${path}`;
}

/**
 * Returns the path of an address; empty for one outside the site.
 * @param {{pathname: string, search: string}} address
 */
export function pathOf({ pathname, search }) {
  if (!pathname.startsWith(FOLDER)) return "";
  if (!isStaticSite) return `/${pathname.slice(FOLDER.length)}`;
  return search.startsWith("?/") ? search.slice(1) : "/";
}
