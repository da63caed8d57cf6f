// @ts-check
// What the address of a drill or a strategy page says: the game, the kind of questions, and changed settings.

/** @typedef {{game: string | null, kind: string | null, exceptions: boolean, settings: string[]}} Address */

/**
 * Return what an address says; without a game, the reader chooses one.
 * @param {string} path such as "/games/classic/drill"
 * @param {string} query such as "?kind=pairs&set=shoe.decks=8"
 * @returns {Address}
 */
export function readAddress(path, query) {
  const found = /^\/games\/([^/]+)\/(?:drill|strategy)\/?$/.exec(path);
  const values = new URLSearchParams(query);
  return {
    game: found ? decodeURIComponent(found[1]) : null,
    kind: values.get("kind"),
    exceptions: values.get("exceptions") === "true",
    settings: values.getAll("set"),
  };
}

/**
 * Return a query with what is not the default: "?kind=pairs&set=shoe.decks%3D8", or nothing.
 * @param {Partial<Address>} address
 */
export function queryOf({ kind = null, exceptions = false, settings = [] }) {
  const values = new URLSearchParams();
  if (kind) values.set("kind", kind);
  if (exceptions) values.set("exceptions", "true");
  for (const setting of settings) values.append("set", setting);
  const text = values.toString();
  return text && `?${text}`;
}
