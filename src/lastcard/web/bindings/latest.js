/** The kernel that was loaded last, the default of every match. */

import { UsageError } from "./errors.js";

/** @import { Kernel } from "./kernel.js" */

/** @type {Kernel | null} */
let latest = null;

/** @param {Kernel} kernel */
export function setLatestKernel(kernel) {
  latest = kernel;
  return kernel;
}

/** @returns {Kernel} */
export function latestKernel() {
  if (!latest) throw new UsageError("no kernel is loaded: await load(…) first");
  return latest;
}
