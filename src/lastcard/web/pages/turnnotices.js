/** Where a person is notified of their turns at tables by the day: their browsers and webhooks. */

import { button } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { form, problemLine, selectField, switchField, textField } from "../ui/fields.js";
import { attempt, panel } from "../ui/panels.js";
import { need } from "../ui/resources.js";
import { toast } from "../ui/toast.js";
import { t, useTexts } from "../ui/texts.js";
import { get, post, remove } from "../net/api.js";

/** @import { NotificationPlace, Notifications } from "../net/protocol.js" */

need(useTexts("me"));

const PATH = "/api/me/notifications";
/** Kinds of webhooks; their names are the same in every language. */
const WEBHOOKS = { discord: "Discord", slack: "Slack", ntfy: "ntfy", matrix: "Matrix" };

/** Returns a panel with the person's places. */
export async function notificationPanel() {
  const { key, places } = /** @type {Notifications} */ (await get(PATH));
  const list = h("div", { class: "stack optional" }, places.map(placeField));
  const add = (/** @type {NotificationPlace} */ place) => list.append(placeField(place));
  return panel(t("web.notify.title"), t("web.notify.about"), list, deviceField(key, add), webhookForm(add));
}

/** Returns a place with its switch, a test, and a button that removes it. @param {NotificationPlace} place */
function placeField({ id, kind, host, enabled, failing }) {
  const path = `${PATH}/${id}`;
  const name = kind === "push" ? t("web.notify.push") : WEBHOOKS[/** @type {keyof typeof WEBHOOKS} */ (kind)];
  const about = failing ? `${host} – ${t("web.notify.failing")}` : host;
  const change = (/** @type {boolean} */ on) => attempt(() => post(path, { enabled: on }));
  const test = () =>
    attempt(async () => {
      const { arrived } = await post(`${path}/test`);
      toast(t(arrived ? "web.notify.sent" : "web.notify.failed"), { kind: arrived ? "good" : "bad" });
    });
  const erase = () =>
    attempt(async () => {
      await remove(path);
      element.remove();
    });
  const element = h(
    "div",
    { class: "stack tight notify-place" },
    switchField(name, enabled, change, { about }),
    h("div", { class: "row" }, button(t("web.notify.test"), test), button(t("web.notify.remove"), erase, { look: "quiet" })),
  );
  return element;
}

/** Returns the button for this browser, or why there is none. @param {string | null} key @param {(place: NotificationPlace) => void} add */
function deviceField(key, add) {
  if (!key) return h("p", { class: "soft small" }, t("web.notify.push.none"));
  if (!(isSecureContext && "PushManager" in globalThis)) return h("p", { class: "soft small" }, t("web.notify.push.install"));
  const subscribe = () =>
    attempt(async () => {
      if ((await Notification.requestPermission()) !== "granted") return toast(t("web.notify.push.denied"), { kind: "bad" });
      const worker = await navigator.serviceWorker.ready;
      const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
      const { endpoint, keys } = made.toJSON();
      add(await post(PATH, { kind: "push", address: endpoint, keys: { p256dh: keys?.p256dh, auth: keys?.auth } }));
    });
  return button(t("web.notify.add.push"), subscribe, { look: "wide" });
}

/** @param {(place: NotificationPlace) => void} add */
function webhookForm(add) {
  const problem = problemLine();
  const address = textField(t("web.notify.address"), { type: "url", placeholder: "https://", required: true });
  let kind = "discord";
  const send = () =>
    attempt(async () => {
      add(await post(PATH, { kind, address: address.input.value.trim() }));
      address.input.value = "";
    }, problem);
  const choices = Object.entries(WEBHOOKS).map(([value, text]) => ({ value, text }));
  return h(
    "details",
    { class: "fold" },
    h("summary", null, t("web.notify.webhook")),
    h("p", { class: "soft small" }, t("web.notify.webhook.about")),
    form(
      { class: "stack" },
      send,
      selectField({ label: t("web.notify.kind"), choices, value: kind, onchange: (value) => (kind = value) }),
      address.element,
      problem,
      h("button", { class: "button" }, t("web.notify.add")),
    ),
  );
}
