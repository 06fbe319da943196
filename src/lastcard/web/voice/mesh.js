/**
 * The connections to all others who talk. Signals go through the table and may be lost, doubled or late, so each side repeats
 * what has had no effect.
 *
 * Of two people the *polite* one has the smaller player id. Everybody greets whom they are not connected to; on a greeting the
 * other one of the two, never the polite one, makes a new connection with an offer.
 */

import { randomHex } from "../net/shuffle.js";
import { Link } from "./link.js";

/** @import {Session} from "../net/session.js" @import {Step} from "./link.js" */

/** The pause between two signals: the server allows twelve a second. */
const SEND_MS = 100;
/** How many candidates fit in a signal. */
const MAX_CANDIDATES = 8;
/** How long a connection may be interrupted before a new way is looked for. */
const RESTART_MS = 2500;
/** How long a connection may take before it is made anew. */
const GREET_MS = 6000;
/** A connection younger than this is not made anew. */
const YOUNG_MS = 3000;
/** How long the connection to somebody stays whose page has lost the table, or has just found it again. */
const AWAY_MS = 20_000;
const BACK_MS = 3000;

/** @typedef {Step & {from: string, link: string, n: number, greets?: boolean}} Signal what two pages send each other */

/** Another person who talks. */
class Contact {
  /** The id of their page. */
  page = "";
  /** The numbers of their signals so far. @type {Set<number>} */
  seen = new Set();
  /** @type {Link | null} */
  link = null;
  /** The id of the connection. */
  id = "";
  /** When it was made, last worked, was last restarted, and last asked for. */
  madeAt = -Infinity;
  workedAt = -Infinity;
  restartedAt = -Infinity;
  greetedAt = -Infinity;
  /** Since when the person is away. @type {number | null} */
  awaySince = null;
  /** Whether the two have ever been connected. */
  hasWorked = false;

  get isConnected() {
    return this.link?.state === "connected";
  }

  drop() {
    this.link?.close();
    this.link?.audio.remove();
    this.link = null;
  }
}

export class Mesh {
  #session;
  #track;
  #page = randomHex(8);
  #number = 0;
  /** By player id. @type {Map<string, Contact>} */
  #contacts = new Map();
  /** @type {{player: string, signal: Signal}[]} */
  #queue = [];
  #sender = 0;
  #isMuted;

  /** The servers through which other networks are reached. @type {RTCIceServer[]} */
  ice = [];

  /**
   * @param {Session} session
   * @param {MediaStreamTrack | null} track the microphone; null to listen only
   * @param {(player: string) => boolean} isMuted whether the person does not want to hear somebody
   */
  constructor(session, track, isMuted) {
    this.#session = session;
    this.#track = track;
    this.#isMuted = isMuted;
    this.#sender = setInterval(() => this.#sendNext(), SEND_MS);
  }

  close() {
    clearInterval(this.#sender);
    for (const contact of this.#contacts.values()) contact.drop();
    this.#contacts.clear();
  }

  /** Returns how loud somebody is, from 0 to 1; 0 if nothing has come since the last call. @param {string} player */
  measure(player) {
    return this.#contacts.get(player)?.link?.measure() ?? 0;
  }

  /** Returns `connected`, `connecting`, or (after some time) `lost`. @param {string} player */
  stateOf(player) {
    const contact = this.#contacts.get(player);
    if (contact?.isConnected) return "connected";
    return contact && performance.now() - contact.workedAt > 2 * GREET_MS ? "lost" : "connecting";
  }

  /** Follows who talks, and who sits at the table. */
  update() {
    const { table, you } = this.#session;
    const talking = new Set(table?.voices.filter((player) => player !== you));
    for (const player of talking) this.#contact(player).awaySince = null;
    for (const [player, contact] of this.#contacts) {
      if (talking.has(player)) continue;
      // The page of a person who has lost the table turns voice on again by itself.
      const info = table?.seats.find((other) => other?.player === player);
      const mayReturn = table?.settings.voice && info && !info.kicked && !table.muted.includes(player);
      contact.awaySince ??= performance.now();
      if (!mayReturn || performance.now() - contact.awaySince > (info.here ? BACK_MS : AWAY_MS)) {
        contact.drop();
        this.#contacts.delete(player);
      }
    }
  }

  /** Repairs what does not work; called a few times a second. */
  tend() {
    const now = performance.now();
    if ([...this.#contacts.values()].some(({ awaySince }) => awaySince !== null)) this.update();
    for (const [player, contact] of this.#contacts) {
      if (contact.link) contact.link.audio.muted = this.#isMuted(player);
      if (contact.isConnected) {
        contact.workedAt = now;
        contact.hasWorked = true;
      } else if (this.#session.online && contact.awaySince === null) this.#repair(player, contact, now);
    }
  }

  /** @param {string} player @param {Contact} contact @param {number} now */
  #repair(player, contact, now) {
    const isOpen = contact.link && contact.link.state !== "closed";
    const idle = now - Math.max(contact.workedAt, contact.madeAt, contact.restartedAt);
    if (isOpen && contact.hasWorked && !this.#isPolite(player) && idle > RESTART_MS) {
      contact.restartedAt = now;
      contact.link?.restart();
    }
    const isDead = contact.link?.state === "closed" && now - contact.greetedAt > YOUNG_MS;
    if (isDead || now - Math.max(contact.workedAt, contact.greetedAt) > GREET_MS) this.#greet(player, contact);
  }

  /** Takes a signal of another person. @param {string} player @param {string} data */
  async receive(player, data) {
    try {
      const signal = /** @type {Signal} */ (JSON.parse(data));
      const contact = this.#contact(player);
      if (contact.page !== signal.from) {
        contact.drop();
        Object.assign(contact, { page: signal.from, seen: new Set(), madeAt: -Infinity });
      }
      if (contact.seen.has(signal.n)) return;
      contact.seen.add(signal.n);
      if (signal.greets) this.#greeted(player, contact);
      else await this.#follow(player, contact, signal);
    } catch (error) {
      console.warn(error); // the other page may be of another version, or broken: it is greeted again
    }
  }

  /** @param {string} player @param {Contact} contact */
  #greeted(player, contact) {
    const now = performance.now();
    if (this.#isPolite(player)) {
      if (!contact.isConnected && now - contact.greetedAt > YOUNG_MS / 2) this.#greet(player, contact);
    } else if (now - contact.madeAt > YOUNG_MS) this.#make(player, contact, randomHex(6));
  }

  /** @param {string} player @param {Contact} contact @param {Signal} signal */
  async #follow(player, contact, signal) {
    const isNew = this.#isPolite(player) && signal.description?.type === "offer" && signal.link !== contact.id;
    if (isNew) this.#make(player, contact, signal.link);
    if (signal.link === contact.id) await contact.link?.receive(signal);
  }

  /** @param {string} player @param {Contact} contact @param {string} id */
  #make(player, contact, id) {
    contact.drop();
    Object.assign(contact, { id, madeAt: performance.now(), hasWorked: false });
    contact.link = new Link({
      polite: this.#isPolite(player),
      ice: this.ice,
      track: this.#track,
      send: (step) => contact.id === id && this.#send(player, { link: id, ...step }),
    });
    document.body.append(contact.link.audio);
  }

  /** @param {string} player */
  #contact(player) {
    const known = this.#contacts.get(player);
    if (known) return known;
    const contact = new Contact();
    contact.workedAt = performance.now();
    this.#contacts.set(player, contact);
    this.#greet(player, contact);
    return contact;
  }

  /** @param {string} player @param {Contact} contact */
  #greet(player, contact) {
    contact.greetedAt = performance.now();
    this.#send(player, { link: "", greets: true });
  }

  /** @param {string} player */
  #isPolite(player) {
    return (this.#session.you ?? "") < player;
  }

  /** @param {string} player @param {Omit<Signal, "from" | "n">} part */
  #send(player, part) {
    const last = this.#queue.filter(({ player: other }) => other === player).at(-1)?.signal;
    if (part.candidates && last?.candidates && last.link === part.link && last.candidates.length < MAX_CANDIDATES) {
      last.candidates.push(...part.candidates);
      return;
    }
    this.#number += 1;
    this.#queue.push({ player, signal: { from: this.#page, n: this.#number, ...part } });
  }

  #sendNext() {
    if (!this.#session.online) return;
    const next = this.#queue.shift();
    if (next) this.#session.send({ type: "signal", player: next.player, data: JSON.stringify(next.signal) });
  }
}
