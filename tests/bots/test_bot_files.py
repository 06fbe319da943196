"""Bots in files: ``--bots FILE.py:Class``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from lastcard import UsageError, make_bot, run_arena
from lastcard.bots.bot_files import read_bot_file
from lastcard.cli.main import main

SOURCE = """
from dataclasses import dataclass

from lastcard import Bot
from ranks import rank


class Attacker(Bot):
    def choose(self, view):
        return min(view.legal, key=rank)


@dataclass
class Frugal(Bot):
    seed: bytes
    settings: str = "1"

    def choose(self, view):
        return sorted(view.legal, key=rank)[int(self.settings) % len(view.legal)]
"""
HELPER = """
def rank(move):
    return move.verb == "uno", str(move)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a file of two bots that imports another file."""
    (tmp_path / "attack.py").write_text(SOURCE)
    (tmp_path / "ranks.py").write_text(HELPER)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])  # gets this folder
    monkeypatch.delitem(sys.modules, "ranks", raising=False)
    return tmp_path


def test_bots_of_a_file_play_in_the_arena_with_any_number_of_workers(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = []
    for workers in ("1", "2"):
        line = f"arena --bots attack.py:Attacker,attack.py:Frugal:2 --rounds 6 --seed 1 --json --workers {workers}"
        assert main(line.split()) == 0
        shown.append(json.loads(capsys.readouterr().out))
    assert shown[0]["bots"] == ["attack.py:Attacker", "attack.py:Frugal:2"]
    assert shown[0]["cross"] == shown[1]["cross"]


def test_bots_of_a_file_play_in_simulations_and_against_programs(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", "--bots", f"{folder}/attack.py:Attacker,casual", "--rounds", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["bots"] == [f"{folder}/attack.py:Attacker", "casual"] * 2
    program = str(Path(__file__).parents[2] / "examples" / "bots" / "greedy.py")
    line = ["bot", "--players", "2", "--rounds", "2", "--against", "attack.py:Attacker", "python3", program]
    assert main(line) == 0
    assert "attack.py:Attacker" in capsys.readouterr().out


def test_deals_of_a_changed_file_are_not_mixed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = "arena --bots attack.py:Attacker,random --rounds 2 --seed 1 --workers 1 --resume deals.jsonl"
    assert main(line.split()) == 0
    assert main(["arena", "--check", "deals.jsonl"]) == 2
    assert "its bots are not known by name" in capsys.readouterr().err
    (folder / "other.py").write_text(SOURCE.replace("min(", "max("))
    own = [read_bot_file(f"{name}.py:Attacker") for name in ("attack", "other")]
    keys = [run_arena("classic", 2, [bot or "", "random"], 1, 1, workers=1).plan.as_dict()["own"] for bot in own]
    assert len({key for each in keys for key in each.values()}) == 2


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        ("attack.py", "attack.py needs the name of a class; its bots are Attacker, Frugal"),
        (
            "attack.py:Atacker",
            "attack.py has no bot 'Atacker'; its bots are Attacker, Frugal; did you mean 'Attacker'?",
        ),
        ("ranks.py", "ranks.py needs the name of a class; it has no class with choose(view)"),
        ("attack.py:Attacker:2", "Attacker takes no settings, such as '2'"),
        ("nowhere.py:Bot", "nowhere.py: cannot be read: No such file or directory"),
        ("broken.py:Bot", "broken.py is no Python module that can be loaded: invalid syntax (broken.py, line 1)"),
        ("attack:Attacker", "there is no bot 'attack:Attacker'"),
        ("attack:Attacker", "FILE.py:Class for lastcard arena and simulate, or has a name by an entry point"),
    ],
)
def test_what_is_no_bot_of_a_file_is_explained(
    folder: Path, bots: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "broken.py").write_text("class Bot Bot")
    for command in ("arena", "simulate"):
        assert main([command, "--players", "2", "--bots", f"{bots},casual"]) == 2
        assert said in capsys.readouterr().err


def test_a_name_alone_loads_no_file(folder: Path) -> None:
    """Names also come from tables, saved matches and results, which other people write."""
    (folder / "attack.py").write_text("raise SystemExit('loaded')")
    with pytest.raises(UsageError, match="there is no bot"):
        make_bot("attack.py:Attacker")
    assert main(["play", "--bots", "attack.py:Attacker"]) == 2
