"""The connection to one browser: a bounded outbox that never waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from lastcard.server.wire.frames import text_frame
from lastcard.server.wire.protocol import Bye, encode

OUTBOX_LIMIT_BYTES: Final = 128 * 1024
"""Bytes that may wait for a browser when more come; a hundred moves and more."""
GOING_AWAY: Final = 1012
POLICY: Final = 1008
NORMAL: Final = 1000
UNKNOWN_PERSON: Final = 4401
UNKNOWN_TABLE: Final = 4404
_CODES: Final = {"restart": GOING_AWAY, "flood": POLICY}


class Peer(Protocol):
    """A receiver of a table's messages."""

    @property
    def language(self) -> str:
        """The language of messages."""

    def send(self, text: bytes) -> None:
        """Send a message without waiting."""

    def write(self, frames: bytes) -> None:
        """Send frames (``text_frame``), which all receivers share."""

    def close(self, why: str) -> None:
        """Send ``Bye`` and close the connection."""


class Transport(Protocol):
    """A connection that an outbox writes to."""

    def write(self, frames: bytes) -> bool:
        """Append frames to the buffer; return False if too many bytes wait for the other side."""

    def finish(self, code: int) -> None:
        """Close the connection after the buffer is written, or after a short timeout."""

    def abort(self) -> None:
        """Close the connection at once and discard the buffer."""


class Outbox:
    """The peer of a browser. It writes into the connection's own bounded buffer.

    If the buffer is full because the browser does not read, the outbox aborts the connection at once and calls
    ``on_drop``, because a proper close would wait for the browser. The browser reconnects by itself and gets the whole
    game.
    """

    __slots__ = ("_on_drop", "_transport", "is_open", "language")

    def __init__(self, transport: Transport, language: str, on_drop: Callable[[], None]) -> None:
        self._transport = transport
        self._on_drop = on_drop
        self.language = language
        self.is_open = True

    def send(self, text: bytes) -> None:
        """Send a message, or abort the connection of a browser that does not read."""
        self.write(text_frame(text))

    def write(self, frames: bytes) -> None:
        """Send frames."""
        if self.is_open and not self._transport.write(frames):
            self.is_open = False
            self._transport.abort()
            self._on_drop()

    def close(self, why: str) -> None:
        """Send ``Bye`` and close the connection."""
        if not self.is_open:
            return
        self.send(encode(Bye(why)))
        self.hang_up(_CODES.get(why, NORMAL))

    def hang_up(self, code: int) -> None:
        """Close with a WebSocket close code and no message."""
        if self.is_open:
            self.is_open = False
            self._transport.finish(code)
