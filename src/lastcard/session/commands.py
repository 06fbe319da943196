"""Commands of people at a table, and what they change in its state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from lastcard.session import dealing, hosting, seating, voting
from lastcard.session.table_settings import WantedSettings
from lastcard.session.table_state import CommandError, Person, TableState, replace

SeatNumber = Annotated[int, Meta(ge=0, le=9)]
CommandId = Annotated[str, Meta(min_length=8, max_length=40, pattern="^[0-9A-Za-z_-]+$")]
MatchId = Annotated[str, Meta(min_length=1, max_length=40, pattern="^[0-9A-Za-z_-]+$")]
PlayerId = Annotated[str, Meta(min_length=1, max_length=40, pattern="^[0-9A-Za-z_-]+$")]
MoveText = Annotated[str, Meta(min_length=1, max_length=24)]
TypedLine = Annotated[str, Meta(min_length=1, max_length=200)]
Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
Hex64 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Level = Annotated[str, Meta(min_length=1, max_length=16)]
Style = Annotated[str, Meta(max_length=16)]


class Command(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """The root of all commands."""


class MakeMove(Command, frozen=True, tag="act"):
    """A move of one's own seat."""

    id: CommandId
    match: MatchId
    move: MoveText


class TakeBack(Command, frozen=True):
    """Take back the last move of one's own seat in this round, and all moves after it, if the table allows it.

    Answered with ``Dealt``, a snapshot without events, and ``Done``.
    """

    id: CommandId
    match: MatchId


class Sit(Command, frozen=True):
    """Take a free seat, a bot's (after the round, while one is played) or back one's own. None: any, or queue."""

    seat: SeatNumber | None = None


class LeaveSeat(Command, frozen=True, tag="stand"):
    """Leave the seat and watch; during a round a bot goes on with the hand."""


class Configure(Command, frozen=True):
    """The host changes the settings, between matches."""

    settings: WantedSettings


class SetBot(Command, frozen=True):
    """The host seats a bot, or sends it away (level None)."""

    seat: SeatNumber
    level: Level | None
    style: Style = ""
    """In which style it plays, where it plays by rules of thumb; empty for none of its own."""


class Start(Command, frozen=True):
    """The host starts a match; bots fill the free seats."""

    level: Level = "casual"


class Number(Command, frozen=True):
    """A number of the client's own for the next shuffle, after it has seen the promise."""

    promise: Hex64
    number: Hex32


class SetAvatar(Command, frozen=True, tag="look"):
    """How the person has built the face that others see; empty for the one made from the name."""

    look: Annotated[str, Meta(pattern="^([0-9a-z]{5})?$")]


class Write(Command, frozen=True):
    """The rule cards a person has written, all at once."""

    cards: Annotated[tuple[TypedLine, ...], Meta(max_length=8)]


class Ready(Command, frozen=True):
    """On with the next round; after a match, once more."""


class Pause(Command, frozen=True):
    """Ask for a pause, agree to one, or (on False) go on."""

    on: bool


class Kick(Command, frozen=True):
    """Send a player from the seat (host), ask the table to, or agree."""

    player: PlayerId


class Mute(Command, frozen=True):
    """The host turns a player's chat and voice off or on."""

    player: PlayerId
    on: bool


class Appoint(Command, frozen=True):
    """The host makes another person host."""

    player: PlayerId


class Back(Command, frozen=True):
    """A player whose hand a bot is playing takes it back."""


def apply_command(table: TableState, person: Person, message: Command, here: Mapping[str, str]) -> TableState:
    """Return the table after a command that changes only the table state.

    Raises:
        CommandError: if the command is refused or unknown.
    """
    player = person.id
    match message:
        case Sit() | LeaveSeat() if table.daily:
            raise CommandError("daily")
        case Sit() if table.duplicate is not None and table.duplicate.has_run:
            raise CommandError("duplicate")
        case Number() if table.daily or table.duplicate:  # everybody gets the same deal
            return table
        case Sit(seat):
            return seating.sit(table, person, seat)
        case LeaveSeat():
            return seating.leave(table, player)
        case Back():
            return seating.come_back(table, player)
        case Configure(settings):
            return hosting.configure(table, player, settings)
        case SetBot(seat, level, style):
            return hosting.change_bot(table, player, seat, level, style)
        case Number(promise, number):
            # A number for another promise came after the deal. It is ignored, because it is nobody's fault.
            counts = promise == table.promise and table.seat_of(player) is not None
            return replace(table, numbers={**table.numbers, player: number}) if counts else table
        case SetAvatar(avatar):
            return seating.set_avatar(table, player, avatar)
        case Write(cards):
            return dealing.write_cards(table, player, cards)
        case Ready():
            return dealing.set_ready(table, player)
        case Pause(on):
            if table.duplicate is not None:  # other tables would wait for its results
                raise CommandError("duplicate")
            if table.is_by_day:
                raise CommandError("by-day")
            return voting.ask_pause(table, player, here.keys()) if on else voting.end_pause(table, player)
        case Kick(target):
            return voting.ask_kick(table, player, target, here.keys())
        case Mute(target, on):
            return hosting.mute(table, player, target, on)
        case Appoint(target):
            return hosting.appoint(table, player, target, here)
    raise CommandError("not-now")
