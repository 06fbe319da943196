/** Numbers with their uncertainty: sums, order, and rounding as in Python. */

/** A number and half of its 95 % interval. @typedef {{value: number, error: number}} Estimate */

/** Whether a number is above zero beyond its uncertainty. @param {Estimate} figure */
export const isCertain = ({ value, error }) => value > error;

/** Returns the sum of independent numbers. @param {readonly Estimate[]} figures @returns {Estimate} */
export const total = (figures) => ({
  value: figures.reduce((sum, { value }) => sum + value, 0),
  error: Math.hypot(...figures.map(({ error }) => error)),
});

/** Digits after which two sums count as equal: Python adds in another order. */
const SIZE_DIGITS = 9;

/**
 * Returns the largest items, of equal ones the earlier first, as `analysis/report_model.py` does.
 * @template T @param {readonly T[]} items @param {(item: T) => number} sizeOf @param {number} [most] number of items; all by default
 */
export function largest(items, sizeOf, most = Infinity) {
  const size = (/** @type {T} */ item) => rounded(sizeOf(item), SIZE_DIGITS);
  return [...items].sort((one, other) => size(other) - size(one)).slice(0, most);
}

/** Returns an integer, rounded as in Python: halves to even. @param {number} number */
export function roundHalfEven(number) {
  const whole = Math.round(number);
  return Math.abs(number % 1) === 0.5 && whole % 2 !== 0 ? whole - 1 : whole;
}

/** Returns a number rounded to some digits, as in Python. @param {number} number @param {number} digits */
export function rounded(number, digits) {
  const half = Math.abs(number * 2 ** (digits + 1)) % 2 === 1; // only then is it exactly a half
  return half ? roundHalfEven(number * 10 ** digits) / 10 ** digits : Number(number.toFixed(digits));
}
