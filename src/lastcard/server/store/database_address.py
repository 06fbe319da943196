"""Database addresses: parsing, connecting, locking, and error messages."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError

from lastcard.errors import StoreError, UsageError
from lastcard.paths import data_folder

IDLE_TRANSACTION_S: Final = 3.0
"""Seconds after which PostgreSQL ends the transaction of a frozen worker and frees its locks; less than
``OUTAGE_LIMIT_S``, so that others have time to retry.
"""
_OWN_FILE: Final = "tables.sqlite"
_ADDRESSES: Final = "an address is sqlite:///FILE or postgresql://USER@HOST/DATABASE"

# SQLite's result codes and PostgreSQL's SQLSTATEs that a person can act on.
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
"""Transient SQLSTATEs or classes: connection lost, server going down or coming up, deadlock, frozen."""


def allow_idle_transaction(connection: Connection) -> None:
    """Allow a PostgreSQL transaction to stay idle while the caller reads or writes something else."""
    connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))


def own_file() -> Path:
    """Return the path of the user's own database, whether or not it exists."""
    return data_folder() / _OWN_FILE


def own_database() -> str:
    """Return the address of the user's own database, in an existing folder."""
    folder = own_file().parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: tables cannot be kept there: {error.strerror or error}") from None
    return f"sqlite:///{own_file()}"


class DatabaseAddress:
    """A valid database address: ``sqlite:///FILE`` or ``postgresql://…``.

    Raises:
        StoreError: if the address is not supported.
    """

    def __init__(self, address: str) -> None:
        self._url = url = _parsed(address)
        self.shared = url.get_backend_name() == "postgresql"
        """Whether several workers may write there."""
        self.name = f"{url.host or 'localhost'}:{url.port or 5432}/{url.database}" if self.shared else str(url.database)
        """The name in messages: the file, or server and database; never the password."""
        self._passwords = [str(word) for word in (url.password, url.query.get("password")) if word]

    def connect(self, **how: Any) -> Engine:
        """Return a pool of connections; ``how`` has options of ``create_engine``."""
        url = self._url
        if not self.shared:
            engine = create_engine(url, hide_parameters=True, **how)
            event.listen(engine, "connect", _set_up_sqlite)
            if not how:
                event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
            return engine
        options = f"-c idle_in_transaction_session_timeout={IDLE_TRANSACTION_S:g}s"
        options = " ".join([options, *url.normalized_query.get("options", ())])  # those of the address come after it
        arguments = {"connect_timeout": 3, "keepalives_idle": 5, "tcp_user_timeout": 10_000, "options": options}
        return create_engine(url, hide_parameters=True, pool_pre_ping=True, connect_args=arguments, **how)

    def open_file(self) -> sqlite3.Connection:
        """Return an unpooled connection to an SQLite file; every statement is a transaction of its own."""
        connection = sqlite3.connect(self.name, check_same_thread=False)
        _set_up_sqlite(connection, None)
        return connection

    def is_gone(self, error: BaseException) -> bool:
        """Return whether the database is gone and may come back."""
        if not isinstance(error, DBAPIError) or not self.shared:
            return False
        state = getattr(error.orig, "sqlstate", None)
        if state is None:  # the connection failed and not the server
            return error.connection_invalidated or isinstance(error, OperationalError)
        return str(state).startswith(_GONE)

    def failure(self, error: BaseException, *, unknown: bool = False) -> StoreError:
        """Return an error of the database as text, without parameters and password."""
        if isinstance(error, StoreError):
            return error
        return StoreError(f"the database {self.name}: {self._words(error)}", outcome_unknown=unknown)

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
    """Return the URL of an address.

    Raises:
        StoreError: if it is not supported; the message does not quote it, because it may contain a password.
    """
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise StoreError(f"this is not the address of a database; {_ADDRESSES}") from None
    if url.drivername == "postgresql":
        if not url.database:
            raise StoreError(f"the address names no database; {_ADDRESSES}")
        if find_spec("psycopg") is None:
            raise StoreError("PostgreSQL needs a driver: install lastcard[postgres]")
        return url.set(drivername="postgresql+psycopg")
    if url.drivername != "sqlite":
        raise StoreError(f"{url.drivername} is not a database that lastcard can use; {_ADDRESSES}")
    if url.host or not url.database or url.database == ":memory:" or url.query:
        raise StoreError("SQLite needs a file, after three slashes: sqlite:///tables.db, or four: sqlite:////srv/t.db")
    return url


def check_file(path: Path) -> None:
    """Check that a path can be a database file: SQLite would open folders, devices and pipes and fail or hang later.

    Raises:
        StoreError: if something else is there.
    """
    if path.exists() and not path.is_file():
        raise StoreError(f"the database {path}: this is no file")


def lock_file(path: str) -> sqlite3.Connection:
    """Lock a database file for this process; the operating system unlocks it at the end of the process.

    It deletes the address that an earlier process left (``publish_address``).

    Raises:
        StoreError: if another process has locked it, or the file cannot be written.
    """
    lock: sqlite3.Connection | None = None
    try:
        check_file(Path(path))
        Path(path).touch(mode=0o600)  # it contains seeds, so only the owner may read it
        # by its real name and not by a link
        lock = sqlite3.connect(f"{Path(path).resolve()}.lock", timeout=0, isolation_level=None, check_same_thread=False)
        lock.execute("BEGIN EXCLUSIVE")
        _address_file(path).unlink(missing_ok=True)
    except OSError as error:
        if lock is not None:
            lock.close()
        raise StoreError(f"the database {path} cannot be written: {error.strerror}") from None
    except sqlite3.Error as error:
        if lock is not None:
            lock.close()
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
            raise StoreError(f"the database {path} is in use by another lastcard server") from None
        raise StoreError(f"the database {path} cannot be locked: {error}") from None
    return lock


def publish_address(path: str, url: str) -> None:
    """Write where the server that has locked a database file can be opened, for ``describe_lock``.

    The file is beside that of the database. A disk that takes no more is no reason to stop: nothing is written then.
    """
    with suppress(OSError):
        _address_file(path).write_text(url, encoding="utf-8")


def describe_lock(path: str) -> str:
    """Return in words which server has locked a database file, and how to run a second one."""
    try:
        where = f" at {_address_file(path).read_text(encoding='utf-8')}"
    except (OSError, UnicodeError):
        where = ""
    return (
        f"a lastcard server already runs{where} with the database {path}; a second one needs a database of its own: "
        "lastcard serve --database-url sqlite:///other.sqlite"
    )


def _address_file(path: str) -> Path:
    return Path(f"{Path(path).resolve()}.address")


def is_locked(path: str) -> bool:
    """Return whether a process has locked a database file. The check creates no lock file."""
    lock = Path(f"{Path(path).resolve()}.lock")
    if not lock.exists():
        return False
    try:
        with closing(
            sqlite3.connect(f"{lock.as_uri()}?mode=rw", uri=True, timeout=0, isolation_level=None)
        ) as connection:
            connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        return error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
    return False


def _set_up_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    """Set up SQLite: synchronous write-ahead log, secure deletion, explicit transactions."""
    connection.isolation_level = None
    for pragma in ("busy_timeout=5000", "journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")
