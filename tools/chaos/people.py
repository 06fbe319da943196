"""People who play despite faults: they resend unanswered commands, and reconnect to any worker."""

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

from tools.chaos.history import Acknowledged, Created, Greeted, History, Refused, Sent, Shown, Tab, digest

PATIENCE_S: Final = 20.0
"""Seconds without an answer after which a connection is closed without faults, on the slowest machine."""
SHORT_PATIENCE_S: Final = 3.0
"""The same during faults."""
PING_AFTER_S: Final = 1.5
"""Seconds of silence after which a client sends a ping."""
RETRY_AFTER_S: Final = 0.4
"""Seconds until a failed command is sent again."""
_CONNECTION_ERRORS: Final = (OSError, ConnectionClosed, InvalidHandshake, TimeoutError)


class Endpoint(Protocol):
    """Address of a worker."""

    name: str

    @property
    def url(self) -> str:
        """URL for clients."""


@dataclass
class PeopleContext:
    """State that all people share."""

    endpoints: Sequence[Endpoint]
    history: History
    rng: random.Random
    max_pause_s: float
    """Maximum pause between two actions of a person."""
    is_playing: bool = True
    """If False, people start nothing new, but wait for answers and watch."""
    counts: Counter[str] = field(default_factory=Counter)
    """Counts of what happened."""
    patience_s: float = PATIENCE_S
    """Seconds without an answer after which a connection is closed."""
    last_new_move_at: float = 0.0
    """Time when a person last received a new move."""


@dataclass
class Pending:
    """A command without an answer yet."""

    sent: Sent
    since: float
    due: float | None = None
    """Time to resend it, if the server failed."""


class Person:
    """One tab of a person at a table with a number of people."""

    def __init__(self, context: PeopleContext, tab: Tab, cookie: str, people_count: int) -> None:
        self.tab = tab
        self.cookie = cookie
        self.people_count = people_count
        self.other_tab: Person | None = None
        """The other tab of the same person, at another worker."""
        self.endpoint: Endpoint | None = None
        self.seen: tuple[str | None, int] = (None, 0)
        """The match and the number of its known moves."""
        self.pending: Pending | None = None
        self.is_online = False
        self._context = context
        self._rng = random.Random(context.rng.random())
        self._connection = 0
        self._you: str | None = None
        self._table: dict[str, Any] = {}
        self._game: dict[str, Any] | None = None
        self._last_message_at = 0.0
        self._next_action_at = 0.0

    async def play(self) -> None:
        """Play until canceled."""
        while True:
            self.endpoint = self._choose_endpoint()
            with suppress(*_CONNECTION_ERRORS):
                async with asyncio.timeout(self._context.patience_s):
                    socket = await self._connect(self.endpoint.url)
                self._context.counts["connections"] += 1
                try:
                    await self._run_connection(socket, self.endpoint.name)
                finally:
                    self.is_online = False
                    socket.transport.abort()
            await asyncio.sleep(self._rng.uniform(0.1, 0.5))

    def _choose_endpoint(self) -> Endpoint:
        other = None if self.other_tab is None else self.other_tab.endpoint
        return self._rng.choice(
            [endpoint for endpoint in self._context.endpoints if endpoint is not other] or self._context.endpoints
        )

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

    async def _run_connection(self, socket: ClientConnection, worker: str) -> None:
        """Say hello, then receive and send until the connection is lost or closed."""
        self._connection = self._context.history.new_connection()
        match, ply = self.seen
        self._context.history.write(Greeted(self.tab, self._connection, worker))
        await self._send_message(socket, "hello", v=1, match=match, ply=ply, tv=False)
        self._last_message_at = time.monotonic()
        while not self.is_online:
            async with asyncio.timeout(self._context.patience_s):
                self._receive(json.loads(await socket.recv()))
        if self.pending is not None:
            await self._send_command(socket, self.pending)
        leaving = time.monotonic() + self._rng.expovariate(1 / 8)
        while not (self._context.is_playing and time.monotonic() > leaving):
            now = time.monotonic()
            if now >= self._next_action_at:
                self._next_action_at = now + self._rng.uniform(0.2, 1) * self._context.max_pause_s
                await self._do_something(socket, now)
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.01, self._next_action_at - now)):
                    self._receive(json.loads(await socket.recv()))

    async def _send_message(self, socket: ClientConnection, kind: str, **parts: object) -> None:
        async with asyncio.timeout(self._context.patience_s):  # a blocked connection is as good as none
            await socket.send(json.dumps({"type": kind, **parts}))

    # --- sending ----------------------------------------------------------------------------------------

    async def _do_something(self, socket: ClientConnection, now: float) -> None:
        if now > self._last_message_at + self._context.patience_s:
            raise TimeoutError
        if now > self._last_message_at + PING_AFTER_S:
            await self._send_message(socket, "ping", t=1)
        pending = self.pending
        if pending is not None:
            again = pending.due is not None and now > pending.due
            if again or self._rng.random() < 0.03:
                await self._send_command(socket, pending)
            elif pending.due is None and now > pending.since + self._context.patience_s:
                raise TimeoutError
        elif self._context.is_playing:
            await self._begin_something(socket)

    async def _begin_something(self, socket: ClientConnection) -> None:
        phase, game = self._table["phase"], self._game
        if phase != "playing":
            seated = [seat["player"] for seat in self._table["seats"] if seat and seat["player"]]
            if self._you not in seated:
                await self._send_message(socket, "sit")
            elif phase != "lobby":
                await self._send_message(socket, "ready")
            elif self._table["host"] == self._you and len(seated) == self.people_count:
                await self._send_message(socket, "start")
        elif game is not None and game["mine"] is not None:
            mine = game["mine"]
            moves = self._choose(game, mine)
            if moves is None:
                return
            sent = Sent(self.tab, game["match"], secrets.token_hex(8), mine["seat"], *moves)
            self.pending = Pending(sent, time.monotonic())
            await self._send_command(socket, self.pending)

    def _choose(self, game: dict[str, Any], mine: dict[str, Any]) -> tuple[str | None] | None:
        """Returns a move, or a request to take one back; None for nothing."""
        rng = self._rng
        legal: list[str] = mine["legal"]
        if rng.random() < 0.04:
            return (rng.choice(["R5", "draw", "W", "catch 1", "uno", "B+2"]),)  # perhaps out of turn
        if self._table["take_backs"] and rng.random() < 0.05:
            return (None,)
        if game["public"]["turn"] != mine["seat"]:
            return (rng.choice(legal),) if legal and rng.random() < 0.5 else None
        cards = [move for move in legal if move[0] in "RYGBW"]
        return (rng.choice(cards if cards and rng.random() < 0.8 else legal),) if legal else None

    async def _send_command(self, socket: ClientConnection, pending: Pending) -> None:
        pending.since, pending.due = time.monotonic(), None
        sent = pending.sent
        self._context.history.write(sent)
        self._context.counts["sent"] += 1
        parts = {"id": sent.command, "match": sent.match}
        if sent.move is None:
            await self._send_message(socket, "takeback", **parts)
        else:
            await self._send_message(socket, "act", move=sent.move, **parts)

    # --- receiving --------------------------------------------------------------------------------------

    def _receive(self, message: dict[str, Any]) -> None:
        self._last_message_at = time.monotonic()
        match message["type"]:
            case "welcome":
                self._you, self._table = message["you"], message["table"]
                self._record_shown("welcome", message["game"])
                self.is_online = True
                if self.pending is not None and self.pending.sent.match != self.seen[0]:
                    self.pending = None  # its match is over
            case "table":
                self._table = message["table"]
            case "dealt":
                self._record_shown("dealt", message["game"])
            case "moved":
                self._record_shown("moved", {**(self._game or {}), **message})
            case "done":
                self._context.history.write(Acknowledged(self.tab, message["id"], message["ply"]))
                self._context.counts["acknowledged"] += 1
                self._clear_pending(message["id"])
            case "refused" if message["id"] is not None:
                self._context.history.write(Refused(self.tab, message["id"], message["code"]))
                self._context.counts[f"refused: {message['code']}"] += 1
                if message["code"] not in ("storage", "too-fast", "fault"):
                    self._clear_pending(message["id"])
                elif self.pending is not None and self.pending.sent.command == message["id"]:
                    self.pending.due = time.monotonic() + RETRY_AFTER_S
            case "bye":
                self._context.counts[f"bye: {message['why']}"] += 1
                if message["why"] == "elsewhere":
                    self._next_action_at = time.monotonic() + 1
                raise ConnectionResetError

    def _record_shown(self, kind: str, game: dict[str, Any] | None) -> None:
        self._game = game
        if game is None:
            self._context.history.write(Shown(self.tab, self._connection, kind, None, 0))
            return
        mine, moved = game["mine"], kind == "moved"
        if self.seen != (game["match"], game["ply"]):
            self._context.last_new_move_at = time.monotonic()
        self.seen = game["match"], game["ply"]
        self._context.history.write(
            Shown(
                self.tab,
                self._connection,
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

    def _clear_pending(self, command: str) -> None:
        if self.pending is not None and self.pending.sent.command == command:
            self.pending = None


# --- coming to a table ------------------------------------------------------------------------------------


async def cancel_all(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Cancel tasks and wait for their end; raises the first error of any of them."""
    for task in tasks:
        task.cancel()
    for end in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(end, Exception):
            raise end


async def sign_in(url: str, name: str) -> str:
    """Sign in by a name; returns the cookie."""
    async with httpx.AsyncClient(base_url=url, headers={"origin": url}, timeout=30, verify=False) as client:
        found = await client.post("/api/me", json={"name": name, "language": "en"})
        found.raise_for_status()
        return f"lastcard={found.cookies['lastcard']}"


async def create_table(url: str, cookie: str, settings: dict[str, Any], seconds: float = 30) -> str:
    """Make a table; returns its code."""
    headers = {"origin": url, "cookie": cookie}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=seconds, verify=False) as client:
        found = await client.post("/api/tables", json={"settings": settings})
        found.raise_for_status()
        return str(found.json()["code"])


async def create_empty_tables(context: PeopleContext, cookie: str) -> None:
    """Make tables without people until canceled; confirmed ones must exist at the end."""
    while True:
        await asyncio.sleep(context.rng.uniform(0.2, 1.5) * 10 * context.max_pause_s)
        if not context.is_playing:
            continue
        with suppress(httpx.HTTPError):
            endpoint = context.rng.choice(context.endpoints)
            context.history.write(Created(await create_table(endpoint.url, cookie, {}, context.patience_s)))
            context.counts["tables made"] += 1
