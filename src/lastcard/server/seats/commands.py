"""What a command of a person makes of a table: a function for each, from one document to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from lastcard.server.seats import dealing, hosting, seating, voting
from lastcard.server.seats.document import Denied, Document, Person, replace
from lastcard.server.wire.protocol import (
    Appoint,
    Back,
    Configure,
    Kick,
    Mute,
    Number,
    Pause,
    Ready,
    SetBot,
    Sit,
    Stand,
    Write,
)


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


Edit = Callable[[Document, Asked], Document]


def _number(table: Document, asked: Asked) -> Document:
    """A number for another promise comes too late to matter: a match has been dealt since. No fault of anybody's."""
    if asked.message.promise != table.promise:
        return table
    return replace(table, numbers={**table.numbers, asked.person.id: asked.message.number})


def _ready(table: Document, asked: Asked) -> Document:
    if table.playing_seat(asked.person.id) is None:
        raise Denied("not-seated")
    if table.phase != "between":
        raise Denied("not-now")
    if asked.person.id in table.ready:
        return table
    return replace(table, ready=(*table.ready, asked.person.id))


def _pause(table: Document, asked: Asked) -> Document:
    if asked.message.on:
        return voting.ask_pause(table, asked.person.id, asked.here.keys())
    return voting.end_pause(table, asked.person.id)


EDITS: Final[dict[type, Edit]] = {
    Sit: lambda table, asked: seating.sit(table, asked.person, asked.message.seat),
    Stand: lambda table, asked: seating.leave(table, asked.person.id),
    Back: lambda table, asked: seating.come_back(table, asked.person.id),
    Configure: lambda table, asked: hosting.configure(table, asked.person.id, asked.message.settings),
    SetBot: lambda table, asked: hosting.change_bot(table, asked.person.id, asked.message.seat, asked.message.level),
    Number: _number,
    Write: lambda table, asked: dealing.write_cards(table, asked.person.id, asked.message.cards),
    Ready: _ready,
    Pause: _pause,
    Kick: lambda table, asked: voting.ask_kick(table, asked.person.id, asked.message.player, asked.here.keys()),
    Mute: lambda table, asked: hosting.mute(table, asked.person.id, asked.message.player, asked.message.on),
    Appoint: lambda table, asked: hosting.appoint(table, asked.person.id, asked.message.player, asked.here),
}
"""Commands that change the document and nothing else."""
