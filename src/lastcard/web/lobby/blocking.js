/** Blocks a person: the server does not seat them at open tables with the viewer any more. */

import { confirmDialog } from "../ui/dialog.js";
import { attempt } from "../ui/panels.js";
import { need } from "../ui/resources.js";
import { toast } from "../ui/toast.js";
import { t, useTexts } from "../ui/texts.js";
import { post } from "../net/api.js";

need(useTexts("lobby"));

/** Asks, and blocks a person. @param {{player: string, name: string}} person */
export async function blockPerson({ player, name }) {
  if (!(await confirmDialog(t("web.lobby.block.ask", { name }), t("web.lobby.block"), t("web.lobby.block.about")))) return;
  await attempt(async () => {
    await post("/api/me/blocks", { player });
    toast(t("web.lobby.block.done", { name }), { kind: "good" });
  });
}
