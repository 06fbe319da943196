/** The outage page: if the browser allows it, a service worker (`outageworker.js`) shows it when the server is down. */

import { FOLDER } from "../ui/address.js";
import { register } from "../ui/workers.js";

/** Installs the outage page. */
export const registerOutagePage = () => register(new URL(`${FOLDER}service.js`, location.href));
