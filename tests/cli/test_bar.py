"""Progress on standard error: for people, not for files."""

from __future__ import annotations

import pytest

from lastcard.cli.bar import Count, open_bar, open_count


def test_a_count_tells_how_far_it_is() -> None:
    told: list[tuple[str, int, int]] = []
    count = Count(lambda *how: told.append(how), "Deals", 3)
    count()
    count()
    assert told == [("Deals", 0, 3), ("Deals", 1, 3), ("Deals", 2, 3)]
    assert count.done == 2


def test_only_a_terminal_shows_a_bar(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with open_count("Deals", 3) as count:
        count()
    assert capsys.readouterr() == ("", "")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with open_bar() as tell:
        tell("positions", 1, 4)
        tell("decisions", 2, 2)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert all(words in shown.err for words in ("positions", "1/4", "decisions", "2/2"))
