// @ts-check
// The menu of the header: pages on small screens, settings of this browser, and who you are.

import { commandId, onPerson, post, setPerson, signedIn } from "./api.js";
import { buyIn, mayBuyIn } from "./buy_in.js";
import { choice, closeButton, closeOutside } from "./dialog.js";
import { h, replaceChildren } from "./dom.js";
import { money } from "./format.js";
import { pageLinks } from "./header.js";
import { settings } from "./settings.js";
import { language, languages, t } from "./text.js";

/** @typedef {import("./api.js").Person} Person */

/** Open the menu. */
export function openMenu() {
  const account = h("section", { class: "menu-account", "aria-labelledby": "menu-account" });
  const stop = onPerson((person) => person && showAccount(account, person));
  const dialog = h(
    "dialog",
    { class: "menu", "aria-label": t("header.menu") },
    closeButton(() => dialog.close()),
    h("nav", { class: "menu-pages", "aria-label": t("header.navigation") }, pageLinks()),
    settingsSection(),
    account,
  );
  dialog.addEventListener("close", () => {
    stop();
    dialog.remove();
  });
  closeOutside(dialog);
  document.body.append(dialog);
  dialog.showModal();
}

function settingsSection() {
  return h(
    "section",
    { "aria-labelledby": "menu-settings" },
    h("h2", { id: "menu-settings", class: "eyebrow" }, t("header.settings")),
    h(
      "label",
      { class: "switch-row" },
      h("span", null, t("header.fourColor"), h("small", null, t("header.fourColorHint"))),
      h("input", {
        type: "checkbox",
        class: "switch",
        checked: settings.fourColor,
        onchange: (/** @type {Event} */ event) => {
          settings.fourColor = /** @type {HTMLInputElement} */ (event.target).checked;
        },
      }),
    ),
    choice("speed", t("header.speed"), settings.speed, speeds(), (value) => {
      settings.speed = /** @type {import("./settings.js").Speed} */ (value);
    }),
    languages.length > 1 &&
      choice("language", t("header.language"), language, languages.map(named), (value) => {
        settings.language = value;
        location.reload();
      }),
  );
}

/** @returns {[string, string][]} */
function speeds() {
  return [
    ["normal", t("header.speedNormal")],
    ["fast", t("header.speedFast")],
    ["instant", t("header.speedInstant")],
  ];
}

/**
 * @param {string} tag
 * @returns {[string, string]}
 */
function named(tag) {
  return [tag, new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag];
}

/**
 * @param {HTMLElement} section
 * @param {Person} person
 */
function showAccount(section, person) {
  const isGuest = person.role === "guest";
  const words = t(isGuest ? "header.guest" : "header.player", { name: person.name });
  replaceChildren(
    section,
    h("h2", { id: "menu-account", class: "eyebrow" }, t("header.account")),
    h("p", null, words),
    mayBuyIn(person) && chipsOffer(section, person),
    isGuest
      ? h(
          "div",
          { class: "row" },
          opener("register", () => showForm(section, person, "register")),
          opener("signIn", () => showForm(section, person, "signIn")),
        )
      : h("button", { type: "button", class: "quiet", onclick: signOut }, t("header.signOut")),
    h("a", { class: "button quiet", href: "/account" }, t("header.ownAccount")),
  );
}

/**
 * @param {HTMLElement} section
 * @param {Person} person
 */
function chipsOffer(section, person) {
  const problem = h("p", { class: "problem", role: "alert" });
  const onclick = async () => {
    problem.textContent = (await buyIn()) ?? "";
    section.querySelector("button")?.focus(); // the one that had the focus is gone
  };
  return h(
    "div",
    { class: "chips-offer" },
    h("p", null, t("header.fewChips", { balance: money(person.balance) })),
    h("button", { type: "button", class: "gold", id: "menu-buy-in", onclick }, t("header.buyIn")),
    problem,
  );
}

/**
 * @param {string} key
 * @param {() => void} onclick
 */
function opener(key, onclick) {
  return h("button", { type: "button", class: key === "register" ? "gold" : "quiet", onclick }, t(`header.${key}`));
}

/**
 * @param {HTMLElement} section
 * @param {Person} person
 * @param {"register" | "signIn"} kind
 */
function showForm(section, person, kind) {
  const name = h("input", { name: "name", required: true, autocomplete: "username", maxLength: 32 });
  const password = h("input", {
    name: "password",
    type: "password",
    required: true,
    minLength: 8,
    autocomplete: kind === "register" ? "new-password" : "current-password",
  });
  const problem = h("p", { class: "problem", role: "alert" });
  const form = h(
    "form",
    { class: "account-form" },
    h("label", null, h("span", null, t("header.name")), name),
    h("label", null, h("span", null, t("header.password")), password, h("small", null, t("header.passwordHint"))),
    problem,
    h(
      "div",
      { class: "row" },
      h("button", { type: "submit", class: "gold" }, t(kind === "register" ? "header.doRegister" : "header.doSignIn")),
      h("button", { type: "button", class: "quiet", onclick: () => showAccount(section, person) }, t("common.cancel")),
    ),
  );
  const id = commandId(); // after a lost answer, the same account
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const who = { name: name.value, password: password.value };
      setPerson(await (kind === "register" ? post("/accounts", { ...who, id }) : post("/sign-in", who)));
      // Somebody else may sit at this page's table now.
      location.reload();
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  });
  replaceChildren(section, h("h2", { id: "menu-account", class: "eyebrow" }, t(`header.${kind}`)), form);
  name.focus();
}

async function signOut() {
  await post("/sign-out");
  setPerson(null);
  await signedIn();
  location.assign("/");
}
