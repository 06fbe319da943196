"""What the server counts, for Prometheus. Numbers only: no names, codes or addresses."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from lastcard.engine.jit import form

REGISTRY: Final = CollectorRegistry()

MOVES: Final = Counter("lastcard_moves", "Moves committed.", registry=REGISTRY)
COMMIT: Final = Histogram(
    "lastcard_commit_seconds",
    "One commit of moves, however many share it.",
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2),
    registry=REGISTRY,
)
SOCKETS: Final = Gauge("lastcard_sockets", "Open WebSockets.", registry=REGISTRY)
TABLES: Final = Gauge("lastcard_tables", "Tables in memory.", registry=REGISTRY)
DROPS: Final = Counter("lastcard_outbox_drops", "Browsers cut off because they did not read.", registry=REGISTRY)
REFUSED: Final = Counter(
    "lastcard_refused", "Messages and calls refused by limits or form.", ["code"], registry=REGISTRY
)
FAULTS: Final = Counter("lastcard_faults", "Errors nobody expected; see the log.", registry=REGISTRY)
KERNEL: Final = Gauge("lastcard_kernel", "The form of the kernel in use.", ["form"], registry=REGISTRY)


def serve(host: str, port: int) -> ThreadingHTTPServer:
    """Answer with all numbers at an address of their own, in a thread, until the process ends.

    Raises:
        OSError: where that address cannot be had.
    """
    server = ThreadingHTTPServer((host, port), _Page)
    Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server


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
    """All numbers in the text format of Prometheus."""
    KERNEL.clear()  # native code may have taken over since
    KERNEL.labels(form().name).set(1)
    return generate_latest(REGISTRY)
