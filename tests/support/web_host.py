"""A static web host that compresses files, for a site without a server."""

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

_COMPRESSED_SUFFIXES: Final = (".html", ".js", ".css", ".json", ".svg", ".wasm", ".webmanifest")
_TYPES: Final = {".wasm": "application/wasm", ".js": "text/javascript"}
_CHUNK_BYTES: Final = 2048
"""Bytes of one transfer over a slow link."""


class SlowLink:
    """A simulated slow network link that all connections share; each connection and answer begins with the delay."""

    def __init__(self, rate_bytes_s: float, delay_s: float) -> None:
        self.delay_s = delay_s
        self._rate_bytes_s = rate_bytes_s
        self._free_at = 0.0
        self._lock = threading.Lock()

    def transfer(self, size: int) -> None:
        """Wait until this many bytes are transferred."""
        with self._lock:
            self._free_at = max(time.monotonic(), self._free_at) + size / self._rate_bytes_s
            until = self._free_at
        time.sleep(max(0.0, until - time.monotonic()))


_compressed = lru_cache(maxsize=1000)(gzip.compress)
"""The compressed file; compressing all files of a site takes a second."""


class WebHost(ThreadingHTTPServer):
    """A host of a folder on this machine; without a link to browsers there is no delay."""

    daemon_threads = True

    def __init__(self, folder: Path, link: SlowLink | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Files)
        self.folder = folder
        self.link = link
        self.sent: list[tuple[str, int]] = []
        """Requested paths with the bytes of the answers, headers included."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a browser that closes its page; report every other error."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    @property
    def url(self) -> str:
        """The address, with a slash at its end; browsers treat a host on their own machine as secure."""
        return f"http://localhost:{self.server_port}/"


class _Files(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: WebHost

    def setup(self) -> None:
        super().setup()
        if self.server.link:
            time.sleep(self.server.link.delay_s)

    def do_GET(self) -> None:
        """Answer with a file, compressed with gzip if that makes it smaller."""
        name = urlsplit(self.path).path
        path = self.server.folder / name.strip("/")
        if path.is_dir() and name.endswith("/"):
            path /= "index.html"
        if not path.is_file():
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        body = path.read_bytes()
        packed = path.suffix in _COMPRESSED_SUFFIXES
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
        link = self.server.link
        if not link:
            self.wfile.write(answer)
            return
        time.sleep(link.delay_s)
        for at in range(0, len(answer), _CHUNK_BYTES):
            link.transfer(len(answer[at : at + _CHUNK_BYTES]))
            self.wfile.write(answer[at : at + _CHUNK_BYTES])

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@contextmanager
def run_web_host(folder: Path, link: SlowLink | None = None) -> Iterator[WebHost]:
    """Serve a folder to browsers of this machine; without a link to them there is no delay."""
    host = WebHost(folder, link)
    thread = threading.Thread(target=host.serve_forever)
    thread.start()
    try:
        yield host
    finally:
        host.shutdown()
        host.server_close()
        thread.join()
