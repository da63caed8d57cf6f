// @ts-check
// <hc-table>: one person at one table. It shows what the server says and sends what the person decides.

import "../coach/coach.js";
import "../core/header.js";
import "../felt/felt.js";
import { circleWords } from "../felt/wager_words.js";
import { prepareAnnouncements } from "../core/announce.js";
import { get, onPerson, setBalance, setPerson, signedIn } from "../core/api.js";
import { buyIn } from "../core/buy_in.js";
import { h, replaceChildren } from "../core/dom.js";
import { houseWagers } from "../core/house_tables.js";
import { settings } from "../core/settings.js";
import { t } from "../core/text.js";
import { Betting, isOpen } from "../betting/betting.js";
import { Connection } from "../core/connection.js";
import { Controls } from "./controls.js";
import { showHelp } from "./help.js";
import { ACTION_KEYS, onKeys } from "./keys.js";
import { OwnSeeds } from "./own_seeds.js";
import { Rack } from "../betting/rack.js";
import { resultList } from "./results.js";
import { placard } from "./placard.js";
import { Seats } from "./seats.js";
import { ShoeDialog } from "./shoe_dialog.js";
import { Status, noTable } from "./status.js";
import { titleParts } from "./title.js";
import { announceFrame, dealerWords, entryInWords, eventWords, nameOf, tableInWords } from "./words.js";

/** @typedef {import("../felt/types.js").Felt} Felt */
/** @typedef {import("../felt/types.js").View} View */
/** @typedef {import("../felt/types.js").Event} Event */
/** @typedef {import("../felt/felt.js").FeltElement} FeltElement */
/** @typedef {import("../core/connection.js").Frame} Frame */

/** With more frames than this waiting, the next ones are shown at once, so that the table catches up. */
const MANY = 3;

class TableElement extends HTMLElement {
  #id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
  #felt = /** @type {FeltElement} */ (h("hc-felt"));
  #coach = /** @type {any} */ (h("hc-coach", { class: "coach" }));
  #words = h("p", { class: "words" });
  #status = new Status();
  #summary = h("ul", { class: "unseen", "aria-label": t("table.inWords") });
  #results = h("div", { class: "results" });
  #bar = h("div", { class: "bar" });
  /** @type {Frame[]} */
  #queue = [];
  #running = false;
  /** @type {View | null} the view that is shown, after its cards have been dealt */
  #view = null;
  #number = 0;
  /** Milliseconds that the server's clock is ahead of this one. */
  #ahead = 0;
  /** @type {any} */
  #pace = { bet: 20, act: 30 };
  /** Whether the table has its own chips, and people's money stays out of it. */
  #ownChips = false;
  /** @type {Connection} */
  #connection = new Connection(this.#id, {
    hello: (message) => this.#hello(message),
    frame: (frame) => this.#receive(frame),
    balance: (cents, chips) => (chips ? this.#showMoney(cents) : setBalance(cents)),
    state: (state, why) => {
      this.dataset.connection = state;
      this.#status.showConnection(state, why);
    },
  });
  /** @type {Betting | null} */
  #betting = null;
  /** @type {Controls | null} */
  #controls = null;
  /** @type {Seats | null} */
  #seats = null;
  /** @type {Rack | null} */
  #rack = null;
  #seeds = new OwnSeeds((command) => this.#connection.send(command));
  #shoe = new ShoeDialog(this.#seeds);
  /** The view that the player has already decided on. */
  #decided = -1;
  /** @type {(() => void) | null} */
  #stop = null;

  async connectedCallback() {
    prepareAnnouncements();
    this.dataset.still = "false";
    this.#fourColor();
    settings.onChange(() => this.#fourColor());
    try {
      const [you, rules] = await Promise.all([
        signedIn(),
        signedIn().then(() => get(`/tables/${encodeURIComponent(this.#id)}/rules`)),
      ]);
      this.#build(rules);
      this.#stop = onPerson((person) => person && this.#has(person));
      this.#connection.open();
      // Only operators load what only they use.
      if (you.role === "operator") {
        const { addMenu } = await import("../operator/table_menu.js");
        addMenu(this, rules, (command) => this.#connection.send(command), () => this.#view);
      }
    } catch (error) {
      replaceChildren(this, noTable(/** @type {Error} */ (error).message));
      this.dataset.still = "true";
    }
  }

  disconnectedCallback() {
    this.#connection.end();
    this.#stop?.();
  }

  /** @param {import("../core/protocol").RulesOfTable} rules */
  #build(rules) {
    const { felt } = rules;
    this.#ownChips = rules.chips > 0;
    const sign = placard(felt, rules.settings);
    document.title = `${rules.title} · ${t("common.brand")}`;
    this.#felt.describe(felt);
    this.#felt.overlay.append(this.#words);
    const side = h("div", { class: "purse" }, this.#status.balance);
    const middle = h("div", { class: "middle" }, this.#results, this.#status.message, this.#status.circle);
    this.#bar.append(side, middle, this.#coach);
    replaceChildren(
      this,
      titleParts({ ...rules, id: this.#id }, () => this.#shoe.open()),
      this.#status.banner,
      this.#felt,
      sign.element,
      this.#bar,
      this.#summary,
    );
    this.#rack = new Rack(side, felt, (spot, cents) => this.#drop(spot, cents));
    this.#betting = new Betting(
      felt,
      this.#id,
      (command) => this.#send(command),
      () => this.#draw(),
      async () => this.#status.say((await buyIn()) ?? ""),
    );
    this.#controls = new Controls(middle, felt, (action, amount) => this.#act(action, amount));
    this.#seats = new Seats(this.#felt, {
      put: (seat, wager) => this.#put(seat, wager, this.#rack?.chosen ?? 0),
      take: (seat, wager) => this.#betting?.take(seat, wager),
      sit: (seat) => void this.#send({ do: "sit", seat }),
      leave: (seat) => void this.#send({ do: "leave", seat }),
      focus: (seat) => this.#focus(seat),
    });
    const drawSign = () => this.#felt.layout && sign.show(this.#felt.layout);
    drawSign();
    this.#felt.addEventListener("layout", () => {
      drawSign();
      this.#draw();
    });
    this.#coach.addEventListener("advice", (/** @type {CustomEvent} */ event) => {
      if (this.#controls && event.detail.number === this.#number) this.#controls.advice = event.detail.actions;
    });
    onKeys((key) => this.#key(key));
  }

  // What the server says

  /** @param {any} message */
  #hello(message) {
    this.#ahead = message.now - Date.now();
    this.#pace = message.table.pace;
    this.toggleAttribute("data-private", message.table.private);
    setPerson(message.you);
  }

  /** @param {Frame} frame */
  #receive(frame) {
    this.#seeds.follow(frame.view);
    this.#queue.push(frame);
    if (!this.#running) void this.#run();
  }

  async #run() {
    this.#running = true;
    this.dataset.still = "false";
    while (this.#queue.length) {
      const frame = /** @type {Frame} */ (this.#queue.shift());
      await this.#show(frame, this.#queue.length <= MANY);
    }
    this.#running = false;
    this.dataset.still = "true";
  }

  /**
   * @param {Frame} frame
   * @param {boolean} animate
   */
  async #show({ view, events, number, entry, now, wentBack }, animate) {
    const before = this.#view;
    if (wentBack) this.#status.say(t("table.wentBack"));
    if (now) this.#ahead = now - Date.now(); // the server's clock may have been set
    if (String(before?.yours) !== String(view.yours)) this.#sittingChanged(view);
    this.#betting?.follow(view, before);
    this.#felt.drafts = this.#betting?.shown(view) ?? new Map();
    if (view.asked !== null && view.yours.includes(view.asked) && view.yours.length > 1)
      this.#felt.focusSeat = view.asked;
    this.dataset.phase = view.phase;
    await this.#felt.show(view, { events, animate, onEvent: (event) => this.#happened(event) });
    [this.#view, this.#number] = [view, number];
    this.dataset.number = String(number);
    announceFrame(view, events, before, this.#felt.description);
    const said = view.stopped && !before?.stopped ? t("table.stopped", { why: view.stopped }) : entryInWords(entry, before);
    if (said) this.#status.say(said);
    this.#shoe.view = view;
    this.#coach.update({ table: this.#id, view, number });
    this.#draw();
  }

  /** @param {View} view */
  #sittingChanged(view) {
    const focus = view.yours.includes(this.#felt.focusSeat) ? this.#felt.focusSeat : (view.yours[0] ?? 0);
    this.#felt.focusSeat = focus;
    this.#felt.mine = view.yours;
  }

  /** @param {Event} event */
  #happened(event) {
    const said = eventWords(event);
    if (said) this.#words.textContent = said;
  }

  /** @param {import("../core/api.js").Person} person */
  #has({ balance, buy_in_below: below }) {
    if (this.#betting) this.#betting.buyInBelow = this.#ownChips ? null : below;
    if (!this.#ownChips) this.#showMoney(balance);
  }

  /** @param {number} cents what the person can bet with */
  #showMoney(cents) {
    this.#status.showBalance(cents, this.#ownChips);
    if (this.#betting) this.#betting.balance = cents;
    if (!this.#running) this.#draw();
  }

  // What is shown

  #draw() {
    const view = this.#view;
    if (!view || !this.#betting || !this.#controls || !this.#seats || !this.#felt.layout) return;
    const betting = this.#betting;
    this.#felt.drafts = betting.shown(view);
    this.#seats.show({
      view,
      chips: betting.chips(view),
      closed: (seat, wager) => betting.closed(view, seat, wager),
      words: (wager) => circleWords(/** @type {Felt} */ (this.#felt.description), wager),
    });
    const waiting = view.seats.some((seat) => seat.hands.length);
    this.#words.textContent = dealerWords(view, waiting, this.#felt.description) || this.#words.textContent;
    const { words } = this.#felt.layout;
    this.#words.style.setProperty("--x", String(words.x));
    this.#words.style.setProperty("--y", String(words.y));
    this.#controls.show(view, betting.commands(view), this.#note(view), betting.balance);
    replaceChildren(this.#results, resultList(view, houseWagers(/** @type {Felt} */ (this.#felt.description))));
    replaceChildren(
      this.#summary,
      [...(this.#ownChips ? [t("table.ownChips")] : []), ...tableInWords(view)].map((line) => h("li", null, line)),
    );
    this.#time(view, waiting);
    this.toggleAttribute("data-late", Object.keys(view.offered).length > 0);
    this.toggleAttribute("data-betting", view.phase === "betting" || view.phase === "done");
  }

  /** @param {View} view */
  #note(view) {
    if (view.closed) return t("table.closed", { why: view.closed });
    if (view.stopped && view.asked === null) return t("table.stopped", { why: view.stopped });
    if (!view.yours.length) return t("table.watching");
    if (view.asked !== null && !view.yours.includes(view.asked))
      return t("table.waitFor", { who: nameOf(view, view.asked) });
    const late = isOpen(view) && view.shoe && this.#seeds.stateOf(view.shoe) === "late";
    return `${this.#betting?.note(view) ?? ""} ${late ? t("table.seed.note") : ""}`.trim();
  }

  /**
   * @param {View} view
   * @param {boolean} waiting
   */
  #time(view, waiting) {
    const left = (view.deadline ?? 0) - Date.now() - this.#ahead;
    if (view.asked !== null) this.#seats?.time(view.asked, left, this.#pace.act * 1000);
    else this.#seats?.time(null, view.phase === "betting" && waiting ? left : 0, this.#pace.bet * 1000);
  }

  #fourColor() {
    document.documentElement.dataset.fourColor = String(settings.fourColor);
  }

  // What the person does

  /**
   * @param {Record<string, unknown>} command
   * @returns {Promise<boolean>} whether it was done
   */
  async #send(command) {
    this.#status.say("");
    try {
      await this.#seeds.settled;
      await this.#connection.send(command);
      return true;
    } catch (error) {
      this.#status.say(/** @type {Error} */ (error).message);
      return false;
    }
  }

  /**
   * @param {string} action
   * @param {number | null} amount
   */
  #act(action, amount) {
    const view = this.#view;
    if (!view || view.asked === null || !view.yours.includes(view.asked) || this.#decided === this.#number) return;
    this.#decided = this.#number;
    void this.#send({ do: "act", seat: view.asked, action, amount, seen: this.#number }).then((done) => {
      if (!done) this.#decided = -1;
    });
  }

  /**
   * @param {number} seat
   * @param {string} wager
   * @param {number} cents
   */
  #put(seat, wager, cents) {
    if (!this.#view || !this.#betting) return;
    const why = this.#betting.closed(this.#view, seat, wager) ?? this.#betting.put(this.#view, seat, wager, cents);
    const felt = /** @type {Felt} */ (this.#felt.description);
    // A main wager without a second one has no conditions besides its limits, which are on the cloth.
    const words = wager === felt.main.name ? "" : circleWords(felt, wager);
    this.#status.say(why ?? "");
    this.#status.tell(words);
  }

  /**
   * @param {HTMLElement} spot
   * @param {number} cents
   */
  #drop(spot, cents) {
    const [seat, ...wager] = (spot.dataset.spot ?? "").split(":");
    this.#put(Number(seat), wager.join(":"), cents);
  }

  /** @param {number} seat */
  #focus(seat) {
    this.#felt.focusSeat = seat;
    this.#draw();
  }

  /** @param {string} key */
  #key(key) {
    if (key === "?") {
      showHelp(this.#felt.description, this.#rack?.size ?? 0);
      return true;
    }
    if (/^[1-9]$/.test(key)) return this.#rack?.chooseAt(Number(key)) ?? false;
    const command = this.#view && this.#betting?.commands(this.#view).find((one) => one.key === key);
    if (command) {
      if (command.reason) this.#status.say(command.reason);
      else command.run();
      return true;
    }
    const actions = Object.keys(ACTION_KEYS).filter((action) => ACTION_KEYS[action] === key);
    const legal = actions.find((action) => this.#view?.choices.some((choice) => choice.action === action));
    const why = actions.length ? (this.#controls?.press(legal ?? actions[0]) ?? null) : null;
    if (why) this.#status.say(why);
    return actions.length > 0;
  }
}

customElements.define("hc-table", TableElement);
