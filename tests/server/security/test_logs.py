"""The log reports errors, and contains no personal data."""

from __future__ import annotations

import asyncio
import errno
import io
import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import structlog

from lastcard.errors import StoreError
from lastcard.server.security import metrics
from lastcard.server.security.logs import note_fault, set_up_logs
from lastcard.server.store.store import Store
from lastcard.server.table.table_registry import SWEEP_S
from support.fakes import MemoryStore, Person, open_registry, playing_table, set_position


@contextmanager
def logs() -> Iterator[None]:
    """The server's log, while pytest captures its output."""
    root, uvicorn = logging.getLogger(), logging.getLogger("uvicorn.error")
    handlers, level, before = list(root.handlers), root.level, structlog.get_config()
    set_up_logs()
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        uvicorn.setLevel(logging.NOTSET)
        structlog.configure(**before)


class FullDisk(io.StringIO):
    """A file on a full disk."""

    def write(self, text: str) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def fail(token: str) -> None:
    """Raise, with a secret in a variable."""
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


def test_libraries_log_only_when_something_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    log = logging.getLogger("uvicorn.error")
    with logs():
        log.info('127.0.0.1:1 - "WebSocket /ws/ABCDEF" [accepted]')
        log.warning("Invalid HTTP request received.")  # a stranger can send a thousand a second
        assert capsys.readouterr().err == ""
        log.error("it broke")
    assert json.loads(capsys.readouterr().err)["event"] == "it broke"


@pytest.mark.real_time
async def test_a_log_that_cannot_be_written_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The disk is full for log and tables: the store refuses and goes on; later entries are logged again."""
    with closing(Store.open(f"sqlite:///{tmp_path / 't.db'}")) as store, logs():
        with monkeypatch.context() as full:
            full.setattr(sys, "stderr", FullDisk())
            note_fault(ZeroDivisionError(), "Act")
            (tmp_path / "t.db").rename(tmp_path / "elsewhere.db")
            with pytest.raises(StoreError):
                async with asyncio.timeout(60):
                    await store.create_table("ABC234", b"doc")
            (tmp_path / "elsewhere.db").rename(tmp_path / "t.db")
            assert await store.create_table("ABC234", b"doc")
        note_fault(ZeroDivisionError(), "Why")
    assert json.loads(capsys.readouterr().err)["where"] == "Why"


async def test_table_events_are_logged_without_names(capsys: pytest.CaptureFixture[str]) -> None:
    ada, store = Person("Ada-Augusta"), MemoryStore()
    with logs():
        table = await playing_table(ada, seats=3, rules="all-wild+jump_in")
        set_position(table, "W", "W W", "W W")
        await ada.make_move("W")
        assert table.state.phase == "over"
        store.sweep_result = 2
        async with open_registry(store):
            await asyncio.sleep(1.5 * SWEEP_S)
    text = capsys.readouterr().err
    lines = [json.loads(line) for line in text.splitlines()]
    events = [{key: value for key, value in line.items() if key not in ("level", "timestamp")} for line in lines]
    assert events == [
        {"event": "table opened", "tables": 1},
        {"event": "match started", "rules": "all-wild+jump_in", "seats": 3, "bots": 2},
        {"event": "match finished", "plies": 1, "seconds": 0},
        {"event": "tables swept", "tables": 2},
    ]
    for private in ("Ada", table.code, table.play.id, table.state.secret, table.play.log.row.secret.hex()):
        assert private not in text
