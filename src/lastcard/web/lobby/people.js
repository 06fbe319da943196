/** The people at a table, seated or watching, and what one may do about them. */

import { h } from "../ui/dom.js";
import { need } from "../ui/needs.js";
import { t, useTexts } from "../ui/words.js";

/** @import {Session} from "../line/session.js" */

need(useTexts("lobby"));
/** @typedef {{player: string, name: string, seated: boolean}} Person */

/**
 * Everybody who is not a bot, seated people first.
 *
 * @param {Session} session
 * @returns {Person[]}
 */
export function peopleOf({ table }) {
  const seated = table?.seats.flatMap((info) =>
    info?.player ? [{ player: info.player, name: info.name, seated: true }] : [],
  );
  const guests = table?.guests.map(({ player, name }) => ({ player, name, seated: false }));
  return [...(seated ?? []), ...(guests ?? [])];
}

/**
 * The buttons for one of the others.
 *
 * @param {Session} session
 * @param {Person} person
 * @param {() => void} done called after a press
 */
export function personActions(session, { player, seated }, done) {
  const muted = session.table?.muted.includes(player) ?? false;
  /**
   * @param {string} text
   * @param {() => void} action
   */
  const button = (text, action) => {
    const onclick = () => {
      done();
      action();
    };
    return h("button", { class: "button", type: "button", onclick }, text);
  };
  const { hosting } = session;
  return h(
    "div",
    { class: "row" },
    hosting &&
      button(t(muted ? "web.lobby.unmute" : "web.lobby.mute"), () =>
        session.send({ type: "mute", player, on: !muted }),
      ),
    hosting && button(t("web.lobby.appoint"), () => session.send({ type: "appoint", player })),
    seated &&
      (hosting || session.seat !== null) &&
      button(t(hosting ? "web.lobby.kick" : "web.lobby.kick.ask"), () => session.send({ type: "kick", player })),
  );
}
