/** What the first page has where there is no server: a game to go on with, a table to pass around, records to open. */

import { button } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { dropPanel } from "../ui/droppanel.js";
import { plusIcon } from "../ui/icons.js";
import { load, need } from "../ui/needs.js";
import { go } from "../ui/router.js";
import { t, useTexts } from "../ui/words.js";
import { RECORDS } from "../line/records.js";
import { awaitVersion } from "./offline.js";
import { readTables } from "./store.js";
import { goOnLink } from "./goon.js";
import { goesOn, turnOf } from "./kept.js";

need(useTexts("alone"));

/** The table that was played at last, where a match goes on there. */
export async function goOn() {
  const kept = await readTables();
  const [last] = kept.filter((table) => goesOn(table.kept)).sort((a, b) => b.at - a.at);
  return last ? goOnLink({ table: last.code, rules: last.kept.document.settings.rules, ...turnOf(last.kept) }) : null;
}

/**
 * The way to a table for several people at this device.
 *
 * @param {() => void} create opens one
 * @param {HTMLElement} complaint where it is said what went wrong
 */
export function passAround(create, complaint) {
  return h(
    "section",
    { class: "panel stack", "aria-labelledby": "device" },
    h("h2", { id: "device" }, t("web.alone.device")),
    h("p", { class: "soft" }, t("web.alone.device.about")),
    complaint,
    button([plusIcon(), t("web.home.create")], create, { look: "wide" }),
  );
}

/** Where a record is chosen or dropped. */
export const recordPanel = () =>
  dropPanel({
    title: t("web.alone.record"),
    about: t("web.alone.record.about"),
    choose: t("web.alone.record.choose"),
    accept: RECORDS,
    take: async (file) => {
      const { takeIn } = await load(import("./records.js"));
      await go(`/match/${await takeIn(file)}`);
    },
  });

/** A line that offers another version, once it has come. */
export function versions() {
  const place = h("p", { class: "row optional", role: "status" });
  void awaitVersion((take) => place.replaceChildren(t("web.alone.version"), " ", button(t("web.alone.version.take"), take)));
  return place;
}
