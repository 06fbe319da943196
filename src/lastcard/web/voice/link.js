/** The connection to one other person, by *perfect negotiation* (W3C WebRTC 1.0, 10.7). */

import { h } from "../ui/dom.js";

/** Lines of candidates in a description: they are sent one by one, as the browser finds them. */
const CANDIDATE_LINE = /^a=(candidate:|end-of-candidates).*\r?\n/gm;

/**
 * What is sent through the table.
 * @typedef {{description?: {type: RTCSdpType, sdp: string}, candidates?: RTCIceCandidateInit[]}} Step
 */

export class Link {
  /** Plays the other person's sound. */
  audio = /** @type {HTMLAudioElement} */ (h("audio", { autoplay: true }));
  #connection;
  #polite;
  #isOffering = false;
  #isIgnoring = false;
  /** The time of the sound that was measured last. */
  #measured = 0;
  #send;

  /**
   * @param {object} parts
   * @param {boolean} parts.polite whether this side gives way when both make an offer
   * @param {RTCIceServer[]} parts.ice
   * @param {MediaStreamTrack | null} parts.track the microphone; null to listen only
   * @param {(step: Step) => void} parts.send
   */
  constructor({ polite, ice, track, send }) {
    const connection = new RTCPeerConnection({ iceServers: ice });
    this.#connection = connection;
    this.#polite = polite;
    this.#send = send;
    connection.onnegotiationneeded = () => this.#offer();
    connection.onicecandidate = ({ candidate }) => candidate && send({ candidates: [candidate.toJSON()] });
    connection.ontrack = ({ track: other }) => {
      this.audio.srcObject = new MediaStream([other]);
      this.audio.play().catch(() => {}); // the page may have been closed meanwhile
    };
    if (track) connection.addTrack(track, new MediaStream([track]));
    else if (!polite) connection.addTransceiver("audio", { direction: "recvonly" });
  }

  get state() {
    return this.#connection.connectionState;
  }

  /** Returns how loud the other person is, from 0 to 1; 0 if nothing has come since the last call. */
  measure() {
    const [receiver] = this.#connection.getReceivers();
    const source = receiver?.getSynchronizationSources()[0];
    if (!source || source.timestamp === this.#measured) return 0;
    this.#measured = source.timestamp;
    return source.audioLevel ?? 0;
  }

  /** Finds a new way to the other person, without a new connection. */
  restart() {
    this.#connection.restartIce();
  }

  close() {
    this.#connection.close();
    this.audio.srcObject = null;
  }

  /** Takes a step of the other side. @param {Step} step */
  async receive({ description, candidates = [] }) {
    if (description) await this.#describe(description);
    for (const candidate of candidates) {
      try {
        await this.#connection.addIceCandidate(candidate);
      } catch (error) {
        if (!this.#isIgnoring) throw error; // it belongs to an offer that was not taken
      }
    }
  }

  async #offer() {
    try {
      this.#isOffering = true;
      await this.#connection.setLocalDescription();
      this.#sendDescription();
    } finally {
      this.#isOffering = false;
    }
  }

  /** @param {{type: RTCSdpType, sdp: string}} description */
  async #describe(description) {
    const connection = this.#connection;
    const collides = description.type === "offer" && (this.#isOffering || connection.signalingState !== "stable");
    this.#isIgnoring = !this.#polite && collides;
    if (this.#isIgnoring) return;
    await connection.setRemoteDescription(description);
    if (description.type !== "offer") return;
    await connection.setLocalDescription();
    this.#sendDescription();
  }

  #sendDescription() {
    const { type, sdp } = /** @type {RTCSessionDescription} */ (this.#connection.localDescription);
    this.#send({ description: { type, sdp: sdp.replace(CANDIDATE_LINE, "") } });
  }
}
