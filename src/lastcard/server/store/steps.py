"""The steps from schema to schema: at which one a database is, and taking those that are missing."""

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
"""The revisions of databases that versions before the first release wrote."""


class UnreleasedSchemaError(StoreError):
    """A database that an unreleased version of lastcard wrote. It cannot be read."""


def newest() -> str:
    """The schema this lastcard works with."""
    return str(_scripts().get_current_head())


def revision(connection: Connection, name: str) -> str | None:
    """At which schema a database is.

    Args:
        connection: to the database.
        name: of the database, for the error.

    Returns:
        The name of the last step that was taken; None where none was.

    Raises:
        UnreleasedSchemaError: where an unreleased version of lastcard has made the database.
        StoreError: where a newer lastcard has made it.
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
    """Take every step that is missing, inside the transaction the connection is in.

    Args:
        connection: to the database.
        name: of the database, for the error.
        to: the revision to go to; the newest one.

    Raises:
        StoreError: where an unreleased or a newer lastcard has made the database.
    """
    revision(connection, name)
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, to)


@cache
def _scripts() -> ScriptDirectory:
    """All steps, read once."""
    scripts = ScriptDirectory.from_config(_config())
    scripts.get_current_head()  # it would read them when first asked, in any thread
    return scripts


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "lastcard.server.store:migrations")
    return config
