"""PostgreSQL restarted, gone, or disconnected at the moment of a commit; a frozen worker."""

from __future__ import annotations

import asyncio
import select
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest
from sqlalchemy import event

from lastcard.errors import StoreError
from lastcard.server.store import database as store_database
from lastcard.server.store import database_address as store_place
from lastcard.server.store import store as store_module
from lastcard.server.store import writer as store_writer
from lastcard.server.store.rows import Appended
from lastcard.server.store.store import Store
from support.services import LOOPBACK, ServiceProcess
from support.store_samples import make_move_row

pytestmark = pytest.mark.real_time


async def test_the_database_is_restarted_at_once(postgres_server: tuple[ServiceProcess, str]) -> None:
    """Moves during the crash and the restart are neither lost nor doubled, and nobody gets an error."""
    server, address = postgres_server
    stopping = threading.Event()

    async def play(match: str) -> int:
        ply = 0
        while not stopping.is_set():
            answer, at = await store.append(make_move_row(ply, match))
            assert answer is not Appended.TAKEN and at == ply
            ply += 1
        assert await store.save_table("ABC234", 1, b"doc") is None
        return ply

    with closing(Store.open(address)) as store:
        players = [asyncio.create_task(play(f"match-{i}")) for i in range(8)]
        for _ in range(2):
            await asyncio.sleep(0.2)
            await asyncio.to_thread(server.stop, signal.SIGQUIT)
            await asyncio.to_thread(server.start)
        await asyncio.sleep(0.2)
        stopping.set()
        for i, plies in enumerate(await asyncio.gather(*players)):
            assert await store.read_moves(f"match-{i}") == [make_move_row(ply, f"match-{i}") for ply in range(plies)]


async def test_the_database_is_gone(
    postgres_server: tuple[ServiceProcess, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a while waiting clients get an error; when it is back everything works again."""
    server, address = postgres_server
    monkeypatch.setattr(store_writer, "OUTAGE_LIMIT_S", 0.3)
    monkeypatch.setattr(store_module, "OUTAGE_LIMIT_S", 0.3)
    with closing(Store.open(address)) as store:
        assert await store.append(make_move_row(0)) == (Appended.COMMITTED, 0)
        await asyncio.to_thread(server.stop)
        for attempt in (
            store.append(make_move_row(1)),
            store.read_moves("match-1"),
            store.create_table("ABC234", b""),
            store.ping(),
        ):
            with pytest.raises(StoreError, match="cannot be reached") as caught:
                await attempt
            assert not caught.value.outcome_unknown
        await asyncio.to_thread(server.start)
        await store.ping()
        assert await store.append(make_move_row(1)) == (Appended.COMMITTED, 1)
        assert await store.create_table("ABC234", b"")


async def test_several_queries_share_one_timeout(
    postgres_server: tuple[ServiceProcess, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Joining a table takes several queries; after the database was back, the time starts anew."""
    server, address = postgres_server
    for module in (store_writer, store_module, store_database):
        monkeypatch.setattr(module, "OUTAGE_LIMIT_S", 2.0)

    async def come() -> None:
        for ask in (
            lambda: store.load_table("ABC234"),
            lambda: store.player_by_token(""),
            lambda: store.append(make_move_row(0)),
        ):
            with pytest.raises(StoreError, match="cannot be reached"):
                await ask()

    with closing(Store.open(address)) as store:
        await asyncio.to_thread(server.stop)
        began = time.monotonic()
        await asyncio.gather(*(come() for _ in range(20)))
        assert 2.0 <= time.monotonic() - began < 4.0
        await asyncio.to_thread(server.start)
        assert await store.load_table("ABC234") is None
        monkeypatch.undo()
        await asyncio.to_thread(server.stop)
        asked = asyncio.create_task(store.load_table("ABC234"))
        await asyncio.sleep(0.2)
        await asyncio.to_thread(server.start)
        assert await asked is None


class CuttableProxy:
    """A proxy to a server at a port that can cut the connection between a commit and its confirmation."""

    def __init__(self, port: int) -> None:
        self.cut_after: bytes | None = None
        """Cut the connection as soon as the server's answer contains this."""
        self._port = port
        self._listener = socket.create_server((LOOPBACK, 0))
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._accept)
        self._thread.start()

    def close(self) -> None:
        """Accept no more clients, and wait until all have disconnected."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()

    def _accept(self) -> None:
        lines = []
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                lines.append(threading.Thread(target=self._carry, args=(client,)))
                lines[-1].start()
        for line in lines:
            line.join()

    def _carry(self, client: socket.socket) -> None:
        """Forward data until one side disconnects or the connection is cut."""
        cut = False
        with client, socket.create_connection((LOOPBACK, self._port)) as server, suppress(OSError):
            while True:
                ready, _, _ = select.select([client, server], [], [])
                for end in ready:
                    data = end.recv(65536)
                    if not data or (cut and end is server):
                        return
                    if end is client and self.cut_after is not None and self.cut_after in data:
                        cut, self.cut_after = True, None
                    (server if end is client else client).sendall(data)


@pytest.fixture
def cable(postgres_database: str) -> Iterator[tuple[CuttableProxy, str]]:
    """A proxy to a database, and its address."""
    before, _, name = postgres_database.rpartition("/")
    user, _, place = before.rpartition("@")
    cable = CuttableProxy(int(place.rpartition(":")[2]))
    yield cable, f"{user}@{LOOPBACK}:{cable.port}/{name}"
    cable.close()


async def test_a_lost_confirmation_of_a_row(cable: tuple[CuttableProxy, str]) -> None:
    """A row whose confirmation never came is found again, not written twice and not refused."""
    line, address = cable
    with closing(Store.open(address)) as store:
        line.cut_after = b"INSERT INTO move"
        assert await store.append(make_move_row(0)) == (Appended.DUPLICATE, 0)
        assert line.cut_after is None
        assert await store.append(make_move_row(1)) == (Appended.COMMITTED, 1)
        assert await store.read_moves("match-1") == [make_move_row(0), make_move_row(1)]


async def test_a_lost_confirmation_of_a_change(cable: tuple[CuttableProxy, str]) -> None:
    """A change without a command id cannot be repeated: the error says that it may have been done."""
    line, address = cable
    with closing(Store.open(address)) as store:
        line.cut_after = b"COMMIT"
        with pytest.raises(StoreError) as caught:
            await store.create_table("ABC234", b"doc")
        assert caught.value.outcome_unknown
        assert await store.load_table("ABC234") is not None


@pytest.mark.parametrize("moment", ["release_savepoint", "commit"])
async def test_a_worker_is_frozen_in_a_change(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """The locks of the worker expire after a while, then others go on; when it continues, its change has failed."""
    monkeypatch.setattr(store_place, "IDLE_TRANSACTION_S", 0.5)
    freezing = threading.Event()

    def freeze(*_: object) -> None:
        if not freezing.is_set():
            freezing.set()
            time.sleep(1.5)

    with closing(Store.open(postgres_database)) as frozen, closing(Store.open(postgres_database)) as awake:
        assert await awake.create_table("ABC234", b"")
        event.listen(frozen._database.engine, moment, freeze)
        late = asyncio.create_task(frozen.save_table("ABC234", 1, b"late"))
        await asyncio.to_thread(freezing.wait)
        assert await awake.save_table("ABC234", 1, b"soon") == 2
        assert await late is None


def test_options_in_the_address(postgres_database: str) -> None:
    """Options of the address are added to our own, and override them."""
    for option, name, value in (
        ("statement_timeout%3D1234", "statement_timeout", "1234ms"),
        ("statement_timeout%3D1234", "idle_in_transaction_session_timeout", "3s"),
        ("idle_in_transaction_session_timeout%3D60s", "idle_in_transaction_session_timeout", "1min"),
    ):
        with (
            closing(Store.open(f"{postgres_database}?options=-c%20{option}")) as store,
            store._database.engine.connect() as connection,
        ):
            assert connection.exec_driver_sql(f"SHOW {name}").scalar() == value
