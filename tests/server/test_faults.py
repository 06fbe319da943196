"""Faults around a server; ``fault_invariants`` checks the state afterwards."""

from __future__ import annotations

import asyncio
import random
import resource
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import httpx
import psycopg
import pytest

from lastcard.server.game.presence import SCREENS
from support.fault_invariants import check_log, check_view, read_log
from support.services import LOOPBACK, fresh_database
from support.threaded_server import TIMEOUT_S
from support.websocket_players import (
    ServerProcess,
    WebSocketPlayer,
    play_on,
    play_scenario,
    seat_people,
    wait_for_all,
)

pytestmark = pytest.mark.real_time

RULES = "classic+uno_window=automatic_call"


@pytest.fixture
def database(tmp_path: Path) -> str:
    """The address of an SQLite file."""
    return f"sqlite:///{tmp_path / 'tables.db'}"


# --- kill -9 --------------------------------------------------------------------------------------------


async def test_killed_in_play(database: str) -> None:
    """kill -9 at any moment: people come back, repeat unanswered commands, and play on."""
    with ServerProcess(database) as server:
        async with play_scenario() as dice:
            code, people = await seat_people(server.url, ["Ann", "Bo", "Cy"], RULES)
            for _ in range(3):
                asyncio.get_running_loop().call_later(dice.uniform(0.05, 0.5), server.send_signal, signal.SIGKILL)
                with suppress(ConnectionError):
                    await play_on(people, dice, 10_000)
                await asyncio.to_thread(server.wait)
                await asyncio.to_thread(server.start)
                for person in people:
                    await person.connect(server.url, code)
                    if person.unanswered is not None:
                        command, move = person.unanswered
                        await person.make_move(move, command)
                await play_on(people, dice, 5)
            await wait_for_all(people)
            server.kill()
            match, moves = await read_log(database, people[0])
            check_log(moves, people)
            assert sum(len(person.acknowledged) for person in people) > 10
            for person in people:
                assert person.ply == len(moves)
                check_view(match, person)


DYING_AFTER_COMMIT = """
import os, signal, sys
from lastcard.cli.main import main
from lastcard.server.store.store import Store

append = Store.append

async def append_and_die(self, row):
    done = await append(self, row)
    if row.ply == {ply}:
        os.kill(os.getpid(), signal.SIGKILL)
    return done

Store.append = append_and_die
sys.exit(main(["serve", *sys.argv[1:]]))
"""


async def test_killed_between_commit_and_acknowledgement(database: str) -> None:
    """A repeated id is played once and answered with its ply, however often; another move is refused."""
    python = ("-c", DYING_AFTER_COMMIT.format(ply=4))
    with ServerProcess(database, python) as server:
        async with play_scenario(5) as dice:
            code, people = await seat_people(server.url, ["Ann", "Bo"], RULES)
            await play_on(people, dice, 4)
            actor = next(person for person in people if person.is_on_turn)
            command, move = secrets.token_hex(8), actor.choose_move(dice)
            with pytest.raises(ConnectionError):
                await actor.make_move(move, command)
            assert command not in actor.acknowledged
            await asyncio.to_thread(server.wait)
            await asyncio.to_thread(server.start, ("-m", "lastcard", "serve"))
            await asyncio.gather(*(person.connect(server.url, code) for person in people))
            assert actor.ply == 5
            for _ in range(2):
                actor.acknowledged.pop(command, None)
                assert await actor.make_move(move, command) == 5
            del actor.acknowledged[command]
            assert await actor.make_move("draw" if move != "draw" else "pass", command) is None
            assert actor.refused[command]["code"] == "replayed"
            await play_on(people, dice, 4)
            server.kill()
            _, moves = await read_log(database, actor)
            check_log(moves, people)
            assert [row.command for row in moves].count(command) == 1


# --- several workers ------------------------------------------------------------------------------------


async def test_two_workers_one_ply(postgres: str) -> None:
    """Both workers get a move for the same ply at once, from two tabs of one person: the log takes one of them."""
    with (
        fresh_database(postgres) as address,
        ServerProcess(address) as first,
        ServerProcess(address) as second,
    ):
        async with play_scenario(6) as dice:
            code, people = await seat_people(first.url, ["Ann", "Bo"], RULES)
            tabs = [WebSocketPlayer(person.name + "-too") for person in people]
            for person, tab in zip(people, tabs, strict=True):
                tab.cookie = person.cookie
                await tab.connect(second.url, code)
            everybody = [*people, *tabs]
            for _ in range(8):
                await wait_for_all(everybody)
                rivals = [person for person in everybody if person.is_on_turn]
                if not rivals:
                    break
                assert len(rivals) == 2
                await asyncio.gather(*(rival.make_move(rival.choose_move(dice)) for rival in rivals))
            match, moves = await read_log(address, people[0])
            check_log(moves, everybody)
            for person in everybody:
                await person.wait_until(partial(person.has_ply, len(moves)))
                check_view(match, person)
            assert sum(len(person.acknowledged) for person in everybody) == len(moves) >= 8


async def test_a_worker_frozen_past_a_deadline(postgres: str) -> None:
    """While one worker is frozen the other makes the bots' moves; later the first makes none of them again."""
    with (
        fresh_database(postgres) as address,
        ServerProcess(address) as frozen,
        ServerProcess(address) as awake,
    ):
        async with play_scenario(7) as dice:
            code, (ann,) = await seat_people(awake.url, ["Ann"], RULES, seats=3, pace="fast")
            screen = WebSocketPlayer("screen")
            await screen.connect(frozen.url, code, tv=True)
            for _ in range(2):
                await ann.wait_until(lambda: ann.is_on_turn)
                await wait_for_all([ann, screen])
                frozen.send_signal(signal.SIGSTOP)
                own = await ann.play_turn(dice)
                await ann.wait_until(partial(ann.has_ply, own + 1))
                frozen.send_signal(signal.SIGCONT)
            await ann.wait_until(lambda: ann.is_on_turn)
            await wait_for_all([ann, screen])
            match, moves = await read_log(address, ann)
            check_log(moves, [ann])
            check_view(match, screen)
            assert len(moves) >= 4


# --- bad connections and endings ------------------------------------------------------------------------


async def test_a_client_that_stops_reading(database: str) -> None:
    """That client alone is disconnected; nobody waits for it."""
    with ServerProcess(database) as server:
        async with play_scenario(8, timeout_s=90) as dice:
            code, people = await seat_people(server.url, [f"Player {i} at a full table" for i in range(10)], RULES)
            await play_on(people, dice, 1)
            with closing(unread_screen(server.port, code)) as deaf:
                until, page = time.monotonic() + 60, f"{server.url}/metrics"
                while "lastcard_outbox_drops_total 1.0" not in httpx.get(page, timeout=TIMEOUT_S).text:
                    assert time.monotonic() < until, "the deaf screen is never cut off"
                    for person in people:  # each time everybody gets the whole table
                        await person.send("pause", on=True)
                        await person.send("pause", on=False)
                    await asyncio.gather(*(person.ping() for person in people))
                    await asyncio.sleep(0.15)  # slower than the limit on floods
                assert all(person.bye is None for person in people)
                await play_on(people, dice, 5)
                with suppress(ConnectionResetError):
                    while deaf.recv(1 << 16):
                        pass


def unread_screen(port: int, code: str) -> socket.socket:
    """A big screen that sends hello, with the smallest receive buffer, and never reads."""
    line = socket.socket()
    line.settimeout(10)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    line.connect((LOOPBACK, port))
    host = f"{LOOPBACK}:{port}"
    head = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Host: {host}"]
    head += ["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", f"Origin: http://{host}"]
    line.sendall("\r\n".join([f"GET /ws/{code} HTTP/1.1", *head, "", ""]).encode())
    assert line.recv(1024).startswith(b"HTTP/1.1 101")  # a frame that comes before it is lost
    hello = b'{"type":"hello","v":1,"tv":true}'
    line.sendall(bytes((0x81, 0x80 | len(hello), 0, 0, 0, 0)) + hello)
    return line


async def test_sigterm_with_people_in_play(database: str) -> None:
    """Everybody receives Bye("restart") and the server ends in time, with status 0; ``test_serve`` does so with 800."""
    sockets = 40
    with ServerProcess(database) as server:
        async with play_scenario():
            everybody: list[WebSocketPlayer] = []
            while len(everybody) < sockets:
                code, people = await seat_people(server.url, ["Ann", "Bo"], RULES)
                screens = [WebSocketPlayer(f"screen {i}") for i in range(SCREENS)]
                await asyncio.gather(*(screen.connect(server.url, code, tv=True) for screen in screens))
                everybody += [*people, *screens]
            start = time.monotonic()
            server.send_signal(signal.SIGTERM)
            await asyncio.gather(*(visitor.wait_until(lambda v=visitor: v.bye is not None) for visitor in everybody))
            assert {visitor.bye for visitor in everybody} == {"restart"}
            assert await asyncio.to_thread(server.wait) == 0
            assert time.monotonic() - start < 10


# --- the database ---------------------------------------------------------------------------------------


async def check_refused_and_then_played(
    people: Sequence[WebSocketPlayer], mend: Callable[[], object], dice: random.Random
) -> None:
    """A move is refused in words, nobody sees it, and once the database works the same command is played."""
    actor = next(person for person in people if person.is_on_turn)
    before = [(person.ply, person.game) for person in people]
    command, move = secrets.token_hex(8), actor.choose_move(dice)
    assert await actor.make_move(move, command) is None
    assert actor.refused[command]["code"] == "storage"
    assert actor.refused[command]["text"]
    assert [(person.ply, person.game) for person in people] == before
    mend()
    del actor.refused[command]
    await actor.make_move(move, command)
    await play_on(people, dice, 6)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of another process are set on Linux only")
async def test_a_full_disk(database: str) -> None:
    """The server's files cannot grow: the move is refused and nothing changes; then there is space again."""
    with ServerProcess(database) as server:
        async with play_scenario(9) as dice:
            _, people = await seat_people(server.url, ["Ann", "Bo"], RULES)
            await play_on(people, dice, 5)
            _, hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (1, hard))
            await check_refused_and_then_played(
                people, lambda: resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (hard, hard)), dice
            )
            server.kill()
            match, moves = await read_log(database, people[0])
            check_log(moves, people)
            check_view(match, max(people, key=lambda person: person.ply))


async def test_a_read_only_database(postgres: str) -> None:
    """The database turns read-only in play: the move is refused and nothing changes; then it is writable again."""
    with fresh_database(postgres) as address, ServerProcess(address) as server:
        async with play_scenario(10) as dice:
            _, people = await seat_people(server.url, ["Ann", "Bo"], RULES)
            await play_on(people, dice, 5)
            set_read_only(address, True)
            await check_refused_and_then_played(people, lambda: set_read_only(address, False), dice)
            server.kill()
            _, moves = await read_log(address, people[0])
            check_log(moves, people)


def set_read_only(address: str, on: bool) -> None:
    """Make a database read-only, or writable again; clients have to connect anew."""
    name = address.rpartition("/")[2]
    with psycopg.connect(f"{address.rpartition('/')[0]}/postgres", autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {'on' if on else 'off'}")
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
        connection.execute(others, (name,))
