"""What Alembic runs around the steps: they are taken on the connection that ``steps.upgrade`` hands over."""

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
