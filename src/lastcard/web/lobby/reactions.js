/** Reactions as built-in pictures, the same on every device. */

import { QUICK } from "../bindings/constants.js";
import { svg } from "../ui/dom.js";

const FACE = "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z";
const EYES = "M8.5 9v1.5M15.5 9v1.5";

/** The filled shapes, and the lines on them. @type {Record<string, {fill: string, paint: string, lines: string}>} */
const PICTURES = {
  laugh: { fill: FACE, paint: "face", lines: "M6.5 9.5l3-1M17.5 9.5l-3-1M7 13h10c0 6-10 6-10 0z" },
  wow: { fill: FACE, paint: "face", lines: `${EYES}M12 14a2 2.5 0 1 0 0.01 0z` },
  cry: { fill: FACE, paint: "face", lines: "M6.5 10h3M14.5 10h3M9 17c1.5-2 4.5-2 6 0M7.5 13v3M16.5 13v3" },
  angry: { fill: FACE, paint: "face", lines: "M6.5 8l3.5 2M17.5 8L14 10M8.5 17c2-2 5-2 7 0" },
  clap: {
    fill: "M6 21l-2-7 1.500-1 1.500 2-2-8 2-.5 2 5-1-7 2-.5 2 7 1-4.500 2 .5v9l-3 5.500z",
    paint: "face",
    lines: "M17 4l-1 2M20.500 6l-2 1.500M21.500 10h-2.500",
  },
  heart: {
    fill: "M12 20.5C4 15 3 11 3 8.5 3 3.500 9.500 2.500 12 7c2.500-4.500 9-3.500 9 1.500 0 2.500-1 6.500-9 12z",
    paint: "heart",
    lines: "",
  },
  think: { fill: FACE, paint: "face", lines: "M7 8.5l3-1M8.5 10.5v1M15.5 10v1.5M9 16.5l5-1" },
  party: { fill: "M3 21l5-13 8 8z", paint: "party", lines: "M13 8c0-3 3-2 3-5M16 11c3 0 2-3 5-3M18 15l3 1M10 5L9 2" },
};

/** The names, in display order. */
export const REACTIONS = QUICK.filter((name) => name in PICTURES);

/** @param {string} name such as `laugh` */
export function reaction(name) {
  const { fill, paint, lines } = PICTURES[name];
  return svg(
    "svg",
    { class: `reaction ${paint}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { class: "paint", d: fill }),
    svg("path", { class: "lines", d: lines }),
  );
}
