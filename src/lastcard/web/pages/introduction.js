/**
 * The introduction for people who follow a link to a table and are new to the server: the table's players, and a form for a name.
 */

import { NAME_CHARS } from "../bindings/constants.js";
import { gameOf } from "../bindings/rulename.js";
import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { form, problemLine, textField } from "../ui/fields.js";
import { attempt } from "../ui/panels.js";
import { load, need } from "../ui/resources.js";
import { prefs } from "../ui/prefs.js";
import { lost, show } from "../ui/router.js";
import { t, useTexts } from "../ui/texts.js";
import { ApiError, get } from "../net/api.js";
import { introduce } from "../net/me.js";
import { avatar } from "../cards/avatars.js";
import { cardFan } from "../cards/fan.js";

/** @import {Page} from "../ui/router.js" */
/** @typedef {{name: string, bot: string | null, look: string}} Sitting */

need(stylesheet("pages/introduction.css"), useTexts("lobby"), useTexts("tv"));

/** Returns the page that asks for a name, then opens the table. @param {string} code @returns {Promise<Page>} */
export async function introduction(code) {
  let about;
  try {
    about = await get(`/api/tables/${code}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { unknownTable } = await load(import("./unknown.js"));
    return error.status === 404 ? unknownTable(code) : lost(error.message, button(t("web.page.again"), show));
  }
  const problem = problemLine();
  const name = textField(t("web.home.name"), {
    value: prefs.get("name"),
    maxlength: NAME_CHARS,
    required: true,
    autocomplete: "nickname",
    enterkeyhint: "go",
  });
  const enter = async () => {
    const wanted = name.input.value.trim();
    problem.textContent = wanted ? "" : t("web.home.name.missing");
    if (!wanted) return name.input.focus();
    await introduce(wanted, code);
    await show();
  };
  const go = h("button", { class: "button primary big wide" }, t("web.table.enter"));
  const title = t("web.table.invited", { host: about.host });
  const game = gameOf(about.rules);
  const faces = about.sitting.map((/** @type {Sitting} */ sitting) => h("li", null, avatar(sitting.name, sitting), sitting.name));
  const element = h(
    "div",
    { class: "page introduction" },
    h("p", { class: "introduction-brand" }, "Last Card"),
    await cardFan(),
    h("h1", null, title),
    h("div", { class: "introduction-game" }, h("strong", null, t(`game.${game}`)), h("p", null, t(`game.${game}.about`))),
    h("ul", { class: "introduction-faces", "aria-label": t("web.lobby.seats") }, faces),
    form({ class: "panel stack" }, () => attempt(enter, problem), name.element, problem, go),
  );
  return { title, element };
}
