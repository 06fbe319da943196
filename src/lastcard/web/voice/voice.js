/** The person's own voice at a table: on or off, when the microphone is open, and whom they do not want to hear. */

import { prefs } from "../ui/prefs.js";
import { need } from "../ui/resources.js";
import { toast } from "../ui/toast.js";
import { t, useTexts } from "../ui/texts.js";
import { Mesh } from "./mesh.js";
import { findObstacle, openMicrophone } from "./microphone.js";

/** @import {Session} from "../net/session.js" @import {Notice, Refused, Signaled, VoiceOn} from "../net/protocol.js" */

need(useTexts("voice"));

const TEND_MS = 200;
/** How loud somebody who speaks is, and how long a pause may be. */
const SPEAKING_LEVEL = 0.01;
const PAUSE_MS = 500;
/** How long the server may take to turn voice on again. */
const REJOIN_MS = 10_000;
/** Reasons of the server for which voice stays off. */
const FINAL_REFUSALS = ["voice-off", "voice-full", "muted", "not-seated"];

/** Fires `change` when something is to be drawn anew, and `levels` a few times a second while voice is on. */
export class Voice extends EventTarget {
  isOn = false;
  /** Why it is not: a reason of `microphone.js`; `asking` while the browser asks. */
  problem = "";
  /** Whether the microphone is open, in the mode `open`. */
  isOpen = false;
  /** Whether the person holds the button or the key to talk. */
  isHeld = false;
  /** Whether nobody is to be heard. */
  isDeaf = false;
  /** Who is not to be heard, by player id. @type {Set<string>} */
  muted = new Set();
  #session;
  /** @type {MediaStreamTrack | null} */
  #track = null;
  /** @type {Mesh | null} */
  #mesh = null;
  #timer = 0;
  #askedAt = 0;
  #isClosed = false;
  /** When somebody last spoke, by player id. @type {Map<string, number>} */
  #soundedAt = new Map();
  #drawn = "";

  /** @param {Session} session */
  constructor(session) {
    super();
    this.#session = session;
    /** @param {string} name @param {(detail: any) => void} handle */
    const on = (name, handle) => session.addEventListener(name, (event) => handle(/** @type {CustomEvent} */ (event).detail));
    on("voice", (/** @type {VoiceOn} */ { ice }) => this.#start(ice));
    on("signaled", (/** @type {Signaled} */ { player, data }) => void this.#mesh?.receive(player, data));
    on("welcome", () => this.#rejoin());
    on("table", () => this.#follow());
    on("connection", () => session.ended && this.turnOff());
    on("notice", (/** @type {Notice} */ { what }) => what === "silenced" && this.#silence());
    on("refused", (/** @type {Refused} */ { id, code }) => !id && FINAL_REFUSALS.includes(code) && this.turnOff());
  }

  /** Whether the person only listens. */
  get isListener() {
    return this.isOn && this.#track === null;
  }

  /** `hold` or `open`. */
  get mode() {
    return prefs.get("voice");
  }

  /** Whether the others hear the person now. */
  get isLive() {
    return Boolean(this.#track?.enabled);
  }

  /** Whether somebody speaks, or (the person) is heard now. @param {string} player */
  isSpeaking(player) {
    if (player === this.#session.you) return this.isLive;
    return performance.now() - (this.#soundedAt.get(player) ?? -Infinity) < PAUSE_MS;
  }

  /** Returns `connected`, `connecting` or `lost`. @param {string} player */
  stateOf(player) {
    return this.#mesh?.stateOf(player) ?? "connecting";
  }

  /** Turns voice on, after the browser has asked for the microphone. @param {{listen?: boolean}} [options] `listen`: without it */
  async turnOn({ listen = false } = {}) {
    this.problem = findObstacle() || "asking";
    this.#changed();
    if (this.problem !== "asking") return;
    const { track, problem } = listen ? { track: null, problem: "" } : await openMicrophone();
    if (this.#isClosed) return track?.stop();
    this.problem = problem;
    if (!problem) {
      this.#track = track;
      track?.addEventListener("ended", () => this.turnOff("missing"));
      this.isOn = true;
      this.isOpen = this.mode === "open";
      this.#mesh = new Mesh(this.#session, track, (player) => this.isDeaf || this.muted.has(player));
      this.#timer = setInterval(() => this.#tend(), TEND_MS);
      this.#ask();
    }
    this.#changed();
  }

  /** Turns voice off, and gives the microphone back. @param {string} [problem] why, if not by the person */
  turnOff(problem = "") {
    if (!this.isOn) return;
    this.isOn = this.isOpen = this.isHeld = false;
    this.problem = problem;
    clearInterval(this.#timer);
    this.#mesh?.close();
    this.#mesh = null;
    this.#track?.stop();
    this.#track = null;
    if (this.#session.online) this.#session.send({ type: "voice", on: false });
    this.#changed();
  }

  /** Called when the person leaves the table. */
  close() {
    this.#isClosed = true;
    this.turnOff();
  }

  /** @param {string} mode `hold` or `open` */
  setMode(mode) {
    prefs.set("voice", mode);
    this.isOpen = mode === "open";
    this.isHeld = false;
    this.#changed();
  }

  /** @param {boolean} open */
  setOpen(open) {
    this.isOpen = open;
    this.#changed();
  }

  /** @param {boolean} held */
  hold(held) {
    if (this.isHeld === held || (held && this.mode !== "hold")) return;
    this.isHeld = held;
    this.#changed();
  }

  /** @param {boolean} deaf */
  setDeaf(deaf) {
    this.isDeaf = deaf;
    this.#changed();
  }

  /** @param {string} player @param {boolean} muted */
  mute(player, muted) {
    if (muted) this.muted.add(player);
    else this.muted.delete(player);
    this.#changed();
  }

  #changed() {
    if (this.#track) this.#track.enabled = this.mode === "open" ? this.isOpen : this.isHeld;
    this.dispatchEvent(new Event("change"));
  }

  #ask() {
    this.#askedAt = performance.now();
    if (this.#session.online) this.#session.send({ type: "voice", on: true });
  }

  /** The server forgets whose voice is on when a connection ends; those between the pages go on. */
  #rejoin() {
    if (this.isOn) this.#ask();
    this.#follow();
  }

  /** @param {RTCIceServer[]} ice */
  #start(ice) {
    if (!this.#mesh) return;
    this.#mesh.ice = ice;
    this.#mesh.update();
  }

  #follow() {
    const { table, you, seat } = this.#session;
    const isAllowed = table?.settings.voice && seat !== null && !table.muted.includes(you ?? "");
    if (this.isOn && !isAllowed) {
      this.turnOff();
      toast(t("web.voice.ended"), { kind: "bad" });
    }
    this.#mesh?.update();
    this.#changed();
  }

  #silence() {
    this.isOpen = this.isHeld = false;
    this.#changed();
    toast(t("web.voice.silenced"));
  }

  #tend() {
    const { table, you, online } = this.#session;
    const now = performance.now();
    if (online && !table?.voices.includes(you ?? "") && now - this.#askedAt > REJOIN_MS) this.#ask();
    this.#mesh?.tend();
    for (const player of table?.voices ?? []) {
      if ((this.#mesh?.measure(player) ?? 0) > SPEAKING_LEVEL) this.#soundedAt.set(player, now);
    }
    this.dispatchEvent(new Event("levels"));
    const states = JSON.stringify(table?.voices.map((player) => this.stateOf(player)));
    if (states !== this.#drawn) this.#changed();
    this.#drawn = states;
  }
}
