/** Through which servers of the operator voice reaches other networks: `turn`, `stun` or `none`. */
export const voiceReach = document.documentElement.dataset.voice ?? "none";
