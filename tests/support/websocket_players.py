"""A real server in a process of its own, and people who play over WebSockets as a browser would."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import secrets
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Final

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from support.fork_server import ForkedProcess, start_python
from support.random_play import seeded
from support.services import LOOPBACK, free_port

START_TIMEOUT_S: Final = 120.0
ANSWER_TIMEOUT_S: Final = 60.0
_CONNECTED: Final[set[WebSocketPlayer]] = set()
SERVE_ARGUMENTS: Final = ("-m", "lastcard", "serve")


def wait_until_server_ready(process: ForkedProcess | subprocess.Popen[str], url: str) -> None:
    """Wait until a server answers that it is ready."""
    until = time.monotonic() + START_TIMEOUT_S
    while True:
        if process.poll() is not None or time.monotonic() > until:
            process.kill()
            output = "".join(filter(None, process.communicate()))
            raise RuntimeError(f"the server did not start:\n{output[-4000:]}")
        with suppress(httpx.TransportError):
            if httpx.get(f"{url}/readyz", verify=False).status_code == 200:
                return
        time.sleep(0.05)


class ServerProcess:
    """``lastcard serve`` that can be killed and started again on the same port.

    A test may bring its own arguments of the interpreter, also for one start.
    """

    def __init__(self, database: str, python: Sequence[str] = SERVE_ARGUMENTS) -> None:
        self._database = database
        self._python = python
        self.port = free_port()
        self.url = f"http://{LOOPBACK}:{self.port}"
        self._process: ForkedProcess | subprocess.Popen[str] | None = None
        self._started_with: Sequence[str] = ()

    def __enter__(self) -> ServerProcess:
        self.start()
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if self._process is not None and self._process.poll() is None:
            self.send_signal(signal.SIGCONT)
            self._process.kill()
            output, _ = self._process.communicate()
            if error is not None:
                error.add_note(f"the server said:\n{output[-4000:]}")

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self, python: Sequence[str] | None = None) -> None:
        """Start it and wait until it serves."""
        self._started_with = python or self._python
        # Its few lines go into a pipe, because a file would be subject to the limits that simulate a full disk.
        self._process = start_python(
            [*self._started_with, "--host", LOOPBACK, "--port", str(self.port), "--no-open"],
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", "LASTCARD_DATABASE_URL": self._database},
        )
        wait_until_server_ready(self._process, self.url)

    def send_signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def wait(self, timeout_s: float = 20.0) -> int:
        """Wait for its end; returns the exit status."""
        assert self._process is not None
        self._process.communicate(timeout=timeout_s)
        return self._process.wait()

    def ensure_running(self) -> None:
        """Start it if it does not run, or runs with other arguments than those of the constructor."""
        is_running = self._process is not None and self._process.poll() is None
        if is_running and self._started_with == self._python:
            return
        if is_running:
            self.kill()
        self.start()

    def kill(self) -> None:
        """``kill -9``."""
        self.send_signal(signal.SIGKILL)
        self.wait()


def origin_of(url: str) -> str:
    """The origin of a page."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}"


@asynccontextmanager
async def play_scenario(seed: int | None = None, timeout_s: float = 60.0) -> AsyncIterator[random.Random]:
    """Random numbers for a scenario, by default different ones each time; everybody is disconnected at its end."""
    try:
        with seeded(random.SystemRandom().randrange(1 << 30) if seed is None else seed) as dice:
            async with asyncio.timeout(timeout_s):
                yield dice
    finally:
        await asyncio.gather(*(player.disconnect() for player in list(_CONNECTED)))


class WebSocketPlayer:
    """A person at a table, who records what the server acknowledged."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.cookie = ""
        self.own_id: str | None = None
        self.table: dict[str, Any] = {}
        self.game: dict[str, Any] | None = None
        self.acknowledged: dict[str, int] = {}
        """The ply of every acknowledged command."""
        self.refused: dict[str, dict[str, Any]] = {}
        self.bye: str | None = None
        self.unanswered: tuple[str, str] | None = None
        """The last command and its move, if it has no answer yet."""
        self._connection: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._changed = asyncio.Condition()
        self._pings = itertools.count(1)
        self._pong = 0

    async def _post(self, address: str, body: dict[str, object], **headers: str) -> httpx.Response:
        async with httpx.AsyncClient(
            headers={"origin": origin_of(address), **headers}, timeout=ANSWER_TIMEOUT_S
        ) as client:
            return (await client.post(address, json=body)).raise_for_status()

    async def sign_in(self, url: str) -> None:
        found = await self._post(f"{url}/api/me", {"name": self.name, "language": "en"})
        self.cookie = f"lastcard={found.cookies['lastcard']}"

    async def create_table(self, url: str, **settings: object) -> str:
        """Make a table of which this person is the host; returns its code."""
        found = await self._post(f"{url}/api/tables", {"settings": settings}, cookie=self.cookie)
        return str(found.json()["code"])

    async def connect(self, url: str, code: str, *, tv: bool = False) -> None:
        """Connect, or connect again, and send hello; waits until welcome."""
        await self.disconnect()
        headers = {"cookie": self.cookie} if self.cookie else {}
        address = f"{url.replace('http', 'ws', 1)}/ws/{code}"
        self._connection = await connect(
            address, origin=Origin(origin_of(url)), additional_headers=headers, compression=None
        )
        _CONNECTED.add(self)
        self.bye = None
        self._reader = asyncio.create_task(self._read(self._connection))
        self.table = {}
        await self.send("hello", v=1, tv=tv)
        await self.wait_until(lambda: bool(self.table))

    async def disconnect(self) -> None:
        if self._connection is not None:
            self._connection.transport.abort()
            await self._connection.wait_closed()
        if self._reader is not None:
            await self._reader
        self._reader = self._connection = None
        _CONNECTED.discard(self)

    async def send(self, kind: str, **parts: object) -> None:
        """Send a message.

        Raises:
            ConnectionError: if the connection is lost.
        """
        assert self._connection is not None
        try:
            await self._connection.send(json.dumps({"type": kind, **parts}))
        except ConnectionClosed as closed:
            raise ConnectionError(str(closed)) from None

    async def wait_until(self, condition: Any, timeout_s: float = ANSWER_TIMEOUT_S) -> None:
        """Wait until a condition holds for the received messages.

        Raises:
            ConnectionError: if the connection is lost meanwhile.
            TimeoutError: if it takes too long.
        """
        async with asyncio.timeout(timeout_s), self._changed:
            while not condition():
                if self._reader is None or self._reader.done():
                    raise ConnectionError("the line is lost")
                await self._changed.wait()

    async def ping(self) -> None:
        """Wait until the server has handled everything that was sent."""
        asked = next(self._pings)
        await self.send("ping", t=asked)
        await self.wait_until(lambda: self._pong == asked)

    # --- playing --------------------------------------------------------------------------------------

    @property
    def seat(self) -> int | None:
        mine = None if self.game is None else self.game["mine"]
        return None if mine is None else mine["seat"]

    @property
    def ply(self) -> int:
        """The number of moves received."""
        return -1 if self.game is None else self.game["ply"]

    def has_seat(self) -> bool:
        """Whether the table shows the person in a seat."""
        return any(seat and seat["player"] == self.own_id for seat in self.table["seats"])

    def has_ply(self, ply: int) -> bool:
        """Whether this many moves were received."""
        return self.ply >= ply

    @property
    def is_in_round(self) -> bool:
        return self.game is not None and self.game["public"]["decision"] != "over"

    @property
    def is_on_turn(self) -> bool:
        return self.is_in_round and self.game is not None and self.seat == self.game["public"]["turn"]

    def choose_move(self, dice: random.Random) -> str:
        """A move; prefers a play to a draw."""
        assert self.game is not None
        moves: list[str] = [move for move in self.game["mine"]["legal"] if not move.startswith(("uno", "catch"))]
        return dice.choice([move for move in moves if move[0] in "RYGBW"] or moves)

    async def make_move(self, move: str, command: str | None = None) -> int | None:
        """Make a move; returns the ply of the answer, or None if it was refused."""
        assert self.game is not None
        command = command or secrets.token_hex(8)
        self.unanswered = command, move
        await self.send("act", id=command, match=self.game["match"], move=move)
        await self.wait_until(lambda: command in self.acknowledged or command in self.refused)
        self.unanswered = None
        return self.acknowledged.get(command)

    async def play_turn(self, dice: random.Random) -> int:
        """Make moves until it is somebody else's turn, as for a drawn card that waits; returns the ply of the last."""
        ply = self.ply
        while self.is_on_turn:
            done = await self.make_move(self.choose_move(dice))
            assert done is not None
            ply = done
            await self.wait_until(partial(self.has_ply, ply))
        return ply

    async def _read(self, line: ClientConnection) -> None:
        try:
            async for text in line:
                async with self._changed:
                    self._handle(json.loads(text))
                    self._changed.notify_all()
        except ConnectionClosed:
            pass
        finally:
            async with self._changed:
                self._changed.notify_all()

    def _handle(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "welcome":
                self.own_id, self.table, self.game = message["you"], message["table"], message["game"]
            case "table":
                self.table = message["table"]
            case "dealt":
                self.game = message["game"]
            case "moved" if self.game is not None:
                self.game = {**self.game, **{key: message[key] for key in ("ply", "public", "mine")}}
            case "done":
                assert self.acknowledged.setdefault(message["id"], message["ply"]) == message["ply"]
            case "refused":
                self.refused[message["id"]] = message
            case "pong":
                self._pong = message["t"]
            case "bye":
                self.bye = message["why"]


async def wait_for_all(people: Sequence[WebSocketPlayer]) -> None:
    """Wait until everybody has received what anybody has received."""
    latest = max(person.ply for person in people)
    await asyncio.gather(*(person.wait_until(partial(person.has_ply, latest)) for person in people))


async def play_on(people: Sequence[WebSocketPlayer], dice: random.Random, count: int) -> None:
    """Let people make ``count`` moves that all receive; start the next round when one is over, until the end."""
    await wait_for_all(people)
    for _ in range(count):
        actor = next((person for person in people if person.is_on_turn), None)
        if actor is not None:
            await actor.make_move(actor.choose_move(dice))
            await wait_for_all(people)
            continue
        for person in people:
            await person.wait_until(lambda person=person: person.table["phase"] in ("between", "over"))
        if people[0].table["phase"] == "over":
            return
        for person in people:
            await person.send("ready")
        for person in people:
            await person.wait_until(lambda person=person: person.is_in_round)


async def seat_people(
    url: str, names: Sequence[str], rules: str, **settings: object
) -> tuple[str, list[WebSocketPlayer]]:
    """People at a new table of a server, the host first, and the first round dealt."""
    people = [WebSocketPlayer(name) for name in names]
    for person in people:
        await person.sign_in(url)
    seats = settings.pop("seats", len(names))
    code = await people[0].create_table(url, rules=rules, seats=seats, **{"pace": "untimed", "grace": 0, **settings})
    for person in people:
        await person.connect(url, code)
        if not person.has_seat():
            await person.send("sit")
            await person.wait_until(person.has_seat)
    await people[0].send("start")
    for person in people:
        await person.wait_until(lambda person=person: person.game is not None)
    return code, people
