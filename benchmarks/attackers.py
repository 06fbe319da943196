"""Attacks of one client on a table server, as fast as one core allows: each function is an attack.

``attack.py`` runs it in a process of its own: ``python benchmarks/attackers.py NAME``, with the ``Target`` as JSON on
standard input, until the process is killed. All connections come from ``ATTACKER_ADDRESS``, over loopback only.
"""

from __future__ import annotations

import asyncio
import random
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
from table_client import Socket, call, request, upgrade_request
from table_play import LoadTable

from lastcard.game import daily_deal
from lastcard.server.wire.protocol import SIGNAL_CHARS

ATTACKER_ADDRESS: Final = "127.0.0.66"
"""Source address, which the measured server treats as a public address."""
SOURCE: Final = (ATTACKER_ADDRESS, 0)
RETRY_S: Final = 0.005
"""Seconds until a retry after a closed connection, or without a free port."""
_MASK: Final = b"\0\0\0\0"
_PING: Final = b"\x89\x80" + _MASK
_PONG: Final = b"\x8a\x80" + _MASK
_EMPTY: Final = b"\x00\x80" + _MASK
_BEGIN: Final = b"\x01\x80" + _MASK
_BIG: Final = b"\x82\xfe" + struct.pack("!H", 4000) + _MASK + b"x" * 4000
_FRAMES_AT_ONCE: Final = 10_000
"""Number of small frames written at once."""
_CODE: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"


class Target(Struct):
    """Information of the attacker."""

    port: int
    code: str
    """Code of a table in play."""
    match: str
    """Id of its match."""
    cookies: list[str]
    """Cookies of the attacker's persons."""

    @property
    def address(self) -> tuple[str, int]:
        """Address of the server."""
        return "127.0.0.1", self.port


Attack = Callable[[Target], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class AttackKind:
    """An attack."""

    point: str
    """Item of the list of bounds."""
    about: str
    run: Attack
    """Function that attacks forever."""
    names: int = 0
    """Number of persons with names that it needs."""
    moves: int = 0
    """Minimum number of moves of the match."""
    results: int = 0
    """Number of results of today's deal of classic UNO."""


# --- connections --------------------------------------------------------------------------------------


async def connect(target: Target) -> tuple[StreamReader, StreamWriter]:
    """Open a connection."""
    return await asyncio.open_connection(*target.address, local_addr=SOURCE)


async def for_ever(work: Callable[[], Awaitable[None]]) -> None:
    """Repeat an action, regardless of the server's responses."""
    while True:
        try:
            await work()
        except (OSError, EOFError, ValueError):  # connection closed, or no free port for a moment
            await asyncio.sleep(RETRY_S)


async def on_many_lines(lines: int, work: Callable[[], Awaitable[None]]) -> None:
    """The same on many connections at once."""
    await asyncio.gather(*(for_ever(work) for _ in range(lines)))


async def drain_answers(reader: StreamReader) -> None:
    """Read and discard, until the server closes the connection."""
    with suppress(OSError):
        while await reader.read(1 << 16):
            pass


async def send_endlessly(target: Target, first: bytes, data: bytes) -> None:
    """Send ``first``, then ``data`` endlessly, until the server closes the connection."""
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
    """Send data and wait."""
    reader, writer = await connect(target)
    try:
        writer.write(first)
        await drain_answers(reader)
    finally:
        writer.transport.abort()


async def connect_and_hang_up(target: Target) -> None:
    """Connect and close the connection."""
    _, writer = await connect(target)
    writer.transport.abort()


async def ask(target: Target, questions: Callable[[], bytes]) -> None:
    """Send requests on one connection, each after the last response, until the server closes it."""
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
    """Request the same paths on many connections."""
    requests = [request(target.address, "GET", path) for path in paths]
    await on_many_lines(lines, lambda: ask(target, partial(random.choice, requests)))


def text_frame(text: bytes) -> bytes:
    """Returns a short text as a frame."""
    return bytes((0x81, 0x80 | len(text))) + _MASK + text


async def send_frames_endlessly(target: Target, first: bytes, frames: bytes, code: str = "") -> None:
    """Send endless frames on four WebSockets without a hello."""
    upgrade = upgrade_request(target.address, f"/ws/{code or target.code}", target.cookies[0])
    await on_many_lines(4, lambda: send_endlessly(target, upgrade + first, frames))


# --- attacks ------------------------------------------------------------------------------------------


async def flood_heads(target: Target) -> None:
    """Send endless header lines."""
    await on_many_lines(
        40, lambda: send_endlessly(target, b"GET / HTTP/1.1\r\nhost: x\r\n", b"x-more: 0123456789abcdef\r\n" * 2500)
    )


async def hold_heads(target: Target) -> None:
    """Send an incomplete head, then nothing."""
    await on_many_lines(2000, lambda: send_and_wait(target, b"GET / HTTP/1.1\r\nhost: x\r\nx-long: " + b"a" * 60_000))


async def flood_bodies(target: Target) -> None:
    """Send an endless unexpected body."""
    first = b"GET /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 999999999\r\n\r\n"
    await on_many_lines(40, lambda: send_endlessly(target, first, b"x" * 65536))


async def flood_requests(target: Target) -> None:
    """Send requests without waiting for responses."""
    await on_many_lines(200, lambda: send_endlessly(target, b"", request(target.address, "GET", "/healthz") * 100))


async def watch(target: Target, first: int, screen: bool, seconds: float) -> None:
    """Watch a table for a while."""
    hello = b'{"type":"hello","v":1,"tv":true}' if screen else b'{"type":"hello","v":1}'
    cookie = "" if screen else target.cookies[first % len(target.cookies)]
    reader, writer = await connect(target)
    try:
        writer.write(upgrade_request(target.address, f"/ws/{target.code}", cookie))
        await reader.readuntil(b"\r\n\r\n")
        writer.write(text_frame(hello))
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await drain_answers(reader)
    finally:
        writer.transport.abort()


async def come_and_go(target: Target) -> None:
    """Let a crowd of spectators come and go."""
    await asyncio.gather(*(for_ever(partial(watch, target, n, False, 0.5)) for n in range(len(target.cookies))))


async def crowd(target: Target) -> None:
    """Let a crowd of spectators stay."""
    await on_many_lines(500, lambda: watch(target, 0, True, 3600))


async def guess(target: Target, path: str = "/api/tables/") -> None:
    """Try codes below a path, one after the other."""

    def question() -> bytes:
        return request(target.address, "GET", path + "".join(random.choices(_CODE, k=6)))

    await on_many_lines(32, lambda: ask(target, question))


async def guess_devices(target: Target) -> None:
    """Guess codes of devices, show codes of one's own, and join by them again and again."""
    paths = ("/api/join", "/api/join/check", "/api/me/code")

    def question() -> bytes:
        body = b'{"code":"%s"}' % "".join(random.choices(_CODE, k=10)).encode()
        return request(target.address, "POST", random.choice(paths), random.choice(target.cookies), body)

    await on_many_lines(32, lambda: ask(target, question))


async def try_passkeys(target: Target) -> None:
    """Ask for challenges of passkeys, and answer them with nonsense."""
    client_data = b"eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiQUFBQSIsIm9yaWdpbiI6IngifQ"
    answer = b'{"answer":{"rawId":"AAAA","response":{"clientDataJSON":"%s"}}}' % client_data
    bodies = (("/options", b"{}"), ("", answer), ("", b'{"answer":{"rawId":"%s"}}' % (b"A" * 15_000)))
    wanted = [
        request(target.address, "POST", path + more, cookie, body)
        for path in ("/api/passkey", "/api/me/passkeys")
        for more, body in bodies
        for cookie in target.cookies
    ]
    await on_many_lines(32, lambda: ask(target, partial(random.choice, wanted)))


async def sign_up(target: Target) -> None:
    """Sign up names, one after the other."""
    me = request(target.address, "POST", "/api/me", body=b'{"name":"Mallory"}')
    await on_many_lines(32, lambda: ask(target, lambda: me))


async def make_tables(target: Target) -> None:
    """Make tables, one after the other."""
    table = request(target.address, "POST", "/api/tables", target.cookies[0], b'{"settings":{}}')
    await on_many_lines(32, lambda: ask(target, lambda: table))


async def try_daily_deals(target: Target) -> None:
    """Begin tries at daily deals: one's own again and again, of games that do not exist, with cookies of nobody."""
    games = (b'{"game":"classic"}', b'{"game":"all-wild"}', b'{"game":"chess"}', b'{"game":7}', b"{", b"")
    cookies = (*target.cookies, "player=nobody.0000", "player=" + "x" * 200, "")
    tries = [request(target.address, "POST", "/api/daily", cookie, game) for cookie in cookies for game in games]
    await on_many_lines(32, lambda: ask(target, partial(random.choice, tries)))


async def request_daily_results(target: Target) -> None:
    """Request the results and the secrets of daily deals, of today, of other days, and of texts that are no day."""
    today = daily_deal.today()
    days = (today, today, today, today, "2020-02-30", "9999-12-31", "0001-01-01", "0" * 200, "..%2f..")
    paths = ["/api/daily", *(f"/api/daily/{day}/{game}" for day in days for game in ("classic", "chess"))]
    asked = [request(target.address, "GET", path, cookie) for path in paths for cookie in (*target.cookies, "")]
    await on_many_lines(8, lambda: ask(target, partial(random.choice, asked)))


async def open_duplicates(target: Target) -> None:
    """Open duplicate matches of ten tables, one after the other."""
    wanted = request(target.address, "POST", "/api/duplicates", target.cookies[0], b'{"tables":10,"deals":50}')
    await on_many_lines(32, lambda: ask(target, lambda: wanted))


async def take_open_seats(target: Target) -> None:
    """Take seats at open tables with many names, of games that do not exist too, and ask how many tables wait."""
    games = (b'{"game":"classic"}', b'{"game":"all-wild"}', b'{"game":"chess"}', b'{"game":7}', b"{", b"")
    wanted = [request(target.address, "POST", "/api/open", cookie, game) for cookie in target.cookies for game in games]
    asked = [request(target.address, "GET", "/api/open", cookie) for cookie in (*target.cookies, "player=nobody.0000")]
    await on_many_lines(32, lambda: ask(target, partial(random.choice, [*wanted, *asked])))


async def request_own_data(target: Target) -> None:
    """Download everything stored about a person, again and again."""
    data = request(target.address, "GET", "/api/me/data", target.cookies[0])
    await on_many_lines(8, lambda: ask(target, lambda: data))


async def add_notification_places(target: Target) -> None:
    """Add and list places for notifications with many names: addresses of this machine and of no machine."""
    path = "/api/me/notifications"
    places = [
        b'{"kind":"%s","address":"%s"}' % (kind, address)
        for kind in (b"discord", b"push")
        for address in (
            b"https://127.0.0.1:1/",
            b"https://localhost/",
            b"https://192.0.2.1/",
            b"http://[::1]/",
            b"x" * 999,
        )
    ]
    wanted = [request(target.address, "POST", path, cookie, place) for cookie in target.cookies for place in places]
    asked = [request(target.address, "GET", path, cookie) for cookie in (*target.cookies, "player=nobody.0000")]
    await on_many_lines(32, lambda: ask(target, partial(random.choice, [*wanted, *asked])))


async def request_hints(target: Target) -> None:
    """Make the maximum number of tables, full of masters, and request hints endlessly."""
    plays = [await seat_among_masters(target) for _ in range(20)]
    while True:
        for play in plays:
            play.make_move()
            play.sockets[0].send(b'{"type":"advise","id":"hint-%d"}' % random.randrange(1 << 30))
        await asyncio.sleep(0.5)


async def flood_signals(target: Target) -> None:
    """Six people at one table of the attacker have voice on, and send each other the largest signals without end."""
    made, _ = await call(target.address, "POST", "/api/tables", target.cookies[0], {"settings": {"seats": 6}}, SOURCE)
    await asyncio.gather(*(for_ever(partial(signal_others, target, made["code"], cookie)) for cookie in target.cookies))


async def signal_others(target: Target, code: str, cookie: str) -> None:
    """Join a table, turn voice on, and send signals until the server closes the connection."""
    others: list[str] = []

    def on_text(text: bytes) -> None:
        message = msgspec.json.decode(text)
        if message["type"] in ("welcome", "table"):
            others[:] = message["table"]["voices"]

    socket = await Socket.connect(target.address, f"/ws/{code}", cookie, on_text, SOURCE)
    await socket.opened
    for opening in (b'{"type":"hello","v":1}', b'{"type":"sit"}', b'{"type":"voice","on":true}'):
        socket.send(opening)
        await asyncio.sleep(0.2)
    while not socket.is_closed:
        for player in others:
            socket.send(msgspec.json.encode({"type": "signal", "player": player, "data": "x" * SIGNAL_CHARS}))
        await asyncio.sleep(0)


async def seat_among_masters(target: Target) -> LoadTable:
    """Returns a new table of the attacker with masters."""
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
    """Do nothing."""
    await asyncio.sleep(3600)


async def busy_loop(target: Target) -> None:
    """Use a core without contacting the server."""
    while target:
        await asyncio.sleep(0)


KINDS: Final = {
    "nothing": AttackKind("", "none: the attacker's core is busy, and nothing is sent", busy_loop),
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
        "1.3", "8 connections request the QR code of a table", lambda t: ask_paths(t, 8, f"/qr/{t.code}.svg")
    ),
    "qr of none": AttackKind(
        "1.3", "the same for a table that is not there", lambda t: ask_paths(t, 8, "/qr/ZZZZZZ.svg")
    ),
    "records": AttackKind(
        "1.3",
        "8 connections request the record of a match",
        lambda t: ask_paths(t, 8, f"/api/matches/{t.match}/record"),
        moves=250,
    ),
    "replays": AttackKind(
        "1.3", "the same for its replay", lambda t: ask_paths(t, 8, f"/api/matches/{t.match}/replay"), moves=250
    ),
    "rules": AttackKind(
        "1.3",
        "8 connections request rules with ever new names",
        lambda t: ask_paths(t, 8, *(f"/api/rules/classic+winning_score={n}" for n in range(100, 1000, 5))),
    ),
    "crowd": AttackKind("1.4", "500 big screens at one table", crowd),
    "coming and going": AttackKind("1.4", "120 persons come to a table and go", come_and_go, 120),
    "codes": AttackKind("1.5", "32 connections guess codes of tables", guess),
    "duplicate codes": AttackKind(
        "1.5", "the same for codes of duplicate matches", partial(guess, path="/api/duplicates/")
    ),
    "device codes": AttackKind("1.5", "the same for codes that join two devices", guess_devices, 3),
    "passkeys": AttackKind("1.5", "32 connections begin and answer sign-ins by passkeys", try_passkeys, 3),
    "own data": AttackKind("1.3", "8 connections download all data of a person", request_own_data, 1),
    "previews": AttackKind(
        "1.3",
        "8 connections request the picture of a table in play",
        lambda t: ask_paths(t, 8, f"/t/{t.code}/preview.png"),
    ),
    "embedded pages": AttackKind(
        "1.3",
        "8 connections request the page, a replay and texts for other sites",
        lambda t: ask_paths(
            t, 8, "/embed/", f"/embed/api/matches/{t.match}/replay", "/embed/web/0/rules/classic-en.json"
        ),
        moves=250,
    ),
    "names": AttackKind("1.5", "32 connections take names", sign_up),
    "tables": AttackKind("1.5", "32 connections make tables", make_tables, 1),
    "daily tries": AttackKind(
        "1.5", "32 connections begin tries at daily deals, their own, of no game and of nobody", try_daily_deals, 3
    ),
    "daily results": AttackKind(
        "1.3",
        "8 connections request results and secrets of daily deals, with 1,000 results of today",
        request_daily_results,
        3,
        results=1000,
    ),
    "duplicates": AttackKind("1.5", "32 connections open duplicate matches of ten tables", open_duplicates, 1),
    "open seats": AttackKind("1.5", "32 connections take seats at open tables, with 15 names", take_open_seats, 15),
    "notifications": AttackKind(
        "1.5", "32 connections add and list places for notifications, with 15 names", add_notification_places, 15
    ),
    "thinking": AttackKind("1.6", "20 tables of masters, and hints without end", request_hints, 1),
    "signals": AttackKind("1.4", "6 persons at a table send each other signals of voice without end", flood_signals, 6),
    "sweep": AttackKind("1.7", "1,000 tables have been abandoned", wait, moves=100),
    "readiness": AttackKind("1.8", "8 connections request /readyz", lambda t: ask_paths(t, 8, "/readyz")),
}
"""All attacks, by name."""


def main(arguments: Sequence[str]) -> None:
    """Run the command line."""
    target = msgspec.json.decode(sys.stdin.buffer.read(), type=Target)

    async def run() -> None:
        await KINDS[arguments[0]].run(target)

    uvloop.run(run())


if __name__ == "__main__":
    main(sys.argv[1:])
