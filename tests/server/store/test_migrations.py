"""The schema that migrations create, and databases of other versions."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect, text
from structlog.testing import capture_logs

from lastcard.errors import StoreError
from lastcard.server.store.maintenance import inspect_database
from lastcard.server.store.schema import METADATA
from lastcard.server.store.schema_version import upgrade
from lastcard.server.store.store import Store

pytestmark = pytest.mark.real_time


FIRST = "1"


@pytest.fixture
def connection(database: str) -> Iterator[Connection]:
    """A transaction on an empty database of each kind."""
    engine = create_engine(database.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def test_the_initial_migration_creates_the_schema_of_the_code(connection: Connection) -> None:
    upgrade(connection, "test")
    context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
    assert compare_metadata(context, METADATA) == []


def test_the_steps_are_one_line() -> None:
    """Every migration follows another one, and the first one never changes."""
    config = Config()
    config.set_main_option("script_location", "lastcard.server.store:migrations")
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_bases() == [FIRST]
    assert len(scripts.get_heads()) == 1


def test_primary_keys_and_unique_constraints(connection: Connection) -> None:
    """Constraints of the log are in the database itself: the comparison above does not see primary keys."""
    upgrade(connection, "test")
    facts = inspect(connection)
    for table in METADATA.sorted_tables:
        assert facts.get_pk_constraint(table.name)["constrained_columns"] == [c.name for c in table.primary_key]
    (unique,) = facts.get_unique_constraints("move")
    assert unique["column_names"] == ["match", "command_id"]


def test_a_database_of_a_newer_lastcard(database: str) -> None:
    """The database does not change, and the message says what to do."""
    Store.open(database).close()
    engine = create_engine(database.replace("postgresql://", "postgresql+psycopg://"))
    change = text("UPDATE alembic_version SET version_num = :version")
    with engine.begin() as connection:
        newest = connection.scalar(text("SELECT version_num FROM alembic_version"))
        connection.execute(change, {"version": "9999"})
    with pytest.raises(StoreError, match="newer lastcard: update lastcard"):
        Store.open(database)
    with engine.begin() as connection:
        connection.execute(change, {"version": newest})
    engine.dispose()
    Store.open(database).close()


@pytest.mark.parametrize("version", ["0001", "0006", None])
def test_a_database_of_an_unreleased_lastcard(database: str, version: str | None, tmp_path: Path) -> None:
    """PostgreSQL refuses it and changes nothing. A file is renamed, and an empty database begins."""
    with closing(Store.open(database)) as store:
        asyncio.run(store.create_table("ABC234", b"doc"))
    engine = create_engine(database.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        if version is None:
            connection.execute(text("DROP TABLE alembic_version"))
        else:
            connection.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})
    engine.dispose()
    with pytest.raises(StoreError, match=r"unreleased version of lastcard.*not changed: move it away, or name another"):
        inspect_database(database)
    file, expected = tmp_path / "tables.db", []
    for _ in range(2):
        if database.startswith("postgresql"):
            with pytest.raises(StoreError, match=r"unreleased version of lastcard.*not changed"):
                Store.open(database)
            continue
        unreleased = file.read_bytes()
        with capture_logs() as logs, closing(Store.open(database)) as store:
            assert asyncio.run(store.load_table("ABC234")) is None
        assert file.stat().st_mode & 0o777 == 0o600
        (log,) = logs
        expected.append(renamed := Path(log["renamed"]))
        assert log["log_level"] == "warning" and "unreleased" in log["event"] and log["database"] == str(file)
        assert sorted(tmp_path.glob("*.unreleased*")) == sorted(expected)
        assert renamed.read_bytes() == unreleased
        file.write_bytes(unreleased)
    if database.startswith("postgresql"):
        with engine.begin() as connection:
            assert connection.scalar(text("SELECT code FROM table_state")) == "ABC234"
    engine.dispose()


async def test_many_workers_start_at_once(postgres_database: str) -> None:
    """One worker creates the schema, the others find it."""
    stores = await asyncio.gather(*[asyncio.to_thread(Store.open, postgres_database) for _ in range(6)])
    for store in stores:
        assert await store.load_table("ABC234") is None
        store.close()
