"""A push service and a webhook on this machine: they record what arrives, and a browser's keys read the messages."""

from __future__ import annotations

import base64
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Received(NamedTuple):
    """A request that has arrived."""

    path: str
    headers: dict[str, str]
    body: bytes


class PushService:
    """A server of HTTP that answers with ``status``."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.status = 201
        self.location = ""
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                service.received.append(Received(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                self.send_response(service.status)
                if service.location:
                    self.send_header("location", service.location)
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"


@contextmanager
def run_push_service() -> Iterator[PushService]:
    service = PushService()
    thread = threading.Thread(target=service.server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield service
    finally:
        service.server.shutdown()
        thread.join()
        service.server.server_close()


class BrowserSubscription:
    """The keys of a browser."""

    def __init__(self) -> None:
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        self._private = ec.generate_private_key(ec.SECP256R1())
        self._secret = os.urandom(16)
        point = self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.keys = {"p256dh": _encode(point), "auth": _encode(self._secret)}

    def read(self, body: bytes) -> bytes:
        """Decrypt a message."""
        from http_ece import decrypt

        text: bytes = decrypt(body, private_key=self._private, auth_secret=self._secret, version="aes128gcm")
        return text


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
