"""A later schema, for tests of what an update does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from alembic.config import Config

from lastcard.server.store import steps

LATER = """
import sqlalchemy
from alembic import op
revision, down_revision = "later", "{older}"
def upgrade():
    op.add_column("player", sqlalchemy.Column("later", sqlalchemy.Text))
    op.create_index("ix_player_later", "player", ["later"])
"""


@pytest.fixture
def update(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Pretends that a later lastcard runs, whose schema has one more column with an index."""
    (tmp_path / "versions").mkdir()
    (tmp_path / "versions" / "later.py").write_text(LATER.format(older=steps.newest()), encoding="utf-8")
    present = steps._config

    def config() -> Config:
        later = present()
        later.set_main_option("path_separator", "newline")
        own = "lastcard.server.store:migrations/versions"
        later.set_main_option("version_locations", f"{own}\n{tmp_path / 'versions'}")
        return later

    return lambda: monkeypatch.setattr(steps, "_config", config)
