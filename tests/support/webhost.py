"""A web host that knows nothing but files, which it sends compressed: what a site without a server finds."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

_PACKED: Final = (".html", ".js", ".css", ".json", ".svg", ".wasm", ".webmanifest")


class _Files(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    extensions_map: Final = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".wasm": "application/wasm",
        ".js": "text/javascript",
    }

    def do_GET(self) -> None:
        """Answer with a file, in gzip where it gains by that."""
        path = Path(self.translate_path(self.path))
        if path.is_dir() and urlsplit(self.path).path.endswith("/"):
            path /= "index.html"
        if not path.is_file():
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        body = path.read_bytes()
        packed = path.suffix in _PACKED
        body = gzip.compress(body) if packed else body
        self.send_response(HTTPStatus.OK)
        self.send_header("content-type", self.guess_type(path))
        self.send_header("content-length", str(len(body)))
        self.send_header("cache-control", "no-cache")
        if packed:
            self.send_header("content-encoding", "gzip")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def hosting(folder: Path) -> Iterator[str]:
    """Let a folder be found by browsers of this machine, which takes a host on it for safe.

    Args:
        folder: with all there is.

    Yields:
        The address, with a slash at its end.
    """
    host = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(folder)))
    host.daemon_threads = True
    thread = threading.Thread(target=host.serve_forever)
    thread.start()
    try:
        yield f"http://localhost:{host.server_port}/"
    finally:
        host.shutdown()
        host.server_close()
        thread.join()
