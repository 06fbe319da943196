/** The icons of buttons; the pictures of the game are in `cards/art.js`. */

import { svg } from "./dom.js";

/**
 * Returns a line drawing on a 24 by 24 grid in the color of its text.
 * @param {string} path
 * @param {number} [width] the line's width
 */
export function icon(path, width = 2) {
  const line = svg("path", { d: path, fill: "none", stroke: "currentColor", "stroke-width": width });
  line.setAttribute("stroke-linecap", "round");
  line.setAttribute("stroke-linejoin", "round");
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon-art" }, line);
}

export const closeIcon = () => icon("M6 6l12 12M18 6L6 18");
export const menuIcon = () => icon("M4 7h16M4 12h16M4 17h16");
export const chatIcon = () => icon("M4 5h16v11H11l-5 4v-4H4z");
export const bulbIcon = () => icon("M9 18h6M10 21h4M9 15a6 6 0 1 1 6 0z");
export const backIcon = () => icon("M15 5l-7 7 7 7");
export const undoIcon = () => icon("M9 6L4 11l5 5M4 11h10a5 5 0 0 1 0 10h-3");
export const plusIcon = () => icon("M12 5v14M5 12h14");
export const shareIcon = () => icon("M12 15V4M8 7.5L12 4l4 3.5M5 12v8h14v-8");
export const settingsIcon = () => icon("M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5v5M8 14.5v5");
export const moreIcon = () => icon("M5 12h.01M12 12h.01M19 12h.01", 4);
export const crownIcon = () => icon("M4 18h16L20 8l-5 4-3-6-3 6-5-4z");
export const sealIcon = () => icon("M12 3l7 3v6c0 4-3 7-7 9-4-2-7-5-7-9V6zM9 12l2 2 4-4");
export const playIcon = () => icon("M8 5l11 7-11 7z");
export const pauseIcon = () => icon("M8 5v14M16 5v14");
export const forwardIcon = () => icon("M9 5l7 7-7 7");
export const previousIcon = () => icon("M6 5v14M18 5l-8 7 8 7z");
export const nextIcon = () => icon("M18 5v14M6 5l8 7-8 7z");
