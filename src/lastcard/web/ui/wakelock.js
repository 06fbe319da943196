/**
 * Keeps a screen on without touches. Over plain HTTP, as in most homes, there is no wake lock; there a small generated video
 * keeps it on.
 *
 * Browsers differ in which video counts. Chromium: a visible one, and large unless it is a stream. Firefox: a stream. WebKit: one
 * with sound that is not muted, even if silent, and so only after a touch.
 */

import { h, stylesheet } from "./dom.js";
import { need } from "./resources.js";

need(stylesheet("ui/wakelock.css"));

/** Often enough for the video to go on. */
const FRAME_MS = 1000;
const NEEDS_SOUND = navigator.vendor.startsWith("Apple");

/** Keeps the screen on while the page is visible. @returns {() => void} a function that lets it sleep again */
export function preventSleep() {
  return navigator.wakeLock ? byLock(navigator.wakeLock) : byVideo();
}

/** @param {WakeLock} locks */
function byLock(locks) {
  /** @type {WakeLockSentinel | null} */
  let lock = null;
  let wanted = true;
  const ask = async () => {
    if (document.hidden) return;
    // It may be refused, for instance on a low battery: then the screen turns off as usual.
    lock = await locks.request("screen").catch(() => null);
    if (!wanted) lock?.release();
  };
  document.addEventListener("visibilitychange", ask);
  ask();
  return () => {
    wanted = false;
    document.removeEventListener("visibilitychange", ask);
    lock?.release();
  };
}

function byVideo() {
  const canvas = h("canvas", { width: 2, height: 2 });
  const pen = canvas.getContext("2d");
  if (!pen || !canvas.captureStream) return () => {};
  const stream = canvas.captureStream();
  const video = h("video", { class: "awake", playsinline: true, "aria-hidden": "true", tabindex: -1 });
  video.muted = !NEEDS_SOUND;
  video.srcObject = stream;
  /** @type {AudioContext | null} */
  let audio = null;
  const draw = () => {
    pen.fillStyle = pen.fillStyle === "#000000" ? "#000001" : "#000000";
    pen.fillRect(0, 0, 2, 2);
  };
  const play = () => {
    if (document.hidden || !video.paused) return;
    if (NEEDS_SOUND && !audio) {
      audio = new AudioContext();
      stream.addTrack(audio.createMediaStreamDestination().stream.getAudioTracks()[0]);
      // Music from other apps goes on.
      if ("audioSession" in navigator) Reflect.set(Object(navigator.audioSession), "type", "ambient");
    }
    // Refused before the first touch, and in battery saver mode.
    video.play().catch(() => {});
  };
  const frames = setInterval(draw, FRAME_MS);
  const moments = ["visibilitychange", "pointerup", "touchend", "keydown"];
  for (const moment of moments) document.addEventListener(moment, play, { capture: true, passive: true });
  document.body.append(video);
  draw();
  if (!NEEDS_SOUND) play();
  return () => {
    clearInterval(frames);
    for (const moment of moments) document.removeEventListener(moment, play, { capture: true });
    video.srcObject = null;
    video.remove();
    for (const track of stream.getTracks()) track.stop();
    void audio?.close();
  };
}
