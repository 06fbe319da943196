"""What the tests of the server share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from support.services import fresh_database, running_postgres, running_redis


@pytest.fixture(scope="session", autouse=True)
def plain_faults() -> None:
    """What goes wrong is logged without colors and variables, which takes a fifth of a second each time."""
    *processors, _ = structlog.get_config()["processors"]
    written = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*processors, written])


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL whose user may create databases."""
    with running_postgres() as address:
        yield address


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The address of a Redis."""
    with running_redis() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/tables.db"
    else:
        with fresh_database(request.getfixturevalue("postgres")) as address:
            yield address


@pytest.fixture
def postgres_database(postgres: str) -> Iterator[str]:
    """The address of an empty PostgreSQL database."""
    with fresh_database(postgres) as address:
        yield address
