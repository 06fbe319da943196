/** Names with a team mark: a sign that `art.css` draws before it, and text after it for screen readers. */

import { h } from "../ui/dom.js";

/** @import {TeamMark} from "./cards.js" */

/**
 * Returns an element with a name and its mark.
 * @template {"span" | "th"} T
 * @param {T} tag @param {Record<string, string | null>} attributes @param {string} name @param {TeamMark | null} mark
 */
export const markedName = (tag, attributes, name, mark) =>
  h(
    tag,
    { ...attributes, data: { team: mark?.sign ?? null } },
    name,
    mark?.words && h("span", { class: "visually-hidden" }, `, ${mark.words}`),
  );
