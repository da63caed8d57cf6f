// @ts-check
// The page of your own account: another password, where you are signed in, and the end of the account.

import "../core/header.js";
import { announce } from "../core/announce.js";
import { get, post, send, setPerson, signedIn } from "../core/api.js";
import { h, replaceChildren } from "../core/dom.js";
import { date, moment, money } from "../core/format.js";
import { t } from "./text.js";

/** @typedef {import("../core/api.js").Person} Person */
/** @typedef {import("../core/protocol").SessionInfo} SessionInfo */

class Account extends HTMLElement {
  #sessions = h("ul", { class: "sessions" });
  #sessionsProblem = problem();
  #others = h("button", { type: "button", class: "quiet", onclick: () => this.#endSessions("/sessions") }, t("account.endOthers"));

  connectedCallback() {
    document.title = t("account.documentTitle");
    replaceChildren(this, h("h1", null, t("account.title")), h("p", { class: "muted", role: "status" }, t("common.loading")));
    this.#load().catch((error) => {
      replaceChildren(this, h("h1", null, t("account.title")), problem(t("common.failed", { why: error.message })));
    });
  }

  async #load() {
    const person = await signedIn();
    // Operators may keep the version to themselves.
    const [version] = await Promise.all([get("/version").catch(() => null), this.#showSessions()]);
    const words = t(person.role === "guest" ? "header.guest" : "header.player", { name: person.name });
    replaceChildren(
      this,
      h("h1", null, t("account.title")),
      h("p", null, words, " ", t("account.balance", { balance: money(person.balance) })),
      person.role !== "guest" && passwordPanel(person),
      panel(t("account.sessions"), this.#sessions, this.#sessionsProblem, this.#others),
      endPanel(person),
      version && h("p", { class: "muted" }, h("small", null, t("account.version", version))),
    );
  }

  async #showSessions() {
    const found = /** @type {SessionInfo[]} */ (await get("/sessions"));
    this.#others.hidden = found.length < 2;
    replaceChildren(this.#sessions, found.map((session) => this.#sessionRow(session)));
  }

  /** @param {SessionInfo} session */
  #sessionRow(session) {
    const browser = session.browser ?? t("account.otherProgram");
    const begun = session.created_at === null ? "" : t("account.since", { date: date(session.created_at) });
    const used = session.this ? t("account.thisOne") : t("account.used", { when: moment(session.used_at) });
    const onclick = () => this.#endSessions(`/sessions/${session.id}`);
    return h(
      "li",
      null,
      h("span", null, browser, h("small", null, [used, begun].filter(Boolean).join(" · "))),
      !session.this && h("button", { type: "button", class: "quiet", "aria-label": t("account.endOf", { browser, used }), onclick }, t("header.signOut")),
    );
  }

  /** @param {string} path */
  async #endSessions(path) {
    this.#sessionsProblem.textContent = "";
    try {
      await send("DELETE", path);
      announce(t("account.ended"));
    } catch (error) {
      this.#sessionsProblem.textContent = /** @type {Error} */ (error).message;
    }
    await this.#showSessions();
    /** @type {HTMLElement | null} */ (this.#sessions.parentElement?.firstElementChild)?.focus(); // the button is gone
  }
}

/** @param {Person} person */
function passwordPanel(person) {
  const old = passwordField("current-password");
  const fresh = passwordField("new-password", 8);
  const said = h("p", { class: "account-done", role: "status" });
  const wrong = problem();
  const form = h(
    "form",
    { class: "account-form" },
    // Password managers look for the name.
    h("input", { name: "username", autocomplete: "username", value: person.name, hidden: true }),
    labeled(t("account.oldPassword"), old),
    labeled(t("account.newPassword"), fresh, t("header.passwordHint")),
    wrong,
    said,
    h("div", { class: "row" }, h("button", { type: "submit", class: "gold" }, t("account.change"))),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    said.textContent = wrong.textContent = "";
    try {
      await post("/account/password", { old: old.value, new: fresh.value });
      form.reset();
      said.textContent = t("account.changed");
    } catch (error) {
      wrong.textContent = /** @type {Error} */ (error).message;
      old.focus();
    }
  });
  return panel(t("header.password"), form);
}

/** @param {Person} person */
function endPanel(person) {
  const password = person.role === "guest" ? null : passwordField("current-password");
  const wrong = problem();
  const form = h(
    "form",
    { class: "account-form", hidden: true },
    password && labeled(t("header.password"), password),
    wrong,
    h(
      "div",
      { class: "row" },
      h("button", { type: "submit", class: "risky" }, t("account.deleteNow")),
      h("button", { type: "button", class: "quiet", onclick: () => toggle(false) }, t("common.cancel")),
    ),
  );
  const begin = h("button", { type: "button", class: "quiet", onclick: () => toggle(true) }, t("account.delete"));
  const start = h("div", { class: "row" }, begin);

  /** @param {boolean} asks */
  function toggle(asks) {
    form.hidden = !asks;
    start.hidden = asks;
    const target = asks ? /** @type {HTMLElement | null} */ (form.querySelector("input, button")) : begin;
    target?.focus();
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    try {
      await post("/account/delete", password ? { password: password.value } : {});
      setPerson(null);
      location.assign("/");
    } catch (error) {
      wrong.textContent = /** @type {Error} */ (error).message;
    }
  });
  const found = panel(t("account.delete"), h("p", { class: "muted" }, t("account.deleteText")), start, form);
  found.classList.add("account-end");
  return found;
}

/**
 * @param {string} title
 * @param {...import("../core/dom.js").Child} parts
 */
function panel(title, ...parts) {
  return h("section", { class: "panel" }, h("h2", { tabIndex: -1 }, title), parts);
}

/**
 * @param {string} autocomplete
 * @param {number} shortest
 */
function passwordField(autocomplete, shortest = 1) {
  return h("input", { type: "password", required: true, minLength: shortest, maxLength: 200, autocomplete });
}

/**
 * @param {string} words
 * @param {HTMLElement} field
 * @param {string} [hint]
 */
function labeled(words, field, hint) {
  return h("label", null, h("span", null, words), field, hint && h("small", null, hint));
}

function problem(words = "") {
  return h("p", { class: "problem", role: "alert" }, words);
}

customElements.define("hc-account", Account);
