"""Fixtures of the tests of the HTTP server."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lastcard.analysis import master_run
from lastcard.bots.registry import LEVELS
from support.report_samples import quick_report
from support.threaded_server import Client, ThreadedServer


@pytest.fixture
def quick_masters(monkeypatch: pytest.MonkeyPatch) -> None:
    """A *master* decides, and its luck is measured, with few rollouts: seconds a run otherwise."""
    master = LEVELS["master"]
    config = replace(master.settings["config"], rollouts=120, deals=32, burn=40)
    monkeypatch.setitem(LEVELS, "master", replace(master, settings={"config": config}))
    monkeypatch.setattr(master_run, "make_report", quick_report)


@pytest.fixture
def ann(served: ThreadedServer) -> Client:
    """A browser of a person."""
    return served.new_client()


@pytest.fixture
def code(ann: Client) -> str:
    """The code of a table of Ann."""
    return ann.create_table()
