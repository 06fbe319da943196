/** A seat at another table that waits while its person has a lesson. */

import { go } from "../ui/router.js";
import { toast } from "../ui/toast.js";
import { t, useTexts } from "../ui/texts.js";
import { need } from "../ui/resources.js";
import { Session } from "../net/session.js";

need(useTexts("lesson"));

/** The table to which the lesson on the screen leads back; empty where it leads nowhere. */
export const waitingTable = () => String(history.state?.waits ?? "");

/** @param {string} code of the table that waits */
export const goBack = (code) => go(`/t/${code}`);

/**
 * Stay at a table as somebody who is there; when it begins there, go back.
 *
 * @param {string} code
 * @returns {() => void} ends the wait
 */
export function holdSeat(code) {
  const session = new Session(code);
  session.addEventListener("change", () => {
    if (!session.table || session.table.phase === "lobby") return;
    session.close();
    toast(t("lesson.begun"));
    void goBack(code);
  });
  session.open();
  return () => session.close();
}
