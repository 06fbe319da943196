"""``lastcard report`` at the command line (docs/insight.md)."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, NoReturn

import pytest

from lastcard.analysis import report as making
from lastcard.analysis.report_model import Report
from lastcard.bots.search import SearchConfig
from lastcard.cli.main import main
from lastcard.formats.record_files import read_record, write_record
from lastcard.game.seeds import Seed
from lastcard.match.record import Record
from lastcard.text.locale import LANGUAGES, catalog
from support.report_samples import QUICK_SETTINGS, play_match


@pytest.fixture(autouse=True)
def quick_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command with little work."""
    monkeypatch.setattr(making, "make_report", make_once)


@cache
def finished() -> Record:
    """A finished match."""
    return play_match("all-wild", "sharp,learner,casual", seed="command").record()


make = making.make_report


@cache
def default_report(text: str) -> Report:
    """The report of a record with the default seed."""
    return make(Record.parse(text), **QUICK_SETTINGS)


def make_once(record: Record, *, seed: Seed, **more: Any) -> Report:
    """The report of a record; with the usual seed it is computed once for all tests."""
    return (
        default_report(record.text())
        if str(seed) == str(making.SEED)
        else make(record, seed=seed, **(more | QUICK_SETTINGS))
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of a finished match."""
    write_record(tmp_path / "match.toml", finished())
    return tmp_path / "match.toml"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_summary_of_80_columns(language: str, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(path), "--language", language]) == 0
    shown = capsys.readouterr()
    texts = catalog(language)
    for key in ("account.title", "decisions.title", "worst.title", "best.title", "luck.title", "calls.title"):
        assert texts.text(f"report.{key}") in shown.out
    assert "±" in shown.out and str(QUICK_SETTINGS["rollouts"]) in shown.out
    assert max(len(line.rstrip()) for line in shown.out.splitlines()) <= 80
    assert shown.err == ""


def test_a_page_is_written(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(path), "--out", str(tmp_path / "match.html"), "--language", "pl"]) == 0
    page = (tmp_path / "match.html").read_text(encoding="utf-8")
    assert page.startswith('<!DOCTYPE html>\n<html lang="pl">') and page.endswith("</html>\n")


def test_json_is_all_that_is_printed(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for seed in ("1", "1", "2"):
        assert main(["report", str(path), "--json", "--seed", seed]) == 0
        outputs.append(json.loads(capsys.readouterr().out))
    assert outputs[0] == outputs[1] != outputs[2]
    assert outputs[0]["players"] == ["sharp 0", "learner 1", "casual 2"]


@pytest.mark.parametrize("out", ["nowhere/match.html", ".", "match.toml"])
def test_a_page_that_cannot_be_written_is_refused_before_the_work(
    out: str, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(making, "make_report", lambda *args, **more: pytest.fail("it was worked out for nothing"))
    before = path.read_bytes()
    assert main(["report", str(path), "--out", str(tmp_path / out)]) == 2
    said = "another file than the record" if out == "match.toml" else "cannot be written there"
    assert said in capsys.readouterr().err
    assert path.read_bytes() == before


def test_a_report_is_shown_though_its_page_cannot_be_written(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fill_up(*args: object, **more: object) -> NoReturn:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fill_up)
    assert main(["report", str(path), "--json", "--out", str(tmp_path / "match.html")]) == 2
    shown = capsys.readouterr()
    assert json.loads(shown.out)["players"]
    assert "match.html: cannot be written: No space left on device" in shown.err


@pytest.mark.parametrize("link", ["symlink_to", "hardlink_to"])
def test_a_page_never_takes_the_place_of_its_record(
    link: str, path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    getattr(tmp_path / "match.html", link)(path)
    before = path.read_bytes()
    assert main(["report", str(path), "--out", str(tmp_path / "match.html")]) == 2
    assert "another file than the record" in capsys.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_page_is_written_though_the_reader_has_gone(
    form: list[str], path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader closes the pipe, as with `| head -1`."""

    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w", encoding="utf-8", buffering=1) as pipe, suppress(SystemExit):
        monkeypatch.setattr(sys, "stdout", pipe)
        assert main(["report", str(path), *form, "--out", str(tmp_path / "match.html")]) == 141
    assert (tmp_path / "match.html").read_text(encoding="utf-8").endswith("</html>\n")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_figure_is_whole_in_a_narrow_terminal(
    language: str, path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each player has a block of its own where a table does not fit."""
    monkeypatch.setenv("COLUMNS", "40")
    assert main(["report", str(path), "--language", language]) == 0
    shown = capsys.readouterr().out
    texts = catalog(language)
    tables = shown[shown.index(texts.text("report.account.sum")[:9]) : shown.index(texts.text("report.worst.title"))]
    assert "…" not in tables
    blocks = tables.split(f"\n{texts.text('report.account.player')} sharp 0\n")
    assert len(blocks) == 3  # luck, skill and decisions
    assert blocks[1].split("\n\n")[0].count("±") == 6


def test_names_are_whole_however_many_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    record = play_match("classic", ",".join(["learner"] * 10), seed="names0").record()
    names = tuple(f"{letter} von und zu Hohenstein" for letter in "ABCDEFGHIJ")
    write_record(tmp_path / "match.toml", replace(record, players=names))
    hardly = SearchConfig(rollouts=40, deals=4, burn=4, thin=2)
    monkeypatch.setattr(
        making, "make_report", partial(make, rollouts=20, search_config=hardly, measure_config=hardly, threads=1)
    )
    assert main(["report", str(tmp_path / "match.toml")]) == 0
    shown = capsys.readouterr().out
    texts = catalog("en")
    kinds = shown[shown.index(texts.text("report.kinds.title")) : shown.index(texts.text("report.worst.title"))]
    assert all(name in kinds for name in names) and "…" not in kinds


def test_a_name_cannot_reverse_a_line(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record may contain any name, but the order of other words does not change."""
    write_record(path, replace(read_record(path), players=("Ann", "\u202eevil", "Bo")))
    assert main(["report", str(path), "--out", str(tmp_path / "match.html")]) == 0
    for text in (capsys.readouterr().out, (tmp_path / "match.html").read_text(encoding="utf-8")):
        assert "\u202e" not in text and r"\u202eevil" in text
