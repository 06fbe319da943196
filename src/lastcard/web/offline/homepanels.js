/** Panels of the home page on a static site: a game to continue, a table to pass around, records to open. */

import { button } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { dropPanel } from "../ui/droppanel.js";
import { plusIcon } from "../ui/icons.js";
import { load, need } from "../ui/resources.js";
import { go } from "../ui/router.js";
import { t, useTexts } from "../ui/texts.js";
import { RECORD_FILE_TYPES } from "../net/recordlink.js";
import { awaitUpdate } from "./install.js";
import { continueLink } from "./continuelink.js";
import { readSavedTables } from "./savedtables.js";

need(useTexts("offline"));

/** Returns a link to the last table whose match is still running, or says that a table cannot be read. */
export async function continueGame() {
  const { tables, damaged } = await readSavedTables();
  const last = tables.find(({ match }) => match !== null);
  if (last) return continueLink({ ...last, table: last.code });
  return damaged ? h("p", { role: "status" }, t("web.alone.damaged")) : null;
}

/**
 * Returns the panel that makes a table for several people at this device.
 * @param {() => void} create opens a table
 * @param {HTMLElement} errorPlace the element for error messages
 */
export function passAroundPanel(create, errorPlace) {
  return h(
    "section",
    { class: "panel stack", "aria-labelledby": "device" },
    h("h2", { id: "device" }, t("web.alone.device")),
    h("p", { class: "soft" }, t("web.alone.device.about")),
    errorPlace,
    button([plusIcon(), t("web.home.create")], create, { look: "wide" }),
  );
}

/** Returns the panel where a record is chosen or dropped. */
export const recordPanel = () =>
  dropPanel({
    title: t("web.alone.record"),
    about: t("web.alone.record.about"),
    choose: t("web.alone.record.choose"),
    accept: RECORD_FILE_TYPES,
    take: async (file) => {
      const { importRecord } = await load(import("./importrecord.js"));
      await go(`/match/${await importRecord(file)}`);
    },
  });

/** Shows a line that offers a new version, once it is loaded. */
export function updateNotice() {
  const place = h("p", { class: "row optional", role: "status" });
  void awaitUpdate((take) => place.replaceChildren(t("web.alone.version"), " ", button(t("web.alone.version.take"), take)));
  return place;
}
