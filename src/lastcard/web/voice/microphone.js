/** The microphone, and the reasons why there is none. */

/** The sound of one person speaking needs no more than what browsers do by themselves for calls. */
const WANTED = { audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true } };
/** Reasons by the names of the browser's errors; any other is `busy`. @type {Record<string, string>} */
const REASONS = { NotAllowedError: "refused", SecurityError: "refused", NotFoundError: "missing", OverconstrainedError: "missing" };

/** Returns why this page cannot have voice at all: `insecure` or `unsupported`; empty if it can. */
export function findObstacle() {
  if (!isSecureContext) return "insecure";
  return typeof RTCPeerConnection === "function" && navigator.mediaDevices ? "" : "unsupported";
}

/**
 * Asks for the microphone.
 * @returns {Promise<{track: MediaStreamTrack | null, problem: string}>} `problem` says why there is no track: `refused`,
 *   `missing` or `busy`
 */
export async function openMicrophone() {
  try {
    const [track] = (await navigator.mediaDevices.getUserMedia(WANTED)).getAudioTracks();
    track.enabled = false;
    return { track, problem: "" };
  } catch (error) {
    return { track: null, problem: (error instanceof DOMException && REASONS[error.name]) || "busy" };
  }
}
