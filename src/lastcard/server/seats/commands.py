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


def _sit(table: Document, asked: Asked) -> Document:
    return seating.sit(table, asked.person, asked.message.seat)


def _stand(table: Document, asked: Asked) -> Document:
    return seating.leave(table, asked.person.id)


def _back(table: Document, asked: Asked) -> Document:
    return seating.come_back(table, asked.person.id)


def _configure(table: Document, asked: Asked) -> Document:
    return hosting.configure(table, asked.person.id, asked.message.settings)


def _set_bot(table: Document, asked: Asked) -> Document:
    return hosting.change_bot(table, asked.person.id, asked.message.seat, asked.message.level)


def _number(table: Document, asked: Asked) -> Document:
    """A number for another promise comes too late to matter: a match has been dealt since. No fault of anybody's."""
    if asked.message.promise != table.promise:
        return table
    return replace(table, numbers={**table.numbers, asked.person.id: asked.message.number})


def _write(table: Document, asked: Asked) -> Document:
    return dealing.write_cards(table, asked.person.id, asked.message.cards)


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


def _kick(table: Document, asked: Asked) -> Document:
    return voting.ask_kick(table, asked.person.id, asked.message.player, asked.here.keys())


def _mute(table: Document, asked: Asked) -> Document:
    return hosting.mute(table, asked.person.id, asked.message.player, asked.message.on)


def _appoint(table: Document, asked: Asked) -> Document:
    return hosting.appoint(table, asked.person.id, asked.message.player, asked.here)


EDITS: Final[dict[type, Edit]] = {
    Sit: _sit,
    Stand: _stand,
    Back: _back,
    Configure: _configure,
    SetBot: _set_bot,
    Number: _number,
    Write: _write,
    Ready: _ready,
    Pause: _pause,
    Kick: _kick,
    Mute: _mute,
    Appoint: _appoint,
}
"""Commands that change the document and nothing else."""
