"""Alembic's environment: it runs the steps on the connection of ``schema_version.upgrade``."""

from __future__ import annotations

from alembic import context

from lastcard.server.store.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite changes a table by making it anew
    transactional_ddl=True,
)
context.run_migrations()
