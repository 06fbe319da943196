/** Playing with strangers at open tables: a seat from the home page, and what the server stores about it. */

import { button } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { playIcon } from "../ui/icons.js";
import { attempt, panel } from "../ui/panels.js";
import { need } from "../ui/resources.js";
import { prefs } from "../ui/prefs.js";
import { go } from "../ui/router.js";
import { t, useTexts } from "../ui/texts.js";
import { get, post, remove } from "../net/api.js";

/** @import { OpenSeat, OpenTables } from "../net/protocol.js" */

need(useTexts("open"));

/**
 * Returns the button for a seat at an open table, with the number of tables that wait.
 * @param {{meet: (action: () => Promise<void>) => Promise<void>}} form runs an action that needs a name
 */
export function openTables(form) {
  const count = h("small", null, t("web.open.bots"));
  const line = h("p", { class: "soft small optional", role: "status" });
  const take = () => form.meet(() => takeSeat(line, take));
  const fill = async () => {
    const { waiting } = /** @type {OpenTables} */ (await get("/api/open"));
    if (waiting) count.textContent = t("web.open.waiting", { n: waiting });
  };
  fill().catch(() => {});
  return h("div", { class: "stack tight" }, button([playIcon(), t("web.open.play"), count], take, { look: "wide" }), line);
}

/**
 * Opens the table of the seat; a person who has left matches sees how long to wait, and then gets it.
 * @param {HTMLElement} line @param {() => void} again
 */
async function takeSeat(line, again) {
  const { code, wait_s, departures } = /** @type {OpenSeat} */ (await post("/api/open", { game: prefs.get("game") }));
  if (code) return go(`/t/${code}`);
  const end = performance.now() + 1000 * wait_s;
  const seconds = h("strong", null);
  const tick = () => {
    const left = Math.ceil((end - performance.now()) / 1000);
    seconds.textContent = t("web.open.wait", { n: Math.max(1, left) });
    if (left > 0 && line.isConnected && seconds.isConnected) return;
    clearInterval(timer);
    if (line.isConnected && seconds.isConnected) again();
  };
  line.replaceChildren(t("web.open.left", { n: departures }), " ", h("span", { role: "timer" }, seconds));
  const timer = setInterval(tick, 500);
  tick();
}

/** Returns the panel about matches that the person has left and persons they have blocked; null if there are none. */
export async function ownPanel() {
  const { departures, blocked } = /** @type {OpenTables} */ (await get("/api/open"));
  if (!departures && !blocked) return null;
  const forget = () =>
    attempt(async () => {
      await remove("/api/me/blocks");
      people.replaceChildren(h("p", { role: "status" }, t("web.open.unblocked")));
    });
  const people = h("div", { class: "stack tight" });
  if (blocked) people.append(h("p", null, t("web.open.blocked", { n: blocked })), h("p", null, button(t("web.open.unblock"), forget)));
  return panel(t("web.open.title"), departures > 0 && t("web.open.left", { n: departures }), people);
}
