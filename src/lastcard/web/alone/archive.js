/** Checks records and plays them back, in a worker that starts when it is first asked. */

import { Archive } from "../device/archive.js";
import { ADDRESSES } from "./kept.js";

export const archive = new Archive({ addresses: ADDRESSES });
