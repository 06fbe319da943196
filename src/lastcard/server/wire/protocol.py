"""What browser and server say to each other: one tagged struct a message, JSON text over a WebSocket.

Cards, moves and colors are the notation of ``docs/notation.md``. From this module come ``web/net/protocol.d.ts``
and ``docs/asyncapi.json`` (``make contract``); a test compares them.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from lastcard.server.wire.parts import AdvisedMove, Game, Happening, IceServer, Mine, Note, Public, TableInfo
from lastcard.session.commands import (
    Appoint,
    Back,
    CommandId,
    Configure,
    Kick,
    LeaveSeat,
    MakeMove,
    MatchId,
    MoveText,
    Mute,
    Number,
    Pause,
    PlayerId,
    Ready,
    SeatNumber,
    SetAvatar,
    SetBot,
    Sit,
    Start,
    TakeBack,
    TypedLine,
    Write,
)
from lastcard.session.turn_clock import Clock

VERSION: Final = 1
"""Of the protocol. A server answers a client of another version with ``Bye("version")``: it reloads the page."""
FRAME_LIMIT_BYTES: Final = 4096
"""Bytes a message from a client may have."""
SIGNAL_CHARS: Final = 3500
"""Maximum length of a signal of voice; the rest of its message fits in the frame."""
REPORT_REASONS: Final = ("words", "name", "play", "other")


# --- from the client --------------------------------------------------------------------------------


class ClientMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """The root of what a client says besides the commands to a table (``session.commands``)."""


class Hello(ClientMessage, frozen=True):
    """The first message of every connection."""

    v: int
    match: MatchId | None = None
    """The match the client knows."""
    ply: Annotated[int, Meta(ge=0)] = 0
    """How many of its moves the client has seen."""
    tv: bool = False
    """Whether this is a big screen, without a hand."""
    name: Annotated[str, Meta(max_length=24)] = ""
    """Name of a program; persons have signed in with their name before."""


class Why(ClientMessage, frozen=True):
    """Ask why a move cannot be made; changes nothing."""

    id: CommandId
    move: MoveText


class Advise(ClientMessage, frozen=True):
    """Ask for the best moves, on one's turn; changes nothing."""

    id: CommandId
    here: bool = False
    """Whether the client works them out itself: it is answered with a ``SeatObservation``. Programs may ask only so."""


class Say(ClientMessage, frozen=True):
    """Chat."""

    text: TypedLine


class Quick(ClientMessage, frozen=True):
    """A quick phrase or reaction."""

    quick: Annotated[str, Meta(max_length=16)]
    at: SeatNumber | None = None
    """The seat at which it is thrown; None for everybody."""


class SetVoice(ClientMessage, frozen=True, tag="voice"):
    """Turn voice on or off for oneself. Answered with ``VoiceOn`` if it is on."""

    on: bool


class Signal(ClientMessage, frozen=True):
    """Relay a signal to a person who has voice on too, or drop it; the server does not read it. Both need a seat."""

    player: PlayerId
    data: Annotated[str, Meta(min_length=1, max_length=SIGNAL_CHARS)]


class Silence(ClientMessage, frozen=True):
    """The host turns all microphones off; people may turn theirs on again."""


class Report(ClientMessage, frozen=True):
    """Report a player to the operator of the server, with the recent chat. Answered with a ``Notice``."""

    player: PlayerId
    why: Annotated[str, Meta(pattern=f"^({'|'.join(REPORT_REASONS)})$")]
    text: Annotated[str, Meta(max_length=200)] = ""


class Ping(ClientMessage, frozen=True):
    """Checks the connection. A page sends it at least once a minute: the server closes the connection of a page after a
    minute and a half of silence. Programs need not send it."""

    t: int


ClientUnion = (
    Hello | MakeMove | TakeBack | Why | Advise | Sit | LeaveSeat | Configure | SetBot | Start | Number | SetAvatar
    | Write | Ready | Say | Quick | Pause | Kick | Mute | Appoint | Back
    | SetVoice | Signal | Silence | Report | Ping
)  # fmt: skip


# --- from the server --------------------------------------------------------------------------------


class ServerMessage(Struct, frozen=True, tag_field="type", tag=str.lower):
    """The root of what the server says."""


class Welcome(ServerMessage, frozen=True):
    """The answer to ``Hello``: everything the viewer may know."""

    v: int
    you: str | None
    """One's own player id; None for a big screen and for a program."""
    table: TableInfo
    game: Game | None
    notes: tuple[Note, ...]


class TableChanged(ServerMessage, frozen=True, tag="table"):
    """The table changed: seats, settings, phase, a vote."""

    table: TableInfo


class Dealt(ServerMessage, frozen=True):
    """A round was dealt (the first of a match too), or the game is to be drawn anew: a whole picture."""

    game: Game
    events: tuple[Happening, ...]


class Moved(ServerMessage, frozen=True):
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


class Done(ServerMessage, frozen=True):
    """The move with this id is in the log. Its sender gets it after ``Moved``, and again if it sends the move again."""

    id: str
    ply: int


class Refused(ServerMessage, frozen=True):
    """A command that was not carried out; nothing has changed."""

    id: str | None
    code: str
    """Stable: a reason of the rules, or ``late``, ``busy``, ``stale``, ``not-host``, …"""
    clause: str | None
    text: str
    """In words, in the person's language."""
    late: int | None = None
    """For calls and catches: how many milliseconds too late."""


class Advice(ServerMessage, frozen=True):
    """The best moves, best first, for the person who asked."""

    id: str
    ply: int
    """For the table after so many moves."""
    moves: tuple[AdvisedMove, ...]


class SeatObservation(ServerMessage, frozen=True, tag="sight"):
    """All that the seat on turn knows, and nothing else, for the client that asked for hints to compute them."""

    id: str
    ply: int
    """The table after so many moves."""
    table: str
    """In base64 a record ``ROUND_STATE`` of ``lastcard.json`` in which all that is hidden from the seat is blank."""
    past: str
    """In base64 what the seat has seen happen in this round, as numbers of 32 bits."""


class NotePosted(ServerMessage, frozen=True, tag="heard"):
    """Somebody said something."""

    note: Note


class VoiceOn(ServerMessage, frozen=True, tag="voice"):
    """One's own voice is on; ``TableInfo.voices`` says whose is."""

    ice: tuple[IceServer, ...]
    """The servers through which other networks are reached."""


class Signaled(ServerMessage, frozen=True):
    """A signal of another person with voice. It may come twice, or not at all."""

    player: str
    data: str


class Notice(ServerMessage, frozen=True):
    """To one person: ``idle`` (play soon), ``standin`` (a bot plays for you), ``back`` (welcome back), ``kicked``,
    ``reported`` (the server's operator will read it), ``queue`` (the hint has to wait), ``silenced`` (the host has
    turned all microphones off). To a table: ``hurried`` (the server is busy, its bots think less than they could).
    """

    what: str
    left: int | None = None
    """Milliseconds left, for ``idle``."""
    ahead: int | None = None
    """How many are served before, for ``queue``."""


class Pong(ServerMessage, frozen=True):
    """The answer to ``Ping``, with the same number."""

    t: int


class Bye(ServerMessage, frozen=True):
    """The connection ends: ``version``, ``restart``, ``elsewhere`` (another tab took the seat), ``flood``, ``gone``,
    ``full`` (too many watch).
    """

    why: str


ServerUnion = (
    Welcome
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
    | Bye
)

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final[msgspec.json.Decoder[ClientUnion]] = msgspec.json.Decoder(ClientUnion)


def encode(message: ServerMessage) -> bytes:
    """A message of the server as JSON."""
    return _ENCODER.encode(message)


def decode(text: str | bytes) -> ClientUnion:
    """A client's message.

    Raises:
        msgspec.DecodeError, msgspec.ValidationError: says what is wrong.
    """
    return _DECODER.decode(text)
