"""What a command of a person makes of a table: a function for each, from one document to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from lastcard.server.seats import dealing, hosting, seating, voting
from lastcard.server.seats.document import Denied, Document, Person, replace
from lastcard.server.wire import protocol


@dataclass(frozen=True, slots=True)
class Asked:
    """A command and where it comes from.

    Args:
        person: who sent it.
        message: the command.
        here: the names of all connected persons by id.
    """

    person: Person
    message: Any
    here: Mapping[str, str]

    @property
    def player(self) -> str:
        """The id of that person."""
        return self.person.id


Edit = Callable[[Document, Asked], Document]


def _number(table: Document, asked: Asked) -> Document:
    """A number for another promise comes too late to matter: a match has been dealt since. No fault of anybody's."""
    if asked.message.promise != table.promise:
        return table
    return replace(table, numbers={**table.numbers, asked.player: asked.message.number})


def _ready(table: Document, asked: Asked) -> Document:
    if table.playing_seat(asked.player) is None:
        raise Denied("not-seated")
    if table.phase != "between":
        raise Denied("not-now")
    if asked.player in table.ready:
        return table
    return replace(table, ready=(*table.ready, asked.player))


def _pause(table: Document, asked: Asked) -> Document:
    if asked.message.on:
        return voting.ask_pause(table, asked.player, asked.here.keys())
    return voting.end_pause(table, asked.player)


EDITS: Final[dict[type, Edit]] = {
    protocol.Sit: lambda table, asked: seating.sit(table, asked.person, asked.message.seat),
    protocol.Stand: lambda table, asked: seating.leave(table, asked.player),
    protocol.Back: lambda table, asked: seating.come_back(table, asked.player),
    protocol.Configure: lambda table, asked: hosting.configure(table, asked.player, asked.message.settings),
    protocol.SetBot: lambda table, asked: hosting.change_bot(
        table, asked.player, asked.message.seat, asked.message.level
    ),
    protocol.Number: _number,
    protocol.Write: lambda table, asked: dealing.write_cards(table, asked.player, asked.message.cards),
    protocol.Ready: _ready,
    protocol.Pause: _pause,
    protocol.Kick: lambda table, asked: voting.ask_kick(table, asked.player, asked.message.player, asked.here.keys()),
    protocol.Mute: lambda table, asked: hosting.mute(table, asked.player, asked.message.player, asked.message.on),
    protocol.Appoint: lambda table, asked: hosting.appoint(table, asked.player, asked.message.player, asked.here),
}
"""Commands that change the document and nothing else."""
