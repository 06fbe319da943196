"""The deal of the day in the terminal: one try, left and continued, its result and the line to share."""

from __future__ import annotations

import io
import re
from functools import cache
from pathlib import Path

import pytest

from lastcard.analysis import highlights, master_run
from lastcard.analysis.highlights import Highlight
from lastcard.analysis.master_run import MasterRun, run_master
from lastcard.cli.main import main
from lastcard.errors import UsageError
from lastcard.formats.record_files import read_record
from lastcard.game import daily_deal
from lastcard.game.cards import parse_card
from lastcard.match.match import Match
from lastcard.terminal.daily_client import play_daily, read_streak
from lastcard.terminal.line_io import LineTerminal
from lastcard.text.locale import LANGUAGES, catalog

DAY, NEXT_DAY = "2026-11-30", "2026-12-01"
ENGLISH = catalog("en")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of tries, which does not exist yet."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(daily_deal, "today", lambda: DAY)
    return tmp_path / "lastcard" / "daily"


def play(lines: str, day: str = DAY, game: str = "all-wild") -> tuple[Match | None, str]:
    """The match that a script finishes, and what the terminal shows."""
    out = io.StringIO()
    return play_daily(day, game, ENGLISH, LineTerminal(io.StringIO(lines), out)), out.getvalue()


def test_a_try_goes_on_where_it_was_left(folder: Path) -> None:
    """The end of the input, or quitting, ends no try; there are no hints, and none begins anew."""
    match, shown = play("hint\n1\n1\n")
    assert match is None
    assert ENGLISH.text("web.refused.daily") in shown and "lastcard daily all-wild" in shown
    before = read_record(folder / f"{DAY}-all-wild.toml").rounds[0].moves
    assert play("quit\n")[0] is None
    match, _ = play("1\n" * 100)
    assert match is not None and match.over
    record = read_record(folder / f"{DAY}-all-wild.toml")
    assert record.rounds[0].moves[: len(before)] == before and len(before) > 2
    again, shown = play("")
    assert again is not None and again.record().rounds == record.rounds and not shown


def test_streaks_count_finished_tries() -> None:
    """Whatever the game; one that was only begun does not count."""
    play("1\n" * 100)
    play("1\n" * 100, NEXT_DAY)
    play("quit\n", "2026-12-02")
    assert [read_streak(day) for day in (DAY, NEXT_DAY, "2026-12-02", "2026-12-03")] == [2, 2, 2, 0]


@cache
def run_master_once(seed: str) -> MasterRun:
    """The run on the deal of a seed, which is the same in all languages."""
    return run_master(Match(f"all-wild{daily_deal.ONE_ROUND}", ["A", "B", "C", "D"], seed=seed, host=0))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_result_beside_a_master(
    language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the decision that cost most; the line to share shows no card; the same command shows the same again."""
    found = [Highlight("cost", 0, 0, 12, 3, "play", "W"), Highlight("lead", 0, 1, 40)]
    monkeypatch.setattr(highlights, "find_highlights", lambda match, seats: found if list(seats) == [0] else [])
    monkeypatch.setattr(master_run, "run_master", lambda match: run_master_once(match.seed))
    monkeypatch.setattr(master_run, "measure_person_luck", lambda match: 0.25)
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 100))
    shown = []
    for _ in range(2):
        assert main(["daily", "all-wild", "--language", language]) == 0
        shown.append(capsys.readouterr().out)
    result, again = shown
    assert result.endswith(again)
    lines = again.strip().splitlines()
    assert len(re.findall(r"\d+\N{NO-BREAK SPACE}?%", lines[2])) == 2
    texts = catalog(language)
    assert lines[3] == texts.text("web.score.moment.cost.play", n=12, card=texts.card(parse_card("W"), "all-wild"))
    assert lines[-3].endswith(DAY) and re.fullmatch("[🟩🟨🟪🟥]+🏆?", lines[-1])
    assert "{" not in again


def test_what_is_no_try_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["daily", "whist"]) == 2
    assert "no game 'whist'" in capsys.readouterr().err
    play("1\n", NEXT_DAY)
    (folder / f"{NEXT_DAY}-all-wild.toml").rename(folder / f"{DAY}-all-wild.toml")
    with pytest.raises(UsageError, match="no try at that deal"):
        play("1\n")
    (folder / f"{DAY}-all-wild.toml").write_text("nonsense", encoding="utf-8")
    assert main(["daily", "all-wild"]) == 2
    assert f"{DAY}-all-wild.toml" in capsys.readouterr().err
