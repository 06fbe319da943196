"""A table of people for table_load.py: they sit down and play random legal moves forever."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from functools import partial
from itertools import count
from typing import Any, Final

import msgspec
from msgspec import Struct
from table_client import Address, Socket, call

RULES: Final = "classic+uno_window=automatic_call"
MIN_MOVE_INTERVAL_S: Final = 0.03
"""Minimum seconds between moves at one table, because the server limits the rate of moves."""
DEAL_TIMEOUT_S: Final = 60.0
"""Maximum seconds until a table is dealt."""
SETTINGS: Final = {"rules": RULES, "pace": "untimed", "grace": 0}


class _Mine(Struct):
    legal: tuple[str, ...]


class _Public(Struct):
    decision: str
    turn: int


class _Moved(Struct):
    public: _Public
    mine: _Mine | None


class _Game(Struct):
    match: str
    public: _Public
    mine: _Mine | None


class _Dealt(Struct):
    game: _Game


_MOVED: Final = msgspec.json.Decoder(_Moved)
_DEALT: Final = msgspec.json.Decoder(_Dealt)
_TURN: Final = b'"turn":'


class LoadTable:
    """The people at one table. They share their state, so a turn is found without parsing every message."""

    def __init__(self, code: str, seats: int) -> None:
        self.code = code
        self.sockets: list[Socket] = []
        self.seated: asyncio.Event = asyncio.Event()
        self.dealt: asyncio.Event = asyncio.Event()
        self.go_on = False
        """Whether the next move is made as soon as possible."""
        self.ready = False
        """Whether the player on turn and a legal move are known."""
        self.moves = 0
        """Number of acknowledged moves."""
        self.times: list[float] = []
        """Seconds from each command to the last peer's event."""
        self.trouble = ""
        self._seats = seats
        self._seat_of: dict[int, int] = {}
        self.match = ""
        """Id of the match."""
        self._asked: set[int] = set()
        """Seats that have requested the next round or match."""
        self._sent = 0.0
        self._peers_notified = 0
        self._commands = count()
        self._next: tuple[int, str] = (0, "")
        self._dice = random.Random(code)

    def make_move(self) -> None:
        """Make the move that is ready, if one is."""
        if not self.ready:
            return
        self.ready = False
        socket, move = self._next
        self._peers_notified = 0
        command = f"command-{next(self._commands)}"
        self._sent = time.perf_counter()
        text = f'{{"type":"act","id":"{command}","match":"{self.match}","move":"{move}"}}'
        self.sockets[socket].send(text.encode())

    def close(self) -> None:
        """Close the connections of the people at the table."""
        for socket in self.sockets:
            socket.close()

    def on_text(self, socket: int, text: bytes) -> None:
        """Handle a message to one of the people."""
        if text.startswith(b'{"type":"moved"'):
            self._on_moved(socket, text)
        elif text.startswith(b'{"type":"done"'):
            self.moves += 1
        elif text.startswith(b'{"type":"dealt"'):
            game = _DEALT.decode(text).game
            self.match = game.match
            self.dealt.set()
            self._choose(socket, game.public, game.mine)
        elif text.startswith((b'{"type":"table"', b'{"type":"welcome"')):
            self._on_table(socket, msgspec.json.decode(text))
        elif text.startswith((b'{"type":"refused"', b'{"type":"bye"')):
            self.trouble = text.decode()

    def _on_moved(self, socket: int, text: bytes) -> None:
        self._peers_notified += 1
        if self._peers_notified == self._seats:
            self.times.append(time.perf_counter() - self._sent)
        at = text.index(_TURN) + len(_TURN)
        if text[at] - 48 == self._seat_of[socket]:
            moved = _MOVED.decode(text)
            self._choose(socket, moved.public, moved.mine)

    def _choose(self, socket: int, public: _Public, mine: _Mine | None) -> None:
        if public.turn != self._seat_of[socket] or public.decision == "over" or mine is None:
            return
        moves = [move for move in mine.legal if move != "uno" and not move.startswith("catch")]
        plays = [move for move in moves if move[0] in "RYGBW"]
        self._next = socket, self._dice.choice(plays or moves)
        self.ready = True
        if self.go_on:
            wait = self._sent + MIN_MOVE_INTERVAL_S - time.perf_counter()
            if wait > 0:
                asyncio.get_running_loop().call_later(wait, self._go_on)
            else:
                self.make_move()

    def _go_on(self) -> None:
        if self.go_on:
            self.make_move()

    def _on_table(self, socket: int, message: dict[str, Any]) -> None:
        """Sit down, start, and continue after rounds and matches."""
        table = message["table"]
        if "you" in message:
            self._on_own_id(socket, message["you"], table["seats"])
        phase = table["phase"]
        if phase == "lobby" and all(seat and seat["player"] for seat in table["seats"]):
            self.seated.set()
        elif phase == "playing":
            self._asked.discard(socket)
        elif phase in ("between", "over") and socket not in self._asked:
            self._asked.add(socket)
            if phase == "between":
                self.sockets[socket].send(b'{"type":"ready"}')
            elif socket == 0:
                self.sockets[0].send(b'{"type":"start"}')

    def _on_own_id(self, socket: int, you: str, seats: Sequence[dict[str, Any] | None]) -> None:
        for seat, info in enumerate(seats):
            if info is not None and info["player"] == you:
                self._seat_of[socket] = seat
                return
        self._seat_of[socket] = socket
        self.sockets[socket].send(b'{"type":"sit","seat":%d}' % socket)


async def sign_in(address: Address, people: int) -> list[str]:
    """Sign in new people; returns their cookies."""
    me = [{"name": f"Player {i}", "language": "en"} for i in range(people)]
    return [(await call(address, "POST", "/api/me", body=person))[1] for person in me]


async def seat_table(address: Address, cookies: Sequence[str]) -> LoadTable:
    """Returns a new table of people, who may sit at other tables too, after the first deal."""
    settings = {**SETTINGS, "seats": len(cookies)}
    made, _ = await call(address, "POST", "/api/tables", cookies[0], {"settings": settings})
    play = LoadTable(made["code"], len(cookies))
    for i, cookie in enumerate(cookies):
        socket = await Socket.connect(address, f"/ws/{play.code}", cookie, partial(play.on_text, i))
        play.sockets.append(socket)
        await socket.opened
        socket.send(b'{"type":"hello","v":1}')
    try:
        async with asyncio.timeout(DEAL_TIMEOUT_S):
            await play.seated.wait()
            play.sockets[0].send(b'{"type":"start"}')
            await play.dealt.wait()
    except TimeoutError:
        raise SystemExit(f"table {play.code} was not dealt: {play.trouble}") from None
    return play
