"""Announcements between workers: new moves of a match, new revisions of a table, chat notes, signals of voice.

Announcements may be lost, doubled or reordered, because each worker also polls the log every two seconds. They never
contain hands.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
import structlog
from msgspec import Struct

from lastcard.errors import UsageError
from lastcard.server.wire.parts import Note

Callback = Callable[[str, bytes], None]

MAX_WAITING: Final = 1000
"""Maximum unsent announcements; beyond it, the oldest are dropped."""
ANNOUNCEMENT_LIMIT_BYTES: Final = 65_536
"""Maximum bytes of an accepted announcement."""
FIRST_WAIT_S: Final = 0.1
MAX_WAIT_S: Final = 5.0
"""Maximum seconds between two attempts to reach Redis."""
SILENCE_S: Final = 5.0
"""Seconds without data from Redis until a ping; after twice as many the connection is closed."""
CLOSE_S: Final = 0.5
"""Seconds until a task that does not end is canceled again."""

_SENDER_BYTES: Final = 8  # bytes of the sender's id
_LOG: Final = structlog.get_logger()


# --- the bus ------------------------------------------------------------------------------------------


class Bus:
    """Sends announcements to the other workers. This class is for a single worker and sends nothing."""

    def publish(self, topic: str, data: bytes) -> None:
        """Send an announcement or drop it, without waiting or raising."""

    def subscribe(self, callback: Callback) -> None:
        """Call a function with topic and data of every later announcement."""

    async def open(self) -> None:
        """Start to receive."""

    async def close(self) -> None:
        """Stop."""


def check_address(url: str) -> None:
    """Refuse an invalid address of a bus.

    Raises:
        UsageError: if it is invalid; the message does not quote it, because it may contain a password.
    """
    if not url.startswith(("redis://", "rediss://")):
        raise UsageError("the address of a bus is redis://HOST:PORT or rediss://HOST:PORT")


def open_bus(url: str | None) -> Bus:
    """Return the bus at ``redis://…`` or ``rediss://…``, or (None) for one worker; ``open`` it in the event loop.

    Raises:
        UsageError: if it is invalid; the message does not quote it, because it may contain a password.
    """
    if url is None:
        return Bus()
    check_address(url)
    if find_spec("redis") is None:
        raise UsageError("Redis needs a driver: install lastcard[redis]")
    return RedisBus(url)


def ping_bus(url: str) -> None:
    """Check that the bus at an address answers.

    Raises:
        UsageError: if it does not; the message leaves out the password.
    """
    open_bus(url)
    from redis import Redis, RedisError  # an optional dependency

    try:
        with Redis.from_url(url, socket_timeout=SILENCE_S, socket_connect_timeout=SILENCE_S) as redis:
            redis.ping()
    except (RedisError, OSError) as error:
        parts = urlsplit(url)
        why = str(error).replace(parts.password, "***") if parts.password else str(error)
        raise UsageError(f"Redis at {parts.hostname}:{parts.port or 6379} does not answer: {why}") from None


class RedisBus(Bus):
    """Sends announcements through Redis or Valkey. While that is down, announcements are lost and nothing else happens.

    Raises:
        UsageError: if the address is invalid.
    """

    def __init__(self, url: str) -> None:
        from redis.asyncio import Redis  # an optional dependency
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        timeouts: dict[str, Any] = {"socket_timeout": SILENCE_S, "socket_connect_timeout": SILENCE_S}
        try:
            self._redis: Any = Redis.from_url(url, retry=Retry(NoBackoff(), 0), **timeouts)
        except ValueError:
            raise UsageError("the address of the bus makes no sense; it is redis://HOST:PORT/NUMBER") from None
        number = self._redis.connection_pool.connection_kwargs.get("db", 0)
        self._channel = f"lastcard:{number}"  # channels are shared by all databases of a server
        self._own_id = secrets.token_bytes(_SENDER_BYTES)
        self._callbacks: list[Callback] = []
        self._waiting: deque[bytes] = deque(maxlen=MAX_WAITING)
        self._has_waiting = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def publish(self, topic: str, data: bytes) -> None:
        """Send an announcement or drop it, without waiting or raising."""
        self._waiting.append(self._own_id + topic.encode() + b"\0" + data)
        self._has_waiting.set()

    def subscribe(self, callback: Callback) -> None:
        """Call a function with topic and data of every announcement from another worker."""
        self._callbacks.append(callback)

    async def open(self) -> None:
        """Start to receive; Redis may come up later."""
        loops = (self._send, self._listen)
        self._tasks = [asyncio.create_task(_run_forever(work), name=f"bus {work.__name__}") for work in loops]

    async def close(self) -> None:
        """Stop, and close the connections."""
        going = set(self._tasks)
        while going:  # a client on a bad connection may swallow the cancellation
            for task in going:
                task.cancel()
            _, going = await asyncio.wait(going, timeout=CLOSE_S)
        with suppress(Exception):  # the connection may be in any state
            async with asyncio.timeout(CLOSE_S):
                await self._redis.aclose()

    async def _send(self, on_success: Callable[[], None]) -> None:
        """Send all waiting announcements at once."""
        while True:
            await self._has_waiting.wait()
            self._has_waiting.clear()
            pipeline = self._redis.pipeline(transaction=False)
            while self._waiting:
                pipeline.publish(self._channel, self._waiting.popleft())
            await pipeline.execute()
            on_success()

    async def _listen(self, on_success: Callable[[], None]) -> None:
        """Receive announcements; close the connection if Redis does not even answer a ping."""
        async with self._redis.pubsub() as pubsub:
            await pubsub.subscribe(self._channel)
            quiet = 0
            while quiet < 2:
                message = await pubsub.get_message(timeout=SILENCE_S)
                quiet = 0 if message else quiet + 1
                if message:
                    on_success()
                    self._receive(message.get("data"))
                else:
                    await pubsub.ping()

    def _receive(self, data: object) -> None:
        """Pass an announcement on; drop invalid ones and our own."""
        if not isinstance(data, bytes) or len(data) > ANNOUNCEMENT_LIMIT_BYTES or data[:_SENDER_BYTES] == self._own_id:
            return
        topic, zero, rest = data[_SENDER_BYTES:].partition(b"\0")
        if not (zero and topic.isalnum()):
            return
        for callback in self._callbacks:
            try:
                callback(topic.decode(), rest)
            except Exception:  # a later announcement may be fine
                _LOG.exception("a hint could not be used", topic=topic.decode())


async def _run_forever(work: Callable[[Callable[[], None]], Awaitable[None]]) -> None:
    """Repeat a task forever; after a failure or an end, wait longer each time until it succeeds."""
    wait = FIRST_WAIT_S

    def on_success() -> None:
        nonlocal wait
        wait = FIRST_WAIT_S

    while True:
        try:
            await work(on_success)
        except Exception as error:  # a broken server can cause any error
            _LOG.warning("the bus is gone", why=str(error), again_in=round(wait, 1))
        await asyncio.sleep(wait * random.uniform(0.5, 1.0))
        wait = min(2 * wait, MAX_WAIT_S)


# --- announcements ------------------------------------------------------------------------------------


class LogGrown(Struct, frozen=True, array_like=True):
    """The log of a match has new moves."""

    code: str
    match: str
    ply: int


class TableSaved(Struct, frozen=True, array_like=True):
    """A table has a new revision."""

    code: str
    revision: int


class NoteSaid(Struct, frozen=True, array_like=True):
    """A chat note was written."""

    code: str
    note: Note


class PeopleHere(Struct, frozen=True, array_like=True):
    """The people on a worker at a table."""

    code: str
    worker: str
    people: dict[str, str]
    """Names by id."""
    idle: tuple[str, ...] = ()
    """Ids of persons and programs whose hands a bot plays."""
    programs: tuple[str, ...] = ()
    """Ids of programs."""
    voices: tuple[str, ...] = ()
    """Ids of persons who have turned voice on."""


class VoiceSignaled(Struct, frozen=True, array_like=True):
    """A signal between two persons with voice."""

    code: str
    to: str
    player: str
    data: str


class VoicesSilenced(Struct, frozen=True, array_like=True):
    """The host has turned all microphones off."""

    code: str


class PersonChanged(Struct, frozen=True, array_like=True):
    """A person changed their name; None after all their data was deleted."""

    player: str
    name: str | None


class SessionsEnded(Struct, frozen=True, array_like=True):
    """A person ended all their sessions but one."""

    player: str


class PersonMerged(Struct, frozen=True, array_like=True):
    """All that a person has was given to another profile of theirs."""

    player: str
    into: str


class AdminSettingsChanged(Struct, frozen=True, array_like=True):
    """The administrator has changed settings or bans, which are in the store."""


Announcement = (
    LogGrown
    | TableSaved
    | NoteSaid
    | PeopleHere
    | VoiceSignaled
    | VoicesSilenced
    | PersonChanged
    | SessionsEnded
    | PersonMerged
    | AdminSettingsChanged
)

_TOPICS: Final[dict[type[Announcement], str]] = {
    LogGrown: "move",
    TableSaved: "table",
    NoteSaid: "say",
    PeopleHere: "here",
    VoiceSignaled: "signal",
    VoicesSilenced: "silence",
    PersonChanged: "person",
    SessionsEnded: "sessions",
    PersonMerged: "merged",
    AdminSettingsChanged: "orders",
}
_DECODERS: Final = {topic: msgspec.json.Decoder(kind) for kind, topic in _TOPICS.items()}
_ENCODER: Final = msgspec.json.Encoder()


def announce(bus: Bus, announcement: Announcement) -> None:
    """Announce something to the other workers."""
    bus.publish(_TOPICS[type(announcement)], _ENCODER.encode(announcement))


def read_announcement(topic: str, data: bytes) -> Announcement | None:
    """Return an announcement from another worker; None for invalid data, which is as harmless as a lost one."""
    decoder = _DECODERS.get(topic)
    try:
        return None if decoder is None else decoder.decode(data)
    except msgspec.MsgspecError:
        return None
