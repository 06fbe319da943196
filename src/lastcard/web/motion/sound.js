/** The sounds of the table, synthesized here: paper, wood, strings and a drum. They start after the first touch or key. */

import { prefs } from "../ui/prefs.js";

/** @type {AudioContext | null} */
let context = null;
/** @type {GainNode | null} */
let out = null;
/** @type {AudioBuffer | null} */
let rustle = null;

// Events that count as gestures: a finger's `pointerdown` does not, since it may begin a scroll.
for (const kind of ["mousedown", "pointerup", "touchend", "keydown"]) {
  addEventListener(kind, wake, { capture: true, passive: true });
}

/** Resumes the audio context. Browsers allow sound only after a gesture; a phone may suspend it again. */
function wake() {
  if (!prefs.get("sound") || !("AudioContext" in globalThis)) return;
  if (!context) {
    context = new AudioContext();
    out = new GainNode(context, { gain: 0.5 });
    out.connect(new DynamicsCompressorNode(context)).connect(context.destination);
    rustle = noise(context);
  }
  // Suspended, or in Safari "interrupted" by a call.
  if (context.state !== "running") void context.resume();
}

/** Returns half a second of white noise. @param {AudioContext} audio */
function noise(audio) {
  const buffer = audio.createBuffer(1, audio.sampleRate / 2, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  return buffer;
}

/**
 * A part of a sound. With `hz`, a tone that glides to `to`; without, paper noise whose brightness glides from `bright` to `to`.
 * @typedef {object} Part
 * @property {number} [at] seconds after the start
 * @property {number} [hz]
 * @property {number} [bright]
 * @property {number} [to]
 * @property {number} long the duration in seconds
 * @property {number} loud the volume, 0 to 1
 * @property {OscillatorType} [type]
 */

/**
 * Returns a bell: a few inharmonic partials.
 * @param {number} hz @param {number} loud @param {number} [at] @returns {Part[]}
 */
const bell = (hz, loud, at = 0) => [
  { at, hz, long: 0.9, loud },
  { at, hz: hz * 2.01, long: 0.5, loud: loud * 0.5 },
  { at, hz: hz * 3.03, long: 0.25, loud: loud * 0.25 },
];

/**
 * Returns a plucked string, for good news.
 * @param {number} hz @param {number} loud @param {number} [at] @returns {Part[]}
 */
const pluck = (hz, loud, at = 0) => [
  { at, hz, long: 0.5, loud, type: "triangle" },
  { at, hz: hz * 2, long: 0.22, loud: loud * 0.45 },
  { at, bright: hz * 4, to: hz * 2, long: 0.02, loud: loud * 0.8 },
];

/** Returns a low drum, for bad news. @param {number} hz @param {number} loud @param {number} [at] @returns {Part[]} */
const drum = (hz, loud, at = 0) => [
  { at, hz, to: hz * 0.4, long: 0.3, loud },
  { at, bright: 420, to: 110, long: 0.09, loud: loud * 0.7 },
];

/** Returns the sound of a card on the table: paper, and the wood below it. @param {number} weight @returns {Part[]} */
const laid = (weight) => [
  { bright: 2600, to: 900, long: 0.08, loud: 0.5 },
  { hz: 150, to: 70, long: 0.07 + 0.05 * weight, loud: 0.4 + 0.2 * weight },
];

/** @param {number[]} notes @param {number} step @param {number} loud @returns {Part[]} */
const tune = (notes, step, loud) => notes.flatMap((hz, i) => pluck(hz, loud, i * step));

/** @satisfies {Record<string, Part[]>} */
const SOUNDS = {
  deal: [{ bright: 5200, to: 2600, long: 0.07, loud: 0.25 }],
  draw: [{ bright: 1800, to: 4200, long: 0.11, loud: 0.3 }],
  play: laid(0),
  slam: laid(1),
  color: pluck(660, 0.16),
  skip: [
    { hz: 330, to: 620, long: 0.13, loud: 0.22 },
    { at: 0.13, hz: 520, to: 240, long: 0.16, loud: 0.22 },
  ],
  reverse: [
    { bright: 700, to: 4200, long: 0.22, loud: 0.3 },
    { at: 0.2, bright: 4200, to: 700, long: 0.24, loud: 0.3 },
  ],
  swap: [
    { bright: 900, to: 3200, long: 0.3, loud: 0.3 },
    { at: 0.18, bright: 3200, to: 900, long: 0.34, loud: 0.3 },
  ],
  ratchet: [
    { bright: 1500, to: 700, long: 0.03, loud: 0.5 },
    { hz: 190, to: 120, long: 0.03, loud: 0.3, type: "square" },
  ],
  spring: [
    { hz: 240, to: 520, long: 0.09, loud: 0.18, type: "triangle" },
    { at: 0.08, hz: 430, to: 260, long: 0.14, loud: 0.14, type: "triangle" },
  ],
  tick: [{ bright: 3400, to: 2600, long: 0.02, loud: 0.3 }],
  bell: [...bell(1175, 0.3), ...bell(1175, 0.25, 0.16), ...bell(1568, 0.25, 0.32)],
  uno: tune([784, 1047], 0.1, 0.32),
  caught: [...drum(150, 0.5), ...drum(110, 0.5, 0.15)],
  blow: drum(125, 0.55),
  turn: tune([523, 659], 0.09, 0.17),
  win: tune([523, 659, 784, 1047], 0.15, 0.28),
  lose: [...pluck(330, 0.2), ...pluck(262, 0.2, 0.2)],
  chat: [{ hz: 880, to: 990, long: 0.07, loud: 0.1 }],
};

/** @typedef {keyof typeof SOUNDS} Sound */

/** Sounds by kind: each kind can be turned off. */
const KINDS = {
  cards: ["deal", "draw", "play", "slam", "color", "skip", "reverse", "swap", "ratchet", "spring", "tick"],
  calls: ["turn", "uno", "caught", "blow"],
  tunes: ["bell", "win", "lose"],
  talk: ["chat"],
};
export const SOUND_KINDS = /** @type {(keyof typeof KINDS)[]} */ (Object.keys(KINDS));

/** @param {Sound} name */
const isWanted = (name) =>
  prefs.get("sound") && !SOUND_KINDS.some((kind) => KINDS[kind].includes(name) && prefs.get("silent").includes(kind));

/**
 * Plays a sound, if the person wants sounds.
 * @param {Sound} name
 * @param {number} [after] seconds from now
 * @param {number} [step] the number of tones higher
 */
export function playSound(name, after = 0, step = 0) {
  if (!context || context.state !== "running" || !isWanted(name)) return;
  const higher = 2 ** (Math.min(step, 12) / 6);
  for (const part of SOUNDS[name]) sound(context, part, context.currentTime + after, higher);
}

/** @param {AudioContext} audio @param {Part} part @param {number} from @param {number} higher times the frequency */
function sound(audio, part, from, higher) {
  const { at = 0, long, loud, type = "sine" } = part;
  const bright = (part.bright ?? 0) * higher;
  const [hz, to] = [part.hz, part.to].map((each) => each && each * higher);
  const [start, end] = [from + at, from + at + long];
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + Math.min(0.006, long / 4));
  gain.gain.exponentialRampToValueAtTime(0.0004, end);
  if (out) gain.connect(out);
  const source = hz
    ? new OscillatorNode(audio, { type, frequency: hz })
    : new AudioBufferSourceNode(audio, { buffer: rustle });
  const filter = hz ? null : new BiquadFilterNode(audio, { type: "bandpass", frequency: bright, Q: 0.9 });
  const pitch = source instanceof OscillatorNode ? source.frequency : filter?.frequency;
  pitch?.setValueAtTime(hz ?? bright, start);
  if (to) pitch?.exponentialRampToValueAtTime(to, end);
  (filter ? source.connect(filter) : source).connect(gain);
  source.start(start);
  source.stop(end + 0.02);
}

const PATTERNS = {
  turn: [50],
  draw: [40, 50, 40],
  uno: [30, 40, 60],
  caught: [140],
  lever: [20, 30, 20, 30, 20],
  notch: [8],
  play: [12],
  win: [60, 60, 60, 60, 200],
};

/** Vibrates the phone, if the person wants that. @param {keyof typeof PATTERNS} name */
export function vibrate(name) {
  if (prefs.get("vibration") && "vibrate" in navigator && navigator.userActivation?.hasBeenActive !== false) {
    navigator.vibrate(PATTERNS[name]);
  }
}
