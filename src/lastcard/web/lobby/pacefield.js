/** The fields for the pace of a table, with those of a pace by the day below. */

import { PACES } from "../bindings/constants.js";
import { h } from "../ui/dom.js";
import { chips, switchField } from "../ui/fields.js";
import { need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";
import { dayPace, MOVE_TIMES } from "./pace.js";

need(useTexts("lobby"));

const DAYS = "days";

/** @param {string} pace @param {(pace: string) => void} onchange */
export function paceField(pace, onchange) {
  const about = h("p", { class: "soft small" });
  const more = h("div", { class: "stack optional" });
  const show = (/** @type {string} */ wanted) => {
    const day = dayPace(wanted);
    about.textContent = t(`web.pace.${day ? DAYS : wanted}.about`);
    more.replaceChildren(...(day ? dayFields(day, onchange) : []));
  };
  show(pace);
  const change = (/** @type {string} */ value) => {
    const wanted = value === DAYS ? "24h" : value;
    show(wanted);
    onchange(wanted);
  };
  const choices = [...Object.keys(PACES), DAYS].map((value) => ({ value, text: t(`web.pace.${value}`) }));
  const value = dayPace(pace) ? DAYS : pace;
  return h("div", { class: "stack" }, chips({ label: t("web.settings.pace"), about, choices, value, onchange: change }), more);
}

/** @param {{move: string, zone: string}} day @param {(pace: string) => void} onchange */
function dayFields(day, onchange) {
  const own = day.zone || Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  const change = (/** @type {Partial<typeof day>} */ part) => {
    Object.assign(day, part);
    onchange(day.zone ? `${day.move}@${day.zone}` : day.move);
  };
  return [
    chips({
      label: t("web.pace.move"),
      choices: MOVE_TIMES.map((value) => ({ value, text: t(`web.pace.${value}`) })),
      value: day.move,
      onchange: (move) => change({ move }),
    }),
    switchField(t("web.settings.weekends"), day.zone !== "", (on) => change({ zone: on ? own : "" }), {
      about: t("web.settings.weekends.about", { zone: own }),
    }),
  ];
}
