/** Checks records and plays them back, in a worker that starts when it is first asked. */

import { Archive } from "../device/archive.js";
import { openOffice } from "./offices.js";

export const archive = new Archive(openOffice);
