"""Where a database is: its address, how one connects to it, who holds it, and its errors in words."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError

from lastcard.errors import StoreError, UsageError
from lastcard.paths import data_folder

LONGEST_NAP: Final = 3.0
"""Seconds after which PostgreSQL ends a transaction whose worker is frozen, and frees what it has locked; less than
``PATIENCE`` of the database, so that there is time to do it again.
"""
_OWN_FILE: Final = "tables.sqlite"
_ADDRESSES: Final = "an address is sqlite:///FILE or postgresql://USER@HOST/DATABASE"

# SQLite's result codes and PostgreSQL's SQLSTATEs that a person can do something about.
_SQLITE_WORDS: Final = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "it is read-only",
    sqlite3.SQLITE_BUSY: "another program holds it",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; see that the folder is there and may be written to",
    sqlite3.SQLITE_NOTADB: "the file is no SQLite database",
    sqlite3.SQLITE_CORRUPT: "the file is damaged",
    sqlite3.SQLITE_IOERR: "the disk does not take or give what it should",
}
_POSTGRES_WORDS: Final = {
    "53100": "the disk is full",
    "25006": "it is read-only",
    "42501": "this user may not do that",
}
_GONE: Final = ("08", "57", "40", "25P03")
"""SQLSTATEs, or classes of them, that pass: connection lost, server going down or coming up, deadlock, frozen."""


def allow_naps(connection: Connection) -> None:
    """Let a transaction in PostgreSQL stand still for as long as it takes to read or write something else."""
    connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))


def own_file() -> Path:
    """Where the user's own database is, or would be."""
    return data_folder() / _OWN_FILE


def own_database() -> str:
    """The address of the user's own database, in a folder that is there."""
    folder = own_file().parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: tables cannot be kept there: {error.strerror or error}") from None
    return f"sqlite:///{own_file()}"


class Place:
    """An address that makes sense.

    Args:
        address: ``sqlite:///FILE`` or ``postgresql://…``.

    Raises:
        StoreError: where it is none of ours.
    """

    def __init__(self, address: str) -> None:
        self._url = url = _parsed(address)
        self.shared = url.get_backend_name() == "postgresql"
        """Whether several workers may write there."""
        self.name = f"{url.host or 'localhost'}:{url.port or 5432}/{url.database}" if self.shared else str(url.database)
        """What to call it: the file, or the server with its database; never the password."""
        self._passwords = [str(word) for word in (url.password, url.query.get("password")) if word]

    def connect(self, **how: Any) -> Engine:
        """A pool of connections; ``how`` is what ``create_engine`` takes."""
        url = self._url
        if not self.shared:
            engine = create_engine(url, hide_parameters=True, **how)
            event.listen(engine, "connect", _set_up_sqlite)
            if not how:
                event.listen(engine, "begin", _begin_sqlite)
            return engine
        options = f"-c idle_in_transaction_session_timeout={LONGEST_NAP:g}s"  # what the address says comes after it
        options = " ".join([options, *url.normalized_query.get("options", ())])
        arguments = {"connect_timeout": 3, "keepalives_idle": 5, "tcp_user_timeout": 10_000, "options": options}
        return create_engine(url, hide_parameters=True, pool_pre_ping=True, connect_args=arguments, **how)

    def open_file(self) -> sqlite3.Connection:
        """A connection to an SQLite file without a pool around it; every statement is a transaction of its own."""
        connection = sqlite3.connect(self.name, check_same_thread=False)
        _set_up_sqlite(connection, None)
        return connection

    def is_gone(self, error: BaseException) -> bool:
        """Whether the database went away and may come back."""
        if not isinstance(error, DBAPIError) or not self.shared:
            return False
        state = getattr(error.orig, "sqlstate", None)
        if state is None:  # it was the line and not the server that failed
            return error.connection_invalidated or isinstance(error, OperationalError)
        return str(state).startswith(_GONE)

    def failure(self, error: BaseException, *, unknown: bool = False) -> StoreError:
        """An error of the database in words, without parameters and password."""
        if isinstance(error, StoreError):
            return error
        return StoreError(f"the database {self.name}: {self._words(error)}", unknown=unknown)

    def _words(self, error: BaseException) -> str:
        original = error.orig if isinstance(error, DBAPIError) else error
        code = getattr(original, "sqlite_errorcode", 0) & 0xFF
        known = _SQLITE_WORDS.get(code) or _POSTGRES_WORDS.get(str(getattr(original, "sqlstate", "")))
        if known:
            return known
        first_line = (str(original).splitlines() or [""])[0]
        for password in self._passwords:
            first_line = first_line.replace(password, "***")
        return f"it cannot be reached ({first_line})" if self.is_gone(error) else first_line


def _parsed(address: str) -> URL:
    """The URL of an address.

    Raises:
        StoreError: where it is none of ours; never quotes it, for it may hold a password.
    """
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise StoreError(f"this is not the address of a database; {_ADDRESSES}") from None
    if url.drivername == "postgresql":
        if not url.database:
            raise StoreError(f"the address names no database; {_ADDRESSES}")
        if find_spec("psycopg") is None:
            raise StoreError("PostgreSQL needs a driver: pip install 'lastcard[postgres]'")
        return url.set(drivername="postgresql+psycopg")
    if url.drivername != "sqlite":
        raise StoreError(f"{url.drivername} is not a database that lastcard can use; {_ADDRESSES}")
    if url.host or not url.database or url.database == ":memory:" or url.query:
        raise StoreError("SQLite needs a file, after three slashes: sqlite:///tables.db, or four: sqlite:////srv/t.db")
    return url


def see_file(path: Path) -> None:
    """See that a database could be a file there: SQLite opens folders, devices and pipes only to fail later, or wait.

    Raises:
        StoreError: where something else is.
    """
    if path.exists() and not path.is_file():
        raise StoreError(f"the database {path}: this is no file")


def lock_file(path: str) -> sqlite3.Connection:
    """Hold a database file for this process; the operating system lets go of it however the process ends.

    Raises:
        StoreError: where another process holds it, or the file cannot be written.
    """
    lock: sqlite3.Connection | None = None
    try:
        see_file(Path(path))
        Path(path).touch(mode=0o600)  # it holds seeds: for nobody else to read
        # By the name it has itself, and not by one of the links that lead to it.
        lock = sqlite3.connect(f"{Path(path).resolve()}.lock", timeout=0, isolation_level=None, check_same_thread=False)
        lock.execute("BEGIN EXCLUSIVE")
    except OSError as error:
        raise StoreError(f"the database {path} cannot be written: {error.strerror}") from None
    except sqlite3.Error as error:
        if lock is not None:
            lock.close()
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
            raise StoreError(f"the database {path} is in use by another lastcard server") from None
        raise StoreError(f"the database {path} cannot be locked: {error}") from None
    return lock


def is_held(path: str) -> bool:
    """Whether a process holds a database file. Only looks: whoever may not hold it does not come to own its lock."""
    lock = Path(f"{Path(path).resolve()}.lock")
    if not lock.exists():
        return False
    try:
        with closing(sqlite3.connect(f"{lock.as_uri()}?mode=rw", uri=True, timeout=0, isolation_level=None)) as held:
            held.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        return error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
    return False


def _set_up_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    """Write-ahead log, on disk at every commit; what is deleted is overwritten; transactions begin where we say."""
    connection.isolation_level = None
    for pragma in ("busy_timeout=5000", "journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")
