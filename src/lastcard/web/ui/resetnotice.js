/** The notice that this browser had data of an earlier version, which has been removed. */

import { need } from "./resources.js";
import { toast } from "./toast.js";
import { t, useTexts } from "./texts.js";

need(useTexts("notice"));

export const announceReset = () => toast(t("web.notice.dropped"));
