"""Native code is compiled ahead, part by part."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from lastcard.cli.main import main
from lastcard.kernel import turbo
from lastcard.kernel.functions import Door


@pytest.mark.parametrize(
    ("parts", "there", "missing"),
    [
        (["rules"], "lastcard.rules.doors", "lastcard.ai.decision"),
        (["bots", "envs"], "lastcard.envs.compiled.vector", "lastcard.rules.doors"),
        ([], "lastcard.training.compiled.duel", "lastcard.terminal"),
    ],
)
def test_what_is_compiled(
    parts: list[str], there: str, missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def compile_doors(doors: Collection[Door], tell: turbo.Tell) -> bool:
        asked.extend(door.function.__module__ for door in doors)
        tell("choose", 0, len(asked))
        return True

    monkeypatch.setattr(turbo, "compile_doors", compile_doors)
    assert main(["warm", *parts]) == 0
    assert there in asked
    assert missing not in asked
    assert f"native code of {len(asked)} doors is in " in capsys.readouterr().out


def test_every_door_has_its_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the module holds can be had as native code."""
    from tools.wasm.doors import all_doors

    asked: list[str] = []

    def compile_doors(doors: Collection[Door], tell: turbo.Tell) -> bool:
        asked.extend(door.name for door in doors)
        return True

    monkeypatch.setattr(turbo, "compile_doors", compile_doors)
    assert main(["warm"]) == 0
    assert sorted(asked) == sorted(door.name for door in all_doors())


def test_what_cannot_be_compiled(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warm", "rule"]) == 2
    assert "did you mean 'rules'?" in capsys.readouterr().err
    monkeypatch.setattr(turbo, "compile_doors", lambda doors, tell: False)
    assert main(["warm", "rules"]) == 2
    assert "LASTCARD_CACHE" in capsys.readouterr().err
