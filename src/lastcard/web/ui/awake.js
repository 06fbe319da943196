/** Keeping a screen on that nobody touches, where the browser can do that: over plain HTTP it cannot. */

/**
 * Keeps the screen on while the page is in sight.
 * @returns {() => void} lets it sleep again
 */
export function keepAwake() {
  /** @type {WakeLockSentinel | null} */
  let lock = null;
  const ask = async () => {
    if (document.hidden) return;
    // Refused for instance on a low battery: then the screen goes dark as it always does.
    lock = await navigator.wakeLock?.request("screen").catch(() => null);
  };
  document.addEventListener("visibilitychange", ask);
  ask();
  return () => {
    document.removeEventListener("visibilitychange", ask);
    lock?.release();
  };
}
