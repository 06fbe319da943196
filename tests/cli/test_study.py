"""``lastcard study`` at the command line (docs/studies)."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pyarrow import parquet

from lastcard.arena.studies.all_studies import STUDIES
from lastcard.cli.main import main

SMALL = ("--rounds", "100", "--workers", "1")


def test_two_studies_write_pages_figures_and_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "lever", "seats", *SMALL, "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    for name in ("lever", "seats"):
        page = (tmp_path / f"{name}.md").read_text(encoding="utf-8")
        answer = page.partition("**Answer.** ")[2].partition("\n")[0]
        assert " ".join(answer.split()) in " ".join(printed.split())
        assert f"`lastcard study {name} --rounds 100 --out DIR`" in page
        study = STUDIES[name]
        line = f"- [{study.title}]({name}.md). *{study.question}* {answer}\n"
        assert line in (tmp_path / "README.md").read_text(encoding="utf-8")
        for theme in ("light", "dark"):
            picture = ElementTree.parse(tmp_path / f"{name}-{theme}.svg").getroot()
            assert picture.tag.endswith("svg")
        assert not (tmp_path / f"{name}.jsonl").exists()
    rows = parquet.read_table(tmp_path / "lever.parquet").to_pylist()
    assert {row["outcome"] for row in rows} == {"CHOOSE", "RIGHT", "LEFT", "ALL", "DISCARD", "DRAW4"}
    assert all(row["puller, low"] is None or row["puller, low"] <= row["puller"] for row in rows)
    assert main(["study", "lever", *SMALL, "--out", str(tmp_path)]) == 2
    assert "--overwrite" in capsys.readouterr().err


def test_the_list_has_every_study(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["study"], ["study", "list"]):
        assert main(command) == 0
        assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(STUDIES)


def test_an_unknown_study_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "leverr"]) == 2
    assert "did you mean 'lever'" in capsys.readouterr().err


def test_files_need_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr("lastcard.arena.studies.study_figures.find_spec", lambda name: None)
    assert main(["study", "lever", "--out", str(tmp_path)]) == 2
    assert "install lastcard[studies]" in capsys.readouterr().err


def test_every_study_has_its_page() -> None:
    """The committed pages are those of the current questions, methods and default sizes."""
    folder = Path(__file__).parents[2] / "docs" / "studies"
    assert {path.stem for path in folder.glob("*.md")} == {"README", *STUDIES}
    for study in STUDIES.values():
        page = (folder / f"{study.name}.md").read_text(encoding="utf-8")
        assert f"**Question.** {study.question}" in page
        assert study.method in page
        assert f"{study.rounds:,} rounds are played" in page
