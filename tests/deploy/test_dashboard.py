"""The dashboard of ``deploy/`` shows exactly our metrics, in names that Prometheus reads."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import pytest

from support.proxies import DEPLOY
from support.threaded_server import run_threaded_server

DASHBOARD: Final[dict[str, Any]] = json.loads((DEPLOY / "dashboard.json").read_text())
QUERIES: Final[list[str]] = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]


@pytest.fixture(scope="module")
def exposed_metrics(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The metrics of a server's ``/metrics``: the labels of each name."""
    with run_threaded_server(tmp_path_factory.mktemp("server")) as served:
        ann = served.new_client()
        ann.join(ann.create_table())
        ann.get("/api/tables/ABCDEF")
        text = ann.get("/metrics").text
    found: dict[str, set[str]] = {}
    for name, labels in re.findall(r"^(\w+)(?:\{(.*)\})? ", text, re.M):
        found.setdefault(name, set()).update(re.findall(r'(\w+)="', labels))
    return found


def test_every_metric_of_the_dashboard_is_exposed(exposed_metrics: dict[str, set[str]]) -> None:
    """Names are complete, and labels are those of the metric; ``instance`` and ``job`` are Prometheus's own."""
    for question in QUERIES:
        (name,) = re.findall(r"\b(?:lastcard|process)_\w+", question)
        assert name in exposed_metrics, question
        counted = {label for group in re.findall(r"by \(([^)]*)\)", question) for label in group.split(", ")}
        counted |= set(re.findall(r"[{,](\w+)!?=~?\"", question))
        assert counted - {"instance", "job"} <= exposed_metrics[name], question


def test_every_exposed_metric_is_shown(exposed_metrics: dict[str, set[str]]) -> None:
    """A metric that nobody sees need not be counted."""
    shown = {
        re.sub(r"_(total|bucket|count|info)$", "", name) for name in re.findall(r"\blastcard_\w+", " ".join(QUERIES))
    }
    ours = {
        re.sub(r"_(total|bucket|count|sum|created|info)$", "", name)
        for name in exposed_metrics
        if name.startswith("lastcard_")
    }
    assert shown == ours


def test_the_dashboard_is_laid_out() -> None:
    """Panels do not overlap, have titles, and find their source by the variable."""
    places = [panel["gridPos"] for panel in DASHBOARD["panels"]]
    cells = [
        (x, y) for at in places for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(cells) == len(set(cells)) and max(x for x, _ in cells) < 24
    assert all(panel["title"] and panel["datasource"]["uid"] == "${source}" for panel in DASHBOARD["panels"])
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])
    known = {variable["name"] for variable in DASHBOARD["templating"]["list"]}
    assert set(re.findall(r"\$\{?([a-z]+)", json.dumps(DASHBOARD["panels"]))) == known
