"""PostgreSQL or Redis fails under two real servers in play."""

from __future__ import annotations

import asyncio
import json
import random
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import pytest
from redis.asyncio import Redis

from support.fault_invariants import check_log, check_view, read_log
from support.services import ServiceProcess, fresh_database
from support.websocket_players import (
    SERVE_ARGUMENTS,
    ServerProcess,
    WebSocketPlayer,
    play_on,
    play_scenario,
    seat_people,
    wait_for_all,
)

pytestmark = pytest.mark.real_time

RULES = "classic+uno_window=automatic_call+hand_size=10"
"""A round under these rules outlasts the few moves of a test."""
CHANNEL = "lastcard:0"
"""The channel of announcements, in database 0."""


@contextmanager
def two_servers(database: str, redis_url: str) -> Iterator[tuple[ServerProcess, ServerProcess]]:
    """Two servers over one database and one Redis."""
    command = (*SERVE_ARGUMENTS, "--redis-url", redis_url)
    with ServerProcess(database, command) as here, ServerProcess(database, command) as there:
        yield here, there


async def seat_apart(here: ServerProcess, there: ServerProcess) -> list[WebSocketPlayer]:
    """Three people in a match: one on the first server, two on the second."""
    code, people = await seat_people(here.url, ["Ann", "Bo", "Cy"], RULES)
    for person in people[1:]:
        await person.connect(there.url, code)
    return people


async def check_all(database: str, people: Sequence[WebSocketPlayer]) -> int:
    """Check all invariants, and that nobody was sent away; returns the number of moves in the log."""
    await wait_for_all(people)
    match, moves = await read_log(database, people[0])
    check_log(moves, people)
    for person in people:
        await person.wait_until(partial(person.has_ply, len(moves)))
        check_view(match, person)
        assert person.bye is None
    return len(moves)


# --- PostgreSQL -----------------------------------------------------------------------------------------


async def test_the_database_is_restarted_in_play(postgres_server: tuple[ServiceProcess, str], redis_url: str) -> None:
    """PostgreSQL crashes during moves of people on two workers, and comes back: they play on and lose none."""
    database, address = postgres_server

    async def restart(after: float) -> None:
        await asyncio.sleep(after)
        await asyncio.to_thread(database.stop, signal.SIGQUIT)
        await asyncio.to_thread(database.start)

    with two_servers(address, redis_url) as (here, there):
        async with play_scenario() as dice:
            people = await seat_apart(here, there)
            for _ in range(2):
                await play_on(people, dice, 2)
                await asyncio.gather(play_on(people, dice, 4), restart(dice.uniform(0, 0.1)))
            await play_on(people, dice, 4)
            assert await check_all(address, people) >= 10


# --- Redis ----------------------------------------------------------------------------------------------


async def test_redis_is_gone_in_play(redis_server: tuple[ServiceProcess, str], postgres: str) -> None:
    """Without Redis workers poll the log every other second, so all is slower and nothing else; then it is back."""
    bus, redis_url = redis_server
    with fresh_database(postgres) as database, two_servers(database, redis_url) as (here, there):
        async with play_scenario(12) as dice:
            people = await seat_apart(here, there)
            await play_on(people, dice, 3)
            await asyncio.to_thread(bus.stop)
            await play_on(people, dice, 3)
            await asyncio.to_thread(bus.start)
            await play_on(people, dice, 3)
            assert await check_all(database, people) == sum(len(person.acknowledged) for person in people) == 9


class FalseAnnouncer:
    """Receives the announcements and sends false ones in any worker's name."""

    NAME = "liar"

    def __init__(self, redis: Redis, dice: random.Random) -> None:
        self.said: set[bytes] = set()
        """All false announcements."""
        self._redis = redis
        self._dice = dice
        self._received: list[bytes] = []

    async def announce_falsely(self, enough: asyncio.Event) -> None:
        """Falsify every announcement, and now and then let nobody receive the next one."""
        async with self._redis.pubsub(ignore_subscribe_messages=True) as pubsub:
            await pubsub.subscribe(CHANNEL)
            while not enough.is_set():
                message = await pubsub.get_message(timeout=0.1)
                if message is None or message["data"] in self.said:
                    continue
                self._received.append(message["data"])
                for lie in self._false_announcements(message["data"]):
                    self.said.add(lie)
                    await self._redis.publish(CHANNEL, lie)
                if len(self._received) % 4 == 0:
                    await self._cut_listeners()

    def _false_announcements(self, announcement: bytes) -> list[bytes]:
        """The same once more, an old one again, some with other numbers, and invalid ones."""
        dice = self._dice
        topic, _, data = announcement[8:].partition(b"\0")
        code, match = [*json.loads(data), ""][:2]
        ply = dice.choice([-1, 0, 1, 2, 10**6, "two"])
        lies = [
            ("move", [code, match, ply]),
            ("move", [code, "no match", ply]),
            ("table", [code, ply]),
            ("here", [code, "no worker", {}, []]),
            ("say", [code, {"at": "yesterday"}]),
        ]
        said = [f"the liar{kind}\0{json.dumps(parts)}".encode() for kind, parts in lies]
        said += [b"the liar" + announcement[8:], b"the liar" + topic + b"\0" + data[: dice.randrange(len(data))]]
        said += [dice.randbytes(30), dice.choice(self._received)]
        dice.shuffle(said)
        return said

    async def _cut_listeners(self) -> None:
        """Cut the connections of all other listeners: they miss messages until they are back."""
        for client in await self._redis.client_list(_type="pubsub"):
            if client["name"] != self.NAME:
                await self._redis.client_kill_filter(_id=client["id"])


async def test_redis_sends_wrong_announcements_in_play(redis_server: tuple[ServiceProcess, str], postgres: str) -> None:
    """Announcements are lost, doubled, late, wrong and invalid: every move arrives, and no other."""
    _, redis_url = redis_server
    with fresh_database(postgres) as database, two_servers(database, redis_url) as (here, there):
        async with play_scenario() as dice:
            people = await seat_apart(here, there)
            async with Redis.from_url(redis_url, client_name=FalseAnnouncer.NAME) as redis:
                liar, enough = FalseAnnouncer(redis, dice), asyncio.Event()
                lying = asyncio.create_task(liar.announce_falsely(enough))
                try:
                    await play_on(people, dice, 12)
                finally:
                    enough.set()
                    await lying
            assert len(liar.said) > 50
            assert await check_all(database, people) == sum(len(person.acknowledged) for person in people) == 12
