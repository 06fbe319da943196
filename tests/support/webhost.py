"""A web host that knows nothing but files, which it sends compressed: what a site without a server finds."""

from __future__ import annotations

import gzip
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

_PACKED: Final = (".html", ".js", ".css", ".json", ".svg", ".wasm", ".webmanifest")
_TYPES: Final = {".wasm": "application/wasm", ".js": "text/javascript"}
_PIECE: Final = 2048
"""Bytes that go over a slow line at once."""


class SlowLine:
    """A line that all connections share.

    Args:
        rate: bytes a second.
        delay: seconds until something comes back, whether a connection is opened or an answer wanted.
    """

    def __init__(self, rate: float, delay: float) -> None:
        self.delay = delay
        self._rate = rate
        self._free = 0.0
        self._lock = threading.Lock()

    def carry(self, size: int) -> None:
        """Wait until so many bytes are through."""
        with self._lock:
            self._free = max(time.monotonic(), self._free) + size / self._rate
            until = self._free
        time.sleep(max(0.0, until - time.monotonic()))


_compressed = lru_cache(maxsize=1000)(gzip.compress)
"""A file as it is sent, which takes a second for all of a site."""


class WebHost(ThreadingHTTPServer):
    """A host on this machine.

    Args:
        folder: with all there is.
        line: over which browsers reach it; one that takes no time.
    """

    daemon_threads = True

    def __init__(self, folder: Path, line: SlowLine | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Files)
        self.folder = folder
        self.line = line
        self.sent: list[tuple[str, int]] = []
        """Paths that were asked for, with the bytes of the answers, heads included."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser hangs up when its page is closed; all else is told."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    @property
    def url(self) -> str:
        """The address, with a slash at its end; a browser takes a host of its own machine for safe."""
        return f"http://localhost:{self.server_port}/"


class _Files(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: WebHost

    def setup(self) -> None:
        super().setup()
        if self.server.line:
            time.sleep(self.server.line.delay)

    def do_GET(self) -> None:
        """Answer with a file, in gzip where it gains by that."""
        name = urlsplit(self.path).path
        path = self.server.folder / name.strip("/")
        if path.is_dir() and name.endswith("/"):
            path /= "index.html"
        if not path.is_file():
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        body = path.read_bytes()
        packed = path.suffix in _PACKED
        body = _compressed(body) if packed else body
        head = [
            f"HTTP/1.1 {HTTPStatus.OK} OK",
            f"content-type: {_TYPES.get(path.suffix) or self.guess_type(path)}",
            f"content-length: {len(body)}",
            "cache-control: no-cache",
            *(["content-encoding: gzip"] if packed else []),
        ]
        answer = "\r\n".join([*head, "", ""]).encode() + body
        self.server.sent.append((name, len(answer)))
        self._send(answer)

    def _send(self, answer: bytes) -> None:
        line = self.server.line
        if not line:
            self.wfile.write(answer)
            return
        time.sleep(line.delay)
        for at in range(0, len(answer), _PIECE):
            line.carry(len(answer[at : at + _PIECE]))
            self.wfile.write(answer[at : at + _PIECE])

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def hosting(folder: Path, line: SlowLine | None = None) -> Iterator[WebHost]:
    """Let a folder be found by browsers of this machine.

    Args:
        folder: with all there is.
        line: over which they reach it; one that takes no time.
    """
    host = WebHost(folder, line)
    thread = threading.Thread(target=host.serve_forever)
    thread.start()
    try:
        yield host
    finally:
        host.shutdown()
        host.server_close()
        thread.join()
