"""What one stranger does to a table server, as fast as one core goes: each function is an attack on it.

``attack.py`` runs it, in a process of its own: ``python benchmarks/attackers.py NAME``, with the ``Target`` as JSON on
its input, until the process is killed. All calls come from ``STRANGER``; nothing is done but over loopback.
"""

from __future__ import annotations

import asyncio
import random
import resource
import struct
import sys
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

import msgspec
import uvloop
from msgspec import Struct
from table_client import Socket, call, host
from table_play import LoadTable

STRANGER: Final = "127.0.0.66"
"""Where the calls come from: the server that is measured takes it for an address of the wide world."""
SOURCE: Final = (STRANGER, 0)
RETRY_S: Final = 0.005
"""Seconds until somebody who was hung up on, or finds no port, tries again."""
_MASK: Final = b"\0\0\0\0"
_PING: Final = b"\x89\x80" + _MASK
_PONG: Final = b"\x8a\x80" + _MASK
_EMPTY: Final = b"\x00\x80" + _MASK
_BEGIN: Final = b"\x01\x80" + _MASK
_BIG: Final = b"\x82\xfe" + struct.pack("!H", 4000) + _MASK + b"x" * 4000
_FRAMES_AT_ONCE: Final = 10_000
"""Small frames that are written at once."""
_CODE: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"


class Target(Struct):
    """What the stranger knows."""

    port: int
    code: str
    """Of a table that is being played at."""
    match: str
    """Which match is on it."""
    cookies: list[str]
    """Of persons the stranger has given names."""

    @property
    def address(self) -> tuple[str, int]:
        """Where the server listens."""
        return "127.0.0.1", self.port


Attack = Callable[[Target], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class AttackKind:
    """An attack.

    Args:
        point: of the list of bounds.
        about: what is done.
        run: does it, for ever.
        names: how many persons with names it takes.
        moves: how many the match on the table must have.
    """

    point: str
    about: str
    run: Attack
    names: int = 0
    moves: int = 0


# --- lines --------------------------------------------------------------------------------------------


async def connect(target: Target) -> tuple[StreamReader, StreamWriter]:
    """A connection."""
    return await asyncio.open_connection(*target.address, local_addr=SOURCE)


async def for_ever(work: Callable[[], Awaitable[None]]) -> None:
    """Do something again and again, whatever the server says to it."""
    while True:
        try:
            await work()
        except (OSError, EOFError, ValueError):  # hung up on, or no port is free for a moment
            await asyncio.sleep(RETRY_S)


async def on_many_lines(lines: int, work: Callable[[], Awaitable[None]]) -> None:
    """The same on many lines at once."""
    await asyncio.gather(*(for_ever(work) for _ in range(lines)))


async def drain_answers(reader: StreamReader) -> None:
    """Read what nobody wants to know, until the server hangs up."""
    with suppress(OSError):
        while await reader.read(1 << 16):
            pass


async def send_endlessly(target: Target, first: bytes, data: bytes) -> None:
    """Say something, then the same thing without end, until the server hangs up."""
    reader, writer = await connect(target)
    answers = asyncio.create_task(drain_answers(reader))
    try:
        writer.write(first)
        while not answers.done():
            writer.write(data)
            await writer.drain()
    finally:
        answers.cancel()
        writer.transport.abort()


async def send_and_wait(target: Target, first: bytes) -> None:
    """Say something and wait."""
    reader, writer = await connect(target)
    try:
        writer.write(first)
        await drain_answers(reader)
    finally:
        writer.transport.abort()


async def connect_and_hang_up(target: Target) -> None:
    """Connect and hang up."""
    _, writer = await connect(target)
    writer.transport.abort()


def request(target: Target, method: str, path: str, cookie: str = "", body: bytes = b"") -> bytes:
    """A request."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host(target.address)}", f"Origin: http://{host(target.address)}"]
    lines += [f"Cookie: {cookie}"] if cookie else []
    lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"] if body else []
    return "\r\n".join([*lines, "", ""]).encode() + body


async def ask(target: Target, questions: Callable[[], bytes]) -> None:
    """Ask on one line, each time the last answer has come, until the server hangs up."""
    reader, writer = await connect(target)
    try:
        while True:
            writer.write(questions())
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            _, _, length = head.partition(b"content-length:")
            await reader.readexactly(int(length.partition(b"\r\n")[0] or 0))
    finally:
        writer.transport.abort()


async def ask_paths(target: Target, lines: int, *paths: str) -> None:
    """Ask for the same things on many lines."""
    requests = [request(target, "GET", path) for path in paths]
    await on_many_lines(lines, lambda: ask(target, partial(random.choice, requests)))


def upgrade(target: Target, code: str, cookie: str = "") -> bytes:
    """A request for a WebSocket."""
    lines = [f"GET /ws/{code} HTTP/1.1", f"Host: {host(target.address)}", f"Origin: http://{host(target.address)}"]
    lines += ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"]
    lines += ["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", *([f"Cookie: {cookie}"] if cookie else [])]
    return "\r\n".join([*lines, "", ""]).encode()


def text_frame(text: bytes) -> bytes:
    """A short text as a frame."""
    return bytes((0x81, 0x80 | len(text))) + _MASK + text


async def send_frames_endlessly(target: Target, first: bytes, frames: bytes, code: str = "") -> None:
    """Frames without end on four WebSockets that never say hello."""
    await on_many_lines(
        4, lambda: send_endlessly(target, upgrade(target, code or target.code, target.cookies[0]) + first, frames)
    )


# --- attacks ------------------------------------------------------------------------------------------


async def flood_heads(target: Target) -> None:
    """Lines of a head without end."""
    await on_many_lines(
        40, lambda: send_endlessly(target, b"GET / HTTP/1.1\r\nhost: x\r\n", b"x-more: 0123456789abcdef\r\n" * 2500)
    )


async def hold_heads(target: Target) -> None:
    """Nearly a whole head, and then nothing."""
    await on_many_lines(2000, lambda: send_and_wait(target, b"GET / HTTP/1.1\r\nhost: x\r\nx-long: " + b"a" * 60_000))


async def flood_bodies(target: Target) -> None:
    """A body that nobody waits for."""
    first = b"GET /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 999999999\r\n\r\n"
    await on_many_lines(40, lambda: send_endlessly(target, first, b"x" * 65536))


async def flood_requests(target: Target) -> None:
    """Requests, and no waiting for answers."""
    await on_many_lines(200, lambda: send_endlessly(target, b"", request(target, "GET", "/healthz") * 100))


async def watch(target: Target, first: int, screen: bool, seconds: float) -> None:
    """Somebody looks on for a while."""
    hello = b'{"type":"hello","v":1,"tv":true}' if screen else b'{"type":"hello","v":1}'
    cookie = "" if screen else target.cookies[first % len(target.cookies)]
    reader, writer = await connect(target)
    try:
        writer.write(upgrade(target, target.code, cookie))
        await reader.readuntil(b"\r\n\r\n")
        writer.write(text_frame(hello))
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await drain_answers(reader)
    finally:
        writer.transport.abort()


async def come_and_go(target: Target) -> None:
    """A crowd that comes and goes."""
    await asyncio.gather(*(for_ever(partial(watch, target, n, False, 0.5)) for n in range(len(target.cookies))))


async def crowd(target: Target) -> None:
    """A crowd that stays."""
    await on_many_lines(500, lambda: watch(target, 0, True, 3600))


async def guess(target: Target) -> None:
    """Codes of tables, one after the other."""

    def question() -> bytes:
        return request(target, "GET", "/api/tables/" + "".join(random.choices(_CODE, k=6)))

    await on_many_lines(32, lambda: ask(target, question))


async def sign_up(target: Target) -> None:
    """Names, one after the other."""
    me = request(target, "POST", "/api/me", body=b'{"name":"Mallory"}')
    await on_many_lines(32, lambda: ask(target, lambda: me))


async def make_tables(target: Target) -> None:
    """Tables, one after the other."""
    table = request(target, "POST", "/api/tables", target.cookies[0], b'{"settings":{}}')
    await on_many_lines(32, lambda: ask(target, lambda: table))


async def request_hints(target: Target) -> None:
    """As many tables as one may have, full of masters, and hints asked for without end."""
    plays = [await seat_among_masters(target) for _ in range(20)]
    while True:
        for play in plays:
            play.make_move()
            play.sockets[0].send(b'{"type":"advise","id":"hint-%d"}' % random.randrange(1 << 30))
        await asyncio.sleep(0.5)


async def seat_among_masters(target: Target) -> LoadTable:
    """A table of one's own."""
    cookie = target.cookies[0]
    settings = {"rules": "classic+uno_window=automatic_call", "pace": "untimed", "grace": 0, "bots": "quick"}
    made, _ = await call(target.address, "POST", "/api/tables", cookie, {"settings": settings}, SOURCE)
    play = LoadTable(made["code"], 1)
    socket = await Socket.connect(target.address, f"/ws/{play.code}", cookie, partial(play.on_text, 0), SOURCE)
    play.sockets.append(socket)
    await socket.opened
    socket.send(b'{"type":"hello","v":1}')
    socket.send(b'{"type":"start","level":"master"}')
    return play


async def wait(target: Target) -> None:
    """Nothing is done from outside."""
    await asyncio.sleep(3600)


async def busy_loop(target: Target) -> None:
    """Keep a core busy and leave the server alone."""
    while target:
        await asyncio.sleep(0)


KINDS: Final = {
    "nothing": AttackKind("", "none: the stranger's core is busy, and nothing is sent", busy_loop),
    "heads": AttackKind("1.1", "40 connections send lines of a head without end", flood_heads),
    "half heads": AttackKind("1.1", "2,000 connections hold 60 KB of a head each", hold_heads),
    "bodies": AttackKind("1.1", "40 connections send bodies nobody waits for", flood_bodies),
    "knocks": AttackKind(
        "1.1", "connections that hang up at once", lambda t: on_many_lines(32, partial(connect_and_hang_up, t))
    ),
    "requests": AttackKind("1.1", "200 connections send requests and wait for no answer", flood_requests),
    "pings": AttackKind(
        "1.2",
        "4 WebSockets send pings before hello",
        lambda t: send_frames_endlessly(t, b"", _PING * _FRAMES_AT_ONCE),
        1,
    ),
    "pongs": AttackKind(
        "1.2", "the same with pongs", lambda t: send_frames_endlessly(t, b"", _PONG * _FRAMES_AT_ONCE), 1
    ),
    "pieces": AttackKind(
        "1.2", "the same with empty pieces", lambda t: send_frames_endlessly(t, _BEGIN, _EMPTY * _FRAMES_AT_ONCE), 1
    ),
    "big frames": AttackKind(
        "1.2", "the same with 4 KB of rubbish", lambda t: send_frames_endlessly(t, b"", _BIG * 20), 1
    ),
    "no table": AttackKind(
        "1.2",
        "pings where there is no table",
        lambda t: send_frames_endlessly(t, b"", _PING * _FRAMES_AT_ONCE, "ZZZZZZ"),
        1,
    ),
    "sockets": AttackKind(
        "1.2", "WebSockets that come, say hello and go", lambda t: on_many_lines(32, partial(watch, t, 0, True, 0.0)), 1
    ),
    "qr codes": AttackKind(
        "1.3", "8 connections ask for the QR code of a table", lambda t: ask_paths(t, 8, f"/qr/{t.code}.svg")
    ),
    "qr of none": AttackKind(
        "1.3", "the same for a table that is not there", lambda t: ask_paths(t, 8, "/qr/ZZZZZZ.svg")
    ),
    "records": AttackKind(
        "1.3",
        "8 connections ask for the record of a match",
        lambda t: ask_paths(t, 8, f"/api/matches/{t.match}/record"),
        moves=250,
    ),
    "replays": AttackKind(
        "1.3", "the same for its replay", lambda t: ask_paths(t, 8, f"/api/matches/{t.match}/replay"), moves=250
    ),
    "rules": AttackKind(
        "1.3",
        "8 connections ask for rules with ever new names",
        lambda t: ask_paths(t, 8, *(f"/api/rules/classic+winning_score={n}" for n in range(100, 1000, 5))),
    ),
    "crowd": AttackKind("1.4", "500 big screens at one table", crowd),
    "coming and going": AttackKind("1.4", "120 persons come to a table and go", come_and_go, 120),
    "codes": AttackKind("1.5", "32 connections guess codes of tables", guess),
    "names": AttackKind("1.5", "32 connections take names", sign_up),
    "tables": AttackKind("1.5", "32 connections make tables", make_tables, 1),
    "thinking": AttackKind("1.6", "20 tables of masters, and hints without end", request_hints, 1),
    "sweep": AttackKind("1.7", "1,000 tables have been abandoned", wait, moves=100),
    "readiness": AttackKind(
        "1.8", "8 connections ask whether the server is ready", lambda t: ask_paths(t, 8, "/readyz")
    ),
}
"""All of them, by name."""


def main(arguments: Sequence[str]) -> None:
    """The command."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limits[1], limits[1]))
    target = msgspec.json.decode(sys.stdin.buffer.read(), type=Target)

    async def run() -> None:
        await KINDS[arguments[0]].run(target)

    uvloop.run(run())


if __name__ == "__main__":
    main(sys.argv[1:])
