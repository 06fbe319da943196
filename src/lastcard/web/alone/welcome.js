/** What the first page has where there is no server: a game to go on with, a table to pass around, records to open. */

import { button } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { plusIcon } from "../ui/icons.js";
import { load, need } from "../ui/needs.js";
import { go } from "../ui/router.js";
import { t, useTexts } from "../ui/words.js";
import { awaitVersion } from "./offline.js";
import { readTables } from "./store.js";
import { goesOn } from "./kept.js";

need(useTexts("alone"));

/** The table that was played at last, where a match goes on there. */
export async function goOn() {
  const kept = await readTables();
  const [last] = kept.filter((table) => goesOn(table.kept)).sort((a, b) => b.at - a.at);
  return last ? h("a", { class: "button big wide", href: `/t/${last.code}` }, t("web.alone.go_on")) : null;
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
export function recordPanel() {
  const problem = h("p", { class: "error optional", role: "alert" });
  const open = async (/** @type {File | undefined} */ file) => {
    if (!file) return;
    problem.textContent = "";
    try {
      const { takeIn } = await load(import("./records.js"));
      await go(`/match/${await takeIn(file)}`);
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  };
  const input = h("input", { type: "file", accept: ".toml,text/plain", class: "visually-hidden" });
  input.addEventListener("change", () => void open(input.files?.[0]));
  const panel = h(
    "section",
    { class: "panel stack drop", "aria-labelledby": "record" },
    h("h2", { id: "record" }, t("web.alone.record")),
    h("p", { class: "soft" }, t("web.alone.record.about")),
    problem,
    h("label", { class: "button wide" }, t("web.alone.record.choose"), input),
  );
  const over = (/** @type {DragEvent} */ event) => (event.preventDefault(), panel.classList.add("over"));
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    panel.classList.remove("over");
    void open(event.dataTransfer?.files[0]);
  };
  panel.addEventListener("dragover", over);
  panel.addEventListener("dragleave", () => panel.classList.remove("over"));
  panel.addEventListener("drop", drop);
  return panel;
}

/** A line that offers another version, once it has come. */
export function versions() {
  const place = h("p", { class: "row optional", role: "status" });
  void awaitVersion((take) => place.replaceChildren(t("web.alone.version"), " ", button(t("web.alone.version.take"), take)));
  return place;
}
