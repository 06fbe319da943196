"""People who play whatever happens: they send again what was not answered, and come back through any worker."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Origin

from tools.chaos.history import Created, Done, Greeted, History, Refused, Saw, Sent, Tab, digest

PATIENCE: Final = 20.0
"""Seconds without an answer after which a line is given up where nothing should be wrong, on the slowest machine."""
LITTLE_PATIENCE: Final = 3.0
"""The same where something may be wrong."""
PING: Final = 1.5
"""Seconds of silence after which somebody asks whether the line is still there."""
AGAIN: Final = 0.4
"""Seconds until what the server could not do is sent again."""
_BROKEN: Final = (OSError, ConnectionClosed, InvalidHandshake, TimeoutError)


class Door(Protocol):
    """A way to a worker."""

    name: str

    @property
    def url(self) -> str:
        """Where it is, for clients."""


@dataclass
class Crowd:
    """What all people share.

    Args:
        doors: the workers.
        history: of everything.
        dice: for what people leave to chance.
        pace: the longest time in seconds until somebody does the next thing.
    """

    doors: Sequence[Door]
    history: History
    dice: random.Random
    pace: float
    playing: bool = True
    """False: nobody begins anything new, but waits for answers and looks on."""
    counts: Counter[str] = field(default_factory=Counter)
    """What happened how often."""
    patience: float = PATIENCE
    """Seconds without an answer after which a line is given up."""
    heard_at: float = 0.0
    """When somebody heard of a move that was new there."""


@dataclass
class Pending:
    """A command that was not answered yet."""

    sent: Sent
    since: float
    due: float | None = None
    """When to send it again, where the server could not do it."""


class Person:
    """One tab of a person at a table.

    Args:
        crowd: what all share.
        tab: which one it is.
        cookie: of the person.
        company: how many persons come to the table.
    """

    def __init__(self, crowd: Crowd, tab: Tab, cookie: str, company: int) -> None:
        self.tab = tab
        self.cookie = cookie
        self.company = company
        self.twin: Person | None = None
        """The other tab of the same person, which is at another worker."""
        self.door: Door | None = None
        self.seen: tuple[str | None, int] = (None, 0)
        """The match and how many of its moves are known."""
        self.pending: Pending | None = None
        self.online = False
        self._crowd = crowd
        self._dice = random.Random(crowd.dice.random())
        self._line = 0
        self._you: str | None = None
        self._table: dict[str, Any] = {}
        self._game: dict[str, Any] | None = None
        self._heard = 0.0
        self._next = 0.0

    async def live(self) -> None:
        """Play until cancelled."""
        while True:
            self.door = self._choose_door()
            with suppress(*_BROKEN):
                async with asyncio.timeout(self._crowd.patience):
                    line = await self._connect(self.door.url)
                self._crowd.counts["connections"] += 1
                try:
                    await self._stay(line, self.door.name)
                finally:
                    self.online = False
                    line.transport.abort()
            await asyncio.sleep(self._dice.uniform(0.1, 0.5))

    def _choose_door(self) -> Door:
        taken = None if self.twin is None else self.twin.door
        return self._dice.choice([door for door in self._crowd.doors if door is not taken] or self._crowd.doors)

    async def _connect(self, url: str) -> ClientConnection:
        return await connect(
            f"{url.replace('http', 'ws', 1)}/ws/{self.tab.table}",
            origin=Origin(url),
            additional_headers={"cookie": self.cookie},
            compression=None,
            ping_interval=None,
            open_timeout=None,
            close_timeout=0.1,
            proxy=None,
        )

    async def _stay(self, line: ClientConnection, worker: str) -> None:
        """Say hello, then listen and act until the line is lost or given up."""
        self._line = self._crowd.history.new_line()
        match, ply = self.seen
        self._crowd.history.write(Greeted(self.tab, self._line, worker))
        await self._say(line, "hello", v=1, match=match, ply=ply, tv=False)
        self._heard = time.monotonic()
        while not self.online:
            async with asyncio.timeout(self._crowd.patience):
                self._hear(json.loads(await line.recv()))
        if self.pending is not None:
            await self._send(line, self.pending)
        leaving = time.monotonic() + self._dice.expovariate(1 / 8)
        while not (self._crowd.playing and time.monotonic() > leaving):
            now = time.monotonic()
            if now >= self._next:
                self._next = now + self._dice.uniform(0.2, 1) * self._crowd.pace
                await self._do_something(line, now)
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.01, self._next - now)):
                    self._hear(json.loads(await line.recv()))

    async def _say(self, line: ClientConnection, kind: str, **parts: object) -> None:
        async with asyncio.timeout(self._crowd.patience):  # a line that takes no more is as good as none
            await line.send(json.dumps({"type": kind, **parts}))

    # --- what is done -----------------------------------------------------------------------------------

    async def _do_something(self, line: ClientConnection, now: float) -> None:
        if now > self._heard + self._crowd.patience:
            raise TimeoutError
        if now > self._heard + PING:
            await self._say(line, "ping", t=1)
        pending = self.pending
        if pending is not None:
            again = pending.due is not None and now > pending.due
            if again or self._dice.random() < 0.03:
                await self._send(line, pending)
            elif pending.due is None and now > pending.since + self._crowd.patience:
                raise TimeoutError
        elif self._crowd.playing:
            await self._begin_something(line)

    async def _begin_something(self, line: ClientConnection) -> None:
        phase, game = self._table["phase"], self._game
        if phase != "playing":
            seated = [seat["player"] for seat in self._table["seats"] if seat and seat["player"]]
            if self._you not in seated:
                await self._say(line, "sit")
            elif phase != "lobby":
                await self._say(line, "ready")
            elif self._table["host"] == self._you and len(seated) == self.company:
                await self._say(line, "start")
        elif game is not None and game["mine"] is not None:
            mine = game["mine"]
            moves = self._choose(game, mine)
            if moves is None:
                return
            sent = Sent(self.tab, game["match"], secrets.token_hex(8), mine["seat"], *moves)
            self.pending = Pending(sent, time.monotonic())
            await self._send(line, self.pending)

    def _choose(self, game: dict[str, Any], mine: dict[str, Any]) -> tuple[str | None] | None:
        """A move, or to take one back; None for nothing."""
        dice = self._dice
        legal: list[str] = mine["legal"]
        if dice.random() < 0.04:
            return (dice.choice(["R5", "draw", "W", "catch 1", "uno", "B+2"]),)  # perhaps out of turn
        if self._table["take_backs"] and dice.random() < 0.05:
            return (None,)
        if game["public"]["turn"] != mine["seat"]:
            return (dice.choice(legal),) if legal and dice.random() < 0.5 else None
        cards = [move for move in legal if move[0] in "RYGBW"]
        return (dice.choice(cards if cards and dice.random() < 0.8 else legal),) if legal else None

    async def _send(self, line: ClientConnection, pending: Pending) -> None:
        pending.since, pending.due = time.monotonic(), None
        sent = pending.sent
        self._crowd.history.write(sent)
        self._crowd.counts["sent"] += 1
        parts = {"id": sent.command, "match": sent.match}
        if sent.move is None:
            await self._say(line, "takeback", **parts)
        else:
            await self._say(line, "act", move=sent.move, **parts)

    # --- what is heard ----------------------------------------------------------------------------------

    def _hear(self, message: dict[str, Any]) -> None:
        self._heard = time.monotonic()
        match message["type"]:
            case "welcome":
                self._you, self._table = message["you"], message["table"]
                self._see("welcome", message["game"])
                self.online = True
                if self.pending is not None and self.pending.sent.match != self.seen[0]:
                    self.pending = None  # the match it was for is over
            case "table":
                self._table = message["table"]
            case "dealt":
                self._see("dealt", message["game"])
            case "moved":
                self._see("moved", {**(self._game or {}), **message})
            case "done":
                self._crowd.history.write(Done(self.tab, message["id"], message["ply"]))
                self._crowd.counts["acknowledged"] += 1
                self._settle(message["id"])
            case "refused" if message["id"] is not None:
                self._crowd.history.write(Refused(self.tab, message["id"], message["code"]))
                self._crowd.counts[f"refused: {message['code']}"] += 1
                if message["code"] in ("storage", "too-fast", "fault"):
                    self._wait_with(message["id"])
                else:
                    self._settle(message["id"])
            case "bye":
                self._crowd.counts[f"bye: {message['why']}"] += 1
                if message["why"] == "elsewhere":
                    self._next = time.monotonic() + 1
                raise ConnectionResetError

    def _see(self, kind: str, game: dict[str, Any] | None) -> None:
        self._game = game
        if game is None:
            self._crowd.history.write(Saw(self.tab, self._line, kind, None, 0))
            return
        mine, moved = game["mine"], kind == "moved"
        if self.seen != (game["match"], game["ply"]):
            self._crowd.heard_at = time.monotonic()
        self.seen = game["match"], game["ply"]
        self._crowd.history.write(
            Saw(
                self.tab,
                self._line,
                kind,
                game["match"],
                game["ply"],
                digest(game["public"]),
                None if mine is None else mine["seat"],
                "" if mine is None else digest(mine),
                game["seat"] if moved else None,
                game["move"] if moved else None,
            )
        )

    def _settle(self, command: str) -> None:
        if self.pending is not None and self.pending.sent.command == command:
            self.pending = None

    def _wait_with(self, command: str) -> None:
        if self.pending is not None and self.pending.sent.command == command:
            self.pending.due = time.monotonic() + AGAIN


# --- coming to a table ------------------------------------------------------------------------------------


async def sign_in(url: str, name: str) -> str:
    """Take a name; the cookie."""
    async with httpx.AsyncClient(base_url=url, headers={"origin": url}, timeout=30, verify=False) as client:
        found = await client.post("/api/me", json={"name": name, "language": "en"})
        found.raise_for_status()
        return f"lastcard={found.cookies['lastcard']}"


async def create_table(url: str, cookie: str, settings: dict[str, Any], seconds: float = 30) -> str:
    """Make a table; its code."""
    headers = {"origin": url, "cookie": cookie}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=seconds, verify=False) as client:
        found = await client.post("/api/tables", json={"settings": settings})
        found.raise_for_status()
        return str(found.json()["code"])


async def make_tables(crowd: Crowd, cookie: str) -> None:
    """Make tables that nobody comes to, until cancelled; what the server has said yes to must be there in the end."""
    while True:
        await asyncio.sleep(crowd.dice.uniform(0.2, 1.5) * 10 * crowd.pace)
        if not crowd.playing:
            continue
        with suppress(httpx.HTTPError):
            door = crowd.dice.choice(crowd.doors)
            crowd.history.write(Created(await create_table(door.url, cookie, {}, crowd.patience)))
            crowd.counts["tables made"] += 1
