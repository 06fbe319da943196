/** The line below the bar of a table by the day: until when the player on turn has time. */

import { h } from "../ui/dom.js";
import { need } from "../ui/resources.js";
import { language, t, useTexts } from "../ui/texts.js";

/** @import {Session} from "../net/session.js" */

need(useTexts("notice"));

/** Returns a line that follows the session, hidden at other tables. @param {Session} session */
export function dayLine(session) {
  const text = h("p");
  const element = h("div", { hidden: true }, text);
  const format = new Intl.DateTimeFormat(language(), { weekday: "short", hour: "numeric", minute: "2-digit" });
  const update = () => {
    const { table, nextAt } = session;
    element.hidden = table?.phase !== "playing" || nextAt === null; // at other tables nothing comes by itself then
    element.className = element.hidden ? "" : "row notice";
    if (!element.hidden) text.textContent = t("web.notice.due", { time: format.format(Date.now() + Number(nextAt) - performance.now()) });
  };
  for (const event of ["welcome", "table"]) session.addEventListener(event, update);
  update();
  return element;
}
