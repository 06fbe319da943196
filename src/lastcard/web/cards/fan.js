/** Five cards fanned out, the logo of the home page. */

import { h, stylesheet } from "../ui/dom.js";
import { cardFace } from "./art.js";

/** The cards, and the angle of each in degrees. */
const CARDS = { R7: -14, "Y+2": -7, W: 0, Gr: 7, B1: 14 };

/** Returns the fan, once its styles apply. */
export async function cardFan() {
  await Promise.all([stylesheet("cards/art.css"), stylesheet("cards/fan.css")]);
  const cards = Object.entries(CARDS).map(([code, turn]) => {
    const card = cardFace(code);
    card.style.setProperty("--turn", `${turn}deg`);
    return card;
  });
  return h("div", { class: "fan", "aria-hidden": "true" }, cards);
}
