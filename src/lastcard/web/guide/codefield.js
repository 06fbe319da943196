/** The field for the code of a table, with the button that joins it. */

import { h } from "../ui/dom.js";
import { textField } from "../ui/fields.js";
import { t } from "../ui/texts.js";

const LENGTH_CHARS = 12;

/** Returns the field, and a function that returns the code in it without other characters. */
export function codeField() {
  const { element, input } = textField(
    t("web.home.code"),
    { maxlength: LENGTH_CHARS, autocapitalize: "characters", spellcheck: "false", enterkeyhint: "go", class: "input code-input" },
    h("button", { class: "button" }, t("web.home.join")),
  );
  return { element, input, code: () => input.value.replace(/[^0-9a-z]/gi, "").toUpperCase() };
}
