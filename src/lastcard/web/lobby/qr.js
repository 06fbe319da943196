/** The picture of a table's address, for cameras. */

/** @import {TableInfo} from "../net/protocol.js" */

/**
 * Where it is. The server draws the address that it has now; a browser asks for the picture again where that is another.
 *
 * @param {TableInfo} table
 */
export const qrPath = ({ code, join_url: url }) => `/qr/${code}.svg?${encodeURIComponent(url)}`;
