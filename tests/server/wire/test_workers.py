"""Announcements between workers through Redis: the others receive them, and a failed or false Redis does no harm."""

from __future__ import annotations

import asyncio
import secrets
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from statistics import median
from unittest.mock import Mock

import pytest
import redis

from lastcard.errors import UsageError
from lastcard.server.wire import worker_bus as bus_module
from lastcard.server.wire.worker_bus import Bus, RedisBus, open_bus
from support.services import LOOPBACK, ServiceProcess, free_port

pytestmark = pytest.mark.real_time


Announcements = list[tuple[str, bytes]]


@asynccontextmanager
async def listening(url: str | None, *others: Callable[[str, bytes], None]) -> AsyncIterator[tuple[Bus, Announcements]]:
    """An open bus, and the announcements it receives, after other listeners."""
    bus = open_bus(url)
    received: Announcements = []
    for listener in others:
        bus.subscribe(listener)
    bus.subscribe(lambda topic, data: received.append((topic, data)))
    await bus.open()
    try:
        yield bus, received
    finally:
        await bus.close()


async def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.005)


async def until_connected(sender: Bus, *received: Announcements) -> None:
    """Wait until announcements of a bus reach others, then clear the received ones."""
    word = secrets.token_bytes(8)

    def arrived() -> bool:
        sender.publish("test", word)
        return all(("test", word) in each for each in received)

    await until(arrived)
    await asyncio.sleep(0.05)
    for each in received:
        each.clear()


@pytest.fixture
def short_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Delays of a bus are shorter."""
    monkeypatch.setattr(bus_module, "MAX_WAIT_S", 0.2)
    monkeypatch.setattr(bus_module, "SILENCE_S", 0.3)


async def test_announcements_reach_the_other_workers(redis_url: str) -> None:
    """Every other worker receives it once, byte for byte; the sender does not."""
    announcements = [
        ("move", b"match-1 7"),
        ("say", "żółw \0\r\n".encode()),
        ("table", b""),
        ("move", bytes(range(256))),
    ]
    async with AsyncExitStack() as stack:
        (one, own), (_, second), (_, third) = [await stack.enter_async_context(listening(redis_url)) for _ in range(3)]
        await until_connected(one, second, third)
        for topic, data in announcements:
            one.publish(topic, data)
        await until(lambda: len(second) == len(third) == len(announcements))
        assert second == third == announcements
        assert own == []


async def test_databases_of_one_redis_are_separate(redis_url: str) -> None:
    """Two servers may share a Redis by database numbers; table codes of one mean nothing to the other."""
    other = redis_url.rpartition("/")[0] + "/5"
    async with listening(redis_url) as (one, _), listening(redis_url) as (_, same), listening(other) as (_, foreign):
        await until_connected(one, same)
        one.publish("move", b"match-1 7")
        await until(lambda: len(same) == 1)
        assert foreign == []


async def test_garbage_is_ignored(redis_url: str) -> None:
    """Only announcements are passed on, whatever else is on the channel, and later ones still arrive."""
    number = redis.Redis.from_url(redis_url).connection_pool.connection_kwargs.get("db", 0)
    garbage = [
        b"",
        b"\0",
        b"\xff" * 8,
        b"12345678",
        b"12345678topic",
        b"12345678\0data",
        b"12345678<b>\0",
        b"x" * 100_000,
    ]
    async with listening(redis_url) as (one, _), listening(redis_url) as (_, received):
        await until_connected(one, received)
        with redis.Redis.from_url(redis_url) as liar:
            for rubbish in garbage:
                liar.publish(f"lastcard:{number}", rubbish)
        one.publish("move", b"match-1 7")
        await until(lambda: bool(received))
        assert received == [("move", b"match-1 7")]


async def test_a_listener_that_fails_harms_nobody(redis_url: str) -> None:
    """The next listener and the next announcement work."""
    async with listening(redis_url, Mock(side_effect=KeyError)) as (_, received), listening(redis_url) as (other, _):
        await until_connected(other, received)
        other.publish("move", b"1")
        other.publish("move", b"2")
        await until(lambda: len(received) == 2)


async def test_redis_goes_and_comes_back(redis_server: tuple[ServiceProcess, str], short_delays: None) -> None:
    """While it is gone publishing neither waits nor fails; when it is back announcements arrive again by themselves."""
    server, address = redis_server
    async with listening(address) as (one, first), listening(address) as (two, second):
        for _ in range(2):
            await asyncio.to_thread(server.stop)
            took = []
            for i in range(5000):
                start = time.perf_counter()
                one.publish("move", b"%d" % i)
                took.append(time.perf_counter() - start)
            assert median(took) < 0.0002, "a busy machine stops a few of them, not most"
            await asyncio.sleep(0.3)
            await asyncio.to_thread(server.start)
            await until_connected(one, second)
            await until_connected(two, first)


async def test_a_silent_redis_is_disconnected(redis_server: tuple[ServiceProcess, str], short_delays: None) -> None:
    """A frozen server is detected, though its connections stay; when it continues announcements arrive again."""
    server, address = redis_server
    async with listening(address) as (one, _), listening(address) as (_, received):
        await until_connected(one, received)
        server.send_signal(signal.SIGSTOP)
        one.publish("move", b"lost, or late")
        await asyncio.sleep(1.5)
        server.send_signal(signal.SIGCONT)
        await until_connected(one, received)


async def test_an_invalid_redis_server_is_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something else listens on the port: the bus retries, each time after a while, and can be closed."""
    monkeypatch.setattr(bus_module, "FIRST_WAIT_S", 0.02)
    monkeypatch.setattr(bus_module, "MAX_WAIT_S", 0.1)
    connections: list[float] = []

    async def send_garbage(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(time.perf_counter())
        writer.write(b"$-17\r\n%2\r\n\xff\xfe HTTP/1.1 400 Bad Request\r\n\r\n" * 3)
        writer.close()

    server = await asyncio.start_server(send_garbage, LOOPBACK, 0)
    port = server.sockets[0].getsockname()[1]
    async with server, listening(f"redis://{LOOPBACK}:{port}") as (bus, received):
        bus.publish("move", b"1")
        await until(lambda: len(connections) >= 5)
        assert received == []
    assert len(connections) < 100


async def test_no_redis_at_the_start() -> None:
    async with listening(f"redis://{LOOPBACK}:{free_port()}") as (bus, _):
        bus.publish("move", b"1")
        await asyncio.sleep(0.05)


async def test_one_worker_alone() -> None:
    """Without an address there are no other workers."""
    async with listening(None) as (bus, received):
        bus.publish("move", b"1")
    assert type(bus) is Bus
    assert received == []


@pytest.mark.parametrize("url", ["", "localhost", "http://:geheim@localhost", "redis://:geheim@localhost:nine/0"])
def test_an_invalid_address_is_refused(url: str) -> None:
    """The error says what would be right, and no password."""
    with pytest.raises(UsageError, match="redis://HOST") as caught:
        open_bus(url)
    assert "geheim" not in str(caught.value)


def test_an_address_with_tls() -> None:
    """A remote Redis is connected through TLS."""
    assert isinstance(open_bus("rediss://cards.example:6380/2"), RedisBus)
