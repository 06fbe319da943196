"""Metrics for Prometheus. They contain only numbers: no names, codes or addresses."""

from __future__ import annotations

import platform
import socket
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector, generate_latest

from lastcard import __version__
from lastcard.kernel.jit import backend

REGISTRY: Final = CollectorRegistry()
ProcessCollector(registry=REGISTRY)  # processor time, memory, open files, start; nothing without /proc

BUILD: Final = Info("lastcard_build", "What is running.", registry=REGISTRY)
KERNEL: Final = Gauge("lastcard_kernel", "The form of the kernel in use.", ["form"], registry=REGISTRY)

PEOPLE: Final = Gauge("lastcard_people", "Persons who are connected to a table.", registry=REGISTRY)
SOCKETS: Final = Gauge("lastcard_sockets", "Open WebSockets.", registry=REGISTRY)
TABLES: Final = Gauge("lastcard_tables", "Tables in memory.", registry=REGISTRY)
PLAYING: Final = Gauge("lastcard_matches", "Matches being played at tables in memory.", registry=REGISTRY)
STARTED: Final = Counter("lastcard_matches_started", "Matches begun.", registry=REGISTRY)
FINISHED: Final = Counter("lastcard_matches_finished", "Matches played to their end.", registry=REGISTRY)
MOVES: Final = Counter("lastcard_moves", "Moves committed.", registry=REGISTRY)

COMMANDS: Final = Histogram(
    "lastcard_command_seconds",
    "From hearing what somebody at a table asks for until it is done, and saved where that is needed.",
    ["kind"],
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2),
    registry=REGISTRY,
)
COMMIT: Final = Histogram(
    "lastcard_commit_seconds",
    "One commit of moves, however many share it.",
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2),
    registry=REGISTRY,
)

THOUGHTS: Final = Histogram(
    "lastcard_thought_seconds",
    "One thought in a thread: of a bot, by its level, a hint, or a report.",
    ["kind"],
    buckets=(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30),
    registry=REGISTRY,
)
WAITING: Final = Gauge("lastcard_thoughts_waiting", "Thoughts no thread is free for.", ["queue"], registry=REGISTRY)
LATE: Final = Counter("lastcard_thoughts_late", "Moves of bots whose time came before the thought.", registry=REGISTRY)

NOTIFIED: Final = Counter(
    "lastcard_notifications", "Notifications sent, and whether they arrived.", ["kind", "arrived"], registry=REGISTRY
)

DROPS: Final = Counter("lastcard_outbox_drops", "Browsers cut off because they did not read.", registry=REGISTRY)
REFUSED: Final = Counter(
    "lastcard_refused", "Messages and calls refused by limits or form.", ["code"], registry=REGISTRY
)
FAULTS: Final = Counter("lastcard_faults", "Errors nobody expected; see the log.", registry=REGISTRY)


BUILD.info({"version": __version__, "python": platform.python_version()})


def serve(host: str, port: int) -> ThreadingHTTPServer:
    """Serve the metrics at an address of their own in a thread, until the process ends.

    Raises:
        OSError: if that address is not available.
    """
    server = _Server(host, port)
    Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server


class _Server(ThreadingHTTPServer):
    def __init__(self, host: str, port: int) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        super().__init__((host, port), _Page)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that disconnect before the answer; report all other errors."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Page(BaseHTTPRequestHandler):
    timeout = 10

    def do_GET(self) -> None:
        text = exposition() if self.path.partition("?")[0] == "/metrics" else b""
        self.send_response(200 if text else 404)
        self.send_header("content-type", "text/plain; charset=utf-8")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: object) -> None:
        pass


def exposition() -> bytes:
    """Return all metrics in the text format of Prometheus."""
    KERNEL.clear()  # native code may have replaced the backend
    KERNEL.labels(backend().name).set(1)
    return generate_latest(REGISTRY)
