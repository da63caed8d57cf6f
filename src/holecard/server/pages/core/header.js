// @ts-check
// <hc-header>: brand, pages, balance, and the menu with settings and account.

import { onPerson, signedIn } from "./api.js";
import { prepareAnnouncements } from "./announce.js";
import { h, replaceChildren } from "./dom.js";
import { money } from "./format.js";
import { openMenu } from "./menu.js";
import "./settings.js";
import { t } from "./text.js";

/** @type {readonly [string, string][]} */
const PAGES = [
  ["play", "/"],
  ["drill", "/drill"],
  ["strategy", "/strategy"],
  ["history", "/history"],
  ["fairness", "/fairness"],
];

/**
 * Return which of the pages an address belongs to.
 * @param {string} path
 */
export function pageOf(path) {
  if (/\/drill\/?$/.test(path)) return "drill";
  if (/\/strategy\/?$/.test(path)) return "strategy";
  if (path.startsWith("/history")) return "history";
  if (path.startsWith("/account")) return "account";
  if (path.startsWith("/fairness") || /\/shoes\//.test(path)) return "fairness";
  return "play";
}

/** Links to all pages; the one that is open is marked. */
export function pageLinks() {
  const here = pageOf(location.pathname);
  return PAGES.map(([name, address]) =>
    h("a", { href: address, "aria-current": name === here ? "page" : null }, t(`header.${name}`)),
  );
}

class Header extends HTMLElement {
  #balance = h("span", { class: "header-balance" });
  #notice = h("p", { class: "server-notice", role: "alert" });
  #menu = h("button", { type: "button", class: "header-menu", "aria-haspopup": "dialog", onclick: openMenu });
  /** @type {(() => void) | null} */
  #stop = null;

  connectedCallback() {
    prepareAnnouncements();
    this.setAttribute("role", "banner");
    replaceChildren(
      this,
      h("a", { class: "skip", href: "#main" }, t("common.skip")),
      h("a", { class: "brand", href: "/" }, t("common.brand")),
      h("nav", { "aria-label": t("header.navigation") }, pageLinks()),
      this.#balance,
      this.#menu,
    );
    this.#label(t("header.menu"));
    this.#stop = onPerson((person) => this.#show(person));
    signedIn().catch(() => {
      // The page's own module says what is wrong.
    });
  }

  disconnectedCallback() {
    this.#stop?.();
  }

  /** @param {import("./api.js").Person | null} person */
  #show(person) {
    this.#tell(person?.notice ?? "");
    replaceChildren(
      this.#balance,
      person && [h("span", { class: "unseen" }, `${t("header.balance")}: `), money(person.balance)],
    );
    this.#label(person?.name ?? t("header.menu"));
    if (person) this.#menu.setAttribute("aria-label", t("header.menuOf", { name: person.name }));
  }

  /**
   * Show what everybody must know, once and not again with every new balance: a screen reader would repeat it.
   * It is above the header, because the title of a table is drawn over it.
   * @param {string} words
   */
  #tell(words) {
    if (this.#notice.textContent === words) return;
    this.#notice.textContent = words;
    if (words) this.before(this.#notice);
    else this.#notice.remove();
  }

  /** @param {string} words hidden on small screens, where the button is the way to all pages */
  #label(words) {
    replaceChildren(
      this.#menu,
      h("span", { class: "menu-lines", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
      h("span", { class: "menu-name" }, words),
    );
  }
}

customElements.define("hc-header", Header);
