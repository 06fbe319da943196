/** The people who watch, as small faces at the edge of the table; those who wait for a seat come first. */

import { h, stylesheet } from "../ui/dom.js";
import { need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";
import { avatar } from "../cards/art.js";

/** @import { Guest } from "../net/protocol.js" */
/** @import { Session } from "../net/session.js" */

need(stylesheet("game/watchers.css"), useTexts("notice"));

const MAX_FACES = 5;

/** Shows the people who watch, whenever the game is on the screen. @param {Session} session */
export function showWatchers(session) {
  const watchers = new Watchers();
  const update = () => watchers.update(session.table?.guests ?? []);
  session.addEventListener("change", update);
  update();
}

class Watchers {
  #element = h("ul", { class: "watchers", hidden: true });
  #drawn = "";

  /** @param {readonly Guest[]} guests */
  update(guests) {
    if (!this.#element.isConnected) document.querySelector("lc-game .board")?.append(this.#element);
    const drawn = JSON.stringify(guests);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const faces = guests.slice(0, guests.length > MAX_FACES ? MAX_FACES - 1 : MAX_FACES);
    const more = guests.slice(faces.length);
    this.#element.hidden = !guests.length;
    this.#element.setAttribute("aria-label", t("web.notice.watchers"));
    this.#element.replaceChildren(...faces.map(face), ...(more.length ? [rest(more)] : []));
  }
}

/** @param {Guest} guest */
function face({ player, name, queued }) {
  const words = queued ? `${name}, ${t("web.notice.watchers.waits")}` : name;
  return h("li", { class: queued ? "queued" : null, title: words, data: { player } }, avatar(name), h("span", { class: "visually-hidden" }, words));
}

/** @param {readonly Guest[]} guests those without a face of their own */
function rest(guests) {
  const names = guests.map(({ name }) => name).join(", ");
  return h("li", { class: "more", title: names }, h("span", { "aria-hidden": "true" }, `+${guests.length}`), h("span", { class: "visually-hidden" }, names));
}
