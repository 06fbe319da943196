/** Says that this browser had data of an earlier version, which has been removed. */

import { need } from "./needs.js";
import { toast } from "./toast.js";
import { t, useTexts } from "./words.js";

need(useTexts("notice"));

export const sayDropped = () => toast(t("web.notice.dropped"));
