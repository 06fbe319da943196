/** Who plays at this device, as a part of the lobby: people come by their names, and pass the device around. */

import { button } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { textField } from "../ui/fields.js";
import { need } from "../ui/needs.js";
import { t, useTexts } from "../ui/words.js";
import { avatar } from "../cards/avatars.js";

/** @import { Session } from "../line/session.js" */
/** @import { DeviceTable } from "../device/devicetable.js" */

need(useTexts("alone"));

/**
 * @param {Session} session
 * @param {DeviceTable} device
 */
export function peopleHere(session, device) {
  const list = h("ul", { class: "stack tight people-here" });
  const error = h("p", { class: "error optional", role: "alert" });
  const name = textField(
    t("web.alone.name"),
    { maxlength: 24, enterkeyhint: "done" },
    h("button", { class: "button" }, t("web.alone.add")),
  );
  const attempt = async (/** @type {() => Promise<unknown>} */ change) => {
    error.textContent = "";
    await change().catch((problem) => (error.textContent = problem.message));
  };
  const add = (/** @type {Event} */ event) => {
    event.preventDefault();
    const wanted = name.input.value.trim();
    if (wanted) void attempt(async () => (await device.addPerson({ name: wanted }), (name.input.value = "")));
    name.input.focus();
  };
  const draw = () => {
    const people = session.table?.seats.filter((info) => info?.player) ?? [];
    const line = (/** @type {NonNullable<typeof people[0]>} */ info) => {
      const remove = () => attempt(() => device.removePerson(info.player ?? ""));
      const label = t("web.alone.remove", { name: info.name });
      return h(
        "li",
        { class: "row" },
        avatar(info.name, info),
        h("span", { class: "grow" }, info.name),
        people.length > 1 && button("×", remove, { look: "quiet icon", "aria-label": label }),
      );
    };
    list.replaceChildren(...people.map((info) => info && line(info)).filter((item) => item !== null));
  };
  session.addEventListener("table", draw);
  session.addEventListener("welcome", draw);
  draw();
  return h(
    "section",
    { class: "panel stack lobby-people", style: { "--area": "invite" }, "aria-label": t("web.alone.people") },
    h("h2", null, t("web.alone.people")),
    h("p", { class: "soft" }, t("web.alone.people.about")),
    list,
    h("form", { class: "stack tight", onsubmit: add }, name.element),
    error,
  );
}
