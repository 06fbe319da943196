/** The button of voice in the bar of a table: for people who sit there with others. */

import { h } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { load, need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";
import { toast } from "../ui/toast.js";
import { hasCompany } from "../net/company.js";

/** @import {Session} from "../net/session.js" */

need(useTexts("talk"));

const microphoneIcon = () => icon("M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM5 11a7 7 0 0 0 14 0M12 18v3");

export class VoiceButton {
  #session;
  /** @type {import("./voicepanel.js").VoicePanel | null} */
  #panel = null;
  /** Opens the panel, which is loaded by the first press. */
  #press = async () => {
    try {
      const { VoicePanel } = await load(import("./voicepanel.js"));
      if (this.#panel) return;
      this.#panel = new VoicePanel(this.#session, this.element, () => this.#update());
    } catch (error) {
      console.warn(error);
      return toast(t("web.page.failed"), { kind: "bad" });
    }
    this.element.removeEventListener("click", this.#press);
    this.element.closest(".table-page")?.append(this.#panel.popover.panel);
    this.#panel.popover.open();
  };

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    const props = { class: "button quiet icon bar-button", type: "button", onclick: this.#press };
    this.element = /** @type {HTMLButtonElement} */ (h("button", props, microphoneIcon()));
    for (const event of ["welcome", "table"]) session.addEventListener(event, () => this.#update());
    this.#update();
  }

  close() {
    this.#panel?.close();
  }

  #update() {
    const { table, isHost } = this.#session;
    this.element.hidden = !hasCompany(this.#session) || !(table?.settings.voice || isHost);
    const { isOn = false, isLive = false } = this.#panel ?? {};
    const isUsed = !isOn && Boolean(table?.voices.length);
    for (const [name, on] of Object.entries({ unread: isUsed, "voice-on": isOn, "voice-live": isLive })) this.element.classList.toggle(name, on);
    this.element.setAttribute("aria-label", t(isOn ? `web.talk.${isLive ? "live" : "quiet"}` : isUsed ? "web.talk.used" : "web.talk"));
  }
}
