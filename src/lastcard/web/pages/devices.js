/** One profile on several devices: a code of this one, and a field for that of another. */

import { button } from "../ui/button.js";
import { openDialog } from "../ui/dialog.js";
import { h, stylesheet } from "../ui/dom.js";
import { form, problemLine, textField } from "../ui/fields.js";
import { attempt, panel } from "../ui/panels.js";
import { need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";
import { post } from "../net/api.js";
import { joiningParts } from "./joining.js";
import { passkeyPart } from "./passkeys.js";

/** @import { Child } from "../ui/dom.js" */
/** @import { DeviceCode, Joining } from "../net/protocol.js" */
/** @import { Me } from "../net/me.js" */

need(useTexts("devices"), stylesheet("pages/devices.css"));

const CODE_CHARS = 10;
const MAX_TYPED_CHARS = 20;

/**
 * Returns the panel about other devices.
 * @param {Me | null} person the person of this device, if it has one
 * @param {...Child} more
 */
function codePanel(person, ...more) {
  const showing = person && button(t("web.devices.show"), () => attempt(showCode));
  return panel(
    t("web.devices.title"),
    t("web.devices.about"),
    h("div", { class: "row" }, showing, button(t("web.devices.type"), typeCode)),
    ...more,
  );
}

/** Returns the panel about other devices, with passkeys where server and browser have them. @param {Me | null} person */
export async function devicesPanel(person) {
  const known = document.documentElement.hasAttribute("data-passkeys") && "PublicKeyCredential" in globalThis;
  return codePanel(person, known && (await passkeyPart(person)));
}

/** Returns the panel with the file of all that the server stores about the person. */
export const dataPanel = () =>
  panel(
    t("web.devices.data"),
    t("web.devices.data.about"),
    h(
      "p",
      { class: "row" },
      h("a", { class: "button", href: "/api/me/data", download: "lastcard-data.json" }, t("web.devices.data.download")),
      h("a", { class: "button quiet", href: "/about" }, t("web.devices.data.erase")),
    ),
  );

async function showCode() {
  const { code, valid_s } = /** @type {DeviceCode} */ (await post("/api/me/code"));
  const halves = `${code.slice(0, CODE_CHARS / 2)} ${code.slice(CODE_CHARS / 2)}`;
  const content = h(
    "div",
    { class: "stack" },
    h("p", { class: "device-code" }, h("output", null, halves)),
    h("p", null, t("web.devices.show.how", { n: Math.round(valid_s / 60) })),
    h("p", { class: "soft small" }, t("web.devices.show.warning")),
  );
  openDialog({ title: t("web.devices.show.title"), content });
}

function typeCode() {
  const problem = problemLine();
  const { element, input } = textField(t("web.devices.type.label"), {
    class: "input code-input",
    maxlength: MAX_TYPED_CHARS,
    autocapitalize: "characters",
    spellcheck: "false",
    enterkeyhint: "go",
    required: true,
  });
  const next = h("button", { class: "button primary" }, t("web.devices.type.next"));
  const ask = () =>
    attempt(async () => {
      const code = { code: input.value };
      const joining = /** @type {Joining} */ (await post("/api/join/check", code));
      content.replaceChildren(...joiningParts(joining, () => post("/api/join", code), dialog.close));
    }, problem);
  const content = h("div", { class: "stack" }, form({ class: "stack" }, ask, h("p", null, t("web.devices.type.how")), element, problem, next));
  const dialog = openDialog({ title: t("web.devices.type"), content });
  input.focus();
}
