"""A match may be a prepared round: then it says where that began."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From matches that were all shuffled."""
    op.add_column("match", sa.Column("position", sa.Text))
