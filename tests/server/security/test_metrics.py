"""Metrics count the events that they name."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from lastcard.server.security import metrics
from lastcard.server.security.metrics import REGISTRY
from lastcard.server.table import table_registry
from support.threaded_server import TIMEOUT_S, run_threaded_server


def figure(name: str, **labels: str) -> float:
    """The value of a metric; 0 if it is not exposed."""
    return REGISTRY.get_sample_value(f"lastcard_{name}", labels) or 0.0


def test_metrics_count_people_matches_commands_and_searches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person at two tables counts once; a match counts while it is played; commands count by kind."""
    monkeypatch.setattr(table_registry, "COUNT_S", 0.05)
    before = {
        (name, kind): figure(name, **({"kind": kind} if kind else {}))
        for name, kind in (
            ("matches_started_total", ""),
            ("command_seconds_count", "say"),
            ("command_seconds_count", "start"),
            ("command_seconds_count", "advise"),
            ("thought_seconds_count", "hint"),
        )
    }
    with run_threaded_server(tmp_path) as served:
        ann = served.new_client()
        first, second = (ann.join(ann.create_table(settings={"pace": "untimed"})) for _ in range(2))
        assert (figure("people"), figure("sockets"), figure("tables")) == (1, 2, 2)
        assert figure("matches") == 0
        first.send(type="say", text="hello")
        first.receive("heard")
        first.send(type="start")
        first.receive("dealt")
        until = time.monotonic() + TIMEOUT_S
        while figure("matches") != 1:
            assert time.monotonic() < until
            time.sleep(0.01)
        first.send(type="advise", id="of-no-use-perhaps")
        answer = first.receive("advice", "refused")
        second.connection.close()
    assert (figure("people"), figure("sockets")) == (0, 0)
    done = {key: figure(key[0], **({"kind": key[1]} if key[1] else {})) - value for key, value in before.items()}
    assert list(done.values())[:4] == [1, 1, 1, 1]
    assert done["thought_seconds_count", "hint"] == (answer["type"] == "advice")
    assert figure("thoughts_waiting", queue="thoughts") == figure("thoughts_waiting", queue="reports") == 0


@contextmanager
def serving(host: str) -> Iterator[int]:
    """The port of a server of metrics."""
    with metrics.serve(host, 0) as server, ExitStack() as stack:
        stack.callback(server.shutdown)
        yield server.server_port


def test_a_caller_may_disconnect(capfd: pytest.CaptureFixture[str]) -> None:
    """A client that disconnects before the answer leaves no traceback in the log, and the next is answered."""
    with serving("127.0.0.1") as port:
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", port)) as line:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                line.sendall(b"GET /metr")
        assert b"lastcard_build_info" in urlopen(f"http://127.0.0.1:{port}/metrics").read()
    assert capfd.readouterr().err == ""


@pytest.mark.skipif(not socket.has_ipv6, reason="there is no IPv6 here")
def test_metrics_are_served_over_ipv6() -> None:
    """``--check`` announces them."""
    with serving("::1") as port:
        assert b"lastcard_build_info" in urlopen(f"http://[::1]:{port}/metrics").read()


def test_metrics_have_a_port_of_their_own() -> None:
    with serving("127.0.0.1") as port:
        assert b"lastcard_moves_total" in urlopen(f"http://127.0.0.1:{port}/metrics").read()
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"http://127.0.0.1:{port}")


def test_the_running_version_is_exposed() -> None:
    """The version, Python, and the process; nothing that identifies a person."""
    names = {sample.name for metric in REGISTRY.collect() for sample in metric.samples}
    assert {"lastcard_build_info", "process_cpu_seconds_total", "process_resident_memory_bytes"} <= names
    (build,) = next(metric for metric in REGISTRY.collect() if metric.name == "lastcard_build").samples
    assert set(build.labels) == {"version", "python"} and all(build.labels.values())
