/** Passkeys: sign in by one, and add, name and remove one's own. */

import { button } from "../ui/button.js";
import { confirmDialog, openDialog } from "../ui/dialog.js";
import { h } from "../ui/dom.js";
import { form, problemLine, textField } from "../ui/fields.js";
import { attempt } from "../ui/panels.js";
import { need } from "../ui/resources.js";
import { refill } from "../ui/presses.js";
import { date, t, useTexts } from "../ui/texts.js";
import { get, post, remove } from "../net/api.js";
import { joiningParts, joinAndShow } from "./joining.js";

/** @import { Passkey, SignedIn } from "../net/protocol.js" */
/** @import { Me } from "../net/me.js" */

need(useTexts("devices"));

const MAX_NAME_CHARS = 20;

/** Returns the part about passkeys. @param {Me | null} person */
export async function passkeyPart(person) {
  const about = h("p", null, t("web.passkeys.about"));
  const signing = button(t("web.passkeys.sign"), () => attempt(signIn), { look: person ? "" : "primary" });
  if (!person) return h("div", { class: "stack" }, about, h("p", null, signing));
  const list = h("ul", { class: "stack tight" });
  const refresh = async () => {
    const found = /** @type {Passkey[]} */ (await get("/api/me/passkeys"));
    refill(list, () => found.map((each) => passkeyItem(each, refresh)));
  };
  await refresh();
  const adding = button(t("web.passkeys.add"), () => attempt(() => addPasskey(refresh)));
  return h("div", { class: "stack" }, h("h3", null, t("web.passkeys.title")), about, list, h("div", { class: "row" }, adding, signing));
}

/** @param {Passkey} passkey @param {() => Promise<void>} refresh */
function passkeyItem({ id, name, created, used }, refresh) {
  const path = `/api/me/passkeys/${id}`;
  const rename = () => askName(name, (wanted) => post(path, { name: wanted }).then(refresh));
  const erase = async () => {
    if (!(await confirmDialog(t("web.passkeys.remove.ask", { name }), t("web.passkeys.remove"), t("web.passkeys.remove.about")))) return;
    await attempt(() => remove(path).then(refresh));
  };
  const times = [t("web.passkeys.added", { date: date(created) }), used !== null && t("web.passkeys.used", { date: date(used) })];
  const named = (/** @type {string} */ doing) => ({ look: "quiet", "aria-label": `${doing}: ${name}`, data: { key: `${doing}-${id}` } });
  return h(
    "li",
    { class: "row passkey" },
    h("span", { class: "grow" }, h("strong", null, name), h("small", { class: "soft" }, times.filter(Boolean).join(" "))),
    button(t("web.passkeys.rename"), rename, named(t("web.passkeys.rename"))),
    button(t("web.passkeys.remove"), erase, named(t("web.passkeys.remove"))),
  );
}

/** Creates a passkey on this device or another that the browser offers. @param {() => Promise<void>} refresh */
async function addPasskey(refresh) {
  const asked = await post("/api/me/passkeys/options");
  const publicKey = {
    ...asked,
    challenge: toBytes(asked.challenge),
    user: { ...asked.user, id: toBytes(asked.user.id) },
    excludeCredentials: (asked.excludeCredentials ?? []).map(withBytes),
  };
  const created = await proven(() => navigator.credentials.create({ publicKey }));
  if (!created) return;
  const { attestationObject, clientDataJSON } = /** @type {AuthenticatorAttestationResponse} */ (created.response);
  const answer = answerOf(created, { attestationObject, clientDataJSON });
  await askName(t("web.passkeys.name.first"), (name) => post("/api/me/passkeys", { answer, name }).then(refresh));
}

/** Signs in by a passkey; a device that has a profile of its own is asked first. */
async function signIn() {
  const asked = await post("/api/passkey/options");
  const publicKey = { ...asked, challenge: toBytes(asked.challenge) };
  const found = await proven(() => navigator.credentials.get({ publicKey }));
  if (!found) return;
  const { authenticatorData, clientDataJSON, signature, userHandle } = /** @type {AuthenticatorAssertionResponse} */ (found.response);
  const answer = answerOf(found, { authenticatorData, clientDataJSON, signature, userHandle });
  const { code, joining } = /** @type {SignedIn} */ (await post("/api/passkey", { answer }));
  const join = () => post("/api/join", { code });
  if (!joining.here) return joinAndShow(join);
  const content = h("div", { class: "stack" });
  const dialog = openDialog({ title: t("web.passkeys.sign"), content });
  content.append(...joiningParts(joining, join, dialog.close));
}

/**
 * Returns the credential that a person allows; null if they cancel.
 * @param {() => Promise<Credential | null>} ask @returns {Promise<PublicKeyCredential | null>}
 */
async function proven(ask) {
  try {
    return /** @type {PublicKeyCredential | null} */ (await ask());
  } catch (error) {
    // Canceled, too late, or this device has a passkey of the person already.
    if (error instanceof DOMException && ["NotAllowedError", "AbortError", "InvalidStateError"].includes(error.name)) return null;
    throw error;
  }
}

/**
 * Asks for the name of a passkey; saves it unless the person closes the dialog.
 * @param {string} before @param {(name: string) => Promise<unknown>} save
 */
async function askName(before, save) {
  const problem = problemLine();
  const { element, input } = textField(t("web.passkeys.name"), { value: before, maxlength: MAX_NAME_CHARS, required: true });
  const send = () =>
    attempt(async () => {
      await save(input.value);
      dialog.close();
    }, problem);
  const saving = h("button", { class: "button primary" }, t("web.passkeys.save"));
  const dialog = openDialog({
    title: t("web.passkeys.name"),
    content: form({ class: "stack" }, send, h("p", { class: "soft small" }, t("web.passkeys.name.about")), element, problem, saving),
  });
  input.select();
  await dialog.closed;
}

/**
 * Returns a credential as JSON of WebAuthn; older browsers have no `toJSON`.
 * @param {PublicKeyCredential} credential @param {Record<string, ArrayBuffer | null>} response
 */
const answerOf = ({ id, rawId, type }, response) => ({
  id,
  rawId: toText(rawId),
  type,
  response: Object.fromEntries(Object.entries(response).map(([name, value]) => [name, value && toText(value)])),
});

/** @param {{id: string, type: PublicKeyCredentialType}} descriptor */
const withBytes = ({ id, type }) => ({ type, id: toBytes(id) });

/** Returns the bytes of a base64url text. @param {string} text */
const toBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));

/** Returns bytes as base64url. @param {ArrayBuffer} bytes */
const toText = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
