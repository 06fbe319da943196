"""Backups: one SQLite file with all tables of any database, made while servers write to it.

The file has the schema of its database, so a lastcard that can read the database can read the backup.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

import sqlalchemy as sql

from lastcard.errors import StoreError, check_different_files, wrap_os_errors
from lastcard.server.store.database_address import DatabaseAddress, allow_idle_transaction
from lastcard.server.store.schema_version import revision, upgrade

VERSION_TABLE: Final = "alembic_version"
"""The table with the schema revision of a database."""
_BATCH_ROWS: Final = 1000
_DISK_FULL_CODES: Final = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE)
"""SQLite's codes for a disk that accepts no more data: full, or over a limit or quota."""


# --- files ----------------------------------------------------------------------------------------------


@contextmanager
def new_file(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Create or (with ``overwrite``) replace a file, which is complete or absent.

    Yields:
        A temporary path to write to. Only its owner can read it; the owner is that of the replaced file. It is moved at
        the end, and removed after an error.

    Raises:
        StoreError: if the file exists already or cannot be written, or the path is a folder or device; root would
            otherwise replace /dev/null.
    """
    taken = StoreError(f"{path}: there is a file already; --overwrite replaces it")
    if path.exists() and not path.is_file():
        raise StoreError(f"{path}: cannot be written: it is no file; name one that is, or is not there yet")
    if not overwrite and path.exists():
        raise taken
    with wrap_os_errors(path, "cannot be written", StoreError):
        path = Path(os.path.realpath(path))  # links stay links
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.close(handle)
        draft = Path(name)
        try:
            yield draft
            _fsync(draft)
            if overwrite:
                _copy_owner(draft, path)
            else:
                _reserve_name(path, taken)
            draft.replace(path)
            _fsync(path.parent)
        finally:
            for leftover in (draft, Path(f"{draft}-wal"), Path(f"{draft}-shm"), Path(f"{draft}-journal")):
                leftover.unlink(missing_ok=True)


def check_no_database(path: Path, database: DatabaseAddress) -> None:
    """Check that a file to write is not the database to read.

    Raises:
        StoreError: if it is.
    """
    if not database.shared and Path(database.name).exists():
        check_different_files(path, Path(database.name), "that is the database itself; name another file", StoreError)


def _reserve_name(path: Path, taken: StoreError) -> None:
    """Create an empty file under a free name."""
    try:
        path.touch(mode=0o600, exist_ok=False)
    except FileExistsError:
        raise taken from None


def _copy_owner(draft: Path, path: Path) -> None:
    """Copy the owner of the replaced file: what root restores belongs to the server's user."""
    if hasattr(os, "chown") and path.exists():
        before = path.stat()
        with suppress(PermissionError):
            os.chown(draft, before.st_uid, before.st_gid)


def _fsync(path: Path) -> None:
    with suppress(PermissionError):  # a folder on Windows
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def file_engine(path: Path) -> sql.Engine:
    """Return the engine of a database in our own file, with plain transactions; it closes each connection after use."""
    return sql.create_engine(sql.URL.create("sqlite", database=str(path)), hide_parameters=True, poolclass=sql.NullPool)


# --- making one -----------------------------------------------------------------------------------------


def copy_sqlite(source: Path, target: Path) -> None:
    """Copy a SQLite database as of one commit into a single, empty file, while others may write to it.

    Raises:
        StoreError: if the source is no database.
        OSError: if the target cannot be written.
    """
    if not source.is_file():
        raise StoreError(f"{source}: there is no such file")
    try:
        where = f"{source.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(where, uri=True)) as reading, closing(sqlite3.connect(target)) as writing:
            reading.backup(writing)
            writing.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        _check_disk_full(error)
        raise StoreError(f"{source}: {_why(error)}") from None


def copy_rows(source: sql.Connection, target: sql.Connection) -> None:
    """Copy all rows into the empty tables of another database at the same schema."""
    theirs, ours = sql.MetaData(), sql.MetaData()
    theirs.reflect(source)
    ours.reflect(target)
    for table in ours.sorted_tables:
        if table.name == VERSION_TABLE:
            continue
        for column in table.columns:
            if isinstance(column.type, sql.JSON):
                column.type.none_as_null = True
        rows = source.execution_options(yield_per=_BATCH_ROWS).execute(sql.select(theirs.tables[table.name]))
        for part in rows.mappings().partitions():
            target.execute(sql.insert(table), [dict(row) for row in part])


def copy_database(database: DatabaseAddress, target: Path) -> None:
    """Copy a database as of one commit into a single, empty file, while others may write to it.

    Raises:
        StoreError: if it is no database of lastcard, or cannot be read.
        OSError: if the target cannot be written.
    """
    if not database.shared:
        copy_sqlite(Path(database.name), target)
        return
    source, engine, name = database.connect(poolclass=sql.NullPool), file_engine(target), database.name
    try:
        with source.connect().execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True) as reading:
            allow_idle_transaction(reading)
            schema = revision(reading, name)
            if schema is None:
                raise StoreError(f"the database {name} has no tables of lastcard")
            with engine.begin() as writing:
                upgrade(writing, str(target), schema)
                copy_rows(reading, writing)
    except sql.exc.SQLAlchemyError as error:
        _check_disk_full(error)
        raise database.failure(error) from None


def upgrade_file(file: Path, name: str) -> None:
    """Upgrade a copy of a database to the newest schema; errors call it ``name``.

    Raises:
        StoreError: if its rows do not fit there.
        OSError: if it cannot be written.
    """
    try:
        with file_engine(file).begin() as connection:
            upgrade(connection, name)
    except sql.exc.DBAPIError as error:
        _check_disk_full(error)
        raise StoreError(f"{name}: {_why(error.orig)}") from None


def _check_disk_full(error: Exception) -> None:
    """Check whether a copy failed because of its target, so that the error names the target and not the source.

    Raises:
        OSError: if it did.
    """
    original = error.orig if isinstance(error, sql.exc.DBAPIError) else error
    if getattr(original, "sqlite_errorcode", 0) in _DISK_FULL_CODES:
        raise OSError(str(original)) from None


# --- checking one ---------------------------------------------------------------------------------------


def check_backup(path: Path, name: str) -> str:
    """Check that a file is a complete database of lastcard with a known schema; return that. Errors call it ``name``.

    Raises:
        StoreError: if it is not; the message says why.
    """
    try:
        with file_engine(path).connect() as connection:
            faults = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
            if faults != "ok":
                raise StoreError(f"{name}: the file is damaged ({faults})")
            schema = revision(connection, name)
            if schema is None:
                raise StoreError(
                    f"{name}: there are no tables of lastcard in it. The copy of a file that a server has open may be "
                    "empty: `lastcard backup` makes one that is whole"
                )
            with sql.create_engine("sqlite://", poolclass=sql.NullPool).begin() as sample:
                upgrade(sample, "sample", schema)
                missing = _columns(sample) - _columns(connection)
            if missing:
                table, column = min(missing)
                raise StoreError(f"{name}: it lacks {table}.{column}, which schema {schema} has")
            return schema
    except sql.exc.DBAPIError as error:
        raise StoreError(f"{name}: {_why(error.orig)}") from None


def _columns(connection: sql.Connection) -> set[tuple[str, str]]:
    facts = sql.inspect(connection)
    return {(table, str(column["name"])) for table in facts.get_table_names() for column in facts.get_columns(table)}


def _why(error: BaseException | None) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return "this is no backup of lastcard, nor any SQLite database"
    return f"it cannot be read as a database ({error})"
