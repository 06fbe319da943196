/** A seat for a program, and the command that lets the program play there, shown only once. */

import { openDialog } from "../ui/dialog.js";
import { h } from "../ui/dom.js";
import { textField } from "../ui/fields.js";
import { attempt } from "../ui/panels.js";
import { need } from "../ui/resources.js";
import { copyButton } from "../ui/share.js";
import { t, useTexts } from "../ui/texts.js";
import { post } from "../net/api.js";

/** @import {Session} from "../net/session.js" */

need(useTexts("lobby"));

/** Opens a seat for a program, and shows how the program joins. @param {Session} session @param {number} seat */
export function inviteProgram(session, seat) {
  return attempt(async () => {
    const { table, token } = await post(`/api/tables/${session.table?.code}/programs`, { seat });
    show(`lastcard bot --table ${table} --token ${token} ${t("web.lobby.program.example")}`);
  });
}

/** @param {string} command */
function show(command) {
  const props = { value: command, readonly: true, onfocus: () => field.input.select() };
  const field = textField(t("web.lobby.program.command"), props, copyButton(command));
  const about = h("p", null, t("web.lobby.program.about"));
  openDialog({ title: t("web.lobby.program.title"), content: h("div", { class: "stack" }, about, field.element) });
}
