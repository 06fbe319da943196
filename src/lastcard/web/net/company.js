/** Who else sits at a table. */

/** @import {Session} from "./session.js" */

/** Whether the person sits at a table of a server with other people. @param {Session} session */
export const hasCompany = ({ table, seat, you, isLocal }) =>
  !isLocal && seat !== null && Boolean(table?.seats.some((info) => info?.player && info.player !== you));
