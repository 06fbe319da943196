/**
 * A lesson on the screen. The server sends the permitted moves and the text's name; this module shows the text, points at its
 * target, shows progress as dots, and offers a real match at the end.
 */

import { gameOf } from "../bindings/rulename.js";
import { button } from "../ui/button.js";
import { h, stylesheet } from "../ui/dom.js";
import { attempt } from "../ui/panels.js";
import { need } from "../ui/resources.js";
import { prefs } from "../ui/prefs.js";
import { go } from "../ui/router.js";
import { t, useTexts } from "../ui/texts.js";
import { post } from "../net/api.js";
import { nameOf } from "../cards/view.js";
import { countRound, dealNow } from "./quick.js";
import { goBack, waitingTable } from "./waiting.js";

/** @import {LessonStep} from "../net/protocol.js" */
/** @import {Session} from "../net/session.js" */
/** @import {View} from "../cards/view.js" */

need(stylesheet("guide/lesson.css"), useTexts("lesson"));

/** Texts that all lessons share. */
const SHARED = new Set(["wait"]);
/** Tips for a first game that a lesson makes unnecessary. */
const TAUGHT = ["play", "uno"];

/** @typedef {Record<"hand" | "draw" | "uno", HTMLElement> & {seat: (seat: number) => HTMLElement | null}} Targets */

/** Returns the lesson's current text; null if there is none. @param {View} view */
export function wordsOf(view) {
  const lesson = view.game.mine?.lesson;
  if (!lesson) return null;
  const key = SHARED.has(lesson.say) ? `lesson.${lesson.say}` : `lesson.${view.kind}.${lesson.say}`;
  const points = view.seat === null ? 0 : view.shown.scores[view.seat];
  return t(key, { player: lesson.seat === null ? "" : nameOf(view, lesson.seat), n: points });
}

/** The element pointed at. @type {Element | null} */
let pointed = null;

/** Points at the target of the lesson's text. @param {View} view @param {Targets} targets */
export function point(view, targets) {
  const lesson = view.game.mine?.lesson;
  const target = lesson ? targetOf(lesson, targets) : null;
  if (target === pointed) return;
  pointed?.classList.remove("pointed");
  target?.classList.add("pointed");
  pointed = target;
}

/** @param {LessonStep} lesson @param {Targets} targets */
function targetOf({ at, seat }, targets) {
  if (at === "seat" && seat !== null) return targets.seat(seat);
  return at === "hand" || at === "draw" || at === "uno" ? targets[at] : null;
}

/** Progress, one dot for each part, and an exit button. Lies in the bar of the page. */
export class LessonBar {
  #dots = h("span", { class: "lesson-dots", role: "img" });
  #session;

  /** @param {Session} session a session whose game is a lesson */
  constructor(session) {
    this.#session = session;
    const game = gameOf(session.game?.rules ?? "");
    const leave = () => (countRound(game), goOn(game));
    this.element = h(
      "div",
      { class: "lesson-bar" },
      this.#dots,
      button(t(waitingTable() ? "lesson.back" : "lesson.skip"), leave, { look: "quiet lesson-skip" }),
    );
    session.addEventListener("change", () => this.#update());
    this.#update();
  }

  #update() {
    const lesson = this.#session.game?.mine?.lesson;
    if (!lesson) return;
    const { beat, beats } = lesson;
    this.#dots.setAttribute("aria-label", t("lesson.progress", { n: Math.min(beat, beats), of: beats }));
    this.#dots.replaceChildren(
      ...Array.from({ length: beats }, (_, i) => {
        const at = i + 1 < beat ? "done" : i + 1 === beat ? "now" : "";
        return h("span", { class: `lesson-dot ${at}` });
      }),
    );
  }
}

/** Opens the waiting table, or a new match. @param {string} game */
function goOn(game) {
  const code = waitingTable();
  return attempt(() => (code ? goBack(code) : dealNow(game)));
}

/** Returns the end of a lesson: one sentence and the next steps. @param {View} view */
export function lessonEnd(view) {
  prefs.set("hints", [...new Set([...prefs.get("hints"), ...TAUGHT])]);
  const openTable = async () => {
    const { code } = await post("/api/tables", { settings: { rules: view.kind } });
    await go(`/t/${code}`);
  };
  const next = view.game.mine?.lesson?.next;
  const others = [
    button(t("lesson.friends"), () => attempt(openTable), { look: "wide" }),
    next
      ? button(t("lesson.cards"), () => attempt(() => dealNow(view.kind, { lesson: next })), { look: "wide" })
      : h("a", { class: "button wide", href: `/rules/${view.kind}` }, t("lesson.cards")),
  ];
  return h(
    "section",
    { class: "lesson-end raised", role: "region", "aria-label": t("lesson.title") },
    h("p", { role: "status" }, wordsOf(view)),
    button(t(waitingTable() ? "lesson.back" : "lesson.deal"), () => goOn(view.kind), { look: "primary big wide" }),
    waitingTable() ? "" : others,
  );
}
