"""What workers announce to each other: that a match has a new move, a table a new revision, that somebody spoke.

Nothing rests on it: the log is the truth, and a worker looks at it every couple of seconds anyway. So announcements may
be lost, doubled or out of order, and no hand of cards ever travels here.
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

WAITING: Final = 1000
"""Announcements kept while they cannot be sent; older ones are dropped."""
LONGEST: Final = 65_536
"""Bytes of an announcement that are still believed."""
FIRST_WAIT: Final = 0.1
LAST_WAIT: Final = 5.0
"""Seconds between two tries to reach Redis: the first, and the most."""
SILENCE: Final = 5.0
"""Seconds without a word from Redis after which it is asked for one, and after twice which it is left."""
CLOSING: Final = 0.5
"""Seconds until what does not want to end is asked again."""

_SENDER: Final = 8  # bytes that say who sent it
_LOG: Final = structlog.get_logger()


# --- the bus ------------------------------------------------------------------------------------------


class Bus:
    """What carries announcements to the other workers; a worker does not hear its own. This one is a single worker's:
    there is nobody to tell.
    """

    def publish(self, topic: str, data: bytes) -> None:
        """Send an announcement, or lose it; never waits, never fails."""

    def subscribe(self, callback: Callback) -> None:
        """Call a function with topic and data of every announcement from now on."""

    async def open(self) -> None:
        """Begin to listen."""

    async def close(self) -> None:
        """Stop."""


def check_address(url: str) -> None:
    """Refuse what is not the address of a bus.

    Raises:
        UsageError: says what is one; the address is not quoted, for it may hold a password.
    """
    if not url.startswith(("redis://", "rediss://")):
        raise UsageError("the address of a bus is redis://HOST:PORT or rediss://HOST:PORT")


def open_bus(url: str | None) -> Bus:
    """The bus at an address; call its ``open`` in the event loop.

    Args:
        url: ``redis://…`` or ``rediss://…``; None where there is one worker only.

    Raises:
        UsageError: for any other address; it is not quoted, for it may hold a password.
    """
    if url is None:
        return Bus()
    check_address(url)
    if find_spec("redis") is None:
        raise UsageError("Redis needs a driver: pip install 'lastcard[redis]'")
    return RedisBus(url)


def see_bus(url: str) -> None:
    """Ask the bus at an address for a sign of life.

    Raises:
        UsageError: where it does not answer; without the password.
    """
    open_bus(url)
    from redis import Redis, RedisError  # an extra

    try:
        with Redis.from_url(url, socket_timeout=SILENCE, socket_connect_timeout=SILENCE) as redis:
            redis.ping()
    except (RedisError, OSError) as error:
        parts = urlsplit(url)
        why = str(error).replace(parts.password, "***") if parts.password else str(error)
        raise UsageError(f"Redis at {parts.hostname}:{parts.port or 6379} does not answer: {why}") from None


class RedisBus(Bus):
    """Announcements through Redis or Valkey. Where it is gone, they are lost until it is back; nothing else happens.

    Args:
        url: as ``open_bus`` takes it.

    Raises:
        UsageError: where the address makes no sense.
    """

    def __init__(self, url: str) -> None:
        from redis.asyncio import Redis  # an extra
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        timeouts: dict[str, Any] = {"socket_timeout": SILENCE, "socket_connect_timeout": SILENCE}
        try:
            self._redis: Any = Redis.from_url(url, retry=Retry(NoBackoff(), 0), **timeouts)
        except ValueError:
            raise UsageError("the address of the bus makes no sense; it is redis://HOST:PORT/NUMBER") from None
        number = self._redis.connection_pool.connection_kwargs.get("db", 0)
        self._channel = f"lastcard:{number}"  # channels know no numbers of databases
        self._me = secrets.token_bytes(_SENDER)
        self._callbacks: list[Callback] = []
        self._waiting: deque[bytes] = deque(maxlen=WAITING)
        self._something = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def publish(self, topic: str, data: bytes) -> None:
        """Send an announcement, or lose it; never waits, never fails."""
        self._waiting.append(self._me + topic.encode() + b"\0" + data)
        self._something.set()

    def subscribe(self, callback: Callback) -> None:
        """Call a function with topic and data of every announcement from another worker."""
        self._callbacks.append(callback)

    async def open(self) -> None:
        """Begin to listen; it does not matter whether Redis is there yet."""
        loops = (self._send, self._listen)
        self._tasks = [asyncio.create_task(_lasting(work), name=f"bus {work.__name__}") for work in loops]

    async def close(self) -> None:
        """Stop, and let go of the connections."""
        going = set(self._tasks)
        while going:  # a client in the middle of a bad connection may swallow being cancelled
            for task in going:
                task.cancel()
            _, going = await asyncio.wait(going, timeout=CLOSING)
        with suppress(Exception):  # the connection may be in any state
            async with asyncio.timeout(CLOSING):
                await self._redis.aclose()

    async def _send(self, well: Callable[[], None]) -> None:
        """Send what is waiting, all of it in one go."""
        while True:
            await self._something.wait()
            self._something.clear()
            pipeline = self._redis.pipeline(transaction=False)
            while self._waiting:
                pipeline.publish(self._channel, self._waiting.popleft())
            await pipeline.execute()
            well()

    async def _listen(self, well: Callable[[], None]) -> None:
        """Hand on what comes in; a Redis that keeps silent even when asked is left."""
        async with self._redis.pubsub() as pubsub:
            await pubsub.subscribe(self._channel)
            quiet = 0
            while quiet < 2:
                message = await pubsub.get_message(timeout=SILENCE)
                quiet = 0 if message else quiet + 1
                if message:
                    well()
                    self._hear(message.get("data"))
                else:
                    await pubsub.ping()

    def _hear(self, data: object) -> None:
        """Hand on an announcement; what is none, or one's own, is dropped."""
        if not isinstance(data, bytes) or len(data) > LONGEST or data[:_SENDER] == self._me:
            return
        topic, zero, rest = data[_SENDER:].partition(b"\0")
        if not (zero and topic.isalnum()):
            return
        for callback in self._callbacks:
            try:
                callback(topic.decode(), rest)
            except Exception:  # whatever it sets off: the next one may be fine
                _LOG.exception("a hint could not be used", topic=topic.decode())


async def _lasting(work: Callable[[Callable[[], None]], Awaitable[None]]) -> None:
    """Do something for ever: when it fails or ends, again after a while, longer each time until it went well."""
    wait = FIRST_WAIT

    def well() -> None:
        nonlocal wait
        wait = FIRST_WAIT

    while True:
        try:
            await work(well)
        except Exception as error:  # a server that talks rubbish sets off anything
            _LOG.warning("the bus is gone", why=str(error), again_in=round(wait, 1))
        await asyncio.sleep(wait * random.uniform(0.5, 1.0))
        wait = min(2 * wait, LAST_WAIT)


# --- what is announced --------------------------------------------------------------------------------


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
    """Somebody said something."""

    code: str
    note: Note


class PeopleHere(Struct, frozen=True, array_like=True):
    """Who is connected to a worker at a table."""

    code: str
    worker: str
    people: dict[str, str]
    """Names by id."""
    idle: tuple[str, ...] = ()
    """Ids of those for whom a bot plays, programs among them."""
    programs: tuple[str, ...] = ()
    """Ids of programs."""


class PersonChanged(Struct, frozen=True, array_like=True):
    """A person has another name; with None, no name any more: all of that person's data is deleted."""

    player: str
    name: str | None


class SessionsEnded(Struct, frozen=True, array_like=True):
    """A person has ended all sessions but one."""

    player: str


class OrdersGiven(Struct, frozen=True, array_like=True):
    """Whoever runs the server has given orders, or banned somebody: they are in the store."""


Announcement = LogGrown | TableSaved | NoteSaid | PeopleHere | PersonChanged | SessionsEnded | OrdersGiven

_TOPICS: Final[dict[type[Announcement], str]] = {
    LogGrown: "move",
    TableSaved: "table",
    NoteSaid: "say",
    PeopleHere: "here",
    PersonChanged: "person",
    SessionsEnded: "sessions",
    OrdersGiven: "orders",
}
_DECODERS: Final = {topic: msgspec.json.Decoder(kind) for kind, topic in _TOPICS.items()}
_ENCODER: Final = msgspec.json.Encoder()


def announce(bus: Bus, announcement: Announcement) -> None:
    """Tell the other workers."""
    bus.publish(_TOPICS[type(announcement)], _ENCODER.encode(announcement))


def read_announcement(topic: str, data: bytes) -> Announcement | None:
    """What another worker announces; None for rubbish, which is no worse than an announcement that was lost."""
    decoder = _DECODERS.get(topic)
    try:
        return None if decoder is None else decoder.decode(data)
    except msgspec.MsgspecError:
        return None
