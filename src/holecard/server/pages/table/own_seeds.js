// @ts-check
// Your seeds: the page adds a fresh one to every shoe that you sit at, after its promise and before your first bet.

import { commandId } from "../core/api.js";
import { settings } from "../core/settings.js";
import { ownSeed, rememberCommitment, rememberSent } from "../fairness/seen.js";

/** @typedef {import("../felt/types.js").View} View */
/** @typedef {NonNullable<View["shoe"]>} Shoe */

/** How often a seed is sent to a shoe that refuses it. */
const TRIES = 3;
/** The longest seed is 64 characters: these, a space, and 32 digits. */
export const LONGEST_WORDS = 31;

/** Adds the seeds of one person at one table. */
export class OwnSeeds {
  #send;
  #shoe = "";
  /** How often a seed may still be sent to this shoe. */
  #left = 0;
  /** @type {Set<string>} those of this page, for browsers that keep nothing */
  #sent = new Set();
  /** Settles when the last seed is in the log or refused, so that no bet comes before it. */
  settled = Promise.resolve();

  /** @param {(command: Record<string, unknown>) => Promise<unknown>} send rejects what is refused */
  constructor(send) {
    this.#send = send;
  }

  /**
   * Keep the promise that a view shows, and answer it with a seed where one is missing.
   * @param {View} view
   */
  follow({ shoe, yours }) {
    rememberCommitment(shoe);
    if (!shoe?.open_for_seeds || shoe.your_seed || !yours.length) return;
    if (shoe.id !== this.#shoe) [this.#shoe, this.#left] = [shoe.id, TRIES];
    if (!this.#left) return;
    const left = this.#left - 1;
    this.#left = 0;
    const seed = `${settings.seedWords.slice(0, LONGEST_WORDS)} ${commandId()}`.trim();
    this.#sent.add(seed);
    rememberSent(shoe.id, seed);
    this.settled = this.#send({ do: "add seed", seed, shoe: shoe.id }).then(
      () => {},
      () => {
        // It was too late, or another window was faster, as the next view says; else it is tried again.
        if (this.#shoe === shoe.id) this.#left = left;
      },
    );
  }

  /**
   * Return what a player should know about the own seed: "own", "other" window, "open" for it, or too "late".
   * @param {Shoe} shoe
   * @returns {"own" | "other" | "open" | "late"}
   */
  stateOf({ id, your_seed: seed, player_seeds, open_for_seeds }) {
    if (!seed) return open_for_seeds ? "open" : "late";
    return this.#sent.has(seed) || ownSeed({ shoe: id, player_seeds }) === seed ? "own" : "other";
  }
}
