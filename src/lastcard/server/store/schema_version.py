"""Schema migrations: the revision of a database, and its upgrade."""

from __future__ import annotations

from functools import cache
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from lastcard.errors import StoreError

_UNRELEASED: Final = frozenset(f"{number:04}" for number in range(1, 7))
"""The revisions of databases from versions before the first release."""


class UnreleasedSchemaError(StoreError):
    """A database from an unreleased version of lastcard, which cannot be read."""


def newest_revision() -> str:
    """Return the schema revision of this lastcard."""
    return str(_scripts().get_current_head())


def revision(connection: Connection, name: str) -> str | None:
    """Return the revision of a database's last migration; None if there was none. Errors call it ``name``.

    Raises:
        UnreleasedSchemaError: if an unreleased version of lastcard created the database.
        StoreError: if a newer lastcard created it.
    """
    known = {script.revision for script in _scripts().walk_revisions()}
    heads = MigrationContext.configure(connection).get_current_heads()
    if _UNRELEASED.intersection(heads) or (not heads and inspect(connection).has_table("table_state")):
        raise UnreleasedSchemaError(
            f"the database {name} was made by an unreleased version of lastcard, which this one does not read; it was "
            "not changed: move it away, or name another database"
        )
    if not known.issuperset(heads):
        raise StoreError(f"the database {name} was made by a newer lastcard: update lastcard, or name another database")
    return heads[0] if heads else None


def upgrade(connection: Connection, name: str, to: str = "head") -> None:
    """Run all missing migrations inside the connection's transaction; errors call the database ``name``.

    Raises:
        StoreError: if an unreleased or newer lastcard created the database.
    """
    revision(connection, name)
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, to)


@cache
def _scripts() -> ScriptDirectory:
    scripts = ScriptDirectory.from_config(_config())
    scripts.get_current_head()  # reads them now, as otherwise any thread would
    return scripts


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "lastcard.server.store:migrations")
    return config
