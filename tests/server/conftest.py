"""Fixtures of the server's tests."""

from __future__ import annotations

import gc
import inspect
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import structlog
from alembic.config import Config
from sqlalchemy import Connection

from lastcard.server.game import advice, thinking
from lastcard.server.security.fair_queue import FairQueue
from lastcard.server.store import database as databases
from lastcard.server.store import schema_version
from lastcard.server.table import live_table, worker_stats
from support import services
from support.fakes import ManualExecutor, MemoryStore, Person, run_instantly, run_usually
from support.threaded_server import Client, ThreadedServer, run_threaded_server

LATER = """
import sqlalchemy
from alembic import op
revision, down_revision = "later", "{older}"
def upgrade():
    op.add_column("player", sqlalchemy.Column("later", sqlalchemy.Text))
    op.create_index("ix_player_later", "player", ["later"])
"""


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark of coroutines whose sleeps take time."""
    config.addinivalue_line("markers", "real_time: run this coroutine in a usual event loop")


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine; its sleeps take no time without the mark ``real_time``."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    run = run_usually if pyfuncitem.get_closest_marker("real_time") else run_instantly
    run(pyfuncitem.obj(**arguments))
    return True


@pytest.fixture(scope="session", autouse=True)
def plain_tracebacks() -> None:
    """Errors are logged without colors and variables, which take a fifth of a second each time."""
    structlog.reset_defaults()  # an earlier server in this process has configured it otherwise
    *processors, _ = structlog.get_config()["processors"]
    written = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*processors, written])


@pytest.fixture(scope="session", autouse=True)
def schema_once() -> Iterator[None]:
    """Migrations run for the first SQLite file; later empty ones get a copy of its tables."""
    made: dict[str, list[str]] = {}

    def upgrade(connection: Connection, name: str) -> None:
        newest, list_tables = schema_version.newest_revision(), "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"
        if connection.dialect.name != "sqlite" or connection.exec_driver_sql(list_tables).first():
            schema_version.upgrade(connection, name)
        elif newest not in made:
            schema_version.upgrade(connection, name)
            made[newest] = [sql for (sql,) in connection.exec_driver_sql(list_tables)]
        else:
            for sql in made[newest]:
                connection.exec_driver_sql(sql)
            connection.exec_driver_sql("INSERT INTO alembic_version VALUES (?)", (newest,))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(databases, "upgrade", upgrade)
        yield


@pytest.fixture(autouse=True)
def own_searches(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Searches neither wait for those of an earlier test nor run on into a later one."""
    threads = max(1, thinking.processors() - 1)
    queue = FairQueue(threads, lambda: thinking.POOL)
    for module in (thinking, advice, live_table, worker_stats):
        monkeypatch.setattr(module, "QUEUE", queue)
    with ThreadPoolExecutor(threads, "thinker") as pool:
        monkeypatch.setattr(thinking, "POOL", pool)
        yield
        monkeypatch.setattr(thinking, "POOL", ManualExecutor())  # what has not begun never does


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL whose user may create databases."""
    with services.running_postgres() as address:
        yield address


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The address of a Redis."""
    with services.running_redis() as address:
        yield address


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    """A server of all tests of a file."""
    with run_threaded_server(tmp_path_factory.mktemp("tables")) as running:
        yield running


@pytest.fixture
def stranger(served: ThreadedServer) -> Client:
    """A browser that has not signed in."""
    return served.new_client(None)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/tables.db"
    else:
        with services.fresh_database(request.getfixturevalue("postgres")) as address:
            yield address


@pytest.fixture
def postgres_database(postgres: str) -> Iterator[str]:
    """The address of an empty PostgreSQL database."""
    with services.fresh_database(postgres) as address:
        yield address


@pytest.fixture
def postgres_server() -> Iterator[tuple[services.ServiceProcess, str]]:
    """A PostgreSQL that may be stopped, and its address."""
    with services.run_service(services.own_postgres(), "postgres") as own:
        yield own


@pytest.fixture
def redis_server() -> Iterator[tuple[services.ServiceProcess, str]]:
    """A Redis that may be stopped, and its address."""
    with services.run_service(services.own_redis(), "redis") as own:
        yield own


@pytest.fixture
def newer_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Simulates a later lastcard whose schema has one more column with an index."""
    (tmp_path / "versions").mkdir()
    (tmp_path / "versions" / "later.py").write_text(
        LATER.format(older=schema_version.newest_revision()), encoding="utf-8"
    )
    present = schema_version._config

    def config() -> Config:
        later = present()
        later.set_main_option("path_separator", "newline")
        own = "lastcard.server.store:migrations/versions"
        later.set_main_option("version_locations", f"{own}\n{tmp_path / 'versions'}")
        return later

    def begin() -> None:
        monkeypatch.setattr(schema_version, "_config", config)
        schema_version._scripts.cache_clear()

    yield begin
    schema_version._scripts.cache_clear()


@pytest.fixture
def no_garbage_collector() -> Iterator[None]:
    """Objects go with their last reference, or not at all."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def store() -> MemoryStore:
    """An empty store in memory."""
    return MemoryStore()


def person_fixture(name: str) -> Callable[[], Person]:
    """A fixture that gives a person of a name."""
    return pytest.fixture(name=name.lower())(lambda: Person(name))


ada, bob, cleo, eve, ann = map(person_fixture, ("Ada", "Bob", "Cleo", "Eve", "Ann"))
