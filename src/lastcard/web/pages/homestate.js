/** What the home page has for a person with a name: running matches on the server, and the state of today's deals. */

import { isStaticSite } from "../ui/address.js";
import { load, need } from "../ui/resources.js";
import { language, t, useTexts } from "../ui/texts.js";
import { get } from "../net/api.js";

need(useTexts("daily"));

const HOUR_MS = 3_600_000;

/** Returns links to running matches, and how many deals the person has played, the streak and the hours left. */
export async function homeState() {
  const [back, deals] = await Promise.all([isStaticSite ? [] : running(), dailyState().catch(() => "")]);
  return { back, deals };
}

/** @returns {Promise<HTMLElement[]>} */
async function running() {
  /** @type {import("../net/protocol.js").RunningMatch[]} */
  const matches = await get("/api/me/tables").catch(() => []);
  if (!matches.length) return [];
  const { continueLink } = await load(import("../offline/continuelink.js"));
  return matches.map(continueLink);
}

async function dailyState() {
  /** @type {import("../net/protocol.js").DailyPage} */
  const { games, streak, ends } = await get("/api/daily");
  const played = games.filter(({ finished }) => finished).length;
  const hours = Math.max(1, Math.ceil((ends - Date.now()) / HOUR_MS));
  const left = new Intl.NumberFormat(language(), { style: "unit", unit: "hour", unitDisplay: "short" }).format(hours);
  const parts = [t("web.daily.played", { n: played, all: games.length }), streak > 1 && t("web.daily.streak", { n: streak }), left];
  return parts.filter(Boolean).join(" · ");
}
