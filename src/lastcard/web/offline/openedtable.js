/** A table on this device, and what its page needs besides the session. */

import { Session } from "../net/session.js";
import { addPeoplePanel } from "./addpeople.js";
import { PassDeviceScreen } from "./passdevice.js";
import { openTable } from "./tables.js";

/** @param {string} code @returns a page instead, if there is no such table */
export async function openLocalTable(code) {
  const table = await openTable(code);
  if ("title" in table) return table;
  const session = new Session(code, { line: (handlers) => table.connect(handlers) });
  /** @type {PassDeviceScreen | null} It is shown after the game has changed. */
  let passScreen = null;
  return {
    session,
    lobby: () => addPeoplePanel(session, table),
    /** Adds what belongs to it to the page of the table. @param {HTMLElement} page */
    join(page) {
      page.addEventListener("leave", (event) => {
        void table.removePerson(/** @type {CustomEvent<string>} */ (event).detail);
      });
      passScreen = new PassDeviceScreen(session, table);
      page.append(passScreen.element);
    },
    close: () => passScreen?.close(),
  };
}
