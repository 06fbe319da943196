/** The avatar builder: body, color, eyes, mouth and hat, each with a preview. A tapped part is applied at once. */

import { button } from "../ui/button.js";
import { openDialog } from "../ui/dialog.js";
import { h, stylesheet } from "../ui/dom.js";
import { need } from "../ui/resources.js";
import { prefs } from "../ui/prefs.js";
import { t, useTexts } from "../ui/texts.js";
import { avatar } from "../cards/art.js";
import { PARTS } from "../cards/avatars.js";

need(stylesheet("lobby/avatarbuilder.css"), useTexts("side"));

const NAMES = /** @type {(keyof typeof PARTS)[]} */ (Object.keys(PARTS));
/** The hat that bots wear. */
const ANTENNA = 1;
/** The code of the first avatar to change, as indices into `PARTS`. */
const DEFAULT_CODE = "00000";

/** @param {string} name the name for the default avatar @param {() => void} changed called after every change */
export function openAvatarBuilder(name, changed) {
  const shown = h("div", { class: "avatar-now" });
  const rows = h("div", { class: "stack" });
  const choose = (/** @type {string} */ code) => {
    prefs.set("look", code);
    draw();
    changed();
  };
  const draw = () => {
    const code = prefs.get("look");
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.part;
    shown.replaceChildren(
      ...["", "glad", "hurt", "wow"].map((mood) =>
        h("span", { data: mood ? { mood } : {} }, avatar(name, { look: code })),
      ),
    );
    rows.replaceChildren(...NAMES.map((part, i) => partRow(part, i, code, choose)));
    if (focused) /** @type {HTMLElement | null} */ (rows.querySelector(`[data-part="${focused}"]`))?.focus();
  };
  draw();
  openDialog({
    title: t("web.menu.face"),
    content: [shown, rows],
    actions: [
      button(t("web.menu.face.random"), () => choose(randomCode())),
      button(t("web.menu.face.none"), () => choose("")),
    ],
    name: "avatar-builder",
  });
}

/**
 * Returns the variants of one part.
 * @param {keyof typeof PARTS} part
 * @param {number} place the part's index in the code
 * @param {string} code @param {(look: string) => void} choose
 */
function partRow(part, place, code, choose) {
  const label = t(`web.menu.face.${part}`);
  const choices = indices(part).map((i) => {
    const other = withPart(code || DEFAULT_CODE, place, i);
    const press = () => choose(other);
    return h(
      "button",
      { type: "button", class: "bare avatar-choice", "aria-label": `${label} ${i + 1}`, "aria-pressed": String(code === other), data: { part: `${part}${i}` }, onclick: press },
      avatar("", { look: other }),
    );
  });
  return h(
    "section",
    { role: "group", "aria-label": label },
    h("h3", null, label),
    h("div", { class: "avatar-choices" }, choices),
  );
}

/** Returns the variants that a person can choose: the antenna is reserved for bots. @param {keyof typeof PARTS} part */
const indices = (part) => [...Array(PARTS[part]).keys()].filter((i) => part !== "hat" || i !== ANTENNA);

/** @param {string} code @param {number} place @param {number} index */
const withPart = (code, place, index) => code.slice(0, place) + index.toString(36) + code.slice(place + 1);

function randomCode() {
  return NAMES.map((part) => {
    const all = indices(part);
    return all[Math.floor(Math.random() * all.length)].toString(36);
  }).join("");
}
