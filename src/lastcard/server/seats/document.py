"""A table as it is saved, all but the moves: who sits where, settings, phase, the secret of the next match.

Values that never change: ``seating``, ``voting``, ``hosting`` and ``dealing`` make new ones, or raise ``Denied``.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

import msgspec
import structlog
from msgspec import Struct

from lastcard.errors import Portable, RulesError
from lastcard.game.rulesets import Ruleset, ruleset
from lastcard.server.wire.parts import Settings, Vote

SECRET_BYTES: Final = 32
_LOG: Final = structlog.get_logger()


class Denied(Portable):
    """A command the table does not carry out.

    Args:
        code: stable; the words are the text ``web.refused.<code>``.
        values: what stands in the words.
    """

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.values = values


class Person(Struct, frozen=True):
    """Somebody with a name."""

    id: str
    name: str


class SeatedProgram(Person, frozen=True):
    """A program that plays in a bot's place; its id is the hash of its token."""


class Place(Struct, frozen=True):
    """A taken seat: a person's, or a bot's."""

    name: str
    player: str | None = None
    """Whose seat it is; None for a bot's."""
    bot: str | None = None
    """The level of the bot whose seat it is."""
    style: str = ""
    """In which style that bot plays; empty for none of its own."""
    away: str | None = None
    """``stood`` or ``kicked``: the person has left, a bot plays the hand; None while the person plays."""
    heir: Person | None = None
    """Who gets this seat after the round."""
    program: str | None = None
    """The hash of the token with which a program may play here instead of the bot."""


class Document(Struct, frozen=True, kw_only=True):
    """What is saved of a table."""

    host: Person
    settings: Settings
    seats: tuple[Place | None, ...]
    secret: str
    """What the next match will be shuffled with, in hex. It never leaves the server before that match is over."""
    phase: str = "lobby"
    queue: tuple[Person, ...] = ()
    """Who waits for a seat, first come first."""
    match: str | None = None
    round: int = 0
    """The round that ``playing`` or ``between`` is about."""
    played: int = 0
    wins: dict[str, int] = {}
    numbers: dict[str, str] = {}
    """The players' own numbers for the next shuffle, by player id."""
    looks: dict[str, str] = {}
    """The faces of players who have built one, by player id."""
    cards: dict[str, tuple[str, ...]] = {}
    """Rule cards written so far, by player id, as canonical text."""
    level: str = "casual"
    """How well the bots play that fill free seats."""
    ready: tuple[str, ...] = ()
    """Player ids of those who want the next round, or after a match another one."""
    spent: tuple[int, ...] = ()
    """Milliseconds of its time bank that each seat has used in that round; empty where none has used any."""
    played_by: tuple[Place | None, ...] = ()
    """Who sat where when the round ended that ``between`` or ``over`` is about; empty in any other phase."""
    paused: bool = False
    vote: Vote | None = None
    muted: tuple[str, ...] = ()
    lesson: bool = False
    """Whether that match is the lesson of its game."""
    quick: bool = False
    """Whether the first match starts by itself, as soon as its host is there."""

    @property
    def promise(self) -> str:
        """SHA-256 of the secret."""
        return hashlib.sha256(bytes.fromhex(self.secret)).hexdigest()

    @property
    def rules(self) -> Ruleset:
        """The ruleset of the settings."""
        return ruleset(self.settings.rules)

    @property
    def in_match(self) -> bool:
        """Whether a match is being played."""
        return self.phase in ("playing", "between")

    @property
    def players(self) -> tuple[str | None, ...]:
        """The ids of the persons the seats belong to."""
        return tuple(None if place is None else place.player for place in self.seats)

    def seat_of(self, player: str | None) -> int | None:
        """The seat that belongs to a person, also one who is away; of a program, the one it plays."""
        if player is None:
            return None
        for seat, place in enumerate(self.seats):
            if place is not None and player in (place.player, place.program):
                return seat
        return None

    def playing_seat(self, player: str | None) -> int | None:
        """The seat a person plays; None for whoever has left it."""
        seat = self.seat_of(player)
        place = None if seat is None else self.seats[seat]
        return seat if place is not None and place.away is None else None

    def with_seat(self, seat: int, place: Place | None) -> Document:
        """The table with one seat changed."""
        return replace(self, seats=(*self.seats[:seat], place, *self.seats[seat + 1 :]))


replace = msgspec.structs.replace
"""A value with some fields changed."""


def is_passing(before: Document, after: Document) -> bool:
    """Whether a change need not outlive the process: during a match the log tells the phase and the round again,
    who is ready for the next one can say so again, and until somebody changes seats all sit where they have played.
    """
    names = ("phase", "round", "ready", "played_by")
    passing = {name: getattr(before, name) for name in names}
    return before.in_match and after.in_match and replace(after, **passing) == before


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Document)


def new_secret() -> str:
    """A fresh secret in hex."""
    return secrets.token_hex(SECRET_BYTES)


def write_document(document: Document) -> bytes:
    """A document as JSON, for the store."""
    return _ENCODER.encode(document)


def read_document(data: bytes) -> Document:
    """A document from the store.

    Raises:
        Denied: where another version has written it and it cannot be read; then the table is gone.
    """
    try:
        document = _DECODER.decode(data)
        ruleset(document.settings.rules)
    except (msgspec.DecodeError, RulesError) as error:
        _LOG.warning("a saved table cannot be read and is dropped: another version has written it", why=str(error))
        raise Denied("gone") from None
    return document
