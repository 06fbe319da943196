/** A device that joins a profile: what happens before it does, and the step itself. */

import { button } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { problemLine } from "../ui/fields.js";
import { attempt } from "../ui/panels.js";
import { need } from "../ui/resources.js";
import { prefs } from "../ui/prefs.js";
import { show } from "../ui/router.js";
import { toast } from "../ui/toast.js";
import { t, useTexts } from "../ui/texts.js";
import { forgetMe } from "../net/me.js";

/** @import { Joining, ProfileSummary } from "../net/protocol.js" */
/** @import { Me } from "../net/me.js" */

need(useTexts("devices"));

/**
 * Returns what happens to this device when it joins a profile, and the button that does it.
 * @param {Joining} joining @param {() => Promise<Me>} join @param {() => void} close closes the dialog
 */
export function joiningParts({ profile, here }, join, close) {
  const problem = problemLine();
  const joinNow = () =>
    attempt(async () => {
      await joinAndShow(join);
      close();
    }, problem);
  return [
    h("p", null, t("web.devices.becomes", namesOf(profile))),
    here && h("p", null, t("web.devices.merged", { ...namesOf(here), profile: profile.name })),
    here && h("ul", { class: "small stack tight" }, ["daily", "seats", "self"].map((each) => h("li", null, t(`web.devices.merged.${each}`)))),
    h("p", { class: "soft small" }, t("web.devices.stays")),
    problem,
    button(t("web.devices.join", { name: profile.name }), joinNow, { look: "primary" }),
  ].filter((part) => part instanceof HTMLElement);
}

/** Joins a profile, and shows the page as its person. @param {() => Promise<Me>} join */
export async function joinAndShow(join) {
  const { name } = await join();
  prefs.set("name", name);
  forgetMe();
  toast(t("web.devices.joined", { name }), { kind: "good" });
  await show();
}

/** @param {ProfileSummary} profile */
const namesOf = ({ name, matches }) => ({ name, n: matches });
