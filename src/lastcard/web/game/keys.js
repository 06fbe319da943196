/** The whole game by keyboard: single keys for what one does most, digits and letters for the answers on the tray. */

/** @import {Ask, Answer} from "./ask.js" */

/**
 * What keys can do.
 * @typedef {object} KeyActions
 * @property {() => Ask | null} ask what is asked now
 * @property {(answer: Answer) => void} answer
 * @property {() => void} draw
 * @property {() => void} uno
 * @property {() => void} catchOne
 * @property {() => void} cancel
 * @property {() => void} log
 * @property {() => void} hand puts the focus on the hand
 * @property {() => void} help
 */

/** Keys of answers, by the move they make or what they do. @type {Readonly<Record<string, readonly string[]>>} */
const LETTERS = {
  p: ["pass", "stop", "done"],
  a: ["accept"],
  x: ["challenge"],
  j: ["pull"],
};

/**
 * @param {KeyboardEvent} event
 * @param {KeyActions} on
 * @returns {boolean} whether the key meant something
 */
export function pressKey(event, on) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || isTyping(event.target)) return false;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // Behind a dialog only the race for UNO goes on.
  const covered = document.querySelector("dialog[open]") !== null;
  if (covered && key !== "u" && key !== "c") return false;
  const answer = answerOf(key, on.ask()?.answers ?? []);
  if (answer) on.answer(answer);
  else if (key === "d") on.draw();
  else if (key === "u") on.uno();
  else if (key === "c") on.catchOne();
  else if (key === "l") on.log();
  else if (key === "?") on.help();
  else if (key === "Escape") on.cancel();
  else if (key === "ArrowLeft" || key === "ArrowRight") on.hand();
  else return false;
  event.preventDefault();
  return true;
}

/** @param {EventTarget | null} target */
const isTyping = (target) =>
  target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;

/**
 * @param {string} key
 * @param {readonly Answer[]} answers
 */
function answerOf(key, answers) {
  const letter = answers.find(({ color }) => color?.toLowerCase() === key);
  if (letter) return letter;
  if (key >= "1" && key <= "9") return answers.filter(({ does }) => does !== "cancel")[Number(key) - 1];
  return answers.find(({ move }) => move && LETTERS[key]?.includes(move));
}
