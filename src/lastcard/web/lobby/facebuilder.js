/** A face to build: body, color, eyes, mouth and hat, each shown as it would look. What is tapped is worn at once. */

import { button } from "../ui/button.js";
import { openDialog } from "../ui/dialog.js";
import { h, stylesheet, uniqueId } from "../ui/dom.js";
import { need } from "../ui/needs.js";
import { prefs } from "../ui/prefs.js";
import { t, useTexts } from "../ui/words.js";
import { avatar } from "../cards/art.js";
import { PARTS } from "../cards/avatars.js";

need(stylesheet("lobby/facebuilder.css"), useTexts("side"));

const NAMES = /** @type {(keyof typeof PARTS)[]} */ (Object.keys(PARTS));
/** The hat that bots wear. */
const ANTENNA = 1;
/** Of `PARTS`: what the first face to change looks like. */
const FIRST = "00000";

/**
 * Let the person build a face.
 *
 * @param {string} name for the face made from it
 * @param {() => void} changed the person has another face
 */
export function openFaceBuilder(name, changed) {
  const shown = h("div", { class: "face-now" });
  const rows = h("div", { class: "stack" });
  const wear = (/** @type {string} */ look) => {
    prefs.set("look", look);
    draw();
    changed();
  };
  const draw = () => {
    const look = prefs.get("look");
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.part;
    shown.replaceChildren(
      ...["", "glad", "hurt", "wow"].map((mood) =>
        h("span", { data: mood ? { mood } : {} }, avatar(name, { look })),
      ),
    );
    rows.replaceChildren(...NAMES.map((part, i) => partRow(part, i, look, wear)));
    if (focused) /** @type {HTMLElement | null} */ (rows.querySelector(`[data-part="${focused}"]`))?.focus();
  };
  draw();
  openDialog({
    title: t("web.menu.face"),
    content: [shown, rows],
    actions: [
      button(t("web.menu.face.random"), () => wear(randomLook())),
      button(t("web.menu.face.none"), () => wear("")),
    ],
    name: "face-builder",
  });
}

/**
 * What there is of one part.
 *
 * @param {keyof typeof PARTS} part
 * @param {number} place of the part in a look
 * @param {string} look
 * @param {(look: string) => void} wear
 */
function partRow(part, place, look, wear) {
  const group = uniqueId();
  const label = t(`web.menu.face.${part}`);
  const choices = indices(part).map((i) => {
    const other = withPart(look || FIRST, place, i);
    const press = () => wear(other);
    return h(
      "button",
      { type: "button", class: "face-choice", "aria-label": `${label} ${i + 1}`, "aria-pressed": String(look === other), data: { part: `${part}${i}` }, onclick: press },
      avatar("", { look: other }),
    );
  });
  return h(
    "section",
    { role: "group", "aria-labelledby": group },
    h("h3", { id: group }, label),
    h("div", { class: "face-choices" }, choices),
  );
}

/** What a person can choose of a part: the antenna is the bots' own. @param {keyof typeof PARTS} part */
const indices = (part) => [...Array(PARTS[part]).keys()].filter((i) => part !== "hat" || i !== ANTENNA);

/** @param {string} look @param {number} place @param {number} index */
const withPart = (look, place, index) => look.slice(0, place) + index.toString(36) + look.slice(place + 1);

function randomLook() {
  return NAMES.map((part) => {
    const all = indices(part);
    return all[Math.floor(Math.random() * all.length)].toString(36);
  }).join("");
}
