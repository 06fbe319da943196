"""Schema upgrades (docs/server.md): a backup is made first, and the downgrade restores it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest
from sqlalchemy import inspect, text
from structlog.testing import capture_logs

from lastcard.errors import StoreError
from lastcard.server.store import database as databases
from lastcard.server.store.database_address import DatabaseAddress
from lastcard.server.store.maintenance import restore
from lastcard.server.store.rows import Player
from lastcard.server.store.schema_version import newest_revision, revision
from lastcard.server.store.store import Store

OLDER = newest_revision()


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder, which contains backups of PostgreSQL."""
    monkeypatch.setattr(databases, "data_folder", lambda: tmp_path / "data")
    return tmp_path / "data"


def make(address: str) -> None:
    """A database with a row."""
    with closing(Store.open(address)) as store:
        asyncio.run(store.create_player(Player("ada", "Ada", "en"), "a" * 64))


def schema_of(address: str) -> str | None:
    """The schema version of a database."""
    engine = DatabaseAddress(address).connect()
    with engine.connect() as connection:
        found = revision(connection, "test")
    engine.dispose()
    return found


def test_up_with_a_backup_and_back_again(
    database: str, tmp_path: Path, data: Path, newer_schema: Callable[[], None]
) -> None:
    """The server upgrades the database by itself; its backup restores the earlier state."""
    make(database)
    newer_schema()
    assert newest_revision() == "later"
    with capture_logs() as logs:
        Store.open(database).close()
    assert [(log["event"], log["before"], log["now"]) for log in logs] == [("schema brought up", OLDER, "later")]
    with closing(Store.open(database)) as store:
        assert asyncio.run(store.player_by_token("a" * 64)) == Player("ada", "Ada", "en")
    assert schema_of(database) == newest_revision()
    (backup,) = [*tmp_path.glob("*.schema-*"), *data.glob("*.schema-*")]
    assert backup.name.endswith(f".schema-{OLDER}")
    assert schema_of(f"sqlite:///{backup}") == OLDER, "an older lastcard opens the file as it is"
    assert restore(backup, database, overwrite=True, no_migrate=True) == OLDER
    assert schema_of(database) == OLDER
    engine = DatabaseAddress(database).connect()
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT name FROM player")) == "Ada"
        assert set(inspect(connection).get_table_names()) >= {"move", "match", "seat", "player", "token"}
    engine.dispose()
    Store.open(database).close()
    assert schema_of(database) == newest_revision(), "and up once more"


def test_nothing_is_brought_up_without_a_backup(
    address: str, monkeypatch: pytest.MonkeyPatch, newer_schema: Callable[[], None]
) -> None:
    """On a full disk the schema stays, and the older lastcard still works."""
    make(address)
    newer_schema()
    monkeypatch.setattr(databases, "copy_database", Mock(side_effect=OSError(28, "No space left on device")))
    with pytest.raises(StoreError, match="No space left"):
        Store.open(address)
    assert schema_of(address) == OLDER


def test_a_new_database_has_no_backup(address: str, tmp_path: Path) -> None:
    """There is nothing to restore; nor if nothing changes."""
    for _ in range(2):
        Store.open(address).close()
    assert not list(tmp_path.glob("*.schema-*"))


def test_a_newer_backup_is_not_restored(address: str, tmp_path: Path) -> None:
    """An older program says so, and changes nothing."""
    file = tmp_path / "tomorrow.sqlite"
    Store.open(f"sqlite:///{file}").close()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    for as_it_was in (False, True):
        with pytest.raises(StoreError, match="made by a newer lastcard: update lastcard"):
            restore(file, address, no_migrate=as_it_was)
