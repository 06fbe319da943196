/** The QR code of a table's address. */

/** @import {TableInfo} from "../net/protocol.js" */

/**
 * Returns the picture's path. The server draws its current address; the query makes browsers reload the picture when the address
 * changes.
 * @param {Pick<TableInfo, "code" | "join_url">} table
 */
export const qrPath = ({ code, join_url: url }) => `/qr/${code}.svg?${encodeURIComponent(url)}`;
