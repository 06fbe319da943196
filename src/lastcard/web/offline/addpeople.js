/** The lobby panel for the people at this device: they join by name and pass the device around. */

import { MAX_PLAYERS, NAME_CHARS } from "../bindings/constants.js";
import { h } from "../ui/dom.js";
import { form, problemLine, textField } from "../ui/fields.js";
import { attempt } from "../ui/panels.js";
import { need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";

/** @import { TableInfo } from "../net/protocol.js" */
/** @import { Session } from "../net/session.js" */
/** @import { LocalTable } from "../localtable/localtable.js" */

need(useTexts("offline"));

/** @param {Session} session @param {LocalTable} device */
export function addPeoplePanel(session, device) {
  const error = problemLine();
  const name = textField(
    t("web.alone.name"),
    { maxlength: NAME_CHARS, enterkeyhint: "done" },
    h("button", { class: "button" }, t("web.alone.add")),
  );
  const add = () => {
    const wanted = name.input.value.trim();
    if (wanted) void attempt(() => join(wanted), error);
    name.input.focus();
  };
  const join = async (/** @type {string} */ wanted) => {
    const { seats, settings } = /** @type {TableInfo} */ (session.table);
    if (seats.every((info) => info?.player))
      session.send({ type: "configure", settings: { ...settings, seats: seats.length + 1 } });
    await device.addPerson(wanted);
    if (name.input.value.trim() === wanted) name.input.value = ""; // else it already contains the next name
  };
  const nameForm = form({}, add, name.element);
  const update = () => {
    nameForm.hidden = (session.table?.seats.filter((info) => info?.player).length ?? 0) >= MAX_PLAYERS;
  };
  session.addEventListener("table", update);
  update();
  return h(
    "section",
    { class: "panel stack lobby-people", style: { "--area": "invite" }, "aria-label": t("web.alone.people") },
    h("h2", null, t("web.alone.people")),
    h("p", { class: "soft" }, t("web.alone.people.about")),
    nameForm,
    error,
  );
}
