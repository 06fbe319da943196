"""What workers tell each other over the bus: nothing but hints, and what everybody at the table may know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from lastcard.server.wire.picture import Note
from lastcard.server.wire.workers import Bus


class Moved(Struct, frozen=True, array_like=True):
    """The log of a match has grown."""

    code: str
    match: str
    ply: int


class Saved(Struct, frozen=True, array_like=True):
    """A table has a new revision."""

    code: str
    revision: int


class Said(Struct, frozen=True, array_like=True):
    """Somebody said something."""

    code: str
    note: Note


class Here(Struct, frozen=True, array_like=True):
    """Who is connected to a worker at a table."""

    code: str
    worker: str
    people: dict[str, str]
    """Names by id."""
    idle: tuple[str, ...] = ()
    """Ids of those for whom a bot plays, programs among them."""
    programs: tuple[str, ...] = ()
    """Ids of programs."""


class Changed(Struct, frozen=True, array_like=True):
    """A person has another name; with None, no name any more: all own data is deleted."""

    player: str
    name: str | None


Hint = Moved | Saved | Said | Here | Changed

_DECODERS: Final[dict[str, msgspec.json.Decoder[Hint]]] = {
    "move": msgspec.json.Decoder(Moved),
    "table": msgspec.json.Decoder(Saved),
    "say": msgspec.json.Decoder(Said),
    "here": msgspec.json.Decoder(Here),
    "person": msgspec.json.Decoder(Changed),
}
_ENCODER: Final = msgspec.json.Encoder()


def read_hint(topic: str, data: bytes) -> Hint | None:
    """A hint from the bus; None for rubbish, which is no worse than a hint that was lost."""
    decoder = _DECODERS.get(topic)
    try:
        return None if decoder is None else decoder.decode(data)
    except msgspec.MsgspecError:
        return None


class Hints:
    """The voice of one worker.

    Args:
        bus: that carries it.
        worker: its name.
    """

    def __init__(self, bus: Bus, worker: str) -> None:
        self._bus = bus
        self._worker = worker

    def moved(self, code: str, match: str, ply: int) -> None:
        """The log of a match has grown."""
        self._bus.publish("move", _ENCODER.encode(Moved(code, match, ply)))

    def saved(self, code: str, revision: int) -> None:
        """A table has a new revision."""
        self._bus.publish("table", _ENCODER.encode(Saved(code, revision)))

    def said(self, code: str, note: Note) -> None:
        """Somebody said something."""
        self._bus.publish("say", _ENCODER.encode(Said(code, note)))

    def here(self, code: str, people: Mapping[str, str], idle: Sequence[str], programs: Iterable[str]) -> None:
        """These persons and programs are connected to this worker, and a bot plays for some of them."""
        here = Here(code, self._worker, dict(people), tuple(idle), tuple(programs))
        self._bus.publish("here", _ENCODER.encode(here))

    def changed(self, player: str, name: str | None) -> None:
        """A person has another name, or (None) has deleted all own data."""
        self._bus.publish("person", _ENCODER.encode(Changed(player, name)))
