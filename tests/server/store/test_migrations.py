"""The schema, from the first to the newest, with rows in it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect, text

from lastcard.errors import StoreError
from lastcard.server.store.rows import MoveRow, Player, TableRow
from lastcard.server.store.schema import METADATA
from lastcard.server.store.steps import upgrade
from lastcard.server.store.store import Store
from support.store_samples import a_match, insert_first_rows

FIRST = "0001"


@pytest.fixture
def connection(database: str) -> Iterator[Connection]:
    """A transaction on an empty database of each kind."""
    engine = create_engine(database.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def test_from_the_first_schema_to_the_newest(database: str, connection: Connection) -> None:
    """The rows of the first schema are all there in the newest, and the newest is what the code works with."""
    upgrade(connection, "test", FIRST)
    insert_first_rows(connection)
    upgrade(connection, "test")
    context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
    assert compare_metadata(context, METADATA) == []
    connection.commit()

    async def read() -> None:
        store = Store.open(database)
        try:
            rules = "classic+stacking=same+jump_in+jump_in_stack=replace"  # LC-41: what the old name meant
            assert await store.load_match("match-1") == a_match("match-1", rules=rules)
            assert await store.moves("match-1") == [MoveRow("match-1", 0, "command-0", 2, 77, 5)]
            assert await store.load_table("ABC234") == TableRow("ABC234", 7, b"doc", 8)
            assert await store.player_by_token("a" * 64) == Player("ada", "Ada", "en")
        finally:
            store.close()

    asyncio.run(read())


def test_the_steps_are_one_line() -> None:
    """Every step follows another one, and the first is still the first."""
    config = Config()
    config.set_main_option("script_location", "lastcard.server.store:migrations")
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_bases() == [FIRST]
    assert len(scripts.get_heads()) == 1


def test_primary_keys_and_unique_constraints(connection: Connection) -> None:
    """What the log rests on is in the database itself: the comparison above does not see primary keys."""
    upgrade(connection, "test")
    facts = inspect(connection)
    for table in METADATA.sorted_tables:
        assert facts.get_pk_constraint(table.name)["constrained_columns"] == [c.name for c in table.primary_key]
    (unique,) = facts.get_unique_constraints("move")
    assert unique["column_names"] == ["match", "command_id"]


def test_a_database_of_a_newer_lastcard(database: str) -> None:
    """It is left alone, and the message says what to do."""
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


def test_many_workers_start_at_once(postgres_database: str) -> None:
    """One makes the schema, the others find it made."""

    async def start() -> None:
        stores = await asyncio.gather(*[asyncio.to_thread(Store.open, postgres_database) for _ in range(6)])
        for store in stores:
            assert await store.load_table("ABC234") is None
            store.close()

    asyncio.run(start())
