/** Keyboard control of the whole game: single keys for frequent actions, digits and letters for the answers in the action bar. */

/** @import {Answer} from "./prompt.js" */

/** Keys that work at any time; `hand` focuses the hand. */
const ACTIONS = /** @type {const} */ ({
  d: "draw",
  u: "uno",
  c: "catch",
  z: "takeBack",
  l: "log",
  "?": "help",
  Escape: "cancel",
  ArrowLeft: "hand",
  ArrowRight: "hand",
});

/** @typedef {(typeof ACTIONS)[keyof typeof ACTIONS]} Action */

/** Keys of answers, by their move or effect. @type {Readonly<Record<string, readonly string[]>>} */
const LETTERS = {
  p: ["pass", "stop", "done"],
  a: ["accept"],
  x: ["challenge"],
  j: ["pull"],
};

/**
 * Returns the meaning of a key.
 * @param {KeyboardEvent} event
 * @param {readonly Answer[]} answers the answers to the current question
 * @returns {Answer | Action | undefined} undefined if the key has no meaning here
 */
export function meaningOf(event, answers) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || isTyping(event.target)) return undefined;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // Behind a dialog only the race for UNO goes on.
  const covered = document.querySelector("dialog[open]") !== null;
  if (covered && key !== "u" && key !== "c") return undefined;
  return answerOf(key, answers) ?? ACTIONS[/** @type {keyof typeof ACTIONS} */ (key)];
}

/** @param {EventTarget | null} target */
const isTyping = (target) =>
  target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;

/** @param {string} key @param {readonly Answer[]} answers */
function answerOf(key, answers) {
  const letter = answers.find(({ color }) => color?.toLowerCase() === key);
  if (letter) return letter;
  if (key >= "1" && key <= "9") return answers.filter(({ does }) => does !== "cancel")[Number(key) - 1];
  return answers.find(({ move }) => move && LETTERS[key]?.includes(move));
}
