"""Records imported as matches of the store, to be viewed in the browser."""

from __future__ import annotations

import asyncio
import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from lastcard.cli.main import main
from lastcard.errors import RecordError
from lastcard.formats.record_files import write_record
from lastcard.server.game.record_import import import_record
from lastcard.server.http.replays import record_text, replay_text
from lastcard.server.store.store import Store
from lastcard.session.match_rows import MatchRow, MoveRow
from support.record_samples import SERVER_CONFIG, random_record


def read_back(address: str, match: str) -> tuple[MatchRow, list[MoveRow]]:
    """The match and its log, as the browser gets them."""
    with closing(Store.open(address)) as store:
        row = asyncio.run(store.load_match(match))
        assert row is not None
        return row, asyncio.run(store.read_moves(match))


def test_an_imported_record_is_a_match_like_any_other(tmp_path: Path) -> None:
    """The match has rounds, moves, winners and the shuffle; a second import changes nothing."""
    address = f"sqlite:///{tmp_path / 'kept.sqlite'}"
    match, record = random_record(SERVER_CONFIG, 1)
    page = import_record(record, address)
    assert import_record(record, address) == page
    row, moves = read_back(address, page.removeprefix("/match/"))
    shown = json.loads(replay_text(row, moves))
    assert not shown["live"] and shown["winners"] == list(match.winners or ())
    assert len(shown["rounds"]) == len(record.rounds) > 1
    assert [len(r["steps"]) for r in shown["rounds"]] == [len(r.moves) for r in record.rounds]
    assert record_text(row, moves) == record.text()


def test_the_command_says_where_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, record = random_record(SERVER_CONFIG, 2, 30)
    write_record(tmp_path / "episode.toml", record)
    address = f"sqlite:///{tmp_path / 'kept.sqlite'}"
    assert main(["import", str(tmp_path / "episode.toml"), "--database-url", address]) == 0
    page = capsys.readouterr().out.split(":")[0]
    row, moves = read_back(address, page.removeprefix("/match/"))
    assert len(moves) == 30 and row.finished is not None


def test_a_record_whose_shuffle_cannot_be_checked_is_refused(tmp_path: Path) -> None:
    _, record = random_record(SERVER_CONFIG, 1)
    for other in (replace(record, shuffle=None), record.public(random_record(SERVER_CONFIG, 1)[0].round.view(None))):
        with pytest.raises(RecordError, match="promise, numbers and secret"):
            import_record(other, f"sqlite:///{tmp_path / 'kept.sqlite'}")
    with pytest.raises(RecordError, match="nothing was played"):
        import_record(replace(record, rounds=()), f"sqlite:///{tmp_path / 'kept.sqlite'}")
