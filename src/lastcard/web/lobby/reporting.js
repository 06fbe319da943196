/** Against a person: reports to the server's operator, with the recent chat, and blocking at open tables. */

import { REPORT_REASONS, TEXT_CHARS } from "../bindings/constants.js";
import { confirmDialog, openDialog } from "../ui/dialog.js";
import { h, stylesheet, uniqueId } from "../ui/dom.js";
import { chips, form, textField } from "../ui/fields.js";
import { attempt } from "../ui/panels.js";
import { need } from "../ui/resources.js";
import { toast } from "../ui/toast.js";
import { t, useTexts } from "../ui/texts.js";
import { post } from "../net/api.js";

/** @import {Session} from "../net/session.js" */

need(stylesheet("ui/controls.css"), useTexts("lobby"), useTexts("notice"));

/**
 * Asks for the reason, and sends the report.
 * @param {Session} session @param {{player: string, name: string}} person
 */
export function openReport(session, { player, name }) {
  const id = uniqueId();
  let why = "words";
  const text = textField(t("web.lobby.report.text"), { maxlength: TEXT_CHARS });
  const send = () => {
    session.send({ type: "report", player, why, text: text.input.value });
    dialog.close();
  };
  const content = form(
    { class: "stack", id },
    send,
    h("p", { class: "soft" }, t("web.lobby.report.about", { name })),
    chips({
      label: t("web.lobby.report.why"),
      choices: REPORT_REASONS.map((value) => ({ value, text: t(`web.notice.why.${value}`) })),
      value: why,
      onchange: (value) => (why = value),
    }),
    text.element,
  );
  const actions = h("button", { class: "button primary", form: id }, t("web.lobby.report.send"));
  const dialog = openDialog({ title: t("web.lobby.report.title", { name }), content, actions });
}

/** Asks, and blocks a person. @param {{player: string, name: string}} person */
export async function blockPerson({ player, name }) {
  if (!(await confirmDialog(t("web.lobby.block.ask", { name }), t("web.lobby.block"), t("web.lobby.block.about")))) return;
  await attempt(async () => {
    await post("/api/me/blocks", { player });
    toast(t("web.lobby.block.done", { name }), { kind: "good" });
  });
}
