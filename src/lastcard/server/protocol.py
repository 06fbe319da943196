"""What browser and server say to each other: one tagged struct a message, JSON text over a WebSocket.

Cards, moves and colors are the notation of ``docs/notation.md``. From this module come ``web/protocol.d.ts``
and ``docs/asyncapi.json`` (``server/contract.py``); a test compares them.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

VERSION: Final = 1
"""Of the protocol. A server answers a client of another version with ``Bye("version")``: it reloads the page."""
MAX_FRAME: Final = 4096
"""Bytes a message from a client may have."""

Seat = Annotated[int, Meta(ge=0, le=9)]
CommandId = Annotated[str, Meta(min_length=8, max_length=40, pattern="^[0-9A-Za-z_-]+$")]
MatchId = Annotated[str, Meta(min_length=1, max_length=40, pattern="^[0-9A-Za-z_-]+$")]
PlayerId = Annotated[str, Meta(min_length=1, max_length=40, pattern="^[0-9A-Za-z_-]+$")]
MoveText = Annotated[str, Meta(min_length=1, max_length=24)]
Line = Annotated[str, Meta(min_length=1, max_length=200)]
Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
Hex64 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Level = Annotated[str, Meta(min_length=1, max_length=16)]
Pace = Annotated[str, Meta(pattern="^(relaxed|normal|fast|untimed)$")]


# --- parts ------------------------------------------------------------------------------------------


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """How a table plays."""

    rules: Annotated[str, Meta(min_length=1, max_length=1000)] = "all-wild"
    """A ruleset by name, with its options: ``classic+stacking=same+jump_in``."""
    seats: Annotated[int, Meta(ge=2, le=10)] = 4
    pace: Pace = "normal"
    grace: Annotated[int, Meta(ge=0, le=3000)] = 1000
    """Milliseconds in which a catch waits for a late call."""
    spectators: bool = True
    chat: bool = True


class SeatInfo(Struct, frozen=True):
    """Who sits in a seat."""

    name: str
    player: str | None
    """The person it belongs to; None where a bot sits or nobody does."""
    bot: str | None
    """The level of the bot that sits here; None where a person sits or nobody does."""
    here: bool
    """Whether the person is connected."""
    standin: bool
    """Whether a bot plays for the person at the moment."""
    heir: str | None = None
    """The name of the person who takes this bot's place after the round."""
    ready: bool = False
    """Whether the person wants the next round, has written the rule cards, or has said yes to the vote."""


class Guest(Struct, frozen=True):
    """A person who watches."""

    player: str
    name: str
    queued: bool
    """Whether the person waits for a seat."""


class Vote(Struct, frozen=True):
    """A question the table must agree on: ``pause`` or ``kick``."""

    what: str
    by: int
    """The seat that asked."""
    target: str | None
    """The player to be kicked."""
    yes: tuple[int, ...]
    """Seats that agree."""
    needed: int
    """How many seats must agree."""


class TableState(Struct, frozen=True):
    """All that is public about a table besides the game on it."""

    code: str
    phase: str
    """``lobby``, ``writing`` (of rule cards), ``playing``, ``between`` (rounds) or ``over`` (match won)."""
    host: str
    """The player id of the host."""
    settings: Settings
    seats: tuple[SeatInfo | None, ...]
    """By seat; None where nobody sits."""
    guests: tuple[Guest, ...]
    match: str | None
    """The match being played, or the last one."""
    played: int
    """How many matches this table has finished."""
    wins: dict[str, int]
    """Matches won, by player id."""
    promise: str
    """SHA-256 of the secret that the next match will be shuffled with."""
    paused: bool
    vote: Vote | None
    muted: tuple[str, ...]
    """Player ids the host has muted."""
    cards_each: int
    """Rule cards each person writes, in phase ``writing``; otherwise 0."""
    next_in: int | None
    """Milliseconds until the next round is dealt by itself, in phase ``between``."""
    join_url: str
    """The address to join at, as the QR code has it."""


class Clock(Struct, frozen=True):
    """The time of the seat on turn, in milliseconds from now."""

    left: int
    """Until the bank is used."""
    bank: int
    """Left in the bank of that seat."""


class Public(Struct, frozen=True):
    """The game as everybody at the table sees it. Cards are texts, colors letters."""

    rules: str
    round: int
    """From 0."""
    dealer: int
    decision: str
    """What the table waits for (docs/notation.md)."""
    turn: int
    direction: int
    top: str
    color: str | None
    pile: tuple[str, ...]
    """The last cards of the discard pile, at most five, oldest first."""
    discard_count: int
    draw_count: int
    counts: tuple[int, ...]
    pending: int
    exposed: tuple[int, ...]
    called: tuple[int, ...]
    candidates: tuple[int, ...]
    rule: str | None
    """The rule card being performed, as canonical text."""
    performer: int | None
    scores: tuple[int, ...]
    winner: int | None
    """Of the round."""
    void: bool
    hands: tuple[tuple[str, ...], ...] | None
    """All hands, once the round is over."""
    points: tuple[int, ...] | None
    winners: tuple[int, ...] | None
    """Of the match, once it is over."""


class Mine(Struct, frozen=True):
    """What only the person in a seat may know of the game."""

    seat: int
    hand: tuple[str, ...]
    legal: tuple[str, ...]
    """Possible moves, ``!`` forms left out."""
    drawn: str | None
    early: bool
    """Whether an early call is waiting."""


class Happening(Struct, frozen=True):
    """One event: ``e`` says which, the rest is what belongs to it. See ``lastcard.events``."""

    e: str
    seat: int | None = None
    other: int | None = None
    card: str | None = None
    cards: tuple[str, ...] | None = None
    color: str | None = None
    count: int | None = None
    direction: int | None = None
    reason: str | None = None
    """Why cards are drawn."""
    outcome: str | None = None
    """Of the lever."""
    rule: str | None = None
    """A rule card, as canonical text."""
    guilty: bool | None = None


class Game(Struct, frozen=True):
    """A match on the table, as one viewer may see it."""

    match: str
    ply: int
    """How many moves the log has; the next one has this number."""
    rules: str
    players: tuple[str, ...]
    """Names by seat, as they stand in the record."""
    commitment: str
    """SHA-256 of the seed."""
    promise: str
    """SHA-256 of the server's secret, shown before the players' numbers were known."""
    public: Public
    mine: Mine | None
    clock: Clock | None
    recent: tuple[Happening, ...] = ()
    """What the last moves did, for the log."""


class Note(Struct, frozen=True):
    """Something said at the table: text typed, or a phrase by its name."""

    player: str
    name: str
    text: str | None
    quick: str | None
    """One of ``QUICK``."""


QUICK: Final = (
    "hello", "good_luck", "nice", "oops", "hurry", "wait", "sorry", "thanks", "again", "bye",
    "laugh", "wow", "cry", "angry", "clap", "heart", "think", "party",
)  # fmt: skip
"""Quick phrases, then reactions."""


# --- from the client --------------------------------------------------------------------------------


class ClientMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """The root of what a client says."""


class Hello(ClientMessage):
    """The first message of every connection."""

    v: int
    match: MatchId | None = None
    """The match the client knows."""
    ply: Annotated[int, Meta(ge=0)] = 0
    """How many of its moves the client has seen."""
    tv: bool = False
    """Whether this is a big screen, without a hand."""


class Act(ClientMessage):
    """A move of one's own seat."""

    id: CommandId
    match: MatchId
    move: MoveText


class Why(ClientMessage):
    """Ask why a move cannot be made; changes nothing."""

    id: CommandId
    move: MoveText


class Sit(ClientMessage):
    """Take a seat: a free one, a bot's (after the round, while one is played), or back one's own. None: any, or queue."""

    seat: Seat | None = None


class Stand(ClientMessage):
    """Leave the seat and watch; during a round a bot goes on with the hand."""


class Configure(ClientMessage):
    """The host changes the settings, between matches."""

    settings: Settings


class SetBot(ClientMessage):
    """The host seats a bot, or sends it away (level None)."""

    seat: Seat
    level: Level | None


class Start(ClientMessage):
    """The host starts a match; bots fill the free seats."""

    level: Level = "casual"


class Number(ClientMessage):
    """A number of the client's own for the next shuffle, after it has seen the promise."""

    promise: Hex64
    number: Hex32


class Write(ClientMessage):
    """The rule cards a person has written, all at once."""

    cards: Annotated[tuple[Line, ...], Meta(max_length=8)]


class Ready(ClientMessage):
    """On with the next round."""


class Say(ClientMessage):
    """Chat."""

    text: Line


class Quick(ClientMessage):
    """A quick phrase or reaction."""

    quick: Annotated[str, Meta(max_length=16)]


class Pause(ClientMessage):
    """Ask for a pause, agree to one, or (on False) go on."""

    on: bool


class Kick(ClientMessage):
    """Send a player from the seat (host), ask the table to, or agree."""

    player: PlayerId


class Mute(ClientMessage):
    """The host turns a player's chat off or on."""

    player: PlayerId
    on: bool


class Appoint(ClientMessage):
    """The host makes another person host."""

    player: PlayerId


class Back(ClientMessage):
    """A player whose hand a bot is playing takes it back."""


class Ping(ClientMessage):
    """Are you there?"""

    t: int


ClientUnion = (
    Hello | Act | Why | Sit | Stand | Configure | SetBot | Start | Number | Write | Ready | Say | Quick | Pause
    | Kick | Mute | Appoint | Back | Ping
)  # fmt: skip


# --- from the server --------------------------------------------------------------------------------


class ServerMessage(Struct, frozen=True, tag_field="type", tag=str.lower):
    """The root of what the server says."""


class Welcome(ServerMessage):
    """The answer to ``Hello``: everything the viewer may know."""

    v: int
    you: str | None
    """One's own player id; None for a big screen."""
    table: TableState
    game: Game | None
    notes: tuple[Note, ...]


class Table(ServerMessage):
    """The table changed: seats, settings, phase, a vote."""

    table: TableState


class Dealt(ServerMessage):
    """A round was dealt (the first of a match too), or the game is to be drawn anew: a whole picture."""

    game: Game
    events: tuple[Happening, ...]


class Moved(ServerMessage):
    """A move, after its commit."""

    match: str
    ply: int
    """How many moves the log now has."""
    seat: int
    move: str
    events: tuple[Happening, ...] | msgspec.Raw
    public: Public | msgspec.Raw
    mine: Mine | None
    clock: Clock | None


class Done(ServerMessage):
    """The move with this id is in the log; comes to its sender after ``Moved``, again when it is sent again."""

    id: str
    ply: int


class Refused(ServerMessage):
    """A command that was not carried out; nothing has changed."""

    id: str | None
    code: str
    """Stable: a reason of the rules, or ``late``, ``busy``, ``stale``, ``not-host``, …"""
    clause: str | None
    text: str
    """In words, in the person's language."""
    late: int | None = None
    """For calls and catches: how many milliseconds too late."""


class Heard(ServerMessage):
    """Somebody said something."""

    note: Note


class Notice(ServerMessage):
    """To one person: ``idle`` (play soon), ``standin`` (a bot plays for you), ``back`` (welcome back), ``kicked``."""

    what: str
    left: int | None = None
    """Milliseconds left, for ``idle``."""


class Pong(ServerMessage):
    """Yes."""

    t: int


class Bye(ServerMessage):
    """The connection ends: ``version``, ``restart``, ``elsewhere`` (another tab took the seat), ``flood``, ``gone``."""

    why: str


ServerUnion = Welcome | Table | Dealt | Moved | Done | Refused | Heard | Notice | Pong | Bye

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(ClientUnion)


def encode(message: ServerMessage) -> str:
    """A message of the server as JSON text."""
    return _ENCODER.encode(message).decode()


def decode(text: str | bytes) -> ClientUnion:
    """A client's message.

    Raises:
        msgspec.DecodeError, msgspec.ValidationError: says what is wrong.
    """
    return _DECODER.decode(text)
