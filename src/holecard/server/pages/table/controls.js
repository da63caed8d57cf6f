// @ts-check
// The buttons of a table: the actions of the hand asked with their keys, values and reasons; the commands while betting.

import { h, keyed } from "../core/dom.js";
import { cents as centsText, money } from "../core/format.js";
import { t } from "../core/text.js";
import { ACTION_KEYS, keySign } from "./keys.js";
import { isEvenMoney } from "./words.js";

/** @typedef {import("../felt/types.js").Felt} Felt */
/** @typedef {import("../felt/types.js").View} View */
/** @typedef {import("../felt/types.js").Choice} Choice */
/** @typedef {{action: string, ev: number, cents: number, best?: boolean}} Advice */
/** @typedef {{id: string, label: string, key: string, gold?: boolean, reason?: string | null, run: () => void}} Command */
/** @typedef {(action: string, amount: number | null) => void} Act */

/** The buttons below the felt. */
export class Controls {
  #felt;
  #act;
  #actions = h("div", { class: "actions", role: "group", "aria-label": t("table.actions") });
  #commands = h("div", { class: "commands", role: "group", "aria-label": t("table.commands") });
  #note = h("p", { class: "note" });
  /** @type {Map<string, number>} chosen amounts by action */
  #amounts = new Map();
  #asked = "";
  /** @type {View | null} */
  #view = null;
  /** @type {readonly Advice[]} */
  #advice = [];
  /** The player's free money, in cents. */
  #balance = 0;

  /**
   * @param {HTMLElement} parent
   * @param {Felt} felt
   * @param {Act} act
   */
  constructor(parent, felt, act) {
    this.#felt = felt;
    this.#act = act;
    parent.append(this.#note, this.#actions, this.#commands);
  }

  /**
   * Show what can be done in a view.
   * @param {View} view
   * @param {readonly Command[]} commands
   * @param {string} note
   * @param {number} balance
   */
  show(view, commands, note, balance) {
    const asked = `${view.round}:${view.asked}:${view.hand}:${view.phase}`;
    if (asked !== this.#asked) this.#amounts.clear();
    if (this.#view !== view) this.#advice = [];
    [this.#asked, this.#view, this.#balance] = [asked, view, balance];
    const mine = view.asked !== null && view.yours.includes(view.asked);
    const choices = mine ? view.choices : [];
    this.#actions.hidden = !choices.length;
    keyed(
      this.#actions,
      choices.length ? this.#all(view) : [],
      (action) => action,
      (action, old) => this.#button(action, this.#choice(action), old),
    );
    this.#commands.hidden = !commands.length;
    keyed(
      this.#commands,
      commands,
      (command) => command.id,
      (command, old) => this.#command(command, old),
    );
    this.#note.textContent = note;
    this.#note.hidden = !note;
  }

  /**
   * Show the coach's values on the buttons.
   * @param {readonly Advice[]} advice
   */
  set advice(advice) {
    this.#advice = advice;
    for (const button of this.#actions.children) this.#value(/** @type {HTMLElement} */ (button));
  }

  /**
   * Take an action by its name, if it is legal now and the player can pay for it; returns why not.
   * @param {string} action
   */
  press(action) {
    const choice = this.#choice(action);
    if (choice) this.#act(action, this.#amountOf(choice));
    return choice ? null : this.#whyNot(action) || null;
  }

  /**
   * What the player can do with this action: it is legal, and its amounts are limited to the player's money.
   * @param {string} action
   */
  #choice(action) {
    const choice = this.#view?.choices.find((one) => one.action === action);
    return choice ? withinMeans(choice, this.#balance) : null;
  }

  /**
   * @param {string} action
   * @returns {string} empty where the action can be taken
   */
  #whyNot(action) {
    const choice = this.#view?.choices.find((one) => one.action === action);
    if (!choice) return /** @type {any} */ (this.#view?.refused)?.[action] ?? "";
    if (choice.price <= this.#balance) return "";
    const values = { action: this.#label(action), price: money(choice.price), balance: money(this.#balance) };
    return t(choice.low === null ? "table.tooDear" : "table.tooDearAtLeast", values);
  }

  /** @param {View} view */
  #all(view) {
    const legal = view.choices.map((choice) => String(choice.action));
    if (view.phase !== "acting") return legal;
    const known = this.#felt.actions.filter((action) => legal.includes(action) || action in view.refused);
    return [...known, ...legal.filter((action) => !known.includes(/** @type {any} */ (action)))];
  }

  /**
   * @param {string} action
   * @param {Choice | null} choice
   * @param {HTMLElement | null} old
   */
  #button(action, choice, old) {
    const cell = old ?? this.#newButton(action);
    const button = /** @type {HTMLButtonElement} */ (cell.firstElementChild);
    const why = this.#whyNot(action);
    const name = /** @type {HTMLElement} */ (button.querySelector(".action-name"));
    name.textContent = this.#label(action);
    button.setAttribute("aria-disabled", String(!choice));
    if (why) button.setAttribute("aria-description", why);
    else button.removeAttribute("aria-description");
    button.title = why;
    /** @type {HTMLElement} */ (button.querySelector(".action-value")).textContent = why;
    this.#stepper(cell, choice);
    this.#value(cell);
    return cell;
  }

  /** @param {string} action */
  #newButton(action) {
    const key = ACTION_KEYS[action] ?? "";
    const button = h(
      "button",
      {
        type: "button",
        class: "action",
        "data-action": action,
        "aria-keyshortcuts": key,
        onclick: () => this.press(action),
      },
      h("kbd", { "aria-hidden": "true" }, key),
      h("span", { class: "action-name" }),
      h("span", { class: "action-value" }),
      h("span", { class: "action-bar", "aria-hidden": "true" }),
    );
    return h("div", { class: "action-cell" }, button);
  }

  /** Whether insurance is even money here: only all of it is, so the player needs the money for that. */
  get #isEvenMoney() {
    const most = this.#view?.choices.find((one) => one.action === "insurance")?.high ?? 0;
    return this.#view !== null && most <= this.#balance && isEvenMoney(this.#view, this.#felt);
  }

  /** @param {string} action */
  #label(action) {
    if (action === "insurance" && this.#isEvenMoney) return t("common.actions.evenMoney");
    if (action === "no insurance" && this.#isEvenMoney) return t("common.actions.noEvenMoney");
    return t(`common.actions.${action}`);
  }

  /**
   * Let the player choose an amount where the action has one.
   * @param {HTMLElement} cell
   * @param {Choice | null} choice
   */
  #stepper(cell, choice) {
    const old = cell.querySelector(".stepper");
    const whole = choice?.action === "insurance" && this.#isEvenMoney;
    if (!choice || whole || choice.low === null || choice.high === null || choice.low === choice.high) {
      old?.remove();
      return;
    }
    const amount = this.#amountOf(choice) ?? choice.high;
    const step = choice.step ?? 100;
    /** @param {number} to */
    const set = (to) => {
      const most = /** @type {number} */ (choice.high);
      const steps = to >= most ? most : Math.max(/** @type {number} */ (choice.low), Math.floor(to / step) * step);
      this.#amounts.set(choice.action, steps);
      this.#stepper(cell, choice);
    };
    /**
     * @param {"less" | "more"} name
     * @param {string} sign
     * @param {number} to
     */
    const button = (name, sign, to) =>
      h(
        "button",
        { type: "button", "aria-label": t(`table.${name}`), [`data-${name}`]: choice.action, onclick: () => set(to) },
        sign,
      );
    const stepper = h(
      "div",
      { class: "stepper", role: "group", "aria-label": t("table.amountOf", { action: this.#label(choice.action) }) },
      button("less", "−", amount - step),
      h("output", { "aria-live": "polite" }, money(amount)),
      button("more", "+", amount + step),
    );
    const focused = old?.contains(document.activeElement)
      ? /** @type {HTMLElement} */ (document.activeElement).ariaLabel
      : null;
    if (old) old.replaceWith(stepper);
    else cell.append(stepper);
    if (focused) [...stepper.querySelectorAll("button")].find((one) => one.ariaLabel === focused)?.focus();
  }

  /** @param {Choice} choice */
  #amountOf(choice) {
    return choice.high === null ? null : Math.min(this.#amounts.get(choice.action) ?? choice.high, choice.high);
  }

  /** @param {HTMLElement} cell */
  #value(cell) {
    const button = /** @type {HTMLElement} */ (cell.firstElementChild);
    const found = this.#advice.find((one) => one.action === button.dataset.action);
    const legal = button.getAttribute("aria-disabled") !== "true";
    const value = /** @type {HTMLElement} */ (button.querySelector(".action-value"));
    const best = Math.max(...this.#advice.map((one) => one.ev));
    button.classList.toggle("best", Boolean(found && legal && found.ev === best));
    if (!legal) return;
    value.textContent = found ? t("table.perDollar", { value: centsText(100 * found.ev) }) : "";
    const worst = Math.min(...this.#advice.map((one) => one.ev));
    button.style.setProperty(
      "--share",
      String(found ? (best > worst ? 0.06 + (0.94 * (found.ev - worst)) / (best - worst) : 1) : 0),
    );
  }

  /**
   * @param {Command} command
   * @param {HTMLElement | null} old
   */
  #command(command, old) {
    const button = /** @type {HTMLButtonElement} */ (
      old ?? h("button", { type: "button", "data-command": command.id }, h("kbd", { "aria-hidden": "true" }), h("span"))
    );
    button.onclick = () => {
      if (button.getAttribute("aria-disabled") !== "true") command.run();
    };
    button.classList.toggle("gold", Boolean(command.gold));
    button.setAttribute("aria-disabled", String(Boolean(command.reason)));
    if (command.key) button.setAttribute("aria-keyshortcuts", command.key);
    if (command.reason) button.setAttribute("aria-description", command.reason);
    else button.removeAttribute("aria-description");
    button.title = command.reason ?? "";
    button.children[0].textContent = keySign(command.key);
    /** @type {HTMLElement} */ (button.children[0]).hidden = !command.key;
    button.children[1].textContent = command.label;
    return button;
  }
}

/**
 * A choice with its amounts limited to a player's money; null where the money does not pay for it.
 * @param {Choice} choice
 * @param {number} balance
 * @returns {Choice | null}
 */
export function withinMeans(choice, balance) {
  if (choice.price > balance) return null;
  if (choice.high === null || choice.high <= balance) return choice;
  return { ...choice, high: balance - (balance % (choice.step ?? 1)) };
}
