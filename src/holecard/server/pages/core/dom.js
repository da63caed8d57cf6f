// @ts-check
// Elements without markup: h() for HTML, svg() for SVG. Texts are always text, never markup.

/** @typedef {Node | string | number | null | undefined | false | readonly Child[]} Child */
/** @typedef {Record<string, any>} Properties */

/**
 * @typedef {{
 *   <T extends keyof HTMLElementTagNameMap>(tag: T, properties?: Properties | null, ...children: Child[]):
 *     HTMLElementTagNameMap[T],
 *   (tag: string, properties?: Properties | null, ...children: Child[]): HTMLElement,
 * }} MakeElement
 */

/**
 * Return an HTML element.
 *
 * Properties: `class`, `onclick` and other events as functions, `data-…`, `aria-…` and other names with a hyphen as
 * attributes, `--…` as custom properties of CSS; the rest are properties of the element if it has them, attributes if
 * not. null, undefined and false leave an attribute out.
 * @type {MakeElement}
 */
export const h = (
  /** @type {string} */ tag,
  /** @type {Properties | null | undefined} */ properties,
  /** @type {Child[]} */ ...children
) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) setProperty(element, name, value);
  element.append(...nodes(children));
  return element;
};

/**
 * Return an SVG element with attributes; events as functions, as in h().
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Properties | null} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, attributes = null, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, String(value));
    else setAttribute(element, name, value);
  }
  element.append(...nodes(children));
  return element;
}

/**
 * Replace what is in an element.
 * @param {Element | DocumentFragment} element
 * @param {...Child} children
 */
export function replaceChildren(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/**
 * Replace a list's elements, but keep those whose key is still there, so that focus and animations survive.
 * @template Item
 * @param {Element} list
 * @param {readonly Item[]} items
 * @param {(item: Item) => string} keyOf
 * @param {(item: Item, element: HTMLElement | null) => HTMLElement} draw gets the old element, or null
 */
export function keyed(list, items, keyOf, draw) {
  const old = new Map([...list.children].map((child) => [/** @type {HTMLElement} */ (child).dataset.key, child]));
  const drawn = items.map((item) => {
    const key = keyOf(item);
    const element = draw(item, /** @type {HTMLElement | null} */ (old.get(key) ?? null));
    element.dataset.key = key;
    return element;
  });
  const kept = new Set(/** @type {Element[]} */ (drawn));
  for (const child of [...list.children]) if (!kept.has(child)) child.remove();
  drawn.forEach((element, place) => {
    if (list.children[place] !== element) list.insertBefore(element, list.children[place] ?? null);
  });
}

/**
 * @param {HTMLElement} element
 * @param {string} name
 * @param {any} value
 */
function setProperty(element, name, value) {
  if (name.startsWith("on") && typeof value === "function") element.addEventListener(name.slice(2), value);
  else if (name === "class") element.className = value || "";
  else if (name.startsWith("--")) element.style.setProperty(name, String(value));
  else if (name.includes("-") || !(name in element) || name === "list") setAttribute(element, name, value);
  else if (value !== undefined && value !== null) /** @type {any} */ (element)[name] = value;
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {any} value
 */
function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
}

/**
 * @param {readonly Child[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
  return children.flatMap((child) => {
    if (child === null || child === undefined || child === false) return [];
    if (Array.isArray(child)) return nodes(child);
    return [child instanceof Node ? child : String(child)];
  });
}
