// The objects of docs/protocol.md, which says what each field means. Written by `make docs`; do not edit.

/** Rank and suit, such as "As", "Td" or "7h". */
export type Card = string;

/** What the seat that is asked can do; each is equal to its text: `Action.HIT == "hit"`. */
export type Action = "hit" | "stand" | "double" | "split" | "double up" | "quick pay" | "surrender" | "no surrender" | "insurance" | "no insurance";

/** Add a seed to the shoe, before its first card. */
export interface AddSeed {
  do: "add seed";
  seed: string;
  shoe: string | null;
}

/** Let a game go on that was stopped. */
export interface AllowGame {
  do: "allow game";
  game: string;
  reason: string;
}

/** The house edge of the main game and of every side wager. */
export interface AnalyzeGame {
  game: string | null;
  sheet: string | null;
  settings: Record<string, string | number | boolean | Array<number>>;
  what: "analyze";
}

/** Answer a question of a drill. */
export interface AnswerQuestion {
  number: number;
  action: string;
}

/** What you can bet with at this table, after an entry or a buy-in that changed it. */
export interface Balance {
  type: "balance";
  cents: number;
  chips: boolean;
}

/** A seat took its bet back before the deal. */
export interface BetWithdrawn {
  kind: "bet withdrawn";
  seat: number;
}

/** Take new play money. */
export interface BuyIn {
  id: string;
}

/** A card was dealt. */
export interface CardEvent {
  event: "card";
  seat: number;
  hand: number;
  card: Card | null;
}

/** An action in a cell. */
export interface ChartAction {
  action: string;
  cents: number;
}

/** A cell of a chart. */
export interface ChartCell {
  cell: string;
  kind: string;
  words: string;
  actions: Array<ChartAction>;
  hands: Array<string>;
}

/** Adjacent columns with one heading. */
export interface ChartColumns {
  name: string;
  columns: number;
}

/** Two first cards that are played differently from their total. */
export interface ChartException {
  hand: string;
  cell: string;
  words: string;
}

/** The chart is being computed; ask again in a second. */
export interface ChartNotReady {
  ready: false;
}

/** A total or a pair. */
export interface ChartRow {
  name: string;
  title: string;
  cells: Array<ChartCell>;
}

/** A letter of the chart. */
export interface ChartSign {
  sign: string;
  kind: string;
  words: string;
  ground: string;
  ink: string;
}

/** The rows of one kind. */
export interface ChartTable {
  block: "hard" | "soft" | "pairs";
  title: string;
  rows: Array<ChartRow>;
}

/** The dealer looked at the hole card. */
export interface CheckEvent {
  event: "check";
  blackjack: boolean;
}

/** How every pay line of a sheet is read, and what is wrong with it. */
export interface CheckSheet {
  game: string | null;
  sheet: string | null;
  settings: Record<string, string | number | boolean | Array<number>>;
  what: "check";
}

/** Close the table when the round is over. */
export interface CloseTable {
  do: "close";
}

/** What you can do now, by the cards that you can see. See docs/coach.md. */
export interface CoachAnswer {
  number: number;
  round: number;
  seat: number | null;
  hand: number | null;
  spot: string;
  given: string;
  actions: Array<CoachedAction>;
  late: Array<CoachedWager>;
  insurance: CoachedInsurance | null;
  wagers: Array<CoachedWager>;
  last: CoachedDecision | null;
  session: CoachedSession;
}

/** A legal action that you can pay for, and its exact EV. */
export interface CoachedAction {
  action: string;
  ev: number;
  cents: number;
  best: boolean;
  amount: number | null;
  with_nothing: number | null;
}

/** A decision, what else could have been done, and what it cost. */
export interface CoachedDecision {
  seat: number;
  hand: number;
  spot: string;
  given: string;
  action: string;
  amount: number | null;
  cents: number;
  best: string;
  cost: number;
  is_right: boolean;
  values: Array<CoachedAction>;
}

/** What insurance is worth. */
export interface CoachedInsurance {
  ev: number;
  cents_per_dollar: number;
  is_even_money: boolean;
}

/** Your finished rounds at this table. Amounts are in cents; `net` is the sum of `house`, `skill` and `luck`. */
export interface CoachedSession {
  rounds: number;
  hands: number;
  decisions: number;
  right: number;
  wagered: number;
  net: number;
  house: number;
  skill: number;
  luck: number;
  hands_per_hour: number | null;
  left: number;
}

/** A wager as it was placed. Amounts are in cents. */
export interface CoachedStake {
  seat: number;
  wager: string;
  stake: number;
  expected: number;
}

/** A side wager and its exact EV. */
export interface CoachedWager {
  wager: string;
  ev: number;
  text: string;
  printed: boolean;
}

/** A command with the id that the client made for it. */
export interface CommandBody {
  id: string;
  command: Sit | Leave | AddSeed | PlaceBet | WithdrawBet | DealNow | TakeAction | PlaceWagers | CloseTable | EndRound | FreeSeat;
}

/** A name and a password. */
export interface Credentials {
  name: string;
  password: string;
}

/** Close the betting and deal; every seat that is taken must have bet. */
export interface DealNow {
  do: "deal";
}

/** The end of your account. */
export interface DeleteAccount {
  password?: string | null;
}

/** A command was carried out: the number of its first entry. */
export interface Done {
  type: "done";
  id: string | null;
  table: string;
  number: number;
}

/** What you know about one kind of questions. */
export interface DrillKind {
  kind: string;
  title: string;
  spots: number;
  seen: number;
  known: number;
  mastery: number;
  asked: number;
  right: number;
  cents: number;
}

/** A question: the cards, and what the table lets the player do. */
export interface DrillQuestion {
  number: number;
  kind: string;
  asked: "action" | "early surrender" | "insurance" | "wager";
  player: Array<string>;
  dealer: Array<string | null>;
  after_split: boolean;
  wager: string | null;
  pays: string | null;
  printed: boolean;
  actions: Array<string>;
}

/** Whether an answer was right, what every answer is worth, and the next question. */
export interface DrillResult {
  action: string;
  right: boolean;
  cost: number;
  values: Array<DrillValue>;
  given: string;
  unit: string;
  next: DrillState;
}

/** The next question, and what you know so far. */
export interface DrillState {
  game: string;
  title: string;
  kind: string | null;
  question: DrillQuestion;
  answered: number;
  streak: number;
  best_streak: number;
  kinds: Array<DrillKind>;
}

/** What an answer is worth. */
export interface DrillValue {
  action: string;
  cents: number;
  cost: number;
  best: boolean;
}

/** The edges of a game, main wager first. */
export interface EdgesOfGame {
  ready: boolean;
  wagers: Array<WagerEdge>;
  problem: string | null;
}

/** For operators: end the round at once. Open stakes are returned, losses given back; the shoe is replaced. */
export interface EndRound {
  do: "end round";
  reason: string;
}

/** The EV of every action with a hand, such as "T,6 v T". */
export interface EvaluateHand {
  game: string | null;
  sheet: string | null;
  settings: Record<string, string | number | boolean | Array<number>>;
  what: "evaluate";
  hand: string;
}

/** All that is printed on a table's cloth, and where cards and chips lie. */
export interface Felt {
  cloth: "green" | "blue" | "red" | "purple" | "gold" | "teal" | "brown" | "black";
  seats: number;
  decks: number;
  cut_card: number;
  dealer_cards: "one up" | "both up" | "one card";
  print: Array<PrintedLine>;
  main: FeltMain;
  insurance: FeltInsurance | null;
  face_down: boolean;
  wagers: Array<FeltWager>;
  actions: Array<string>;
}

/** What becomes of the second main wager where it is not settled like the first: `push`, `lose`, or odds. */
export interface FeltCompanion {
  natural: string;
  dealer_natural: string;
  two_naturals: string;
  surrender: string | null;
  quick_pay: string | null;
}

/** The line for insurance. */
export interface FeltInsurance {
  pays: string;
  min: number;
  step: number;
  most: "half" | "all";
  even_money: boolean;
}

/** A line of a pay table. */
export interface FeltLine {
  line: string;
  hand: string | null;
  dealer: string | null;
  pays: string | Record<string, string>;
}

/** The place of the main wager. */
export interface FeltMain {
  name: string;
  min: number;
  max: number;
  step: number;
  companion: string | null;
  companion_rules: FeltCompanion | null;
}

/** A line of a tax schedule. */
export interface FeltTax {
  line: string;
  tax: string;
}

/** The place of a side wager. */
export interface FeltWager {
  name: string;
  min: number;
  max: number;
  step: number;
  placed: "before the deal" | "after the check" | "until the hole card is turned";
  settled: "after the deal" | "when decided" | "end of round";
  on: "two cards" | "two cards and upcard" | "all four cards";
  upcards: Array<string>;
  needs: string | null;
  at_most_main: boolean;
  token: boolean;
  printed: boolean;
  lines: Array<FeltLine>;
  tax: Array<FeltTax>;
  tax_upcards: Array<string>;
}

/** The best chart by totals. */
export interface FindStrategy {
  game: string | null;
  sheet: string | null;
  settings: Record<string, string | number | boolean | Array<number>>;
  what: "strategy";
}

/** For operators: free a seat. A bet that is not dealt is returned; a hand that is dealt is played by the clock. */
export interface FreeSeat {
  do: "free seat";
  seat: number;
  reason: string;
}

/** A game in the list. */
export interface GameInfo {
  game: string;
  title: string;
  seats: number;
  sheet: string;
  about: string;
  group: "printed" | "example" | "own";
  felt: Felt | null;
  problem: string | null;
  stopped: string | null;
}

/** A game with its rules: the same as `holecard rules --json`, and as text. */
export interface GameRules {
  game: string;
  title: string;
  seats: number;
  sheet: string;
  about: string;
  group: "printed" | "example" | "own";
  felt: Felt | null;
  problem: string | null;
  stopped: string | null;
  rules: Record<string, unknown>;
  text: string;
  readings: Array<TableReading>;
}

/** A game with its settings: one rule sheet. */
export interface GameStatistics {
  game: string;
  title: string;
  settings: Record<string, string | number | boolean | Array<number>>;
  sheet: string;
  rounds: number;
  wagers: Array<WagerStatistics>;
  points: Array<StatisticsPoint>;
}

/** The first message on a socket. */
export interface Hello {
  type: "hello";
  protocol: number;
  you: Person;
  table: TableInfo;
  now: number;
}

/** All your rounds against what the games return on average. */
export interface HistoryStatistics {
  ready: boolean;
  rounds: number;
  staked: number;
  net: number;
  games: Array<GameStatistics>;
  points: Array<StatisticsPoint>;
  formats: Array<string>;
}

/** The dealer turned over the hole card. */
export interface HoleCardEvent {
  event: "hole card";
  card: Card;
}

/** A computation, and its result when it is done. */
export interface JobInfo {
  id: string;
  what: string;
  state: "waiting" | "running" | "done" | "refused" | "canceled" | "timed out" | "failed";
  stage: string | null;
  share: number;
  result: Record<string, unknown> | null;
  code: string | null;
  message: string | null;
}

/** Leave a seat. A bet that is not dealt is returned; a hand that is dealt is played by the clock. */
export interface Leave {
  do: "leave";
  seat: number;
}

/** Show a neutral name in place of somebody's name, everywhere and to everybody. */
export interface MuteName {
  do: "mute name";
  name: string;
  reason: string;
}

/** A name that is not shown. */
export interface MutedName {
  name: string;
  shown: string;
  reason: string;
}

/** A name and a password for a new account. */
export interface NewAccount {
  name: string;
  password: string;
  id?: string | null;
}

/** A new entry of the log: what happened, as you can see it, and the table after it. */
export interface NewEntry {
  type: "entry";
  number: number;
  entry: ShownOpening | ShownSitter | SeatLeft | ShoeCommitted | ShownSeed | ShownMove | BetWithdrawn | ShoeRevealed | RoundVoided | OperatorActed | TableClosed;
  events: Array<CardEvent | HoleCardEvent | CheckEvent | ResultEvent>;
  view: ShownTable;
}

/** A request for a guest; it may be empty. */
export interface NewGuest {
  id: string | null;
}

/** Another password for your account. */
export interface NewPassword {
  old: string;
  new: string;
}

/** Open a table: a game, settings that change its sheet, and the pace. */
export interface OpenTable {
  id: string;
  game: string;
  settings?: Record<string, string | number | boolean | Array<number>>;
  pace?: Pace;
  private?: boolean;
}

/** An operator stepped in; the entries that follow say what it changed. Who it was is stored with the entry. */
export interface OperatorActed {
  kind: "operator acted";
  action: "end round" | "free seat";
  seat: number | null;
  reason: string;
}

/** An order with the id that the client made for it. */
export interface OrderBody {
  id: string;
  command: StopGame | AllowGame | MuteName | RestoreName;
}

/** An order holds. */
export interface OrderDone {
  id: string;
  number: number;
}

/** What operators have ordered. */
export interface OrdersNow {
  stopped: Array<StoppedGame>;
  muted: Array<MutedName>;
  log: Array<PastOrder>;
}

/** How long the table waits, in seconds. */
export interface Pace {
  bet: number;
  act: number;
  idle: number;
}

/** An order as the log has it. */
export interface PastOrder {
  number: number;
  at: number;
  by: string;
  what: string;
  about: string;
  reason: string;
}

/** Who you are, and what you have. */
export interface Person {
  name: string;
  role: "guest" | "player" | "operator";
  balance: number;
  buy_in_below: number;
  held: number;
  notice: string | null;
}

/** Ask whether the server is there. */
export interface Ping {
  type: "ping";
}

/** Place or change a seat's bet: the main wager and side wagers by name, in cents. */
export interface PlaceBet {
  do: "bet";
  seat: number;
  main: number;
  sides: Record<string, number>;
}

/** Place wagers after the check; none to pass, when asked. */
export interface PlaceWagers {
  do: "place";
  seat: number;
  sides: Record<string, number>;
  seen: number | null;
}

/** A shoe that you have played rounds from. */
export interface PlayedShoe {
  table: string;
  shoe: string;
  title: string;
  settings: Record<string, string | number | boolean | Array<number>>;
  first: number;
  last: number;
  at: number;
  ended: boolean;
}

/** The server is there. */
export interface Pong {
  type: "pong";
}

/** One line along the arc. */
export interface PrintedLine {
  text: string;
  style: "headline" | "plain" | "gold";
}

/** A command was refused, or a message could not be read. Nothing has changed, unless the code is `unavailable`. */
export interface Refused {
  type: "refused";
  id: string | null;
  code: string;
  message: string;
}

/** Cards that were put back into the shoe in mid-round, because it was empty. */
export interface Restock {
  after: number;
  cards: string;
}

/** Show a name again that was muted. */
export interface RestoreName {
  do: "restore name";
  name: string;
  reason: string;
}

/** A wager was settled. */
export interface ResultEvent {
  seat: number;
  hand: number;
  wager: string;
  stake: number;
  net: number;
  line: string;
  event: "result";
}

/** A finished round. */
export interface RoundInfo {
  table: string;
  number: number;
  at: number;
  game: string;
  title: string;
  settings: Record<string, string | number | boolean | Array<number>>;
  shoe: string;
  sheet: string;
  version: string;
  seats: Record<string, string>;
  balances: Record<string, number>;
  summary: RoundSummary;
  record: string;
}

/** A finished round as the table showed it to you; a spectator sees what spectators saw. */
export interface RoundReplay {
  table: string;
  number: number;
  at: number;
  title: string;
  settings: Record<string, string | number | boolean | Array<number>>;
  felt: Felt;
  sheet: string;
  shoe: string;
  previous: number | null;
  next: number | null;
  frames: Array<NewEntry>;
}

/** A finished round of yours, decision by decision. Amounts are in cents; `net` is `house` + `skill` + `luck`. */
export interface RoundReview {
  table: string;
  number: number;
  hands: number;
  wagered: number;
  net: number;
  house: number;
  skill: number;
  luck: number;
  decisions: Array<CoachedDecision>;
  wagers: Array<CoachedStake>;
  counts_money: boolean;
}

/** What a finished round was for you. */
export interface RoundSummary {
  staked: number;
  net: number;
  hands: Array<SummaryHand>;
  dealer: Array<string | null>;
}

/** A round cannot continue: open stakes are returned, losses are given back, and what was won stays won. */
export interface RoundVoided {
  kind: "round voided";
  reason: string;
}

/** The rules of a table, and how they differ from those of the game. */
export interface RulesOfTable {
  game: string;
  title: string;
  sheet: string;
  settings: Record<string, string | number | boolean | Array<number>>;
  chips: number;
  felt: Felt;
  rules: Record<string, unknown>;
  text: string;
}

/** A player left a seat; a bet that was not dealt is returned. */
export interface SeatLeft {
  kind: "seat left";
  seat: number;
}

/** Carry out a command at this table. */
export interface SendCommand {
  type: "command";
  id: string;
  command: Sit | Leave | AddSeed | PlaceBet | WithdrawBet | DealNow | TakeAction | PlaceWagers | CloseTable | EndRound | FreeSeat;
}

/** What runs here. */
export interface ServerVersion {
  version: string;
  protocol: number;
}

/** A browser or a program in which you are signed in. */
export interface SessionInfo {
  id: string;
  this: boolean;
  created_at: number | null;
  used_at: number;
  browser: string | null;
}

/** A wager that was settled. */
export interface SettledWager {
  seat: number;
  hand: number;
  wager: string;
  stake: number;
  net: number;
}

/** The house committed itself to a shoe. */
export interface ShoeCommitted {
  kind: "shoe committed";
  shoe: string;
  construction: string;
  commitment: string;
}

/** Everything that is needed to deal a shoe again. */
export interface ShoeDocument {
  construction: string;
  shoe: string;
  sheet: string;
  commitment: string;
  seed: string;
  player_seeds: Array<string>;
  rules: string;
  decks: number;
  cut_card: number;
  burned: string;
  cut_short: boolean;
  rounds: Array<ShoeRound>;
}

/** The shoe ended and its seed is public. */
export interface ShoeRevealed {
  kind: "shoe revealed";
  shoe: string;
  seed: string;
  cut_short: boolean;
}

/** A round, with its cards in the order they were drawn. */
export interface ShoeRound {
  number: number;
  bets: Array<string>;
  play: Array<string>;
  cards: string;
  restocked: Array<Restock>;
  paid: Array<SettledWager>;
  voided: boolean;
}

/** An action that the seat asked may take. */
export interface ShownChoice {
  action: Action;
  low: number | null;
  high: number | null;
  step: number | null;
  price: number;
}

/** The dealer's hand. */
export interface ShownDealer {
  cards: Array<Card | null>;
  total: number | null;
}

/** A seat bet, acted or placed wagers, or the betting ended. The cards that were dealt are in `events`. */
export interface ShownMove {
  kind: "moved";
  move: string;
  by_clock: boolean;
}

/** The table was opened. It is the first entry of every log, so it has the number 1. */
export interface ShownOpening {
  kind: "opened";
  game: string;
  sheet: string;
  title: string;
  settings: Record<string, string | number | boolean | Array<number>>;
  pace: Pace;
  private: boolean;
  chips: number;
}

/** A hand of a seat. */
export interface ShownPlayerHand {
  cards: Array<Card | null>;
  total: number | null;
  soft: boolean;
  stakes: Record<string, number>;
  status: "playing" | "standing" | "settled";
}

/** A wager that was settled. */
export interface ShownResult {
  seat: number;
  hand: number;
  wager: string;
  stake: number;
  net: number;
  line: string;
}

/** A seat that is taken, or that plays in this round. */
export interface ShownSeat {
  seat: number;
  name: string | null;
  hands: Array<ShownPlayerHand>;
  sides: Record<string, number>;
  insurance: number;
}

/** A player added a seed to the shoe. */
export interface ShownSeed {
  kind: "seed added";
  seed: string;
}

/** The shoe that is dealt, and what proves that it is fair. */
export interface ShownShoe {
  id: string;
  commitment: string;
  player_seeds: Array<string>;
  your_seed: string | null;
  open_for_seeds: boolean;
  left: number;
  last_round: boolean;
}

/** A player sat down. */
export interface ShownSitter {
  kind: "seat taken";
  seat: number;
  name: string;
}

/** The view: everything that you can see of the table now. */
export interface ShownTable {
  round: number;
  phase: "betting" | "dealing" | "insurance" | "early surrender" | "after the check" | "acting" | "last call" | "dealer" | "done";
  dealer: ShownDealer;
  seats: Array<ShownSeat>;
  asked: number | null;
  hand: number | null;
  choices: Array<ShownChoice>;
  refused: Record<string, string>;
  offered: Record<string, Array<string>>;
  results: Array<ShownResult>;
  shoe: ShownShoe | null;
  deadline: number | null;
  closed: string | null;
  stopped: string | null;
  yours: Array<number>;
}

/** Take a free seat. */
export interface Sit {
  do: "sit";
  seat: number;
}

/** The table now; sent at the start, where the entries you missed are too many, and when the deadline was moved. */
export interface Snapshot {
  type: "snapshot";
  number: number;
  view: ShownTable;
  now: number | null;
  went_back: boolean;
}

/** Your rounds up to one of them. Amounts are in cents. */
export interface StatisticsPoint {
  rounds: number;
  at: number;
  net: number;
  expected: number;
  low: number;
  high: number;
}

/** Open no table of a game, take no bets and deal no round of it, until it is allowed again. */
export interface StopGame {
  do: "stop game";
  game: string;
  reason: string;
}

/** A game that takes no bets. */
export interface StoppedGame {
  game: string;
  reason: string;
}

/** The best chart of a game by totals and pairs. */
export interface StrategyChart {
  title: string;
  subtitle: string;
  house_edge: number;
  optimum_edge: number;
  columns: Array<string>;
  given: Array<string>;
  column_groups: Array<ChartColumns>;
  blocks: Array<ChartTable>;
  exceptions: Array<ChartException>;
  legend: Array<ChartSign>;
  notes: Array<string>;
}

/** A hand of yours at the end of a round. */
export interface SummaryHand {
  seat: number;
  hand: number;
  cards: Array<string>;
}

/** The table closed; nobody sits at it any more. */
export interface TableClosed {
  kind: "closed";
  reason: string;
}

/** A table in the lobby. */
export interface TableInfo {
  id: string;
  game: string;
  title: string;
  sheet: string;
  settings: Record<string, string | number | boolean | Array<number>>;
  seats: number;
  taken: Record<string, string>;
  pace: Pace;
  private: boolean;
  stopped: string | null;
  chips: number;
}

/** A table, over HTTP: the snapshot, and what the lobby says about the table. */
export interface TableNow {
  type: "snapshot";
  number: number;
  view: ShownTable;
  now: number | null;
  went_back: boolean;
  table: TableInfo;
}

/** A point on which printed rules are unclear, how they are read, and what can be chosen instead. */
export interface TableReading {
  on: string;
  reading: string;
  choices: Array<Record<string, string | number | boolean | Array<number>>>;
}

/** Decide for the seat that is asked. */
export interface TakeAction {
  do: "act";
  seat: number;
  action: string;
  amount: number | null;
  seen: number | null;
}

/** Who has the session of this browser. */
export interface Visitor {
  person: Person | null;
}

/** What the house keeps of a wager, exactly, if the main hand is played perfectly. */
export interface WagerEdge {
  wager: string;
  kind: "main" | "side" | "insurance";
  edge: number;
  text: string;
  unit: string;
  printed: boolean;
}

/** One wager of a game. Amounts are in cents. */
export interface WagerStatistics {
  wager: string;
  is_main: boolean;
  printed: boolean;
  settled: number;
  staked: number;
  net: number;
  expected: number | null;
  deviation: number | null;
  z: number | null;
}

/** Take a bet back before the deal. */
export interface WithdrawBet {
  do: "withdraw";
  seat: number;
}

export type TableCommand =
  | Sit
  | Leave
  | AddSeed
  | PlaceBet
  | WithdrawBet
  | DealNow
  | TakeAction
  | PlaceWagers
  | CloseTable
  | EndRound
  | FreeSeat;

export type ClientMessage =
  | SendCommand
  | Ping;

export type ShownEvent =
  | CardEvent
  | HoleCardEvent
  | CheckEvent
  | ResultEvent;

export type ShownEntry =
  | ShownOpening
  | ShownSitter
  | SeatLeft
  | ShoeCommitted
  | ShownSeed
  | ShownMove
  | BetWithdrawn
  | ShoeRevealed
  | RoundVoided
  | OperatorActed
  | TableClosed;

export type ServerMessage =
  | Hello
  | Snapshot
  | NewEntry
  | Done
  | Refused
  | Balance
  | Pong;
