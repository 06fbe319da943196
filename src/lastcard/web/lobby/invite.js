/** The invitation to a table: its code, a QR code, and a link to share. */

import { h } from "../ui/dom.js";
import { textField } from "../ui/fields.js";
import { need } from "../ui/resources.js";
import { shareButton } from "../ui/share.js";
import { t, useTexts } from "../ui/texts.js";
import { qrPath } from "./qr.js";

/** @import {TableInfo} from "../net/protocol.js" */

need(useTexts("lobby"), useTexts("share"));

/** @param {Pick<TableInfo, "code" | "join_url">} table */
export function invitation(table) {
  const { code, join_url: url } = table;
  const link = textField(
    t("web.share.link"),
    { value: url, readonly: true, onfocus: () => link.input.select() },
    shareButton(() => ({ url, title: "Last Card", text: t("web.share.invite") })),
  );
  const spaced = code.replace(/^(.{3,4})(.{3,4})$/, "$1\u2009$2"); // in groups, as people read it out
  return h(
    "div",
    { class: "row invitation" },
    h("img", { class: "qr", src: qrPath(table), alt: t("web.lobby.qr"), width: 132, height: 132 }),
    h("p", { class: "grow" }, t("web.lobby.code"), h("strong", { class: "big-code" }, spaced)),
    link.element,
  );
}
