"""Maintenance of a database by its address: back up, restore, inspect."""

from __future__ import annotations

import os
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import sqlalchemy as sql

from lastcard.errors import StoreError, wrap_os_errors
from lastcard.server.store import backup
from lastcard.server.store.database import MIGRATION_LOCK
from lastcard.server.store.database_address import (
    DatabaseAddress,
    allow_idle_transaction,
    check_file,
    is_locked,
    lock_file,
    own_file,
)
from lastcard.server.store.schema import METADATA
from lastcard.server.store.schema_version import newest_revision, revision, upgrade


def back_up(address: str, file: Path, *, overwrite: bool = False) -> str:
    """Write a backup, complete or absent, of a whole database as of one commit, while servers run; return its schema.

    Raises:
        StoreError: if the database cannot be read or the file cannot be written.
    """
    database = DatabaseAddress(address)
    backup.check_no_database(file, database)
    with backup.new_file(file, overwrite=overwrite) as draft:
        backup.copy_database(database, draft)
        return backup.check_backup(draft, database.name)


def restore(file: Path, address: str, *, overwrite: bool = False, no_migrate: bool = False) -> str:
    """Replace a database that no server uses with a backup of either kind; return the new schema revision.

    Args:
        overwrite: whether existing data may be deleted.
        no_migrate: whether to leave it at the schema of the backup, for the lastcard that made it.

    Raises:
        StoreError: if the file is no backup, a server uses the database, or it has data that may not be deleted;
            nothing has changed.
    """
    database = DatabaseAddress(address)
    target = Path(database.name)
    if not database.shared:
        if not overwrite and target.exists() and target.stat().st_size:
            raise _exists_error(str(target))
        with ExitStack() as held, backup.new_file(target, overwrite=True) as draft:
            schema = _prepare(file, draft, no_migrate)
            held.enter_context(closing(lock_file(str(target))))
            _empty_log(target)
        return schema
    with TemporaryDirectory() as folder:
        draft = Path(folder, "draft")
        with wrap_os_errors(draft, "cannot be written", StoreError):
            schema = _prepare(file, draft, no_migrate)
        _replace_rows(draft, database, schema, overwrite=overwrite)
    return schema


def _prepare(file: Path, draft: Path, no_migrate: bool) -> str:
    """Copy the backup, and upgrade it if wanted."""
    backup.copy_sqlite(file, draft)
    schema = backup.check_backup(draft, str(file))
    if no_migrate or schema == newest_revision():
        return schema
    backup.upgrade_file(draft, str(file))
    return backup.check_backup(draft, str(file))


def _empty_log(target: Path) -> None:
    """Flush the write-ahead log of a file that is about to be replaced."""
    try:
        with closing(sqlite3.connect(target)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error:  # an invalid file, which is replaced
        for rest in ("-wal", "-shm"):
            Path(f"{target}{rest}").unlink(missing_ok=True)


def _replace_rows(draft: Path, database: DatabaseAddress, schema: str, *, overwrite: bool) -> None:
    """Replace all rows in PostgreSQL in one transaction, with nobody else connected."""
    name, source, engine = database.name, backup.file_engine(draft), database.connect(poolclass=sql.NullPool)
    try:
        with source.connect() as reading, engine.begin() as writing:
            allow_idle_transaction(writing)
            writing.execute(sql.text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
            if revision(writing, name) is not None and not overwrite:
                raise _exists_error(name)
            if others := writing.scalar(_OTHERS):
                raise StoreError(
                    f"the database {name} has {others} other connections: stop all servers first, for they would go on "
                    "with tables that are not there any more"
                )
            METADATA.drop_all(writing)
            writing.execute(sql.text(f"DROP TABLE IF EXISTS {backup.VERSION_TABLE}"))
            upgrade(writing, name, schema)
            backup.copy_rows(reading, writing)
    except sql.exc.SQLAlchemyError as error:
        raise database.failure(error) from None


_OTHERS: Final = sql.text(
    "SELECT count(*) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid() AND coalesce(backend_type, '') <> 'parallel worker'"
)


def _exists_error(name: str) -> StoreError:
    return StoreError(f"the database {name} is there already; --overwrite puts the backup in its place")


# --- inspecting -------------------------------------------------------------------------------------------


class DatabaseInfo(NamedTuple):
    """The state of a database."""

    schema: str | None
    """The schema revision; None if there are no tables yet."""
    is_served: bool
    """Whether a server has locked the file; always False for PostgreSQL, which several may use."""


def inspect_database(address: str) -> DatabaseInfo:
    """Return the state of the database at an address without changing it.

    Raises:
        StoreError: if a server could not use it; the message leaves out the password.
    """
    database = DatabaseAddress(address)
    if not database.shared:
        _check_writable(Path(database.name))
        if not Path(database.name).exists():
            return DatabaseInfo(None, is_served=False)
    # For a file without ``DatabaseAddress.connect``, which would switch it to a write-ahead log.
    file = Path(database.name)
    engine = database.connect(poolclass=sql.NullPool) if database.shared else backup.file_engine(file)
    try:
        with engine.connect() as connection:
            schema = revision(connection, database.name)
    except sql.exc.SQLAlchemyError as error:
        raise database.failure(error) from None
    return DatabaseInfo(schema, is_served=not database.shared and is_locked(database.name))


def _check_writable(file: Path) -> None:
    """Raise ``StoreError`` if this user cannot write a file and the files that SQLite puts beside it."""
    folder = file.parent
    while not folder.exists() and file == own_file():  # the start creates the user's own folder
        folder = folder.parent
    if not folder.is_dir():
        raise StoreError(f"the database {file}: there is no folder {folder}")
    for there in (folder, file):
        if there.exists() and not os.access(there, os.W_OK):
            raise StoreError(f"the database {file}: this user may not write {there}")
    check_file(file)
