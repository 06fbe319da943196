"""The way to one browser: a bounded outbox that never makes anybody wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from lastcard.server.wire.frames import text_frame
from lastcard.server.wire.protocol import Bye, encode

MOST_WAITING: Final = 128 * 1024
"""Bytes that may wait for a browser to read them when the next come; a hundred moves and more."""
GOING_AWAY: Final = 1012
POLICY: Final = 1008
NORMAL: Final = 1000
UNKNOWN_PERSON: Final = 4401
UNKNOWN_TABLE: Final = 4404
_CODES: Final = {"restart": GOING_AWAY, "flood": POLICY}


class Peer(Protocol):
    """Somebody who is told what happens at a table."""

    @property
    def language(self) -> str:
        """The language to speak."""

    def send(self, text: bytes) -> None:
        """Say something; never waits."""

    def write(self, frames: bytes) -> None:
        """The same in frames (``text_frame``), which all who are told the same share."""

    def close(self, why: str) -> None:
        """Say ``Bye`` and hang up."""


class Transport(Protocol):
    """A connection an outbox writes to."""

    def write(self, frames: bytes) -> bool:
        """Write frames behind those that wait; False where too much waits to be read by the other side."""

    def finish(self, code: int) -> None:
        """Hang up once what waits is written, or a little later in any case."""

    def abort(self) -> None:
        """Hang up at once; what waits is lost."""


class Outbox:
    """The peer of a browser. It writes into the connection's own buffer, and that is bounded.

    A browser that stops reading is cut off when its buffer is full: it alone, and at once, for a proper goodbye
    would have to wait for it. It comes back by itself and gets the whole picture.

    Args:
        transport: the connection.
        language: to speak.
        dropped: told when the browser is cut off.
    """

    __slots__ = ("_dropped", "_transport", "language", "open")

    def __init__(self, transport: Transport, language: str, dropped: Callable[[], None]) -> None:
        self._transport = transport
        self._dropped = dropped
        self.language = language
        self.open = True

    def send(self, text: bytes) -> None:
        """Say something, or cut off a browser that does not listen."""
        self.write(text_frame(text))

    def write(self, frames: bytes) -> None:
        """The same in frames."""
        if self.open and not self._transport.write(frames):
            self.open = False
            self._transport.abort()
            self._dropped()

    def close(self, why: str) -> None:
        """Say ``Bye`` and hang up."""
        if not self.open:
            return
        self.send(encode(Bye(why)))
        self.hang_up(_CODES.get(why, NORMAL))

    def hang_up(self, code: int) -> None:
        """Hang up without a word but a WebSocket close code."""
        if self.open:
            self.open = False
            self._transport.finish(code)
