/** Figures with their uncertainty, as `bots/statistics.py` has them. */

import { NORMAL_95 } from "../bindings/constants.js";

/** A figure and half of its 95 % interval. @typedef {{value: number, error: number}} Estimate */

/** @type {Estimate} */
export const ZERO = { value: 0, error: 0 };

/** Whether a figure is above nothing beyond its uncertainty. @param {Estimate} figure */
export const isCertain = ({ value, error }) => value > error;

/**
 * The mean of independent values. The interval is Student's, and counts one more rollout that goes the other way.
 * @param {readonly number[]} values two or more
 * @param {number} step by how much one rollout changes a value
 * @returns {Estimate}
 */
export function mean(values, step) {
  const value = sum(values) / values.length;
  const free = values.length - 1;
  const scatter = sum(values.map((each) => (each - value) ** 2)) + step * step;
  const wide = NORMAL_95 + (NORMAL_95 ** 3 + NORMAL_95) / (4 * free);
  return { value, error: wide * Math.sqrt(scatter / free / values.length) };
}

/** The sum of figures that do not depend on each other. @param {readonly Estimate[]} figures @returns {Estimate} */
export const total = (figures) => ({
  value: sum(figures.map(({ value }) => value)),
  error: Math.hypot(...figures.map(({ error }) => error)),
});

/** Half of the 95 % interval of a share of independent trials: Agresti and Coull's, which is honest near 0 and 1. @param {number} share @param {number} trials */
export function shareError(share, trials) {
  const n = trials + NORMAL_95 * NORMAL_95;
  const middle = (share * trials + (NORMAL_95 * NORMAL_95) / 2) / n;
  return NORMAL_95 * Math.sqrt((middle * (1 - middle)) / n);
}

/** @param {readonly number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** A whole number, as Python rounds: halves to the even one. @param {number} number */
export function roundHalfEven(number) {
  const whole = Math.round(number);
  return Math.abs(number % 1) === 0.5 && whole % 2 !== 0 ? whole - 1 : whole;
}

/** A number with so many digits, as Python rounds. @param {number} number @param {number} digits */
export function rounded(number, digits) {
  const half = Math.abs(number * 2 ** (digits + 1)) % 2 === 1; // only then is it one exactly
  return half ? roundHalfEven(number * 10 ** digits) / 10 ** digits : Number(number.toFixed(digits));
}
