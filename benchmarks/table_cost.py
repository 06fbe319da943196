"""Benchmarks a move on the table server against the server without limits, another checkout, and a bare echo.

python benchmarks/table_cost.py [--windows N] [--seconds S] [--tables N] [--before CHECKOUT] [--only NAME ...] [--save]

All servers run at once on one core, their people on the other, and people play at one server after the other in short
windows. The measure is CPU time per move, of each window relative to the neighboring window of ``lastcard serve``, so
that other load affects both. ``echo`` is ``table_echo.py`` with as many people and bytes.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import fmean, median
from typing import Any, Final

import uvicorn
import uvloop
from machine import HERE, Results, command_line, describe_machine, publish
from starlette.types import Receive, Scope, Send
from table_client import Socket
from table_load import SEATS, Server, ServerLoad, prepare_client, run_server, run_server_program
from table_play import MIN_MOVE_INTERVAL_S, LoadTable
from uvicorn.server import ServerState

from lastcard.server.security.security import Bucket
from lastcard.server.wire.websocket_transport import WebSocketTransport

OWN: Final = "now"
ECHO: Final = "echo"
BEFORE: Final = "before"
UNLIMITED: Final = "without bounds"
UNLIMITED_SCRIPT: Final = """
import sys
from lastcard.server.wire import websocket_transport
class Boundless:
    def __init__(self, *bounds): pass
    def take(self, cost=1): return True
websocket_transport.Bucket = Boundless
from lastcard.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
"""A server that counts only whole messages, no frames and bytes."""
RESAMPLES: Final = 2000
FRAME: Final = b"\x81\xda" + bytes(4) + b"x" * 90
"""A message of a browser with the length of a move."""
UPGRADE_REQUEST: Final = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
"""The upgrade request of a browser."""
FRAMES_PER_RUN: Final = 2000
"""Number of frames parsed at a time."""
REPEATS: Final = 40


class EchoTable(LoadTable):
    """People at a table without a game: they send messages in turn, as fast as they would play."""

    def __init__(self, code: str) -> None:
        super().__init__(code, SEATS)
        self._turn = 0
        self.ready = True

    def make_move(self) -> None:
        """Send a message of the length of a move."""
        if self.ready:
            self.ready = False
            self._turn = (self._turn + 1) % SEATS
            self._sent = asyncio.get_running_loop().time()
            self.sockets[self._turn].send(b'{"type":"act","id":"command-12345","match":"%22s","move":"R5"}' % b"")

    def on_text(self, socket: int, text: bytes) -> None:
        """Handle a message of the server."""
        if text.startswith(b'{"type":"done"'):
            self.moves += 1
            self.ready = True
            if self.go_on:
                loop = asyncio.get_running_loop()
                loop.call_at(max(loop.time(), self._sent + MIN_MOVE_INTERVAL_S), self._go_on)


class EchoTables(ServerLoad):
    """Tables at the echo server."""

    async def grow(self, tables: int) -> None:
        """Seat people."""
        for number in range(tables):
            play = EchoTable(f"{number}")
            for seat in range(SEATS):
                on_text = partial(play.on_text, seat)
                socket = await Socket.connect(self.server.address, f"/ws/{play.code}", "", on_text)
                await socket.opened
                play.sockets.append(socket)
            self.tables.append(play)


async def bytes_of_a_move(load: ServerLoad) -> int:
    """Returns the mean number of bytes that each person at a table gets for a move."""
    sizes: list[int] = []

    def counted(on_text: Any, text: bytes) -> None:
        if text.startswith(b'{"type":"moved"'):
            sizes.append(len(text))
        on_text(text)

    sockets = [socket for play in load.tables for socket in play.sockets]
    for socket in sockets:
        socket.on_text = partial(counted, socket.on_text)
    await load.play_fast(1.0)
    for socket in sockets:
        socket.on_text = socket.on_text.args[0]
    return round(fmean(sizes))


async def compare(servers: dict[str, Server], core: int, args: argparse.Namespace, stack: ExitStack) -> Results:
    """Returns microseconds of CPU time for a move in each window, by server."""
    loads = {name: ServerLoad(server) for name, server in servers.items()}
    for load in loads.values():
        await load.grow(args.tables)
    size = await bytes_of_a_move(loads[OWN])
    if ECHO in args.only:
        command = [sys.executable, str(HERE / "table_echo.py"), "--bytes", str(size), "--port"]
        echo = stack.enter_context(run_server_program(command, args.folder / "echo.log", core))
        loads[ECHO] = EchoTables(echo)
        await loads[ECHO].grow(args.tables)
    found: dict[str, list[float]] = {name: [] for name in loads}
    for window in range(args.windows):
        order = [*loads] if window % 2 else [*reversed(loads)]
        for name in order:
            found[name].append((await loads[name].play_fast(args.seconds))["cpu_us_per_move"])
    for load in loads.values():
        load.close()
    return {"bytes": size, "windows": found}


def estimate_median(values: Sequence[float]) -> tuple[float, float, float]:
    """Returns the median, with a bootstrapped 95 % interval."""
    dice = random.Random(1)
    medians = sorted(median(dice.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return median(values), medians[RESAMPLES // 40], medians[-RESAMPLES // 40]


class UnlimitedBucket(Bucket):
    """A bucket without a limit."""

    def take(self, cost: float = 1) -> bool:
        """Returns True."""
        return True


class NullTransport(asyncio.Transport):
    """A transport without a network, which stores nothing, unlike a mock."""

    def is_closing(self) -> bool:
        """Returns False."""
        return False

    def pause_reading(self) -> None:
        """Do nothing."""

    def resume_reading(self) -> None:
        """Do nothing."""

    def write(self, data: object) -> None:
        """Discard the data."""

    def get_write_buffer_size(self) -> int:
        """Returns 0."""
        return 0

    def close(self) -> None:
        """Do nothing, because it ends with the measurement."""


def measure_parsing(bucket: type[Bucket]) -> float:
    """Returns microseconds in which a connection parses a message, without a network; the bucket counts frames."""

    async def parse_frames() -> float:
        accepted = asyncio.Event()

        async def accept(scope: Scope, receive: Receive, send: Send) -> None:
            await receive()
            await send({"type": "websocket.accept"})
            accepted.set()
            await asyncio.Event().wait()

        config = uvicorn.Config(accept, interface="asgi3", ws="none", lifespan="off", log_config=None)
        config.load()
        line = WebSocketTransport(config, ServerState(), {})
        line.connection_made(NullTransport())
        line.data_received(UPGRADE_REQUEST)
        await accepted.wait()
        line._frames, line._bytes = bucket(1e9, 1e9), bucket(1e9, 1e9)
        start = time.process_time()
        for _ in range(FRAMES_PER_RUN):
            line.data_received(FRAME)
            await line.receive()
        return 1e6 * (time.process_time() - start) / FRAMES_PER_RUN

    return uvloop.run(parse_frames())


def make_page(found: Results, about: Results, args: argparse.Namespace) -> str:
    """Returns the results as a page of Markdown."""
    windows: dict[str, list[float]] = found["windows"]
    own = windows[OWN]
    lines = [
        f"# What a move costs the table server, {about['date']}",
        "",
        f"`{command_line()}`, {about['processor']}, Python",
        f"{about['versions']['python']}, commit {about['commit']}. {args.tables} tables of {SEATS},",
        f"{found['bytes']} bytes of a move to each. {len(own)} windows of {args.seconds:g} s at each server, by turns.",
        "",
        "| | µs of a core for a move: median | least | moves a second of a core | `now` is so many times that | 95 % |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, times in windows.items():
        middle, low, high = estimate_median([a / b for a, b in zip(own, times, strict=True)])
        share = "| |" if name == OWN else f"| {middle:.3f} | {low:.3f}–{high:.3f} |"
        lines.append(f"| {name} | {median(times):.1f} | {min(times):.1f} | {1e6 / median(times):,.0f} {share}")
    counting = [measure_parsing(Bucket) - measure_parsing(UnlimitedBucket) for _ in range(REPEATS)]
    more, low, high = estimate_median(counting)
    lines += [
        "",
        f"Without a network, taking a message apart costs {more:.2f} µs more ({low:.2f}–{high:.2f}) where frames and",
        f"bytes are counted, {more / median(own):.1%} of a move.",
    ]
    return "\n".join([*lines, ""])


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    others = (ECHO, UNLIMITED)
    parser.add_argument("--windows", type=int, default=15, help="at each server (default 15)")
    parser.add_argument("--seconds", type=float, default=1.5, help="of each window (default 1.5)")
    parser.add_argument("--tables", type=int, default=100, help="at each server (default 100)")
    parser.add_argument("--before", type=Path, help="a checkout whose server takes part")
    parser.add_argument(
        "--only", nargs="*", choices=others, default=others, help="which others take part (default all)"
    )
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/table-cost-DATE.md too")
    args = parser.parse_args()
    server_core = prepare_client()
    usual = ("-m", "lastcard")
    wanted: dict[str, tuple[tuple[str, ...], Path | None]] = {OWN: (usual, None)}
    wanted |= {UNLIMITED: (("-c", UNLIMITED_SCRIPT), None)} if UNLIMITED in args.only else {}
    wanted |= {BEFORE: (usual, args.before / "src")} if args.before else {}
    with ExitStack() as stack:
        args.folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        servers = {}
        for name, (program, source) in wanted.items():
            folder = args.folder / name
            folder.mkdir()
            servers[name] = stack.enter_context(run_server(folder, server_core, program, source))
        found = uvloop.run(compare(servers, server_core, args, stack))
    text = make_page(found, describe_machine(), args)
    publish("table-cost", text, save=args.save)


if __name__ == "__main__":
    main()
