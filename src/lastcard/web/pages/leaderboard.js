/** The leaderboard: most wins beyond chance, among people who have played with each other. */

import { h, stylesheet } from "../ui/dom.js";
import { need } from "../ui/resources.js";
import { isolated, t, useTexts } from "../ui/texts.js";
import { avatar } from "../cards/art.js";

/** @import { LeaderboardEntry } from "../net/protocol.js" */

need(useTexts("leaderboard"), stylesheet("pages/leaderboard.css"), stylesheet("cards/art.css"));

/** Returns the leaderboard with a heading; null if it is empty. @param {LeaderboardEntry[]} lines */
export function leaderboardPanel(lines) {
  if (lines.length < 2) return null;
  return h(
    "section",
    { class: "panel stack tight leaderboard" },
    h("h2", null, t("web.honor.title")),
    h("ol", { class: "stack tight" }, lines.map(leaderboardLine)),
    h("p", { class: "soft small" }, t("web.honor.about")),
  );
}

/**
 * Returns the first three in one line for a big screen; null if the leaderboard is empty.
 * @param {LeaderboardEntry[]} lines
 */
export function leaderboardWords(lines) {
  if (lines.length < 2) return null;
  const words = lines.slice(0, 3).map(({ name, won, matches: n }) => `${isolated(name)} ${t("web.honor.line", { won, n })}`);
  return h("p", { class: "tv-lead tv-leaderboard" }, `${t("web.honor.title")}: ${words.join(" · ")}`);
}

/** @param {LeaderboardEntry} line */
function leaderboardLine({ name, won, matches }) {
  const figures = h("span", { class: "soft small" }, t("web.honor.line", { won, n: matches }));
  return h("li", null, avatar(name), h("span", { class: "leaderboard-name ellipsis" }, name), figures);
}
