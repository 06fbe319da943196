/** The parts of a table's page that its first picture does not need: lines under the bar, people who watch, alerts, voice. */

import { later, once } from "../ui/resources.js";
import { hasCompany } from "../net/company.js";
import { awaitTurns } from "../game/turnalert.js";
import { showWatchers } from "../game/watchers.js";
import { dayLine } from "../lobby/dayline.js";
import { Notices } from "../lobby/notices.js";

/** @import {Session} from "../net/session.js" */

/**
 * Adds the parts, each once it has a use.
 * @param {Session} session
 * @param {HTMLElement} stage below the lines
 * @param {HTMLElement} hint in the bar, before the button of voice
 * @returns {() => void} ends them
 */
export function addTableParts(session, stage, hint) {
  const listening = new AbortController();
  const { signal } = listening;
  const endWith = (/** @type {() => void} */ end) => signal.addEventListener("abort", end);
  stage.before(new Notices(session).element, dayLine(session));
  showWatchers(session);
  const turns = once(async () => endWith(awaitTurns(session)));
  const voice = once(async () => {
    const { VoiceButton } = await later(() => import("../voice/voicebutton.js"));
    if (signal.aborted) return;
    const added = new VoiceButton(session);
    hint.after(added.element);
    endWith(() => added.close());
  });
  const update = () => {
    if (session.seat !== null) void turns();
    if (hasCompany(session)) void voice();
  };
  for (const event of ["welcome", "table"]) session.addEventListener(event, update, { signal });
  update();
  return () => listening.abort();
}
