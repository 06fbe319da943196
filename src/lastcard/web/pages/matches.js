/** The list of a person's matches, to replay, download or delete. */

import { gameOf } from "../bindings/rulename.js";
import { isLocal } from "../ui/address.js";
import { button } from "../ui/button.js";
import { confirmDialog } from "../ui/dialog.js";
import { h } from "../ui/dom.js";
import { dropPanel } from "../ui/droppanel.js";
import { WordedError } from "../ui/failures.js";
import { listed } from "../ui/lists.js";
import { attempt } from "../ui/panels.js";
import { need } from "../ui/resources.js";
import { go } from "../ui/router.js";
import { toast } from "../ui/toast.js";
import { date, isolated, t, useTexts } from "../ui/texts.js";
import { post, remove } from "../net/api.js";
import { MAX_RECORD_BYTES, RECORD_FILE_TYPES, recordLink } from "../net/recordlink.js";

/** @import { MatchLine } from "../net/protocol.js" */

need(useTexts("after"));

/**
 * Returns the list of matches played in the page of a server, which does not know them; null if there are none.
 * @param {MatchLine[]} matches
 */
export function localMatches(matches) {
  if (!matches.length) return null;
  const list = h("ul", { class: "stack matches" });
  const section = h(
    "section",
    { class: "stack" },
    h("h2", null, t("web.matches.here")),
    h("p", { class: "soft small" }, t("web.matches.here.about")),
    list,
  );
  list.append(...matches.map((match) => matchItem(match, () => (section.hidden = !list.childElementCount))));
  return section;
}

/** Returns the list of matches, latest first; if it is empty, a hint. @param {MatchLine[]} matches */
export function matchList(matches) {
  const list = h("ul", { class: "stack matches" });
  const play = h("p", null, h("a", { class: "button primary", href: "/" }, t("web.matches.play")));
  const none = h("div", { class: "panel stack", hidden: true }, h("p", null, t("web.matches.none")), play);
  const refresh = () => (none.hidden = list.childElementCount > 0);
  list.append(...matches.map((match) => matchItem(match, refresh)));
  refresh();
  return h("section", { class: "stack" }, h("h2", null, t("web.matches.title")), none, list);
}

/** Returns the panel that imports a match played elsewhere to the person's account. */
export const importPanel = () =>
  dropPanel({
    title: t("web.matches.bring"),
    about: t("web.matches.bring.about"),
    choose: t("web.matches.bring.choose"),
    accept: RECORD_FILE_TYPES,
    take: async (file) => {
      if (file.size > MAX_RECORD_BYTES) throw new WordedError(t("web.matches.bring.large", { limit: MAX_RECORD_BYTES }));
      const { id } = await post("/api/matches", { record: await file.text() });
      await go(`/match/${id}`);
    },
  });

/** @param {MatchLine} match @param {() => void} refresh called after a change of the list */
function matchItem(match, refresh) {
  const { id, rules, names, started, live, taken_back: practice, brought } = match;
  const here = isLocal(id);
  const game = t(`game.${gameOf(rules)}`);
  const [replay, erasing] = [t("web.matches.replay"), t("web.matches.delete")];
  const named = (/** @type {string} */ doing) => `${doing}: ${game}, ${date(started)}`;
  const erase = async () => {
    if (!(await confirmDialog(t("web.matches.delete.ask"), t("web.matches.delete.yes")))) return;
    await attempt(async () => {
      await remove(`/api/matches/${id}`, here);
      item.remove();
      refresh();
      toast(t("web.matches.deleted"));
    });
  };
  const item = h(
    "li",
    { class: "panel played-match" },
    h("h3", null, game),
    h("p", { class: `result ${resultOf(match)}` }, resultText(match)),
    h("p", { class: "soft small" }, h("time", { datetime: new Date(started).toISOString() }, date(started))),
    h("p", { class: "names" }, names.map(isolated).join(" · ")),
    practice && h("p", { class: "soft small" }, t("web.matches.practice")),
    brought && h("p", { class: "soft small" }, t("web.matches.brought")),
    h(
      "div",
      { class: "row" },
      !(live && here) && h("a", { class: "button primary", href: `/match/${id}`, "aria-label": named(replay) }, replay),
      live && h("a", { class: "button", href: `/t/${match.table}` }, t("web.matches.table")),
      !(live && here) && recordLink(id, t("web.matches.record"), rules),
      !(live && here) && button(erasing, erase, { look: "quiet", "aria-label": named(erasing) }),
    ),
  );
  return item;
}

/** @param {MatchLine} match */
function resultOf({ winners, seat, brought }) {
  return winners === null || brought ? "open" : winners.includes(seat) ? "won" : "lost";
}

/** @param {MatchLine} match */
function resultText(match) {
  const { winners, names, live } = match;
  if (winners === null) return live ? t("web.matches.live") : t("web.matches.open");
  if (resultOf(match) === "won") return t("web.matches.won");
  return t("web.matches.winner", { player: listed(winners.map((seat) => names[seat])) });
}
