"""Backups: one SQLite file with all tables of a database, whichever kind that is, made while servers write to it.

The file has the schema of the database it was made of, so a lastcard that could read that can read this.
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

from lastcard.errors import StoreError, check_apart, named
from lastcard.server.store.place import Place, allow_naps
from lastcard.server.store.steps import revision, upgrade

CALLED: Final = "alembic_version"
"""The table that says at which schema a database is."""
_ROWS: Final = 1000
"""Rows that are copied at once."""
_NO_ROOM: Final = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE)
"""What SQLite says of a disk that takes no more: it is full, or a limit or quota is reached."""


# --- files ----------------------------------------------------------------------------------------------


@contextmanager
def new_file(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """A file that is there whole or not at all.

    Args:
        path: where it is to be.
        overwrite: whether it may take the place of another one.

    Yields:
        Where to write it; only its owner may read it, who is that of the file it takes the place of. It is moved at the
        end, and removed where something fails.

    Raises:
        StoreError: where there is a file already, or none can be written; where a folder or a device is there, for root
            would put a file in the place of /dev/null.
    """
    taken = StoreError(f"{path}: there is a file already; --overwrite replaces it")
    if path.exists() and not path.is_file():
        raise StoreError(f"{path}: cannot be written: it is no file; name one that is, or is not there yet")
    if not overwrite and path.exists():
        raise taken
    with named(path, "cannot be written", StoreError):
        path = Path(os.path.realpath(path))  # a link goes on leading to it
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.close(handle)
        draft = Path(name)
        try:
            yield draft
            _reach_disk(draft)
            if overwrite:
                _keep_owner(draft, path)
            else:
                _keep_place(path, taken)
            draft.replace(path)
            _reach_disk(path.parent)
        finally:
            for leftover in (draft, Path(f"{draft}-wal"), Path(f"{draft}-shm"), Path(f"{draft}-journal")):
                leftover.unlink(missing_ok=True)


def check_no_database(path: Path, place: Place) -> None:
    """See that a file to be written is not the very database that is to be read.

    Raises:
        StoreError: where it is.
    """
    if not place.shared and Path(place.name).exists():
        check_apart(path, Path(place.name), "that is the database itself; name another file", StoreError)


def _keep_place(path: Path, taken: StoreError) -> None:
    """Take a name that is free still."""
    try:
        path.touch(mode=0o600, exist_ok=False)
    except FileExistsError:
        raise taken from None


def _keep_owner(draft: Path, path: Path) -> None:
    """Let a file belong to whom the one before it does: what root restores is for the user of the server."""
    if hasattr(os, "chown") and path.exists():
        before = path.stat()
        with suppress(PermissionError):
            os.chown(draft, before.st_uid, before.st_gid)


def _reach_disk(path: Path) -> None:
    with suppress(PermissionError):  # a folder on Windows
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def file_engine(path: Path) -> sql.Engine:
    """The database in a file of our own, in plain transactions."""
    return sql.create_engine(sql.URL.create("sqlite", database=str(path)), hide_parameters=True)


# --- making one -----------------------------------------------------------------------------------------


def copy_sqlite(source: Path, target: Path) -> None:
    """Copy a SQLite database as it stands between two commits, whoever is writing to it, into a single file.

    Args:
        source: the database.
        target: an empty file.

    Raises:
        StoreError: where it is none.
        OSError: where the target cannot be written.
    """
    if not source.is_file():
        raise StoreError(f"{source}: there is no such file")
    try:
        where = f"{source.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(where, uri=True)) as reading, closing(sqlite3.connect(target)) as writing:
            reading.backup(writing)
            writing.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        _check_room(error)
        raise StoreError(f"{source}: {_why(error)}") from None


def copy_rows(source: sql.Connection, target: sql.Connection) -> None:
    """Copy all rows into the empty tables of another database at the same schema."""
    theirs, ours = sql.MetaData(), sql.MetaData()
    theirs.reflect(source)
    ours.reflect(target)
    for table in ours.sorted_tables:
        if table.name == CALLED:
            continue
        for column in table.columns:
            if isinstance(column.type, sql.JSON):
                column.type.none_as_null = True
        rows = source.execution_options(yield_per=_ROWS).execute(sql.select(theirs.tables[table.name]))
        for part in rows.mappings().partitions():
            target.execute(sql.insert(table), [dict(row) for row in part])


def copy_database(place: Place, target: Path) -> None:
    """Copy a database as it stands between two commits, whoever is writing to it, into a single file.

    Args:
        place: of the database.
        target: an empty file.

    Raises:
        StoreError: where there is nothing of lastcard in it, or it cannot be read.
        OSError: where the target cannot be written.
    """
    if not place.shared:
        copy_sqlite(Path(place.name), target)
        return
    source, engine, name = place.connect(), file_engine(target), place.name
    try:
        with source.connect().execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True) as reading:
            allow_naps(reading)
            schema = revision(reading, name)
            if schema is None:
                raise StoreError(f"the database {name} has no tables of lastcard")
            with engine.begin() as writing:
                upgrade(writing, str(target), schema)
                copy_rows(reading, writing)
    except sql.exc.SQLAlchemyError as error:
        _check_room(error)
        raise place.failure(error) from None
    finally:
        engine.dispose()
        source.dispose()


def bring_up(file: Path, name: str) -> None:
    """Bring a copy of a database to the newest schema.

    Args:
        file: the copy.
        name: what to call it in errors.

    Raises:
        StoreError: where its rows do not fit there.
        OSError: where it cannot be written.
    """
    engine = file_engine(file)
    try:
        with engine.begin() as connection:
            upgrade(connection, name)
    except sql.exc.DBAPIError as error:
        _check_room(error)
        raise StoreError(f"{name}: {_why(error.orig)}") from None
    finally:
        engine.dispose()


def _check_room(error: Exception) -> None:
    """See whether a copy failed for its own file: then that is the one to be named, and not what was copied.

    Raises:
        OSError: where it did.
    """
    original = error.orig if isinstance(error, sql.exc.DBAPIError) else error
    if getattr(original, "sqlite_errorcode", 0) in _NO_ROOM:
        raise OSError(str(original)) from None


# --- checking one ---------------------------------------------------------------------------------------


def check(path: Path, name: str) -> str:
    """See that a file is a database of lastcard, whole, at a schema this lastcard knows.

    Args:
        path: the file.
        name: what to call it in errors.

    Returns:
        The schema.

    Raises:
        StoreError: where it is not; says why.
    """
    engine = file_engine(path)
    try:
        with engine.connect() as connection:
            faults = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
            if faults != "ok":
                raise StoreError(f"{name}: the file is damaged ({faults})")
            schema = revision(connection, name)
            if schema is None:
                raise StoreError(
                    f"{name}: there are no tables of lastcard in it. The copy of a file that a server has open may be "
                    "empty: `lastcard backup` makes one that is whole"
                )
            missing = _columns_at(schema) - _columns(connection)
            if missing:
                table, column = min(missing)
                raise StoreError(f"{name}: it lacks {table}.{column}, which schema {schema} has")
            return schema
    except sql.exc.DBAPIError as error:
        raise StoreError(f"{name}: {_why(error.orig)}") from None
    finally:
        engine.dispose()


def _columns(connection: sql.Connection) -> set[tuple[str, str]]:
    facts = sql.inspect(connection)
    return {(table, str(column["name"])) for table in facts.get_table_names() for column in facts.get_columns(table)}


def _columns_at(schema: str) -> set[tuple[str, str]]:
    """What the tables of a schema have."""
    engine = sql.create_engine("sqlite://")
    try:
        with engine.begin() as connection:
            upgrade(connection, "sample", schema)
            return _columns(connection)
    finally:
        engine.dispose()


def _why(error: BaseException | None) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return "this is no backup of lastcard, nor any SQLite database"
    return f"it cannot be read as a database ({error})"
