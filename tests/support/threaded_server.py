"""A table server in a thread, and clients that act like a browser."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette
from websockets import Origin
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from lastcard.server.http.app import Site, create_app
from lastcard.server.http.listening_socket import bind
from lastcard.server.launcher import TableServer, server_config
from lastcard.server.security.admin_auth import AdminAuth
from lastcard.server.security.security import read_networks
from lastcard.server.security.webauthn import open_relying_party
from lastcard.server.store.store import Store
from lastcard.server.table.live_table import LiveTable
from lastcard.server.table.moderation import Moderation
from lastcard.server.table.table_registry import TableRegistry
from lastcard.server.wire.protocol import VERSION
from lastcard.server.wire.worker_bus import open_bus

TIMEOUT_S = 60.0
"""Seconds after which a test gives up waiting."""


class ThreadedServer:
    """A running server."""

    def __init__(self, app: Starlette, port: int) -> None:
        self.app = app
        self.connections = ExitStack()
        """Connections to close at the end."""
        self.host = f"127.0.0.1:{port}"
        self.url = f"http://{self.host}"
        self.call_soon: Callable[[Callable[[], None]], object] = lambda call: None

    def new_client(self, name: str | None = "Ann", **headers: str) -> Client:
        """A browser; with a name it has signed in."""
        client = Client(self, headers)
        if name is not None:
            client.post("/api/me", {"name": name, "language": "en"}).raise_for_status()
        return client

    def table(self, code: str) -> LiveTable:
        """The server's table; read it only while nothing moves."""
        tables: tuple[LiveTable, ...] = self.app.state.registry.tables
        return next(table for table in tables if table.code == code)

    def run_in_loop(self, call: Callable[[], None]) -> None:
        """Call a function in the server's thread, and wait for it."""
        done = threading.Event()

        def run() -> None:
            call()
            done.set()

        self.call_soon(run)
        assert done.wait(TIMEOUT_S)


class Client:
    """A cookie jar that sends requests, all with some headers, and opens WebSockets."""

    def __init__(self, server: ThreadedServer, headers: dict[str, str]) -> None:
        self.server = server
        self.http = server.connections.enter_context(
            # Nothing is encrypted, and loading the system's certificates takes longer than most tests.
            httpx.Client(
                base_url=server.url, headers={"origin": server.url, **headers}, timeout=TIMEOUT_S, verify=False
            )
        )

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.http.get(path, headers=headers)

    def post(self, path: str, body: object, **headers: str) -> httpx.Response:
        return self.http.post(path, json=body, headers=headers)

    def create_table(self, **wanted: object) -> str:
        """The code of a new table."""
        answer = self.post("/api/tables", wanted)
        answer.raise_for_status()
        return str(answer.json()["code"])

    def connect(self, code: str, origin: str | None = "", **headers: str) -> Socket:
        """A WebSocket to a table from a page, of the server's own origin by default."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        connection = connect(
            f"ws://{self.server.host}/ws/{code}",
            origin=None if origin is None else Origin(origin or self.server.url),
            additional_headers={**headers, **({"Cookie": cookies} if cookies else {})},
            open_timeout=TIMEOUT_S,
            close_timeout=TIMEOUT_S,
        )
        return Socket(self.server.connections.enter_context(connection))

    def upgrade_request(self, code: str) -> bytes:
        """The request for a WebSocket to a table, for a connection of the test's own."""
        return (
            f"GET /ws/{code} HTTP/1.1\r\nHost: {self.server.host}\r\nOrigin: {self.server.url}\r\n"
            f"Cookie: lastcard={self.http.cookies['lastcard']}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        ).encode()

    def greet(self, code: str, **hello: object) -> Socket:
        """A WebSocket that has sent hello."""
        socket = self.connect(code)
        socket.send(type="hello", **{"v": VERSION, **hello})
        return socket

    def join(self, code: str, **hello: object) -> Socket:
        """A WebSocket that has sent hello and got welcome."""
        socket = self.greet(code, **hello)
        socket.welcome = socket.receive("welcome")
        return socket


class Socket:
    """A WebSocket that speaks JSON."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.welcome: dict[str, Any] = {}

    def send(self, **message: object) -> None:
        self.connection.send(json.dumps(message))

    def ping(self) -> None:
        """Check that the server answers."""
        self.send(type="ping", t=7)
        assert self.receive("pong")["t"] == 7

    def receive(self, *kinds: str) -> dict[str, Any]:
        """The next message of some kinds; skips others."""
        until = time.monotonic() + TIMEOUT_S
        while True:
            message = json.loads(self.connection.recv(timeout=until - time.monotonic()))
            if message["type"] in kinds:
                return dict(message)

    def wait_closed(self) -> tuple[str | None, int]:
        """Wait for the end; returns the reason in the server's bye, and the close code."""
        why = None
        with suppress(ConnectionClosed):
            while True:
                message = json.loads(self.connection.recv(timeout=TIMEOUT_S))
                why = message["why"] if message["type"] == "bye" else why
        assert self.connection.close_code is not None
        return why, self.connection.close_code


def app_client(store: Store, analysis: str = "server") -> httpx.AsyncClient:
    """A client of the application over a store, without a server; nobody is at a table."""
    url, bus = "http://table", open_bus(None)
    app = create_app(store, bus, TableRegistry(store, bus, public_url=url), Site(url, analysis=analysis))
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=url, headers={"origin": url}, verify=False)


def app_of(client: httpx.AsyncClient) -> Starlette:
    """The application of such a client."""
    transport: Any = client._transport
    app: Starlette = transport.app
    return app


def error_of(answer: httpx.Response) -> tuple[int, str]:
    """The status and the error code of an answer."""
    return answer.status_code, answer.json()["error"]


@contextmanager
def run_threaded_server(
    folder: Path,
    public_url: str | None = None,
    admin_token: str | None = None,
    *,
    solo: str = "server",
    analysis: str = "server",
    open_tables: bool = False,
    embed_origins: tuple[str, ...] = (),
    notify: str = "",
) -> Iterator[ThreadedServer]:
    """A server with a database in a folder; it replaces ``{port}`` in its public address.

    Without an admin token there is no admin page; the other options are those of ``Site``, and ``notify`` are networks
    for notifications.
    """
    listener = bind("127.0.0.1", 0)
    port = listener.getsockname()[1]
    store, bus = Store.open(f"sqlite:///{folder / 'tables.sqlite'}"), open_bus(None)
    public_url = public_url and public_url.replace("{port}", str(port))
    address = public_url or f"http://127.0.0.1:{port}"
    moderation = Moderation(store, bus, has_reader=admin_token is not None)
    registry = TableRegistry(store, bus, public_url=address, moderation=moderation)
    admin_auth = None if admin_token is None else AdminAuth(admin_token)
    threaded_server = ThreadedServer(
        create_app(
            store,
            bus,
            registry,
            Site(
                address,
                public_url,
                solo_play=solo,
                analysis=analysis,
                open_tables=open_tables,
                embed_origins=embed_origins,
                relying_party=open_relying_party(public_url),
                notify_networks=tuple(read_networks(notify, "--notify-networks")),
            ),
            admin_auth,
        ),
        port,
    )
    ready = threading.Event()

    def on_started() -> None:
        threaded_server.call_soon = asyncio.get_running_loop().call_soon_threadsafe
        ready.set()

    server = TableServer(server_config(threaded_server.app), on_started, registry.close)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        assert ready.wait(TIMEOUT_S)
        with threaded_server.connections:
            yield threaded_server
    finally:
        server.should_exit = True
        thread.join(TIMEOUT_S)
        assert not thread.is_alive()
