"""Connections between pages and workers, and the bus between workers, with their faults."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Any, Final, NamedTuple, Protocol

from lastcard.server.wire.frames import SHORT_FRAME_BYTES
from lastcard.server.wire.inbox import Inbox
from lastcard.server.wire.peer import OUTBOX_LIMIT_BYTES
from lastcard.server.wire.worker_bus import Bus, Callback
from tools.simulate.clock import OUTSIDE, Loop

_LATENCY_S: Final = (0.005, 0.08)
_ABNORMAL: Final = 1006
"""The close code of a connection that broke."""


class Client(Protocol):
    """A page, as its connection calls it."""

    def receive(self, text: bytes, written: float) -> None:
        """Take a message that the server has written at a time."""

    def connection_closed(self, link: Link, code: int) -> None:
        """Follow the end of a connection."""


class Link:
    """A connection of a page: ordered in both directions; to the server it is a ``Transport``.

    A message that is on its way when the page gives up still arrives at the server.
    """

    def __init__(self, loop: Loop, rng: random.Random, client: Client) -> None:
        self._loop = loop
        self._rng = rng
        self._client: Client | None = client
        self.inbox: Inbox[dict[str, Any]] = Inbox(loop)
        self._arrivals = [0.0, 0.0]
        self._stalled_until = 0.0
        self._unread = 0
        """Bytes on their way to the page."""
        self.is_dark = False
        """Whether all messages are lost, and neither side knows."""
        self._is_finished = False

    def _deliver(self, direction: int, call: Callable[..., None], *args: Any) -> None:
        now = self._loop.time()
        at = max(now, self._stalled_until) + self._rng.uniform(*_LATENCY_S)
        at = self._arrivals[direction] = max(at, self._arrivals[direction])
        self._loop.call_at(at, call, *args, context=OUTSIDE)

    # --- the page's end ---------------------------------------------------------------------------------

    def send(self, text: str) -> None:
        """Send a message of the page."""
        self._deliver(0, self._arrive, {"type": "websocket.receive", "text": text})

    def close(self) -> None:
        """Close the page's end: it receives nothing any more."""
        self._client = None
        self._deliver(0, self._arrive, {"type": "websocket.disconnect", "code": 1000})

    def _arrive(self, event: dict[str, Any]) -> None:
        if not self.is_dark:
            self.inbox.put_nowait(event)

    # --- the server's end -------------------------------------------------------------------------------

    def write(self, frames: bytes) -> bool:
        """Send frames; return False if too many bytes wait for the page."""
        if self._unread > OUTBOX_LIMIT_BYTES:
            return False
        if not self._is_finished:
            self._unread += len(frames)
            self._deliver(1, self._read, frames, self._loop.time())
        return True

    def _read(self, frames: bytes, written: float) -> None:
        self._unread -= len(frames)
        at = 0
        while at < len(frames) and self._client is not None and not self.is_dark:
            size, at = frames[at + 1], at + 2
            if size > SHORT_FRAME_BYTES:
                extra = 2 if size == SHORT_FRAME_BYTES + 1 else 8
                size, at = int.from_bytes(frames[at : at + extra]), at + extra
            self._client.receive(frames[at : at + size], written)
            at += size

    def finish(self, code: int) -> None:
        """Close the server's end, after what was written."""
        if not self._is_finished:
            self._is_finished = True
            self._deliver(1, self._close_client, code)
            self.inbox.put_nowait({"type": "websocket.disconnect", "code": code})

    def abort(self) -> None:
        """Break the connection at once."""
        self._is_finished = True
        self._unread = 0
        self._deliver(1, self._close_client, _ABNORMAL)
        self.inbox.put_nowait({"type": "websocket.disconnect", "code": _ABNORMAL})

    def forget_handshake(self) -> None:
        """Free nothing, because there is no handshake."""

    def _close_client(self, code: int) -> None:
        client, self._client = self._client, None
        if client is not None and not self.is_dark:
            client.connection_closed(self, code)

    # --- faults -----------------------------------------------------------------------------------------

    def stall(self, seconds: float) -> None:
        """Delay everything that is sent from now on."""
        self._stalled_until = self._loop.time() + seconds


class _Announcement(NamedTuple):
    topic: str
    data: bytes
    sender: WorkerBus


class BusNetwork:
    """Passes announcements between workers: some are lost, doubled, or late, so that later ones overtake them."""

    def __init__(self, loop: Loop, rng: random.Random) -> None:
        self.loop = loop
        self.members: list[WorkerBus] = []
        self.down_until = 0.0
        self.wild_until = 0.0
        """Until then a third of all announcements is lost, doubled or late."""
        self.counts: Counter[str] = Counter()
        self._rng = rng

    def send(self, announcement: _Announcement) -> None:
        """Send an announcement to all workers but its sender."""
        if self.loop.time() < self.down_until:
            self.counts["announcements lost"] += 1
            return
        is_wild = self.loop.time() < self.wild_until
        for member in self.members:
            times, delay = 1, self._rng.uniform(0.0002, 0.003)
            if member is announcement.sender:
                continue
            if is_wild and self._rng.random() < 0.3:
                times, delay = self._rng.choice(((0, 0.0), (2, 0.01), (1, 2.0)))
                self.counts[("announcements lost", "announcements late", "announcements doubled")[times]] += 1
            for _ in range(times):
                self.loop.call_later(delay * self._rng.uniform(0.5, 1), member.receive, announcement, context=OUTSIDE)


class WorkerBus(Bus):
    """A worker's end of the bus; it calls its subscribers in the worker's process."""

    def __init__(self, network: BusNetwork) -> None:
        self._network = network
        self._subscribers: list[tuple[Callback, Context]] = []
        self.is_cut = False
        network.members.append(self)

    def publish(self, topic: str, data: bytes) -> None:
        """Send an announcement or drop it."""
        if not self.is_cut:
            self._network.send(_Announcement(topic, data, self))

    def subscribe(self, callback: Callback) -> None:
        """Call a function with topic and data of every later announcement."""
        self._subscribers.append((callback, copy_context()))

    def receive(self, announcement: _Announcement) -> None:
        """Pass an announcement on."""
        for callback, context in () if self.is_cut else self._subscribers:
            self._network.loop.call_soon(callback, announcement.topic, announcement.data, context=context)

    def cut(self) -> None:
        """Leave the network."""
        self.is_cut = True
        self._network.members.remove(self)
