"""A worker: a process with the server's registry of tables, which may crash, stop, freeze, and start again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Final

from starlette.datastructures import State
from starlette.websockets import WebSocket

from lastcard.errors import StoreError
from lastcard.server.http.requests import CallerLimits
from lastcard.server.http.table_socket import table_socket
from lastcard.server.security.security import COOKIE
from lastcard.server.table.matchmaking import Matchmaker
from lastcard.server.table.table_registry import TableRegistry
from tools.simulate.checks import Checks
from tools.simulate.clock import OUTSIDE, Loop, Process
from tools.simulate.network import BusNetwork, Link, WorkerBus
from tools.simulate.storage import Disk, WorkerStore

_ORIGIN: Final = "localhost"
_RESTART_S: Final = 1.0


class Worker:
    """A worker with all its connections."""

    def __init__(self, name: str, loop: Loop, disk: Disk, network: BusNetwork, checks: Checks) -> None:
        self.name = name
        self.process = Process(name)
        self.links: set[Link] = set()
        self.is_up = False
        self._is_stopping = False
        self.registry: TableRegistry
        self._loop = loop
        self._disk = disk
        self._network = network
        self._checks = checks

    def start(self) -> None:
        """Start a new process, instead of one that is still there; it has nothing but what the store has."""
        if self.is_up:
            self.crash()
        self.process = Process(self.name)
        self._store, self._bus = WorkerStore(self._disk), WorkerBus(self._network)
        # The registry uses the loop only later.
        registry = TableRegistry(self._store, self._bus, public_url=f"http://{_ORIGIN}")  # type: ignore[arg-type]
        self.registry = registry
        site = SimpleNamespace(public_url=None)
        self._app = SimpleNamespace(
            state=State(
                {
                    "store": self._store,
                    "registry": registry,
                    "site": site,
                    "limits": CallerLimits(),
                    "moderation": registry.moderation,
                }
            )
        )
        self.is_up, self._is_stopping = True, False
        self.run(self._open())

    def new_matchmaker(self) -> Matchmaker:
        """Return what gives seats at open tables through this worker."""
        return Matchmaker(self._store, self.registry)  # type: ignore[arg-type]

    async def _open(self) -> None:
        try:
            await self.registry.open()
        except StoreError:  # the process ends, and is started again
            self._loop.call_later(_RESTART_S, self._start_again, self.process, context=OUTSIDE)

    def _start_again(self, failed: Process) -> None:
        if self.process is failed and self.is_up:
            self.start()

    def run(self, work: Any) -> Any:
        """Run a coroutine as a task of the process."""
        return self._loop.create_task(work, context=self.process.context.copy())

    def crash(self) -> None:
        """End the process at once; what it was doing is not finished."""
        self.is_up = False
        self._store.is_cut = True
        self._bus.cut()
        for link in tuple(self.links):
            link.abort()
        self.links.clear()
        self._loop.end(self.process)

    async def stop(self) -> None:
        """Close all tables in order, then end the process."""
        self._is_stopping = True
        await self.registry.close()
        self.crash()

    def accept(self, link: Link, code: str, token: str | None, address: str) -> None:
        """Serve a connection."""
        self.links.add(link)
        cookie = [] if token is None else [(b"cookie", f"{COOKIE}={token}".encode())]
        scope = {
            "type": "websocket",
            "app": self._app,
            "path": f"/ws/{code}",
            "path_params": {"code": code},
            "query_string": b"",
            "headers": [(b"host", _ORIGIN.encode()), (b"origin", f"http://{_ORIGIN}".encode()), *cookie],
            "client": (address, 1),
            "state": {"transport": link},
        }
        self.run(self._serve(scope, link, code))

    async def _serve(self, scope: dict[str, Any], link: Link, code: str) -> None:
        """Serve a connection, and check its table after each command."""
        received: list[str] = []

        async def receive() -> dict[str, Any]:
            if not received:
                received.append("connect")
                return {"type": "websocket.connect"}
            if received[-1] == "command" and not self._is_stopping:
                table = next((table for table in self.registry.tables if table.code == code), None)
                if table is not None:
                    self._checks.check_table(table)
            event = await link.inbox.get()
            text = event.get("text", "")
            received[:] = ["command" if text and '"hello"' not in text and '"ping"' not in text else "other"]
            return event

        async def send(event: Any) -> None:
            if event["type"] == "websocket.close":
                link.finish(event.get("code", 1000))

        try:
            await table_socket(WebSocket(scope, receive, send))
        finally:
            self.links.discard(link)
