// @ts-check
// The English words of what operators see.

/** @type {import("../../core/text.js").Catalogue} */
export default {
  operator: {
    open: "Operator",
    end: "End this round",
    endWill: "All stakes are returned, losses are given back, and the shoe is replaced.",
    free: "Free seat {seat}: {name}",
    freeWill: "A bet that is not dealt is returned. A hand that is dealt stands.",
    stop: "Stop {game}",
    stopWill: "No table of this game takes bets until it is allowed again. Rounds under way end.",
    allow: "Allow {game} again",
    allowWill: "Tables of this game take bets again.",
    mute: "Mute the name {name}",
    muteWill: "Everybody sees a neutral name in its place.",
    restore: "Show the name {name} again",
    restoreWill: "Everybody sees the name again.",
    reason: "Reason",
    shown: "Players see the reason.",
    kept: "The log keeps the reason.",
    none: "No game is stopped, and no name is muted.",
    failed: "Not done: {why}",
  },
};
