// @ts-check
// What this browser has seen of shoes while they were dealt, so that nobody can publish another promise later.

/** @typedef {import("../core/protocol").ShownShoe} ShownShoe */
/**
 * `sent` are the seeds that this browser has sent, after it had kept the commitment.
 * @typedef {{commitment: string, at: number, early: boolean, seeds: string[], sent?: string[]}} SeenShoe
 */

const KEY = "holecard.shoes";
/** Shoes that are kept; the oldest goes first. */
const KEPT = 300;

/**
 * Keep the commitment that a table shows, and the players' seeds; the first commitment seen is never replaced.
 * @param {Pick<ShownShoe, "id" | "commitment" | "player_seeds" | "open_for_seeds"> | null} shoe
 */
export function rememberCommitment(shoe) {
  if (!shoe) return;
  const shoes = load();
  const before = shoes[shoe.id];
  if (before && before.seeds.join("\n") === shoe.player_seeds.join("\n")) return;
  const first = before ?? { commitment: shoe.commitment, at: Date.now(), early: shoe.open_for_seeds };
  // Seeds that were added are never taken away; a shorter list is kept only as long as nothing more is known.
  const seeds = before && before.seeds.length > shoe.player_seeds.length ? before.seeds : shoe.player_seeds;
  store({ ...shoes, [shoe.id]: { ...first, seeds: [...seeds] } });
}

/**
 * Keep a seed that this browser sends now, for a shoe whose commitment is kept.
 * @param {string} id
 * @param {string} seed
 */
export function rememberSent(id, seed) {
  const shoes = load();
  const shoe = shoes[id];
  if (shoe) store({ ...shoes, [id]: { ...shoe, sent: [...(shoe.sent ?? []), seed] } });
}

/**
 * Return which of a shoe's seeds this browser has sent; null if none.
 * @param {{shoe: string, player_seeds: readonly string[]}} document
 */
export function ownSeed({ shoe, player_seeds }) {
  const sent = seenShoe(shoe)?.sent;
  return player_seeds.find((seed) => sent?.includes(seed)) ?? null;
}

/**
 * Return what this browser saw of a shoe; null if it has not seen it.
 * @param {string} id
 * @returns {SeenShoe | null}
 */
export function seenShoe(id) {
  return load()[id] ?? null;
}

/** @returns {Record<string, SeenShoe>} */
function load() {
  try {
    const found = JSON.parse(globalThis.localStorage?.getItem(KEY) ?? "{}");
    return typeof found === "object" && found !== null ? found : {};
  } catch {
    return {};
  }
}

/** @param {Record<string, SeenShoe>} shoes */
function store(shoes) {
  const newest = Object.entries(shoes).sort(([, one], [, other]) => other.at - one.at).slice(0, KEPT);
  try {
    globalThis.localStorage?.setItem(KEY, JSON.stringify(Object.fromEntries(newest)));
  } catch {
    // A browser without storage compares nothing.
  }
}
