"""The open database of a server: at the newest schema, and for SQLite locked by one process."""

from __future__ import annotations

import os
import sqlite3
import time
from math import inf
from pathlib import Path
from typing import Final

import structlog
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from lastcard.errors import StoreError, wrap_os_errors
from lastcard.paths import data_folder
from lastcard.server.store.backup import copy_database, new_file
from lastcard.server.store.database_address import DatabaseAddress, allow_idle_transaction, lock_file
from lastcard.server.store.rows import now_ms
from lastcard.server.store.schema_version import UnreleasedSchemaError, newest_revision, revision, upgrade

OUTAGE_LIMIT_S: Final = 5.0
"""Seconds for a lost database to come back, counted from the first failure of any query."""
MIGRATION_LOCK: Final = 7_291_114
"""An arbitrary number for PostgreSQL's advisory locks."""
_ROLLED_BACK: Final = ("40001", "40P01", "25P03")
"""SQLSTATEs after which nothing was written for certain."""
_LOG: Final = structlog.get_logger()


class Database:
    """An open database at a ``DatabaseAddress``: at the newest schema, and for SQLite locked by this process.

    Raises:
        StoreError: if it cannot be used; the message leaves out the password.
    """

    def __init__(self, address: str) -> None:
        self._address = parsed = DatabaseAddress(address)
        self.shared = parsed.shared
        """Whether other workers may write too."""
        self.name = parsed.name
        self.failure, self.is_gone = parsed.failure, parsed.is_gone
        self._missed_since = inf
        self.engine = parsed.connect()
        """The engine for transactions."""
        self.log = parsed.connect(isolation_level="AUTOCOMMIT")
        """The engine for single statements, each a transaction of its own."""
        self._lock = None if self.shared else lock_file(self.name)
        self.file: sqlite3.Connection | None = None
        """For SQLite, the connection for moves: a pooled connection costs more than the statement."""
        try:
            self._migrate_or_rename()
            self.file = None if self.shared else parsed.open_file()
            self._file_id = None if self.shared else _file_id(self.name)
        except (SQLAlchemyError, sqlite3.Error) as error:
            self.close()
            raise self.failure(error) from None
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the database."""
        if self.file is not None:
            self.file.close()
        self.log.dispose()
        self.engine.dispose()
        if self._lock is not None:
            self._lock.close()

    def check_file(self) -> None:
        """Check that the file is still in place: writes to a deleted or replaced file would be lost.

        Raises:
            StoreError: if the file is gone.
        """
        if not self.shared and _file_id(self.name) != self._file_id:
            raise StoreError(f"the database {self.name}: the file is not there any more")

    def _migrate_or_rename(self) -> None:
        """Migrate the schema; for a file of an unreleased version start an empty database.

        Raises:
            UnreleasedSchemaError: for PostgreSQL, which is left unchanged.
        """
        try:
            self._migrate()
        except UnreleasedSchemaError:
            if self.shared:
                raise
            self._rename_unreleased()
            self._migrate()

    def _rename_unreleased(self) -> None:
        """Rename the database file and SQLite's files beside it, and create an empty one."""
        self.log.dispose()
        self.engine.dispose()
        file = Path(os.path.realpath(self.name))
        renamed = file.with_name(f"{file.name}.unreleased")
        if renamed.exists():
            renamed = file.with_name(f"{renamed.name}-{now_ms()}")
        with wrap_os_errors(file, "cannot be renamed", StoreError):
            for suffix in ("-wal", "-shm", ""):
                if (part := Path(f"{file}{suffix}")).exists():
                    part.rename(f"{renamed}{suffix}")
            file.touch(mode=0o600)
        _LOG.warning(
            "a database of an unreleased version cannot be read: it was renamed, and an empty one begins",
            database=self.name,
            renamed=str(renamed),
        )

    def _migrate(self) -> None:
        """Migrate the schema, one worker at a time."""
        if not self.shared:  # fail for a read-only file now and not at the first move
            with self.log.connect() as connection:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                connection.exec_driver_sql("ROLLBACK")
        with self.engine.begin() as connection:
            if self.shared:
                allow_idle_transaction(connection)  # the backup takes long
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
            before = revision(connection, self.name)
            if before == newest_revision():
                return
            if before is not None:
                self._back_up(before)
            upgrade(connection, self.name)

    def _back_up(self, before: str) -> None:
        """Back up the database at an older schema: beside the file, or in the data folder.

        Raises:
            StoreError: if that fails; then the schema is not changed.
        """
        here = data_folder() / (self.name.rpartition("/")[2] + ".postgresql") if self.shared else Path(self.name)
        file = here.with_name(f"{here.name}.schema-{before}")
        if file.exists():  # from a failed attempt or a downgrade: the first backup is the right one
            file = file.with_name(f"{file.name}-{now_ms()}")
        with wrap_os_errors(file.parent, "cannot be made", StoreError):
            file.parent.mkdir(parents=True, exist_ok=True)
        with new_file(file) as draft:
            copy_database(self._address, draft)
        _LOG.info("schema brought up", before=before, now=newest_revision(), backup=str(file))

    def should_retry(self, error: BaseException, until: float) -> bool:
        """Return whether to retry until a time because the database is gone; consecutive queries wait only once."""
        if not self.is_gone(error):
            return False
        now = time.monotonic()
        self._missed_since = min(self._missed_since, now)
        return now < min(until, self._missed_since + OUTAGE_LIMIT_S)

    def note_answer(self) -> None:
        """Note an answer, so that the next outage has its full time again."""
        self._missed_since = inf

    def was_rolled_back(self, error: BaseException) -> bool:
        """Return whether an error proves that the transaction was rolled back."""
        return getattr(getattr(error, "orig", None), "sqlstate", None) in _ROLLED_BACK


def _file_id(path: str) -> tuple[int, int] | None:
    """Return the identity of the file at a path; None if there is none."""
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
