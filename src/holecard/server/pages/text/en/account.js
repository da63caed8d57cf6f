// @ts-check
// The English words of the account page.

/** @type {import("../../core/text.js").Catalogue} */
export default {
  account: {
    documentTitle: "Your account · Holecard",
    title: "Your account",
    balance: "You have {balance}.",
    oldPassword: "Present password",
    newPassword: "New password",
    change: "Change password",
    changed: "Your password is changed, and all your other sessions have ended.",
    sessions: "Where you are signed in",
    thisOne: "this browser, now",
    used: "last used {when}",
    since: "since {date}",
    otherProgram: "Another program",
    endOf: "Sign out: {browser}, {used}",
    endOthers: "Sign out everywhere else",
    ended: "Signed out.",
    delete: "Delete this account",
    deleteText:
      "Your name, password, drills and computations go, and your play money returns to the bank. A hand that you play now is ended for you. Finished rounds stay, without your name. You cannot undo this.",
    deleteNow: "Delete for good",
    version: "Holecard {version}, protocol {protocol}",
  },
};
