/** A seat at another table, reserved while its person has a lesson. */

import { go } from "../ui/router.js";
import { toast } from "../ui/toast.js";
import { t, useTexts } from "../ui/texts.js";
import { need } from "../ui/resources.js";
import { Session } from "../net/session.js";

need(useTexts("lesson"));

/** Returns the code of the table to return to after this lesson; empty for none. */
export const waitingTable = () => String(history.state?.waits ?? "");

/** @param {string} code the waiting table's code */
export const goBack = (code) => go(`/t/${code}`);

/**
 * Stays connected to a table as present, and returns to it when its match begins.
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
