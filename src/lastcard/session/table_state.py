"""The saved state of a table, without moves: seats, settings, phase, and the secret of the next match.

The values are immutable: ``seating``, ``voting``, ``hosting`` and ``dealing`` return new ones.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

import msgspec
from msgspec import Struct

from lastcard.errors import PicklableError, RulesError
from lastcard.game.rulesets import Ruleset, ruleset
from lastcard.session.day_pace import is_day_pace
from lastcard.session.table_settings import Settings

NOBODY: Final = "–"
"""The name in matches of a person whose data was deleted; the same in every language."""


class CommandError(PicklableError):
    """A command that the table refuses; nothing has changed.

    If the rules refuse a move, their ``IllegalMove`` is the cause.

    Args:
        code: a stable code: that of the cause, or else that of the text ``web.refused.<code>``.
        clause: id of the clause that refuses it; None if none does.
        late_ms: for a call or catch, how many milliseconds too late it came; None if it was not late.
        values: the values in the text.
    """

    def __init__(self, code: str, *, clause: str | None = None, late_ms: int | None = None, **values: Any) -> None:
        super().__init__(code)
        self.code = code
        self.clause = clause
        self.late_ms = late_ms
        self.values: dict[str, Any] = values


class Person(Struct, frozen=True):
    """A person with a name."""

    id: str
    name: str


class SeatedProgram(Person, frozen=True):
    """A program that plays in a bot's place; its id is the hash of its token."""


class Occupant(Struct, frozen=True, rename={"next_player": "heir"}):
    """A taken seat, of a person or a bot."""

    name: str
    player: str | None = None
    """The id of the person who owns the seat; None for a bot's."""
    bot: str | None = None
    """The level of the bot that owns the seat."""
    style: str = ""
    """The style of that bot; empty for none."""
    away: str | None = None
    """``stood`` or ``kicked``: the person has left and a bot plays the hand; None while the person plays."""
    next_player: Person | None = None
    """The person who gets this seat after the round."""
    program: str | None = None
    """The hash of the token with which a program may play here instead of the bot."""


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


class DuplicateTable(Struct, frozen=True):
    """What a table knows of the duplicate match that it is part of."""

    code: str
    """The code of the duplicate match."""
    number: int
    """The number of the table in it, from 1."""
    deals: int
    secret: str
    """The secret of the duplicate match in hex, from which those of its deals follow."""
    deal: int = 0
    """How many deals have begun at this table."""
    has_run: bool = False
    """Whether bots play all deals here at once, for the comparison with another table."""


class TableState(Struct, frozen=True, kw_only=True, rename={"avatars": "looks"}):
    """The saved state of a table."""

    host: Person
    settings: Settings
    seats: tuple[Occupant | None, ...]
    secret: str
    """The secret of the next shuffle, in hex. It stays on the server until that match is over."""
    phase: str = "lobby"
    """One of ``session.lifecycle``."""
    queue: tuple[Person, ...] = ()
    """Persons who wait for a seat, in order of arrival."""
    match: str | None = None
    round: int = 0
    """The round of the phase ``playing`` or ``between``."""
    played: int = 0
    wins: dict[str, int] = {}
    numbers: dict[str, str] = {}
    """The players' own numbers for the next shuffle, by player id."""
    avatars: dict[str, str] = {}
    """The avatars of players who have built one, by player id."""
    cards: dict[str, tuple[str, ...]] = {}
    """Rule cards written so far, by player id, as canonical text."""
    level: str = "casual"
    """The level of the bots that fill free seats."""
    ready: tuple[str, ...] = ()
    """Player ids of those who are ready for the next round or match."""
    spent: tuple[int, ...] = ()
    """Milliseconds of its time bank that each seat has used in that round; empty if none has used any."""
    played_by: tuple[Occupant | None, ...] = ()
    """The occupants by seat at the end of the last round, in phase ``between`` or ``over``; otherwise empty."""
    paused: bool = False
    vote: Vote | None = None
    muted: tuple[str, ...] = ()
    lesson: int = 0
    """The number of the lesson of its game that this match is, from 1; 0 for an ordinary match."""
    quick: bool = False
    """Whether the first match starts by itself as soon as its host connects."""
    daily: str = ""
    """The day of the daily deal that is played here, as in ``2026-11-30``; empty at any other table."""
    duplicate: DuplicateTable | None = None
    """The duplicate match that the table is part of; None for any other table."""
    is_open: bool = False
    """Whether the server seats strangers here, as ``open_table`` says."""
    idle: tuple[str, ...] = ()
    """At a table by the day, the ids of persons who have let their time pass; a bot plays for them."""
    resumed: float = 0.0
    """There, when one of them was back, in seconds since 1970; 0 for never."""

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
        """Whether a match is running."""
        return self.phase in ("playing", "between")

    @property
    def is_gathering(self) -> bool:
        """Whether people wait here for the first match of an open table."""
        return self.is_open and self.phase == "lobby"

    @property
    def players(self) -> tuple[str | None, ...]:
        """The ids of the seats' owners."""
        return tuple(None if occupant is None else occupant.player for occupant in self.seats)

    @property
    def allows_hints(self) -> bool:
        """Whether hints are fair: the opponents are only bots, or the settings allow hints; never in compared deals."""
        return not (self.daily or self.duplicate) and (self.settings.hints or self._count_persons() <= 1)

    @property
    def allows_take_backs(self) -> bool:
        """Whether moves may be taken back: the settings allow it, and the opponents are only bots."""
        programs = any(occupant is not None and occupant.program for occupant in self.seats)
        alone = self._count_persons() <= 1 and not programs and self.duplicate is None
        return self.settings.take_backs and alone

    @property
    def is_awaited(self) -> bool:
        """Whether other tables of a duplicate match wait for this one, which then goes on without people."""
        part = self.duplicate
        return part is not None and not part.has_run and (self.in_match or self.has_next_deal)

    @property
    def has_next_deal(self) -> bool:
        """Whether the table has ended a deal of a duplicate match that goes on by itself."""
        part = self.duplicate
        return self.phase == "over" and part is not None and part.deal < part.deals

    @property
    def is_by_day(self) -> bool:
        """Whether people have hours or days for a move, and table time is in seconds since 1970."""
        return is_day_pace(self.settings.pace)

    @property
    def goes_on_alone(self) -> bool:
        """Whether time runs and bots play although nobody is connected."""
        return self.is_awaited or (self.is_by_day and self.in_match and bool(self.playing_persons))

    @property
    def playing_persons(self) -> tuple[str, ...]:
        """The ids of persons who play their seat, connected or not."""
        return tuple(player for player in self.players if player is not None and self.playing_seat(player) is not None)

    def _count_persons(self) -> int:
        return sum(player is not None for player in self.players)

    def spent_in(self, number: int) -> tuple[int, ...]:
        """Return the milliseconds of its time bank that each seat has used in a round; empty if none is saved."""
        return self.spent if self.round == number else ()

    def seat_of(self, player: str | None) -> int | None:
        """Return the seat that a person owns, also while they are away; for a program, the seat it plays."""
        if player is None:
            return None
        for seat, occupant in enumerate(self.seats):
            if occupant is not None and (occupant.player == player or occupant.program == player):
                return seat
        return None

    def playing_seat(self, player: str | None) -> int | None:
        """Return the seat a person plays; None if they have left it."""
        seat = self.seat_of(player)
        occupant = None if seat is None else self.seats[seat]
        return seat if occupant is not None and occupant.away is None else None

    def require_seat(self, player: str) -> int:
        """Return the seat a person plays.

        Raises:
            CommandError: if the person only watches.
        """
        seat = self.playing_seat(player)
        if seat is None:
            raise CommandError("not-seated")
        return seat

    def with_seat(self, seat: int, occupant: Occupant | None) -> TableState:
        """Return the table with one seat changed."""
        return replace(self, seats=(*self.seats[:seat], occupant, *self.seats[seat + 1 :]))


replace = msgspec.structs.replace
"""Return a value with some fields changed."""


def is_transient(before: TableState, after: TableState) -> bool:
    """Return whether a change need not be saved. During a match the log has phase and round, people can confirm again
    that they are ready, and the players of the last round are those in the seats.
    """
    names = ("phase", "round", "ready", "played_by")
    transient = {name: getattr(before, name) for name in names}
    return before.in_match and after.in_match and replace(after, **transient) == before


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(TableState)


def write_table_state(state: TableState) -> bytes:
    """Return a table state as JSON, for the store."""
    return _ENCODER.encode(state)


def read_table_state(data: bytes) -> TableState:
    """Return a table state from JSON of the store.

    Raises:
        CommandError: if another version wrote it and it cannot be read; then the table is gone.
    """
    try:
        state = _DECODER.decode(data)
        ruleset(state.settings.rules)
    except (msgspec.DecodeError, RulesError) as error:
        raise CommandError("gone") from error
    return state
