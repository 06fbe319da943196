/** Confetti: paper in the four colors falls over the table, unless the person wants no motion. */

import { h } from "../ui/dom.js";
import { SYMBOLS } from "../cards/glyphs.js";
import { isQuiet } from "./motion.js";

const PIECES = 140;
const LIFE_MS = 3200;
const TOKENS = ["--card-red", "--card-yellow", "--card-green", "--card-blue", "--accent"];

/** @typedef {ReturnType<typeof makePieces>} Pieces */

/** Starts one rain of confetti. @param {HTMLElement} host the element to cover; touches pass through */
export function rain(host) {
  if (isQuiet()) return;
  const { width, height } = host.getBoundingClientRect();
  const style = { position: "absolute", inset: 0, "pointer-events": "none" };
  const canvas = h("canvas", { class: "confetti", "aria-hidden": "true", style });
  const brush = canvas.getContext("2d");
  if (!brush || !width) return;
  canvas.width = width;
  canvas.height = height;
  host.append(canvas);
  const pieces = makePieces(width, height);
  const began = performance.now();
  let last = began;
  const step = (/** @type {number} */ now) => {
    const left = LIFE_MS - (now - began);
    if (left <= 0) return canvas.remove();
    draw(brush, pieces, Math.min((now - last) / 1000, 0.05), Math.min(1, left / 600));
    last = now;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/** @param {number} width @param {number} height */
function makePieces(width, height) {
  const style = getComputedStyle(document.documentElement);
  const colors = TOKENS.map((token) => style.getPropertyValue(token));
  const shapes = Object.values(SYMBOLS).map((outline) => new Path2D(outline));
  const reach = Math.sqrt(height) * 34;
  return Array.from({ length: PIECES }, (_, i) => ({
    // Upward from both lower corners, as from two cannons.
    x: i % 2 ? width : 0,
    y: height,
    vx: (i % 2 ? -1 : 1) * (0.1 + Math.random()) * width * 0.7,
    vy: -(0.5 + Math.random() * 0.75) * reach,
    turn: Math.random() * 6,
    spin: (Math.random() - 0.5) * 9,
    size: 0.1 + Math.random() * 0.12,
    color: colors[i % colors.length],
    shape: shapes[i % shapes.length],
  }));
}

/** @param {CanvasRenderingContext2D} brush @param {Pieces} pieces @param {number} seconds @param {number} alpha */
function draw(brush, pieces, seconds, alpha) {
  brush.resetTransform();
  brush.clearRect(0, 0, brush.canvas.width, brush.canvas.height);
  brush.globalAlpha = alpha;
  for (const piece of pieces) {
    piece.vx *= 1 - 0.9 * seconds;
    piece.vy = piece.vy * (1 - 0.7 * seconds) + 760 * seconds;
    piece.x += piece.vx * seconds;
    piece.y += piece.vy * seconds;
    piece.turn += piece.spin * seconds;
    const [cos, sin] = [Math.cos(piece.turn) * piece.size, Math.sin(piece.turn) * piece.size];
    // Sometimes seen edge on, as paper is.
    const flat = Math.cos(piece.turn * 1.7);
    brush.setTransform(cos * flat, sin * flat, -sin, cos, piece.x, piece.y);
    brush.translate(-50, -50);
    brush.fillStyle = piece.color;
    brush.fill(piece.shape);
  }
}
