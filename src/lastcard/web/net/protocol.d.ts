// The wire as the browser knows it: made by `python -m tools.contract`, not by hand.

/** The first message of every connection. */
export interface Hello {
  type: "hello";
  v: number;
  /** The match the client knows. */
  match?: string | null;
  /** How many of its moves the client has seen. */
  ply?: number;
  /** Whether this is a big screen, without a hand. */
  tv?: boolean;
  /** Name of a program; persons have signed in with their name before. */
  name?: string;
}

/** A move of one's own seat. */
export interface MakeMove {
  type: "act";
  id: string;
  match: string;
  move: string;
}

/**
 * Take back the last move of one's own seat in this round, and all moves after it, if the table allows it.
 *
 * Answered with `Dealt`, a snapshot without events, and `Done`.
 */
export interface TakeBack {
  type: "takeback";
  id: string;
  match: string;
}

/** Ask why a move cannot be made; changes nothing. */
export interface Why {
  type: "why";
  id: string;
  move: string;
}

/** Ask for the best moves, on one's turn; changes nothing. */
export interface Advise {
  type: "advise";
  id: string;
  /** Whether the client works them out itself: it is answered with a `SeatObservation`. Programs may ask only so. */
  here?: boolean;
}

/** Take a free seat, a bot's (after the round, while one is played) or back one's own. null: any, or queue. */
export interface Sit {
  type: "sit";
  seat?: number | null;
}

/** Leave the seat and watch; during a round a bot goes on with the hand. */
export interface LeaveSeat {
  type: "stand";
}

/** How a table should play. What a server does not know it refuses; a client passes it over in `Settings`. */
export interface WantedSettings {
  rules: string;
  seats: number;
  pace: string;
  grace: number;
  spectators: boolean;
  chat: boolean;
  voice: boolean;
  hints: boolean;
  take_backs: boolean;
  bots: string;
}

/** The host changes the settings, between matches. */
export interface Configure {
  type: "configure";
  settings: WantedSettings;
}

/** The host seats a bot, or sends it away (level null). */
export interface SetBot {
  type: "setbot";
  seat: number;
  level: string | null;
  /** In which style it plays, where it plays by rules of thumb; empty for none of its own. */
  style?: string;
}

/** The host starts a match; bots fill the free seats. */
export interface Start {
  type: "start";
  level?: string;
}

/** A number of the client's own for the next shuffle, after it has seen the promise. */
export interface Number {
  type: "number";
  promise: string;
  number: string;
}

/** How the person has built the face that others see; empty for the one made from the name. */
export interface SetAvatar {
  type: "look";
  look: string;
}

/** The rule cards a person has written, all at once. */
export interface Write {
  type: "write";
  cards: string[];
}

/** On with the next round; after a match, once more. */
export interface Ready {
  type: "ready";
}

/** Chat. */
export interface Say {
  type: "say";
  text: string;
}

/** A quick phrase or reaction. */
export interface Quick {
  type: "quick";
  quick: string;
  /** The seat at which it is thrown; null for everybody. */
  at?: number | null;
}

/** Ask for a pause, agree to one, or (on False) go on. */
export interface Pause {
  type: "pause";
  on: boolean;
}

/** Send a player from the seat (host), ask the table to, or agree. */
export interface Kick {
  type: "kick";
  player: string;
}

/** The host turns a player's chat and voice off or on. */
export interface Mute {
  type: "mute";
  player: string;
  on: boolean;
}

/** The host makes another person host. */
export interface Appoint {
  type: "appoint";
  player: string;
}

/** A player whose hand a bot is playing takes it back. */
export interface Back {
  type: "back";
}

/** Turn voice on or off for oneself. Answered with `VoiceOn` if it is on. */
export interface SetVoice {
  type: "voice";
  on: boolean;
}

/** Relay a signal to a person who has voice on too, or drop it; the server does not read it. Both need a seat. */
export interface Signal {
  type: "signal";
  player: string;
  data: string;
}

/** The host turns all microphones off; people may turn theirs on again. */
export interface Silence {
  type: "silence";
}

/** Report a player to the operator of the server, with the recent chat. Answered with a `Notice`. */
export interface Report {
  type: "report";
  player: string;
  why: string;
  text?: string;
}

/**
 * Checks the connection. A page sends it at least once a minute: the server closes the connection of a page after a
 * minute and a half of silence. Programs need not send it.
 */
export interface Ping {
  type: "ping";
  t: number;
}

/** How a table plays. */
export interface Settings {
  /** A ruleset by name, with its options: `classic+stacking=same+jump_in`. */
  rules: string;
  seats: number;
  pace: string;
  /** Milliseconds in which a catch waits for a late call. */
  grace: number;
  spectators: boolean;
  chat: boolean;
  /** Whether people may talk. The host may change it during a match. */
  voice: boolean;
  /** Whether the best moves may be asked for although other people play. */
  hints: boolean;
  /** Whether a person who plays only against bots may take moves back. */
  take_backs: boolean;
  /** How fast bots play. The host may change it during a match. */
  bots: string;
}

/** Who sits in a seat. */
export interface SeatInfo {
  name: string;
  /** The person it belongs to; null where a bot sits or nobody does. */
  player: string | null;
  /** The level of the bot that sits here; null where a person sits or nobody does. */
  bot: string | null;
  /** Whether the person, or the program, is connected. */
  here: boolean;
  /** Whether a bot plays for the person, or the program, at the moment. */
  standin: boolean;
  /** The name of the person who takes this bot's place after the round. */
  heir: string | null;
  /** Whether the person's number for the next shuffle has arrived. */
  sealed: boolean;
  /** Whether the person wants the next round or match, has written the rule cards, or has said yes to the vote. */
  ready: boolean;
  /** Whether the person was sent from it, and can have it back after the round. */
  kicked: boolean;
  /** Whether a program may play here instead of the bot. */
  program: boolean;
  /** How the person has built their face: a digit for each part of it; empty for one made from the name. */
  look: string;
  /** In which style the bot plays that sits here; empty for none of its own. */
  style: string;
  /** Whether the next match waits for the person, though not connected: they have left only just now. */
  awaited: boolean;
}

/** A person who watches. */
export interface Guest {
  player: string;
  name: string;
  /** Whether the person waits for a seat, or gets one after the round. */
  queued: boolean;
}

/** A question the table must agree on: `pause` or `kick`. */
export interface Vote {
  what: string;
  /** The seat that asked. */
  by: number;
  /** The player to be kicked. */
  target: string | null;
  /** Seats that agree. */
  yes: number[];
  /** How many seats must agree. */
  needed: number;
}

/** The time of the seat on turn, in milliseconds from now. */
export interface Clock {
  /** Until the bank is used. */
  left: number;
  /** Left in the bank of that seat. */
  bank: number;
}

/** The duplicate match that a table is part of. */
export interface DuplicateInfo {
  code: string;
  /** The number of the table in it, from 1. */
  number: number;
  /** How many deals have begun here. */
  deal: number;
  deals: number;
}

/** Who sat in a seat when the round ended; the fields are those of `SeatInfo`. */
export interface PastSitter {
  name: string;
  player: string | null;
  bot: string | null;
  look: string;
}

/** All that is public about a table besides the game on it. */
export interface TableInfo {
  code: string;
  /** `lobby`, `writing` (of rule cards), `playing`, `between` (rounds) or `over` (match won). */
  phase: string;
  /** The player id of the host. */
  host: string;
  settings: Settings;
  /** By seat; null where nobody sits. */
  seats: (SeatInfo | null)[];
  guests: Guest[];
  /** The match being played, or the last one; null for a person who may not watch it. */
  match: string | null;
  /** How many matches this table has finished. */
  played: number;
  /** Matches won, by player id. */
  wins: Record<string, number>;
  /** SHA-256 of the secret that the next match will be shuffled with. */
  promise: string;
  paused: boolean;
  vote: Vote | null;
  /** Player ids the host has muted. */
  muted: string[];
  /** Rule cards each person writes, in phase `writing`; otherwise 0. */
  cards_each: number;
  /** Milliseconds until the next round (`between`) or match (`writing`, open `lobby`) comes by itself. */
  next_in: number | null;
  /** Whether a player may ask for the best moves now: by the settings, or because only bots play against them. */
  hints: boolean;
  /** Whether a player may take moves back now: by the settings, and because only bots play against them. */
  take_backs: boolean;
  /** The address to join at, as the QR code has it. */
  join_url: string;
  /** The time of the seat on turn: shorter while its person is away, for then a bot plays soon. */
  clock: Clock | null;
  /** Message of the operator of the server to everybody; empty for none. */
  notice: string;
  /** Whether no match begins any more, because the server is about to be updated. */
  draining: boolean;
  /** Whether somebody reads what people report. */
  reports: boolean;
  /** The day of the daily deal that is played here, as in `2026-11-30`; empty at any other table. */
  daily: string;
  /** The duplicate match that the table is part of; null for any other table. */
  duplicate: DuplicateInfo | null;
  /** The player ids of those who have turned voice on. */
  voices: string[];
  /** Whether the server seats strangers here; nobody is host, and bots take free seats after a while. */
  open: boolean;
  /** Once a round is over, who played it in a seat that is somebody else's now; empty where all are as they were. */
  played_by: (PastSitter | null)[];
}

/** The game as everybody at the table sees it. Cards are texts, colors letters. */
export interface Public {
  rules: string;
  /** From 0. */
  round: number;
  dealer: number;
  /** What the table waits for (docs/notation.md). */
  decision: string;
  turn: number;
  direction: number;
  top: string;
  color: string | null;
  /** The last cards of the discard pile, at most five, oldest first. */
  pile: string[];
  discard_count: number;
  draw_count: number;
  counts: number[];
  pending: number;
  exposed: number[];
  called: number[];
  candidates: number[];
  /** The rule card being performed, as canonical text. */
  rule: string | null;
  performer: number | null;
  scores: number[];
  /** The seat that won the round. */
  winner: number | null;
  void: boolean;
  /** All hands, once the round is over. */
  hands: string[][] | null;
  points: number[] | null;
  /** The seats that won the match, once it is over. */
  winners: number[] | null;
}

/** Where a lesson is: a round with prepared cards for somebody new. */
export interface LessonStep {
  /** From 1; one more than `beats` when it is done. */
  beat: number;
  beats: number;
  /** The name of what is to be said: the text `lesson.GAME.SAY`. */
  say: string;
  /** What that speaks of: `hand`, `draw`, `uno`, `answers`, `seat`, `seats` or `over`. */
  at: string;
  /** The seat it is about. */
  seat: number | null;
  /** The number of the next lesson of this game; 0 after the last one. */
  next: number;
}

/** What only the person in a seat may know of the game. */
export interface Mine {
  seat: number;
  hand: string[];
  /** Possible moves, `!` forms left out. */
  legal: string[];
  drawn: string | null;
  /** Whether an early call is waiting. */
  early: boolean;
  /** Where the lesson is; null in any other match. */
  lesson: LessonStep | null;
}

/** One event: `e` says which, the rest is what belongs to it. See `lastcard.match.events`. */
export interface Happening {
  e: "buried" | "called" | "caught" | "challenged" | "chose" | "color_named" | "drew" | "false_call" | "false_catch" | "hands_passed" | "jumped_in" | "lever" | "passed" | "performed" | "played" | "reshuffled" | "reversed" | "round_over" | "rule" | "shown" | "skipped" | "swapped" | "targeted" | "threw" | "took" | "turned";
  /** Who did it or to whom it happened: who drew, was skipped, caught or challenged, has won (`round_over`). */
  seat?: number | null;
  /** The second one: target, catcher, challenger, who was shown a hand (`shown`), who gave a card (`took`). */
  other?: number | null;
  card?: string | null;
  cards?: string[] | null;
  color?: string | null;
  count?: number | null;
  direction?: number | null;
  /** Why cards are drawn. */
  reason?: string | null;
  /** What the lever did. */
  outcome?: string | null;
  /** A rule card, as canonical text. */
  rule?: string | null;
  guilty?: boolean | null;
}

/** A match on the table, as one viewer may see it. */
export interface Game {
  match: string;
  /** How many moves the log has; the next one has this number. */
  ply: number;
  rules: string;
  /** Names by seat, as they stand in the record. */
  players: string[];
  /** SHA-256 of the seed. */
  commitment: string;
  /** SHA-256 of the server's secret, shown before the players' numbers were known. */
  promise: string;
  public: Public;
  mine: Mine | null;
  clock: Clock | null;
  /**
   * What moves did, for the log: those of the match that are remembered, or of the last round after a deal, and where
   *     somebody has taken over a seat.
   */
  recent: Happening[];
}

/** Something said at the table: text typed, or a phrase by its name. */
export interface Note {
  player: string;
  name: string;
  text: string | null;
  /** One of `QUICK`. */
  quick: string | null;
  /** The seat at which it is thrown; null for everybody. */
  at: number | null;
}

/** The answer to `Hello`: everything the viewer may know. */
export interface Welcome {
  type: "welcome";
  v: number;
  /** One's own player id; null for a big screen and for a program. */
  you: string | null;
  table: TableInfo;
  game: Game | null;
  notes: Note[];
}

/** The table changed: seats, settings, phase, a vote. */
export interface TableChanged {
  type: "table";
  table: TableInfo;
}

/** A round was dealt (the first of a match too), or the game is to be drawn anew: a whole picture. */
export interface Dealt {
  type: "dealt";
  game: Game;
  events: Happening[];
}

/** A move, after its commit. */
export interface Moved {
  type: "moved";
  match: string;
  /** How many moves the log now has. */
  ply: number;
  seat: number;
  move: string;
  events: Happening[];
  public: Public;
  mine: Mine | null;
  clock: Clock | null;
}

/** The move with this id is in the log. Its sender gets it after `Moved`, and again if it sends the move again. */
export interface Done {
  type: "done";
  id: string;
  ply: number;
}

/** A command that was not carried out; nothing has changed. */
export interface Refused {
  type: "refused";
  id: string | null;
  /** Stable: a reason of the rules, or `late`, `busy`, `stale`, `not-host`, … */
  code: string;
  clause: string | null;
  /** In words, in the person's language. */
  text: string;
  /** For calls and catches: how many milliseconds too late. */
  late: number | null;
}

/** A move of a hint. */
export interface AdvisedMove {
  move: string;
  /** The move in the person's language. */
  words: string;
  /** Of winning the round, 0 to 1, if everybody goes on by rules of thumb. */
  chance: number;
  /** Half of the 95 % interval of `chance`. */
  error: number;
  /** What speaks for it, a sentence in the person's language. */
  why: string;
}

/** The best moves, best first, for the person who asked. */
export interface Advice {
  type: "advice";
  id: string;
  /** For the table after so many moves. */
  ply: number;
  moves: AdvisedMove[];
}

/** All that the seat on turn knows, and nothing else, for the client that asked for hints to compute them. */
export interface SeatObservation {
  type: "sight";
  id: string;
  /** The table after so many moves. */
  ply: number;
  /** In base64 a record `ROUND_STATE` of `lastcard.json` in which all that is hidden from the seat is blank. */
  table: string;
  /** In base64 what the seat has seen happen in this round, as numbers of 32 bits. */
  past: string;
}

/** Somebody said something. */
export interface NotePosted {
  type: "heard";
  note: Note;
}

/** A STUN or TURN server, as `RTCPeerConnection` takes it. */
export interface IceServer {
  urls: string[];
  username?: string;
  credential?: string;
}

/** One's own voice is on; `TableInfo.voices` says whose is. */
export interface VoiceOn {
  type: "voice";
  /** The servers through which other networks are reached. */
  ice: IceServer[];
}

/** A signal of another person with voice. It may come twice, or not at all. */
export interface Signaled {
  type: "signaled";
  player: string;
  data: string;
}

/**
 * To one person: `idle` (play soon), `standin` (a bot plays for you), `back` (welcome back), `kicked`,
 * `reported` (the server's operator will read it), `queue` (the hint has to wait), `silenced` (the host has
 * turned all microphones off). To a table: `hurried` (the server is busy, its bots think less than they could).
 */
export interface Notice {
  type: "notice";
  what: string;
  /** Milliseconds left, for `idle`. */
  left: number | null;
  /** How many are served before, for `queue`. */
  ahead: number | null;
}

/** The answer to `Ping`, with the same number. */
export interface Pong {
  type: "pong";
  t: number;
}

/**
 * The connection ends: `version`, `restart`, `elsewhere` (another tab took the seat), `flood`, `gone`,
 * `full` (too many watch).
 */
export interface Bye {
  type: "bye";
  why: string;
}

/** The table after a deal. */
export interface ReplayStart {
  /** What happened; in a match that is over with every card. */
  events: Happening[];
  public: Public;
  /** By seat; null in a match still going on. */
  hands: string[][] | null;
}

/** A move, and the table after it, as a `ReplayStart` shows it. */
export interface ReplayStep {
  seat: number;
  move: string;
  /** When, in milliseconds since 1970. */
  at: number;
  events: Happening[];
  public: Public;
  hands: string[][] | null;
}

/** A round. */
export interface ReplayRound {
  dealer: number;
  first: ReplayStart;
  steps: ReplayStep[];
}

/** A match from its first card: the body of `GET /api/matches/ID/replay`. */
export interface Replay {
  id: string;
  rules: string;
  names: string[];
  /** The levels of bots by seat, null for persons; where nobody knows, those of the regulars who are called so. */
  bots: (string | null)[];
  host: number;
  /** Whether it is still going on; the secrets below are then null, and spectators' eyes see the rest. */
  live: boolean;
  promise: string;
  numbers: string[];
  commitment: string;
  /** null too while others may play the same deal; `seed` likewise. */
  secret: string | null;
  seed: string | null;
  /** The written ones. */
  rule_cards: string[] | null;
  winners: number[] | null;
  rounds: ReplayRound[];
  /** How often moves were taken back, against bots; they are not among the steps. */
  taken_back?: number;
}

/** A match in the list of a person. */
export interface MatchLine {
  id: string;
  table: string;
  rules: string;
  names: string[];
  /** In milliseconds since 1970; `finished` too. */
  started: number;
  finished: number | null;
  winners: number[] | null;
  /** Seat of the person; -1 in an imported match. */
  seat: number;
  live: boolean;
  /** Whether moves were taken back; such a match does not count in statistics. */
  taken_back: boolean;
  /** Whether its record was imported; such a match does not count in statistics either. */
  brought: boolean;
}

/** A decision on the chart. */
export interface Mark {
  /** Ply of the round, from 1. */
  ply: number;
  seat: number;
  /** `mistake` or `find`. */
  kind: string;
  /** The best move instead of a mistake, for a puzzle. */
  best: string | null;
}

/** The chart of a round. */
export interface Curve {
  title: string;
  /** After the deal and each move, the chance of every seat; `errors`: half of the 95 % interval of each. */
  chances: number[][];
  errors: number[][];
  marks: Mark[];
}

/** A table: heads, and for each player, or each kind of mistake, figures with their uncertainty. */
export interface ReportTable {
  title: string;
  about: string;
  heads: string[];
  rows: [string, string][][];
}

/** A list of decisions or events in words. */
export interface Listing {
  title: string;
  none: string;
  lines: [round: number, ply: number, text: string][];
}

/** A report as the screen shows it: the body of `GET /api/matches/ID/report`. */
export interface ReportPage {
  notes: string[];
  /** Legend of the chart. */
  marks: string;
  curves: Curve[];
  /** Empty if these are only the chances. */
  tables: ReportTable[];
  lists: Listing[];
}

/** Matches, how many of them were won, and how many chance alone would win. */
export interface Tally {
  matches: number;
  won: number;
  chance: number;
}

/** The matches of one game with so many players. */
export interface Share {
  matches: number;
  won: number;
  chance: number;
  game: string;
  seats: number;
}

/** UNO, in the matches where it has been counted: `waiting` is how many there are besides. */
export interface Calls {
  called: number;
  caught: number;
  catches: number;
  waiting: number;
}

/** What reports came to, in as many matches as one was asked for: luck in rounds won, mistakes by kind. */
export interface ReportTotals {
  matches: number;
  luck: number;
  decisions: number;
  mistakes: Record<string, number>;
}

/** The matches with another person: `won` are one's own wins, `lost` theirs. */
export interface Rival {
  matches: number;
  won: number;
  chance: number;
  name: string;
  lost: number;
}

/** All that is known of a person's matches; the latest where there are very many. */
export interface Career {
  total: Tally;
  shares: Share[];
  streak: number;
  longest: number;
  course: number[];
  calls: Calls;
  findings: ReportTotals;
  rivals: Rival[];
}

/** A line of a leaderboard. */
export interface LeaderboardEntry {
  matches: number;
  won: number;
  chance: number;
  name: string;
}

/** What the page can ask for before anybody has signed in. */
export interface AdminAccess {
  /** Whether the server was started with a token for the page. */
  offered: boolean;
  /** Whether the caller has signed in. */
  granted: boolean;
}

/** A match in which the caller has a seat. */
export interface RunningMatch {
  /** The code of the table. */
  table: string;
  rules: string;
  /** The name of the person on turn; null between rounds. */
  turn: string | null;
  /** Whether the caller is on turn. */
  yours: boolean;
  /** By the day, until when the caller's move is due, in milliseconds since 1970. */
  due: number | null;
  /** When the match is closed because nobody moves, likewise; 0 if people do. */
  closes: number;
}

/** An address of the caller without its secret part. */
export interface NotificationPlace {
  id: string;
  kind: string;
  host: string;
  enabled: boolean;
  /** Whether the last notification has not arrived. */
  failing: boolean;
}

/** The body of `GET /api/me/notifications`. */
export interface Notifications {
  /** The key that a browser subscribes with; null if this server has no Web Push. */
  key: string | null;
  places: NotificationPlace[];
}

/** Today's deal of a game. */
export interface DailyGame {
  game: string;
  table: string | null;
  finished: boolean;
}

/** A try of the caller at a daily deal. */
export interface DailyTry {
  day: string;
  game: string;
  finished: boolean;
  won: boolean;
}

/** The body of `GET /api/daily`: today's deals, and the tries of the caller. */
export interface DailyPage {
  day: string;
  ends: number;
  streak: number;
  games: DailyGame[];
  tries: DailyTry[];
}

/** The figures of a ruleset for a number of players: the body of `GET /api/figures/SEATS/RULES`. */
export interface RuleFigures {
  /** Number of moves in a round. */
  moves: number;
  /** Number of turns in a round, of all players. */
  turns: number;
  /** Share of turns for which a player waited longer than for one turn of everybody else. */
  waits: number;
  /** Number of changes in a round of the player who alone has the fewest cards, while somebody has few. */
  overtakings: number;
  /** Share of rounds that a stronger player wins against a weaker one, if either wins. */
  skill: number;
}

/** A result. */
export interface DailyLine {
  place: number;
  name: string | null;
  mine: boolean;
  won: boolean;
  points: number;
  moves: number;
  luck: number | null;
  late: boolean;
  match: string | null;
}

/** What a *master* made of a day's deal in the person's seat, against the same bots. */
export interface MasterRun {
  won: boolean;
  cards: number;
  points: number;
  moves: number;
  luck: number;
}

/** The body of `GET /api/daily/DAY/GAME`: the results of a day's deal of a game, best first. */
export interface DailyStandings {
  day: string;
  game: string;
  over: boolean;
  promise: string;
  secret: string | null;
  players: number;
  lines: DailyLine[];
  master: MasterRun | null;
}

/** Who plays at a table of a duplicate match. */
export interface DuplicatePlayer {
  name: string;
  bot: string | null;
  mine: boolean;
}

/** A table of a duplicate match. */
export interface DuplicateTableInfo {
  number: number;
  code: string | null;
  join_url: string | null;
  deal: number;
  done: number;
  players: (DuplicatePlayer | null)[];
}

/** What one table has made of a deal. */
export interface DuplicateScore {
  match: string;
  points: number[];
  winners: number[];
}

/** A deal that all tables have played. */
export interface DuplicateDeal {
  deal: number;
  order: number[];
  scores: DuplicateScore[];
}

/** A line of the standings, of the deals that all tables have played. */
export interface DuplicateLine {
  rank: number;
  table: number;
  place: number;
  match_points: number;
  share: number;
  adjusted: number;
}

/** The body of `GET /api/duplicates/CODE`: a duplicate match with its tables and standings. */
export interface DuplicatePage {
  code: string;
  rules: string;
  seats: number;
  deals: number;
  started: boolean;
  finished: boolean;
  mine: boolean;
  promise: string;
  secret: string | null;
  tables: DuplicateTableInfo[];
  played: DuplicateDeal[];
  lines: DuplicateLine[];
}

/** Orders of the operator of the server. */
export interface AdminSettings {
  notice: string;
  draining: boolean;
  chat: string;
  words: string[];
}

/** Of one worker. */
export interface WorkerStats {
  load: number | null;
  processors: number;
  memory: number | null;
  thinking: number;
  playing: number;
  people: Record<string, Record<string, string>>;
}

/** A person at a table. */
export interface AdminPerson {
  player: string;
  name: string;
  here: boolean;
}

/** A table, as the operator of the server sees it: no cards. */
export interface AdminTable {
  code: string;
  phase: string;
  rules: string;
  bots: number;
  people: AdminPerson[];
  /** Time of the last save, in milliseconds since 1970. */
  touched: number;
}

/**
 * Who may not come.
 *
 * Args:
 *     id: of the ban.
 *     player: the id of a person, or null.
 *     network: an address or a network, or null.
 *     name: what it was called when it was banned.
 *     widely: whether the networks the person was connected from are to be banned too.
 *     at: since when, in milliseconds since 1970.
 *     until: when it ends; null for never.
 */
export interface BanRow {
  id: string;
  player: string | null;
  network: string | null;
  name: string;
  widely: boolean;
  at: number;
  until: number | null;
}

/**
 * Somebody whom another person has reported.
 *
 * Args:
 *     id: of the complaint.
 *     table: its code.
 *     player: the id of the one, by the name `name`.
 *     name: at that table.
 *     by: the id of the other, by the name `by_name`.
 *     by_name: at that table.
 *     why: `words`, `name`, `play` or `other`.
 *     text: what the other adds.
 *     notes: what was said there before, as pairs of a name and words, oldest first.
 *     at: when, in milliseconds since 1970.
 */
export interface Complaint {
  id: string;
  table: string;
  player: string;
  name: string;
  by: string;
  by_name: string;
  why: string;
  text: string;
  notes: [string, string][];
  at: number;
}

/** Everything that the admin page shows. */
export interface AdminPage {
  orders: AdminSettings;
  /** What new tables begin with. */
  chat: string;
  workers: Record<string, WorkerStats>;
  tables: AdminTable[];
  bans: BanRow[];
  complaints: Complaint[];
}

/** What a server keeps for how long, as it is set up; in days. */
export interface SiteFacts {
  matches: number | null;
  tables: number;
  reports: number | null;
  chat: boolean;
  reader: string | null;
  puzzles: boolean;
  open: boolean;
}

/** The answer to a question about open tables. */
export interface OpenTables {
  /** The number of open tables where somebody waits for the first match. */
  waiting: number;
  /** Seconds until the person may have a seat. */
  wait_s: number;
  /** How many matches at open tables the person has left in the last day. */
  departures: number;
  /** How many persons the person has blocked. */
  blocked: number;
}

/** The answer to a request for a seat at an open table. */
export interface OpenSeat {
  /** The code of the table with the seat; null for a person who has to wait because they have left matches. */
  code: string | null;
  /** Seconds until that person may ask again. */
  wait_s: number;
  /** How many matches that person has left in the last day. */
  departures: number;
}

/** A code that the caller types on another device, and for how many seconds it is valid. */
export interface DeviceCode {
  code: string;
  valid_s: number;
}

/** A profile before two are joined: its name, and how many matches it has. */
export interface ProfileSummary {
  name: string;
  matches: number;
}

/** What would be joined: the profile of the code, and that of this device, if it has one. */
export interface Joining {
  profile: ProfileSummary;
  here: ProfileSummary | null;
}

/** A passkey of the caller; times are in milliseconds since 1970, `used` null before the first use. */
export interface Passkey {
  id: string;
  name: string;
  created: number;
  used: number | null;
}

/** What a proven passkey allows: to join its profile by this code, as by one that another device shows. */
export interface SignedIn {
  code: string;
  joining: Joining;
}

/** All that a client says. */
export type ClientUnion =
  | Hello
  | MakeMove
  | TakeBack
  | Why
  | Advise
  | Sit
  | LeaveSeat
  | Configure
  | SetBot
  | Start
  | Number
  | SetAvatar
  | Write
  | Ready
  | Say
  | Quick
  | Pause
  | Kick
  | Mute
  | Appoint
  | Back
  | SetVoice
  | Signal
  | Silence
  | Report
  | Ping;

/** All that the server says. */
export type ServerUnion =
  | Welcome
  | TableChanged
  | Dealt
  | Moved
  | Done
  | Refused
  | Advice
  | SeatObservation
  | NotePosted
  | VoiceOn
  | Signaled
  | Notice
  | Pong
  | Bye;
