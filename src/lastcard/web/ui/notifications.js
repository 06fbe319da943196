/** Notifications of the browser, for a page in the background. They need HTTPS, and the person's permission. */

import { prefs } from "./prefs.js";

const TAG = "lastcard-turn";

/** Whether the browser has notifications at this address. */
export const hasNotifications = "Notification" in globalThis && isSecureContext;

/** Whether notifications are wanted and permitted. */
export const isNotified = () => hasNotifications && prefs.get("notifications") && Notification.permission === "granted";

/** Asks the person for permission, and stores that notifications are wanted if it is given. @returns {Promise<boolean>} */
export async function allowNotifications() {
  const isAllowed = (await Notification.requestPermission()) === "granted";
  prefs.set("notifications", isAllowed);
  return isAllowed;
}

/**
 * Shows a notification, which replaces an earlier one; a press on it leads back to the page.
 * @param {string} title @param {string} body
 * @returns {() => void} removes it
 */
export function notify(title, body) {
  try {
    const note = new Notification(title, { body, tag: TAG });
    note.addEventListener("click", () => {
      focus();
      note.close();
    });
    return () => note.close();
  } catch {
    // Android has them in service workers only.
    const shown = navigator.serviceWorker?.getRegistration().then((worker) => worker?.showNotification(title, { body, tag: TAG }));
    shown?.catch(() => {});
    return () => void navigator.serviceWorker?.getRegistration().then(closeAll).catch(() => {});
  }
}

/** @param {ServiceWorkerRegistration} [worker] */
async function closeAll(worker) {
  for (const note of (await worker?.getNotifications({ tag: TAG })) ?? []) note.close();
}
