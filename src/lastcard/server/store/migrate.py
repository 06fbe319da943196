"""Bringing the schema of a database up to date."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from lastcard.errors import StoreError


def upgrade(connection: Connection, name: str, to: str = "head") -> None:
    """Take every step that is missing, inside the transaction the connection is in.

    Args:
        connection: to the database.
        name: of the database, for the error.
        to: the revision to go to; the newest one.

    Raises:
        StoreError: where a newer lastcard has made the database.
    """
    config = Config()
    config.set_main_option("script_location", "lastcard.server.store:migrations")
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if not known.issuperset(MigrationContext.configure(connection).get_current_heads()):
        raise StoreError(f"the database {name} was made by a newer lastcard: update lastcard, or name another database")
    command.upgrade(config, to)
