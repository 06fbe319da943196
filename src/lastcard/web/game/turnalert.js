/** Shows *your turn* while the page is in the background: in its title and icon, and by a notification if one is wanted. */

import { isNotified, notify } from "../ui/notifications.js";
import { need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";
import { preventSleep } from "../ui/wakelock.js";

/** @import { Session } from "../net/session.js" */

need(useTexts("notice"));

/** A filled circle with an exclamation mark. */
const ICON =
  "data:image/svg+xml," +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="15" fill="#46385e"/>' +
      '<circle cx="32" cy="32" r="25" fill="#ff9a62"/><path d="M32 15v21" stroke="#2a2033" stroke-width="8" stroke-linecap="round"/>' +
      '<circle cx="32" cy="48" r="5" fill="#2a2033"/></svg>',
  );

/**
 * Keeps the screen on, because waiting for others involves no touch, and alerts a person who looks at another page.
 * @param {Session} session @returns {() => void} ends both
 */
export function awaitTurns(session) {
  const allowSleep = preventSleep();
  const alert = new TurnAlert(session);
  return () => {
    allowSleep();
    alert.close();
  };
}

class TurnAlert {
  #session;
  #listening = new AbortController();
  /** Ends the alert that is shown. @type {(() => void) | null} */
  #end = null;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    const { signal } = this.#listening;
    session.addEventListener("change", () => this.#update(), { signal });
    document.addEventListener("visibilitychange", () => this.#update(), { signal });
    this.#update();
  }

  close() {
    this.#listening.abort();
    this.#end?.();
  }

  #update() {
    const isWanted = document.hidden && isOnTurn(this.#session);
    if (isWanted === Boolean(this.#end)) return;
    if (isWanted) this.#end = this.#show();
    else this.#end?.();
  }

  #show() {
    const icon = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
    const [title, href] = [document.title, icon.href];
    document.title = `● ${t("web.notice.turn")} – ${title}`;
    icon.href = ICON;
    const close = isNotified() ? notify(t("web.notice.turn"), title) : null;
    return () => {
      this.#end = null;
      document.title = title;
      icon.href = href;
      close?.();
    };
  }
}

/** Whether a match waits for the person. @param {Session} session */
function isOnTurn({ game, table, ended }) {
  const { mine, public: shown } = game ?? {};
  return !ended && table?.phase === "playing" && !table.paused && shown?.decision !== "over" && mine?.seat === shown?.turn && Boolean(mine);
}
