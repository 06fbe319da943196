"""The database of a server: open, at the newest schema, and for SQLite held by one process alone."""

from __future__ import annotations

import os
import sqlite3
import time
from math import inf
from pathlib import Path
from typing import Final

import structlog
from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError

from lastcard.errors import StoreError, named
from lastcard.paths import data_folder
from lastcard.server.store.backup import copy_database, new_file
from lastcard.server.store.place import Place, allow_naps, lock_file
from lastcard.server.store.rows import now_ms
from lastcard.server.store.steps import UnreleasedSchemaError, newest, revision, upgrade

PATIENCE: Final = 5.0
"""Seconds in which a database that is gone may come back: from when it was first missed, whoever asks how often."""
MIGRATION_LOCK: Final = 7_291_114
"""Any number of our own, for PostgreSQL's advisory locks."""
_UNDONE: Final = ("40001", "40P01", "25P03")
"""Those of them after which nothing was written, for sure."""
_LOG: Final = structlog.get_logger()


class Database:
    """A database that is open: at the newest schema, and for SQLite held by this process alone.

    Args:
        address: ``sqlite:///FILE`` or ``postgresql://…``.

    Raises:
        StoreError: where it cannot be used; says why, without the password.
    """

    def __init__(self, address: str) -> None:
        self._place = place = Place(address)
        self.shared = place.shared
        """Whether other workers may write too."""
        self.name = place.name
        self.failure, self.is_gone = place.failure, place.is_gone
        self._missed_since = inf
        self.engine = place.connect()
        """For transactions."""
        self.log = place.connect(isolation_level="AUTOCOMMIT")
        """For single statements, each a transaction of its own."""
        self._lock = None if self.shared else lock_file(self.name)
        self.file: sqlite3.Connection | None = None
        """For SQLite, what every move is written with: a connection of the pool costs more than its statement."""
        try:
            self._migrate_or_set_aside()
            self.file = None if self.shared else place.open_file()
            self._file_id = None if self.shared else _file_id(self.name)
        except (SQLAlchemyError, sqlite3.Error) as error:
            self.close()
            raise self.failure(error) from None
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of it."""
        if self.file is not None:
            self.file.close()
        self.log.dispose()
        self.engine.dispose()
        if self._lock is not None:
            self._lock.close()

    def check_file(self) -> None:
        """See that what is written can be found again: a file that was deleted or replaced takes everything, and keeps
        nothing.

        Raises:
            StoreError: where the file has gone.
        """
        if not self.shared and _file_id(self.name) != self._file_id:
            raise StoreError(f"the database {self.name}: the file is not there any more")

    def _migrate_or_set_aside(self) -> None:
        """Bring the schema up to date; for a file of an unreleased version begin an empty database.

        Raises:
            UnreleasedSchemaError: for PostgreSQL, which is left as it is.
        """
        try:
            self._migrate()
        except UnreleasedSchemaError:
            if self.shared:
                raise
            self._set_aside()
            self._migrate()

    def _set_aside(self) -> None:
        """Rename the database file, and what SQLite has beside it, and make an empty one in its place."""
        self.log.dispose()
        self.engine.dispose()
        file = Path(os.path.realpath(self.name))
        kept = file.with_name(f"{file.name}.unreleased")
        if kept.exists():
            kept = file.with_name(f"{kept.name}-{now_ms()}")
        with named(file, "cannot be renamed", StoreError):
            for suffix in ("-wal", "-shm", ""):
                if (part := Path(f"{file}{suffix}")).exists():
                    part.rename(f"{kept}{suffix}")
            file.touch(mode=0o600)
        _LOG.warning(
            "a database of an unreleased version cannot be read: it was renamed, and an empty one begins",
            database=self.name,
            renamed=str(kept),
        )

    def _migrate(self) -> None:
        """Bring the schema up to date, one worker at a time."""
        if not self.shared:
            _try_writing(self.log)
        with self.engine.begin() as connection:
            if self.shared:
                allow_naps(connection)  # the backup takes long
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
            before = revision(connection, self.name)
            if before == newest():
                return
            if before is not None:
                self._back_up(before)
            upgrade(connection, self.name)

    def _back_up(self, before: str) -> None:
        """Keep the database as it was at an older schema: beside the file, or in the data folder.

        Raises:
            StoreError: where that cannot be done; then the schema stays as it is.
        """
        here = data_folder() / (self.name.rpartition("/")[2] + ".postgresql") if self.shared else Path(self.name)
        file = here.with_name(f"{here.name}.schema-{before}")
        if file.exists():  # an attempt that failed after it, or one that was gone back from: then the first is the one
            file = file.with_name(f"{file.name}-{now_ms()}")
        with named(file.parent, "cannot be made", StoreError):
            file.parent.mkdir(parents=True, exist_ok=True)
        with new_file(file) as draft:
            copy_database(self._place, draft)
        _LOG.info("schema brought up", before=before, now=newest(), backup=str(file))

    def may_come_back(self, error: BaseException, until: float) -> bool:
        """Whether it is gone, and there is time to ask again: who asks one thing after another waits once.

        Args:
            error: what it said.
            until: when whoever asks gives up.
        """
        if not self.is_gone(error):
            return False
        now = time.monotonic()
        self._missed_since = min(self._missed_since, now)
        return now < min(until, self._missed_since + PATIENCE)

    def is_there(self) -> None:
        """It has answered: when it is gone once more, it has time to come back again."""
        self._missed_since = inf

    def has_undone(self, error: BaseException) -> bool:
        """Whether the database says that it has rolled back what was to be written."""
        return getattr(getattr(error, "orig", None), "sqlstate", None) in _UNDONE


def _file_id(path: str) -> tuple[int, int] | None:
    """Which file it is that stands at a path; None where there is none."""
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _try_writing(engine: Engine) -> None:
    """Find a read-only file now and not at the first move."""
    with engine.connect() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        connection.exec_driver_sql("ROLLBACK")
