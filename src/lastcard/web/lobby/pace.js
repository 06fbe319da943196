/** The pace of a table in words, and the parts of one by the day: the time for a move, and the zone whose weekends are free. */

import { need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";

need(useTexts("lobby"));

/** Times for a move by the day. */
export const MOVE_TIMES = ["8h", "24h", "3d"];

/** Returns the time for a move and the time zone (empty if weekends count) of a pace by the day; null for any other. @param {string} pace */
export function dayPace(pace) {
  const [move, zone = ""] = pace.split("@");
  return MOVE_TIMES.includes(move) ? { move, zone } : null;
}

/** @param {string} pace */
export function paceWords(pace) {
  const day = dayPace(pace);
  if (!day) return `${t(`web.pace.${pace}`)} – ${t(`web.pace.${pace}.about`)}`;
  const parts = [t(`web.pace.${day.move}`), day.zone && `${t("web.pace.weekends")} (${day.zone})`].filter(Boolean).join(", ");
  return `${t("web.pace.days")} – ${parts}: ${t("web.pace.days.about")}`;
}
