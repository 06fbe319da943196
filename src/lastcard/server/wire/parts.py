"""Parts of the messages in ``protocol``: a table with its seats, and its game as one viewer may know it.

Cards, moves and colors are the notation of ``docs/notation.md``.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from lastcard.session.table_settings import Settings
from lastcard.session.table_state import Vote
from lastcard.session.turn_clock import Clock
from lastcard.session.tutor import LessonStep


class SeatInfo(Struct, frozen=True):
    """Who sits in a seat."""

    name: str
    player: str | None
    """The person it belongs to; None where a bot sits or nobody does."""
    bot: str | None
    """The level of the bot that sits here; None where a person sits or nobody does."""
    here: bool
    """Whether the person, or the program, is connected."""
    standin: bool
    """Whether a bot plays for the person, or the program, at the moment."""
    heir: str | None = None
    """The name of the person who takes this bot's place after the round."""
    sealed: bool = False
    """Whether the person's number for the next shuffle has arrived."""
    ready: bool = False
    """Whether the person wants the next round or match, has written the rule cards, or has said yes to the vote."""
    kicked: bool = False
    """Whether the person was sent from it, and can have it back after the round."""
    program: bool = False
    """Whether a program may play here instead of the bot."""
    look: str = ""
    """How the person has built their face: a digit for each part of it; empty for one made from the name."""
    style: str = ""
    """In which style the bot plays that sits here; empty for none of its own."""
    awaited: bool = False
    """Whether the next match waits for the person, though not connected: they have left only just now."""


class PastSitter(Struct, frozen=True):
    """Who sat in a seat when the round ended; the fields are those of ``SeatInfo``."""

    name: str
    player: str | None
    bot: str | None
    look: str = ""


class Guest(Struct, frozen=True):
    """A person who watches."""

    player: str
    name: str
    queued: bool
    """Whether the person waits for a seat, or gets one after the round."""


class DuplicateInfo(Struct, frozen=True):
    """The duplicate match that a table is part of."""

    code: str
    number: int
    """The number of the table in it, from 1."""
    deal: int
    """How many deals have begun here."""
    deals: int


class TableInfo(Struct, frozen=True):
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
    """The match being played, or the last one; None for a person who may not watch it."""
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
    """Milliseconds until the next round (``between``) or match (``writing``, open ``lobby``) comes by itself."""
    hints: bool
    """Whether a player may ask for the best moves now: by the settings, or because only bots play against them."""
    take_backs: bool
    """Whether a player may take moves back now: by the settings, and because only bots play against them."""
    join_url: str
    """The address to join at, as the QR code has it."""
    clock: Clock | None = None
    """The time of the seat on turn: shorter while its person is away, for then a bot plays soon."""
    notice: str = ""
    """Message of the operator of the server to everybody; empty for none."""
    draining: bool = False
    """Whether no match begins any more, because the server is about to be updated."""
    reports: bool = False
    """Whether somebody reads what people report."""
    daily: str = ""
    """The day of the daily deal that is played here, as in ``2026-11-30``; empty at any other table."""
    duplicate: DuplicateInfo | None = None
    """The duplicate match that the table is part of; None for any other table."""
    voices: tuple[str, ...] = ()
    """The player ids of those who have turned voice on."""
    open: bool = False
    """Whether the server seats strangers here; nobody is host, and bots take free seats after a while."""
    played_by: tuple[PastSitter | None, ...] = ()
    """Once a round is over, who played it in a seat that is somebody else's now; empty where all are as they were."""


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
    """The seat that won the round."""
    void: bool
    hands: tuple[tuple[str, ...], ...] | None
    """All hands, once the round is over."""
    points: tuple[int, ...] | None
    winners: tuple[int, ...] | None
    """The seats that won the match, once it is over."""


class Mine(Struct, frozen=True):
    """What only the person in a seat may know of the game."""

    seat: int
    hand: tuple[str, ...]
    legal: tuple[str, ...]
    """Possible moves, ``!`` forms left out."""
    drawn: str | None
    early: bool
    """Whether an early call is waiting."""
    lesson: LessonStep | None = None
    """Where the lesson is; None in any other match."""


EventName = Literal[
    "turned", "played", "jumped_in", "targeted", "drew", "passed", "skipped", "reversed", "swapped", "hands_passed",
    "called", "caught", "false_call", "false_catch", "challenged", "shown", "color_named", "chose", "lever", "rule",
    "threw", "buried", "took", "performed", "reshuffled", "round_over",
]  # fmt: skip


class Happening(Struct, frozen=True, omit_defaults=True):
    """One event: ``e`` says which, the rest is what belongs to it. See ``lastcard.match.events``."""

    e: EventName
    seat: int | None = None
    """Who did it or to whom it happened: who drew, was skipped, caught or challenged, has won (``round_over``)."""
    other: int | None = None
    """The second one: target, catcher, challenger, who was shown a hand (``shown``), who gave a card (``took``)."""
    card: str | None = None
    cards: tuple[str, ...] | None = None
    color: str | None = None
    count: int | None = None
    direction: int | None = None
    reason: str | None = None
    """Why cards are drawn."""
    outcome: str | None = None
    """What the lever did."""
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
    """What moves did, for the log: those of the match that are remembered, or of the last round after a deal, and where
    somebody has taken over a seat."""


class IceServer(Struct, frozen=True, omit_defaults=True):
    """A STUN or TURN server, as ``RTCPeerConnection`` takes it."""

    urls: tuple[str, ...]
    username: str = ""
    credential: str = ""


class AdvisedMove(Struct, frozen=True):
    """A move of a hint."""

    move: str
    words: str
    """The move in the person's language."""
    chance: float
    """Of winning the round, 0 to 1, if everybody goes on by rules of thumb."""
    error: float
    """Half of the 95 % interval of ``chance``."""
    why: str
    """What speaks for it, a sentence in the person's language."""


class Note(Struct, frozen=True):
    """Something said at the table: text typed, or a phrase by its name."""

    player: str
    name: str
    text: str | None
    quick: str | None
    """One of ``QUICK``."""
    at: int | None = None
    """The seat at which it is thrown; None for everybody."""


QUICK: Final = (
    "hello", "good_luck", "nice", "oops", "hurry", "wait", "sorry", "thanks", "again", "bye",
    "laugh", "wow", "cry", "angry", "clap", "heart", "think", "party",
)  # fmt: skip
"""Quick phrases, then reactions."""
