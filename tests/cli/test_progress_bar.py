"""Progress on standard error: for people, not for files."""

from __future__ import annotations

import pytest

from lastcard.cli.progress_bar import ProgressCounter, open_counter, open_progress


def test_a_count_reports_progress() -> None:
    progress: list[tuple[str, int, int]] = []
    count = ProgressCounter(lambda *how: progress.append(how), "Deals", 3)
    count()
    count()
    assert progress == [("Deals", 0, 3), ("Deals", 1, 3), ("Deals", 2, 3)]
    assert count.done == 2


def test_only_a_terminal_shows_a_bar(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with open_counter("Deals", 3) as count:
        count()
    assert capsys.readouterr() == ("", "")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with open_progress() as show_progress:
        show_progress("positions", 1, 4)
        show_progress("decisions", 2, 2)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert all(words in shown.err for words in ("positions", "1/4", "decisions", "2/2"))
