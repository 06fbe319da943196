/** The seats of a table and the people who wait, with the commands for each. */

import { DEFAULT_LEVEL, LEVELS, STYLES } from "../bindings/constants.js";
import { button, iconButton } from "../ui/button.js";
import { openDialog } from "../ui/dialog.js";
import { h } from "../ui/dom.js";
import { selectField } from "../ui/fields.js";
import { closeIcon, crownIcon, moreIcon, plusIcon } from "../ui/icons.js";
import { load, need } from "../ui/resources.js";
import { t, useTexts } from "../ui/texts.js";
import { avatar } from "../cards/art.js";
import { partnerOf, teamMark } from "../cards/cards.js";
import { markedName } from "../cards/marks.js";
import { personActions, skillOf } from "./people.js";

/** @import {Session} from "../net/session.js" @import {Guest, SeatInfo, TableInfo} from "../net/protocol.js" */

need(useTexts("lobby"));

/** A choice beside the bot levels: a program plays. */
const PROGRAM = "program";

/** @param {Session} session */
export function seatList(session) {
  const { seats } = /** @type {TableInfo} */ (session.table);
  return h(
    "ol",
    { class: "stack tight" },
    seats.map((info, seat) => seatItem(session, info, seat)),
  );
}

/** @param {Session} session @param {SeatInfo | null} info @param {number} seat */
function seatItem(session, info, seat) {
  const face = info ? avatar(info.name, info) : h("span", { class: "empty-face" }, plusIcon());
  const { settings, seats } = /** @type {TableInfo} */ (session.table);
  const mark = teamMark(settings.rules, seat, seats.map((other) => other?.name));
  // For a taken seat the tags contain it.
  const hidden = info ? mark && { ...mark, words: "" } : mark;
  const name = markedName("span", { class: "seat-who" }, info ? info.name : t("web.lobby.free"), hidden);
  return h(
    "li",
    { class: info ? "row lobby-seat" : "row lobby-seat free", data: { seat } },
    face,
    h("div", { class: "grow" }, name, info && tags(session, info, seat), info && styleField(session, info, seat)),
    h(
      "div",
      { class: "row seat-actions" },
      info?.player ? (session.isLocal ? handButtons : personButtons)(session, info) : botButtons(session, info, seat),
    ),
  );
}

/** @param {Session} session @param {SeatInfo} info @param {number} seat */
function tags({ table, you }, info, seat) {
  const partner = table?.seats[partnerOf(table.settings.rules, seat)];
  const wins = info.player ? (table?.wins[info.player] ?? 0) : 0;
  const words = [
    info.player === you && t("web.lobby.you"),
    partner && t("web.game.is_with", { player: partner.name }),
    ...(table?.host === you ? [] : skillOf(info)), // the host has fields for them
    info.program && t(info.here ? "web.lobby.program.here" : "web.lobby.program.away"),
    info.player && !info.here && t("web.lobby.away"),
    info.heir && t("web.lobby.heir", { name: info.heir }),
    wins > 0 && t("web.lobby.wins", { n: wins }),
    info.player && table?.muted.includes(info.player) && t("web.lobby.muted"),
  ].filter(Boolean);
  const host = info.player !== null && info.player === table?.host;
  return h(
    "p",
    { class: "soft small tags optional" },
    host && h("span", { class: "host" }, crownIcon(), t("web.lobby.host")),
    words.length > 0 && h("span", null, words.join(" · ")),
  );
}

/** @param {Session} session @param {SeatInfo} info */
function personButtons(session, { player, name, standin }) {
  if (player === session.you) {
    return [
      avatarButton(session, name),
      !standin && keyed(t("web.lobby.stand"), "stand", () => session.send({ type: "stand" })),
    ];
  }
  if (!session.isHost && session.seat === null) return null;
  const open = () => {
    const person = { player: player ?? "", name, seated: true };
    const dialog = openDialog({ title: name, content: personActions(session, person, () => dialog.close()) });
  };
  return iconButton(moreIcon(), t("web.lobby.more", { name }), open, { data: { key: player } });
}

/**
 * Returns the buttons for one of the people who share this device; the table page listens for the event.
 * @param {Session} session @param {SeatInfo} info
 */
function handButtons(session, { player, name }) {
  if (player === session.you) return avatarButton(session, name);
  /** @param {Event} event */
  const leave = ({ target }) =>
    /** @type {HTMLElement} */ (target).dispatchEvent(new CustomEvent("leave", { bubbles: true, detail: player }));
  return iconButton(closeIcon(), t("web.lobby.remove", { name }), leave, { data: { key: player } });
}

/** @param {Session} session @param {string} name */
function avatarButton(session, name) {
  const build = async () => (await load(import("./avatarbuilder.js"))).openAvatarBuilder(name, () => session.sendAvatar());
  return keyed(t("web.lobby.face"), "face", build);
}

/** @param {Session} session @param {SeatInfo | null} info @param {number} seat */
function botButtons(session, info, seat) {
  const set = (/** @type {string | null} */ level) => session.send({ type: "setbot", seat, level });
  const sit =
    session.seat === null && keyed(t("web.lobby.sit"), `sit${seat}`, () => session.send({ type: "sit", seat }));
  if (!session.isHost) return sit;
  if (!info) return [sit, keyed(t("web.lobby.bot"), `bot${seat}`, () => set(DEFAULT_LEVEL))];
  const invite = async () => (await load(import("./programs.js"))).inviteProgram(session, seat);
  const levels = LEVELS.map((level) => ({ value: /** @type {string} */ (level), text: t(`web.level.${level}`) }));
  return [
    selectField({
      label: t("web.lobby.level", { name: info.name }),
      labelHidden: true,
      choices: session.isLocal ? levels : [...levels, { value: PROGRAM, text: t("web.lobby.program") }],
      value: info.program ? PROGRAM : (info.bot ?? DEFAULT_LEVEL),
      onchange: (choice) => (choice === PROGRAM ? invite() : set(choice)),
      key: `level${seat}`,
    }),
    iconButton(closeIcon(), t("web.lobby.remove", { name: info.name }), () => set(null), { data: { key: `bot${seat}` } }),
  ];
}

/**
 * Returns the style field of a bot, for levels that have several equally strong styles.
 * @param {Session} session @param {SeatInfo} info @param {number} seat
 */
function styleField(session, { name, bot, program, style }, seat) {
  if (!session.isHost || bot === null || program || !STYLES[bot]?.length) return null;
  const field = selectField({
    label: t("web.lobby.style", { name }),
    labelHidden: true,
    choices: ["", ...STYLES[bot]].map((each) => ({ value: each, text: t(`web.style.${each || "none"}`) })),
    value: style,
    onchange: (choice) => session.send({ type: "setbot", seat, level: bot, style: choice }),
    key: `style${seat}`,
  });
  return h("div", { class: "seat-style" }, field);
}

/**
 * Returns a button that keeps the focus when the list is redrawn.
 * @param {string} text @param {string} key @param {() => void} press
 */
const keyed = (text, key, press) => button(text, press, { data: { key } });

/** Returns the list of spectators and of people who wait for a seat. @param {Session} session */
export function guestList(session) {
  const { guests } = /** @type {TableInfo} */ (session.table);
  const item = (/** @type {Guest} */ { name, queued, player }) => {
    const state = t(queued ? "web.lobby.queued" : "web.lobby.watching");
    return h("li", null, `${player === session.you ? t("web.lobby.me", { name }) : name} – ${state}`);
  };
  const entry = guests.find((guest) => guest.player === session.you);
  const queue =
    entry && keyed(t(entry.queued ? "web.lobby.unqueue" : "web.lobby.queue"), "queue", () => session.queue(!entry.queued));
  return (
    guests.length > 0 &&
    h(
      "div",
      { class: "stack tight" },
      h("h3", null, t("web.lobby.guests")),
      h("ul", { class: "guests" }, guests.map(item)),
      queue,
    )
  );
}
