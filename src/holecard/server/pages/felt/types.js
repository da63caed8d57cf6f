// @ts-check
// The names of the protocol's objects that the felt and the table use, in one place.

/** @typedef {import("../core/protocol").Felt} Felt */
/** @typedef {import("../core/protocol").FeltWager} FeltWager */
/** @typedef {import("../core/protocol").ShownTable} View */
/** @typedef {import("../core/protocol").ShownSeat} Seat */
/** @typedef {import("../core/protocol").ShownPlayerHand} Hand */
/** @typedef {import("../core/protocol").ShownChoice} Choice */
/** @typedef {import("../core/protocol").ShownResult} Result */
/** @typedef {import("../core/protocol").ShownEvent} Event */

export {};
