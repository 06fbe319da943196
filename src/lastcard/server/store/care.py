"""What a host does with a database by its address: make a backup while servers run, and put one back."""

from __future__ import annotations

import os
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import sqlalchemy as sql

from lastcard.errors import StoreError, named
from lastcard.server.store import backup
from lastcard.server.store.database import MIGRATION_LOCK
from lastcard.server.store.place import Place, allow_naps, is_held, lock_file, own_file, see_file
from lastcard.server.store.schema import METADATA
from lastcard.server.store.steps import newest, revision, upgrade


def back_up(address: str, file: Path, *, overwrite: bool = False) -> str:
    """Write all of a database into one file, as it stands between two commits; servers go on meanwhile.

    Args:
        address: of the database, as for a server.
        file: to write; it is there whole or not at all.
        overwrite: whether it may take the place of another one.

    Returns:
        The schema of the backup.

    Raises:
        StoreError: where it cannot be read, or the file not be written.
    """
    place = Place(address)
    backup.check_no_database(file, place)
    with backup.new_file(file, overwrite=overwrite) as draft:
        backup.copy_database(place, draft)
        return backup.check(draft, place.name)


def restore(file: Path, address: str, *, overwrite: bool = False, as_it_was: bool = False) -> str:
    """Put a backup into the place of a database that no server has open.

    Args:
        file: the backup, be it of SQLite or of PostgreSQL.
        address: of the database, as for a server; the kinds need not agree.
        overwrite: whether what is there now may go.
        as_it_was: leave it at the schema of the backup, for the lastcard that made it.

    Returns:
        The schema it has now.

    Raises:
        StoreError: where the file is no backup, a server has the database open, or it is in use and may not go;
            nothing has changed then.
    """
    place = Place(address)
    target = Path(place.name)
    if not place.shared:
        if not overwrite and target.exists() and target.stat().st_size:
            raise _occupied(str(target))
        with ExitStack() as held, backup.new_file(target, overwrite=True) as draft:
            schema = _prepare(file, draft, as_it_was)
            held.enter_context(closing(lock_file(str(target))))
            _empty_log(target)
        return schema
    with TemporaryDirectory() as folder:
        draft = Path(folder, "draft")
        with named(draft, "cannot be written", StoreError):
            schema = _prepare(file, draft, as_it_was)
        _replace_rows(draft, place, schema, overwrite=overwrite)
    return schema


def _prepare(file: Path, draft: Path, as_it_was: bool) -> str:
    """A copy of the backup at the schema that is wanted."""
    backup.copy_sqlite(file, draft)
    schema = backup.check(draft, str(file))
    if as_it_was or schema == newest():
        return schema
    backup.bring_up(draft, str(file))
    return backup.check(draft, str(file))


def _empty_log(target: Path) -> None:
    """See that nothing waits to be written into a file that is about to be another one."""
    try:
        with closing(sqlite3.connect(target)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error:  # rubbish stood there, which is to go
        for rest in ("-wal", "-shm"):
            Path(f"{target}{rest}").unlink(missing_ok=True)


def _replace_rows(draft: Path, place: Place, schema: str, *, overwrite: bool) -> None:
    """Put all rows of a file into PostgreSQL: in one transaction, with nobody else connected."""
    name, source, engine = place.name, backup.file_engine(draft), place.connect()
    try:
        with source.connect() as reading, engine.begin() as writing:
            allow_naps(writing)
            writing.execute(sql.text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
            if revision(writing, name) is not None and not overwrite:
                raise _occupied(name)
            if others := writing.scalar(_OTHERS):
                raise StoreError(
                    f"the database {name} has {others} other connections: stop all servers first, for they would go on "
                    "with tables that are not there any more"
                )
            METADATA.drop_all(writing)
            writing.execute(sql.text(f"DROP TABLE IF EXISTS {backup.CALLED}"))
            upgrade(writing, name, schema)
            backup.copy_rows(reading, writing)
    except sql.exc.SQLAlchemyError as error:
        raise place.failure(error) from None
    finally:
        source.dispose()
        engine.dispose()


_OTHERS: Final = sql.text(
    "SELECT count(*) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid() AND coalesce(backend_type, '') <> 'parallel worker'"
)


def _occupied(name: str) -> StoreError:
    return StoreError(f"the database {name} is there already; --overwrite puts the backup in its place")


# --- looking without touching -----------------------------------------------------------------------------


class Look(NamedTuple):
    """How a database was found."""

    schema: str | None
    """At which it is; None where there are no tables yet."""
    served: bool
    """Whether a server holds the file; of PostgreSQL, where any number may, nobody asks."""


def look(address: str) -> Look:
    """See how a database is, and change nothing: no file is made, no schema brought up.

    Args:
        address: as for a server.

    Raises:
        StoreError: where a server could not use it; says why, without the password.
    """
    place = Place(address)
    if not place.shared:
        _see_writable(Path(place.name))
        if not Path(place.name).exists():
            return Look(None, served=False)
    # Not by Place.connect for a file: that would make it a log.
    engine = place.connect() if place.shared else backup.file_engine(Path(place.name))
    try:
        with engine.connect() as connection:
            schema = revision(connection, place.name)
    except sql.exc.SQLAlchemyError as error:
        raise place.failure(error) from None
    finally:
        engine.dispose()
    return Look(schema, served=not place.shared and is_held(place.name))


def _see_writable(file: Path) -> None:
    """Raises ``StoreError`` where this user could not write a file, and those that SQLite puts beside it."""
    folder = file.parent
    while not folder.exists() and file == own_file():  # the folder of the user's own is made at the start
        folder = folder.parent
    if not folder.is_dir():
        raise StoreError(f"the database {file}: there is no folder {folder}")
    for there in (folder, file):
        if there.exists() and not os.access(there, os.W_OK):
            raise StoreError(f"the database {file}: this user may not write {there}")
    see_file(file)
