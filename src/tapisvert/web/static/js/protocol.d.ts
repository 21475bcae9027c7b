// Written by tools/protocol.py from the Python models: change them, then `make protocol`.

/** The reply to opening, answering or reading a round: the round and the wallet. */
export interface RoundReply {
  round: RoundView;
  wallet: Wallet;
  seat: Seat | null;
}

/** A round as its player sees it, with the events from `since` on. */
export interface RoundView {
  id: string;
  game: string;
  edition: number;
  sheet_hash: string;
  commitment: string;
  client_seed: string;
  state: string;
  opened_at: string;
  ended_at: string | null;
  void_after_s: number;
  stakes: Record<string, number>;
  ask: AskView | null;
  lines: LineView[];
  staked_cents: number;
  returned_cents: number;
  hands: Record<string, string[]>;
  events: AnyEvent[];
  reversal: ReversalView | null;
}

/** The question the round waits on. */
export interface AskView {
  step: number;
  key: string;
  hand: string | null;
  options: OptionView[];
}

/** One option. `affordable` depends on the wallet now, so no event carries it. */
export interface OptionView {
  id: string;
  bet: string;
  stake_cents: number;
  legal: boolean;
  why_not: string | null;
  suggested: boolean;
  hands: Record<string, HandName>;
  affordable: boolean;
}

/** The name of a hand; the catalogue turns it into words. */
export interface HandName {
  category: string;
  ranks: string;
  cards: string[];
  total: number | null;
  joker: string | null;
}

/** One settled bet. */
export interface LineView {
  bet: string;
  staked_cents: number;
  returned_cents: number;
  outcome: string;
  capped: boolean;
}

/** Money was put on a bet, before the deal or by a choice. */
export interface Staked {
  kind: "staked";
  n: number;
  bet: string;
  cents: number;
}

/** Cards were dealt from the deck to a zone, in order; `None` is face down. */
export interface Dealt {
  kind: "dealt";
  n: number;
  zone: string;
  cards: (string | null)[];
}

/** All cards of a zone are now face up. */
export interface Revealed {
  kind: "revealed";
  n: number;
  zone: string;
  cards: string[];
}

/** Cards were moved from one zone to the end of another. */
export interface Moved {
  kind: "moved";
  n: number;
  zone: string;
  to: string;
  cards: string[];
}

/** A hand got its name. `zone` is the hand's zone, or the bet it counts for. */
export interface Named {
  kind: "named";
  n: number;
  zone: string;
  hand: HandName;
}

/** A question to the player: a message key of the game, and the options. */
export interface Asked {
  kind: "asked";
  n: number;
  step: number;
  key: string;
  hand: string | null;
  options: Option[];
}

/** One answer to a question. A forbidden option is listed too, with its reason. */
export interface Option {
  id: string;
  bet: string;
  stake_cents: number;
  why_not: string | null;
  suggested: boolean;
  hands: Record<string, HandName>;
}

/** The player answered the question of that step. */
export interface Chose {
  kind: "chose";
  n: number;
  step: number;
  hand: string | null;
  option: string;
}

/** The bank answered a claim: the amount of a share of the pot. */
export interface Claimed {
  kind: "claimed";
  n: number;
  bet: string;
  cents: number;
}

/** A message to the player: a message key of the game, with its arguments. */
export interface Said {
  kind: "said";
  n: number;
  key: string;
  args: Record<string, string | number>;
}

/** A bet is final. `why` is a message key; `row` and `odds` say which line of a table paid. */
export interface Settled {
  kind: "settled";
  n: number;
  bet: string;
  staked_cents: number;
  returned_cents: number;
  outcome: string;
  why: string;
  row: string;
  odds: string;
  capped: boolean;
}

/** The round is over: every bet is settled. */
export interface Ended {
  kind: "ended";
  n: number;
  staked_cents: number;
  returned_cents: number;
}

/** What can happen at a table; `kind` tells which. */
export type AnyEvent =
  | Staked
  | Dealt
  | Revealed
  | Moved
  | Named
  | Asked
  | Chose
  | Claimed
  | Said
  | Settled
  | Ended;

/** An operator's reversal of a round: every net result is moved back. */
export interface ReversalView {
  at: string;
  reason: string;
  given_cents: number;
  taken_cents: number;
  debt_cents: number;
}

/** A player's balance, and the sum that open rounds hold. */
export interface Wallet {
  currency: string;
  balance_cents: number;
  held_cents: number;
}

/** The next deal of a player at a game, with its commitment, before any stake. */
export interface Seat {
  round_id: string;
  game: string;
  commitment: string;
  edition: number;
  sheet_hash: string;
  retired: RetiredSeat | null;
}

/** A pending deal that was retired unused. Its seed is revealed, so nothing stays hidden. */
export interface RetiredSeat {
  round_id: string;
  commitment: string;
  server_seed: string;
}

/** A new guest. `token` is present only if requested, and only once. */
export interface Guest {
  player_id: string;
  wallet: Wallet;
  token: string | null;
}

/** A page of rounds, newest first; `next` is the `before` of the page that follows. */
export interface RoundList {
  rounds: RoundSummary[];
  next: number | null;
}

/** One line of a list of rounds. */
export interface RoundSummary {
  id: string;
  game: string;
  state: string;
  opened_at: string;
  ended_at: string | null;
  staked_cents: number;
  returned_cents: number | null;
  seen: boolean;
  reversed: boolean;
  rules: string | null;
}

/** A finished round, replayed from its record. */
export interface Recall {
  replay: boolean;
  round: RoundView;
  choices: string[];
  balance_before_cents: number;
  balance_after_cents: number;
  seen: boolean;
}

/** A page of movements, newest first; `next` is the `before` of the page that follows. */
export interface TransferList {
  transfers: TransferView[];
  next: number | null;
}

/** One movement of a player's money; positive reaches the player. */
export interface TransferView {
  id: number;
  at: string;
  cents: number;
  reason: string;
  round_id: string | null;
  bet: string | null;
}

/** The content of `round.json`. */
export interface Proof {
  format: string;
  game: string;
  edition: number;
  sheet_hash: string;
  sheet: Record<string, unknown>;
  round_id: string;
  client_seed: string;
  server_seed: string;
  commitment: string;
  deck: string[];
  stakes: Record<string, number>;
  answers: (string | number)[];
  lines: LineView[];
  void_reason: "expired" | "operator" | null;
}

/** All games offered here. */
export interface GameList {
  games: GameView[];
}

/** A game as offered here: its figures, its layout, and its proved returns. */
export interface GameView {
  id: string;
  edition: number;
  sheet_hash: string;
  sheet: Record<string, unknown>;
  spots: SpotView[];
  void_after_s: number;
  returns: ReturnView[];
  conversion: Conversion | null;
  rules: string | null;
}

/** A spot for a stake before the deal. Amounts are cents. */
export interface SpotView {
  id: string;
  min: number;
  max: number;
  step: number;
  fixed: boolean;
  requires: string[];
  equals: string | null;
  main: boolean;
}

/** The exact return of a bet under a strategy, as it was proved. */
export interface ReturnView {
  bet: string;
  strategy: string;
  exact: boolean;
  edge: string;
  staked: string;
  return: string;
}

/** The pot of a game has another currency than the player: that currency, and the rate. */
export interface Conversion {
  currency: string;
  rate: string | null;
}

/** Value of each legal option: the mean net result, in units of `unit_cents`. */
export interface AdviceView {
  round_id: string;
  step: number;
  unit_cents: number;
  options: Record<string, number>;
  best: string;
  house_way: string | null;
  position: string;
  rules: RuleApplied[];
  chart_cell: string;
}

/** The rule of a strategy card that decides this question, and what it says, by language. */
export interface RuleApplied {
  card: string;
  question: string;
  number: number;
  option: string;
  says: Record<string, string>;
  does: Record<string, string>;
  otherwise: boolean;
  first: boolean;
}

/** Warm-up state of the coach: steps done, steps in all, and the estimated seconds left. */
export interface CoachState {
  state: "absent" | "ready" | "warming";
  done: number;
  of: number;
  seconds_left: number | null;
  code: string | null;
  detail: string | null;
}

/** A finished round replayed with other choices, as far as they reach. Nothing is paid. */
export interface WhatIf {
  round_id: string;
  ask: AskView | null;
  lines: LineView[];
  staked_cents: number;
  returned_cents: number;
  hands: Record<string, string[]>;
  events: AnyEvent[];
  decisions: Decision[];
}

/** A choice, and the net result of the bets its value covers. */
export interface Decision {
  step: number;
  hand: string | null;
  choice: string;
  unit_cents: number;
  net_cents: number | null;
}

/** The choices of a finished round. `unvalued` counts those for which no values exist. */
export interface RoundReview {
  round_id: string;
  game: string;
  choices: JudgedChoice[];
  unvalued: number;
}

/** A choice and its cost against the best one, in units of the stake `unit_cents`. */
export interface JudgedChoice {
  step: number;
  hand: string | null;
  choice: string;
  best: string;
  unit_cents: number;
  cost: number;
}

/** Every pot of the house. */
export interface JackpotList {
  jackpots: JackpotView[];
}

/** A pot as shown to everyone. `amount_cents` is its value at `as_of`, `age_ms` ago. */
export interface JackpotView {
  id: string;
  game: string;
  currency: string;
  state: string;
  amount_cents: number;
  as_of: string;
  age_ms: number;
  epoch: number;
  reset_cents: number;
  contribution: string;
  last_win: WinView | null;
  converted: Record<string, Converted>;
}

/** A win of a pot, in its currency; `trigger` counts the wins from 1 on. */
export interface WinView {
  trigger: number;
  at: string;
  amount_cents: number;
  converted: Record<string, number>;
}

/** A pot in a player's currency: whole cents, rounded down, and the rate. */
export interface Converted {
  rate: string;
  amount_cents: number;
}

/** A pot that was just won: the win, and the meter after it. */
export interface WonView {
  id: string;
  win: WinView;
  now: JackpotView;
}

/** A player's results. */
export interface Statistics {
  rounds: number;
  won: number;
  lost: number;
  left_out: number;
  staked_cents: number;
  returned_cents: number;
  longest_won: number;
  longest_lost: number;
  biggest_win: Win | null;
  curve: Point[];
  games: GameCount[];
  best_hands: BestHand[];
  hands_of: number;
}

/** A won round. */
export interface Win {
  round_id: string;
  game: string;
  net_cents: number;
}

/** The player's net result after a number of rounds. */
export interface Point {
  rounds: number;
  net_cents: number;
}

/** The rounds of one game. */
export interface GameCount {
  game: string;
  rounds: number;
  staked_cents: number;
  returned_cents: number;
  bets: BetCount[];
}

/** Stakes and returns of a bet; raises belong to the main bet. */
export interface BetCount {
  bet: string;
  rounds: number;
  staked_cents: number;
  returned_cents: number;
  band: Band | null;
}

/** The proved return of a bet, and the net result expected for the player's stakes. */
export interface Band {
  strategy: string;
  return: string;
  mean_cents: number;
  low_cents: number;
  high_cents: number;
}

/** The best hand of a game, and the round it was in. */
export interface BestHand {
  game: string;
  round_id: string;
  hand: HandName;
}

/** A practice question. Nothing is staked, and its deck belongs to no round. */
export interface Drill {
  game: string;
  events: AnyEvent[];
  ask: AskView;
  hands: Record<string, string[]>;
  stakes: Record<string, number>;
  advice: AdviceView;
  because: Because | null;
  mine: Mistakes;
}

/** The mistake a question is similar to: its round, and its cost in units of the stake. */
export interface Because {
  round_id: string;
  cost: number;
}

/** Mistakes in the player's newest rounds of the game, among the rounds examined so far. */
export interface Mistakes {
  rounds: number;
  looked_at: number;
  decisions: number;
  mistakes: number;
  mean_cost: number | null;
}

/** The variants of a game, and the figures of the house's sheet by key. */
export interface Variants {
  game: string;
  figures: Record<string, unknown>;
  variants: Variant[];
  stays: string[];
  slow: string[];
}

/** Rules of another casino: the figures that differ from the house's, and proved returns. */
export interface Variant {
  id: string;
  sheet_hash: string;
  changes: Record<string, unknown>;
  returns: ReturnView[];
}

/** A position: its places, its cards, its rules, and the values of its options. */
export interface Position {
  game: string;
  fields: PositionField[];
  deck: string[];
  rules: string | null;
  changes: Record<string, unknown>;
  cards: Record<string, string[]>;
  flags: Record<string, boolean>;
  advice: PositionAdvice | null;
}

/** A place for cards, and the numbers of cards it may hold. */
export interface PositionField {
  name: string;
  counts: number[];
}

/** The mean net result of each option, in units of the first stake, and the best option. */
export interface PositionAdvice {
  options: Record<string, number>;
  best: string | null;
  insurance: string | null;
  house_way: string | null;
  next: Record<string, NextDecision[]>;
}

/** The best play of the next decision, and the cards or boards that lead to it. */
export interface NextDecision {
  best: string | null;
  cards: string[];
  boards: number;
}

/** The card of a game for the sheet in play; without a count there are no lengths. */
export interface CardView {
  game: string;
  sheet_hash: string;
  first: string;
  lengths: LengthView[];
  chart: Record<string, ChartView>;
  chart_cost: string;
}

/** The rules of one length; the house's edge and the cost are percentages of the first stake. */
export interface LengthView {
  name: string;
  length: number;
  proved_best: boolean | null;
  title: Record<string, string>;
  asks: Record<string, Record<string, string>>;
  edge: string;
  cost: string;
  rules: RuleView[];
  address: string;
}

/** A rule: its conditions and its option as texts by language, and its cost in percent. */
export interface RuleView {
  question: string;
  number: number;
  says: Record<string, string>;
  does: Record<string, string>;
  cost: string;
}

/** The chart of the best play as a table; the first cell of a row is its heading. */
export interface ChartView {
  title: string;
  heads: string[];
  rows: string[][];
  kinds: Record<string, string>;
  keys: string[][];
}

/** A whole lesson, with its texts by language. */
export interface LessonView {
  game: string;
  sheet: Record<string, unknown>;
  steps: LessonStep[];
  words: Record<string, Record<string, string>>;
}

/** One step: the events before its question, the question, and the answers. */
export interface LessonStep {
  id: string;
  events: AnyEvent[];
  bet: string | null;
  stakes: Record<string, number>;
  unit_cents: number;
  options: LessonOption[];
}

/** One answer: its value, or the net result it names; and the events that follow it. */
export interface LessonOption {
  id: string;
  right: boolean;
  value: number | null;
  net_cents: number | null;
  events: AnyEvent[];
}

/** A question of practice. Nothing is staked, and its deck belongs to no open round. */
export interface PracticeView {
  id: string;
  game: string;
  theme: string;
  repeated: boolean;
  events: AnyEvent[];
  ask: AskView;
  hands: Record<string, string[]>;
  stakes: Record<string, number>;
  because: Because | null;
  mine: Mistakes;
}

/** The value of an answer, by the coach, and what it changed. */
export interface PracticeReply {
  question: string;
  choice: string;
  advice: AdviceView;
  outcome: Outcome;
}

/** What an answer changed. `again_at` is when the question comes back; null: never. */
export interface Outcome {
  grade: "again" | "easy" | "good" | "hard";
  cost: number;
  again_at: string | null;
  learned: boolean;
  progress: Progress;
}

/** Streaks at all games, and the figures of a game by theme, over its newest 500 answers. */
export interface Progress {
  game: string;
  days: number;
  days_longest: number;
  run: number;
  run_longest: number;
  themes: ThemeProgress[];
}

/** The figures of a theme; costs are in units of the stake. */
export interface ThemeProgress {
  theme: string;
  answers: number;
  right: number;
  mean_cost: number | null;
  cards: number;
  due: number;
  learned: number;
}

/** The body of every refusal. `code` is stable; `detail` is for people. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  retryable: boolean;
  args: Record<string, string | number>;
  round_id?: string;
}
