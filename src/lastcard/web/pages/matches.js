/** My matches: what one has played, to look at again, to keep or to delete. */

import { button } from "../ui/button.js";
import { confirmDialog } from "../ui/dialog.js";
import { h, stylesheet } from "../ui/dom.js";
import { need } from "../ui/needs.js";
import { pageHead } from "../ui/router.js";
import { toast } from "../ui/toast.js";
import { date, t, useTexts } from "../ui/words.js";
import { get, remove } from "../line/api.js";
import { gameOf } from "../cards/cards.js";

/** @import { MatchLine } from "../line/protocol.js" */
/** @import { Page } from "../ui/router.js" */

need(useTexts("after"));

/** @returns {Promise<Page>} */
export async function page() {
  const [matches] = await Promise.all([ownMatches(), stylesheet("pages/matches.css")]);
  const list = h("ul", { class: "stack matches" });
  const play = h("p", null, h("a", { class: "button primary", href: "/" }, t("web.matches.play")));
  const none = h("section", { class: "panel stack", hidden: true }, h("p", null, t("web.matches.none")), play);
  const refresh = () => (none.hidden = list.childElementCount > 0);
  list.append(...matches.map((match) => matchItem(match, refresh)));
  refresh();
  const title = t("web.matches.title");
  return { title, element: h("div", { class: "page" }, pageHead(title), none, list) };
}

/** @returns {Promise<MatchLine[]>} none for a person the server does not know */
async function ownMatches() {
  try {
    return await get("/api/matches");
  } catch (error) {
    if (error instanceof Error && "status" in error && (error.status === 401 || error.status === 404)) return [];
    throw error;
  }
}

/** @param {MatchLine} match @param {() => void} refresh the page knows that the list has changed */
function matchItem(match, refresh) {
  const { id, rules, names, started, live } = match;
  const game = t(`game.${gameOf(rules)}`);
  const [replay, erasing] = [t("web.matches.replay"), t("web.matches.delete")];
  const named = (/** @type {string} */ doing) => `${doing}: ${game}, ${date(started)}`;
  const erase = async () => {
    if (!(await confirmDialog(t("web.matches.delete.ask"), t("web.matches.delete.yes")))) return;
    try {
      await remove(`/api/matches/${id}`);
      item.remove();
      refresh();
      toast(t("web.matches.deleted"));
    } catch (error) {
      toast(/** @type {Error} */ (error).message, { kind: "bad" });
    }
  };
  const item = h(
    "li",
    { class: "panel match" },
    h("h2", null, game),
    h("p", { class: `result ${resultOf(match)}` }, resultText(match)),
    h("p", { class: "soft small" }, h("time", { datetime: new Date(started).toISOString() }, date(started))),
    h("p", { class: "names" }, names.join(" · ")),
    h(
      "div",
      { class: "row" },
      h("a", { class: "button primary", href: `/match/${id}`, "aria-label": named(replay) }, replay),
      live && h("a", { class: "button", href: `/t/${match.table}` }, t("web.matches.table")),
      h("a", { class: "button", href: `/api/matches/${id}/record`, download: "" }, t("web.matches.record")),
      button(erasing, erase, { look: "quiet", "aria-label": named(erasing) }),
    ),
  );
  return item;
}

/** @param {MatchLine} match */
function resultOf({ winners, seat }) {
  return winners === null ? "open" : winners.includes(seat) ? "won" : "lost";
}

/** @param {MatchLine} match */
function resultText(match) {
  const { winners, names, live } = match;
  if (winners === null) return live ? t("web.matches.live") : t("web.matches.open");
  if (resultOf(match) === "won") return t("web.matches.won");
  return t("web.matches.winner", { player: winners.map((seat) => names[seat]).join(", ") });
}
