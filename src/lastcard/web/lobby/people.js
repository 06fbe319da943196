/** The people at a table, seated or watching, and the actions for each. */

import { button } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { load, need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";

/** @import {ClientUnion, SeatInfo} from "../net/protocol.js" */
/** @import {Session} from "../net/session.js" */

need(useTexts("lobby"));
/** @typedef {{player: string, name: string, seated: boolean}} Person */

/** Returns everybody who is not a bot, seated people first. @param {Session} session @returns {Person[]} */
export function peopleOf({ table }) {
  const seated = table?.seats.flatMap((info) =>
    info?.player ? [{ player: info.player, name: info.name, seated: true }] : [],
  );
  const guests = table?.guests.map(({ player, name }) => ({ player, name, seated: false }));
  return [...(seated ?? []), ...(guests ?? [])];
}

/** Returns the texts for a bot's level and style; empty for people and programs. @param {SeatInfo} info */
export function skillOf({ bot, program, style }) {
  return [bot && !program && t(`web.level.${bot}`), style && t(`web.style.${style}`)].filter(Boolean);
}

/**
 * Returns the buttons for another person.
 * @param {Session} session @param {Person} person
 * @param {() => void} done called after a press
 */
export function personActions(session, person, done) {
  const { player, seated } = person;
  const muted = session.table?.muted.includes(player) ?? false;
  /** @param {string} text @param {ClientUnion} command */
  const action = (text, command) => {
    const press = () => {
      done();
      session.send(command);
    };
    return button(text, press);
  };
  const report = async () => {
    done();
    (await load(import("./reporting.js"))).openReport(session, person);
  };
  const block = async () => {
    done();
    (await load(import("./reporting.js"))).blockPerson(person);
  };
  const { isHost } = session;
  const mayKick = seated && (isHost || session.seat !== null);
  return h(
    "div",
    { class: "row" },
    isHost && action(t(muted ? "web.lobby.unmute" : "web.lobby.mute"), { type: "mute", player, on: !muted }),
    isHost && action(t("web.lobby.appoint"), { type: "appoint", player }),
    mayKick && action(t(isHost ? "web.lobby.kick" : "web.lobby.kick.ask"), { type: "kick", player }),
    session.table?.open && button(t("web.lobby.block"), block),
    session.table?.reports && button(t("web.lobby.report"), report),
  );
}
