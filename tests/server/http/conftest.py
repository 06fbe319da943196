"""Fixtures of the tests of the HTTP server."""

from __future__ import annotations

import pytest

from support.threaded_server import Client, ThreadedServer


@pytest.fixture
def ann(served: ThreadedServer) -> Client:
    """A browser of a person."""
    return served.new_client()


@pytest.fixture
def code(ann: Client) -> str:
    """The code of a table of Ann."""
    return ann.create_table()
