"""The log tells of errors, and nothing that is a person's (SERVER.md, "Who may know and do what")."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import structlog

from lastcard.server import metrics
from lastcard.server.logs import note_fault, set_up_logs


@contextmanager
def logs() -> Iterator[None]:
    """The server's log, for as long as pytest captures where it goes."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    set_up_logs()
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        structlog.reset_defaults()


def fail(token: str) -> None:
    """Raise, with something private in a variable."""
    held = [token]
    raise ZeroDivisionError(len(held))


def test_a_fault_is_one_line_with_its_place_and_no_variables(capsys: pytest.CaptureFixture[str]) -> None:
    before = metrics.FAULTS._value.get()
    try:
        fail("a-private-token")
    except ZeroDivisionError as error:
        with logs():
            reference = note_fault(error, "Act")
    text = capsys.readouterr().err
    line = json.loads(text)
    assert (line["event"], line["reference"], line["where"], line["level"]) == ("fault", reference, "Act", "error")
    assert line["exception"][0]["frames"][-1]["name"] == "fail"
    assert "a-private-token" not in text
    assert metrics.FAULTS._value.get() == before + 1


def test_libraries_are_heard_only_when_something_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    log = logging.getLogger("uvicorn.error")
    with logs():
        log.info('127.0.0.1:1 - "WebSocket /ws/ABCDEF" [accepted]')
        assert capsys.readouterr().err == ""
        log.error("it broke")
    assert json.loads(capsys.readouterr().err)["event"] == "it broke"
