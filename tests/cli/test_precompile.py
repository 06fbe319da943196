"""Ahead-of-time compilation of native code, part by part."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from lastcard.cli.main import main
from lastcard.kernel import background_compile
from lastcard.kernel.signatures import Export


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Export]:
    """The exports that a command would compile."""
    asked: list[Export] = []

    def compile_exports(exports: Collection[Export], report_progress: background_compile.Progress) -> bool:
        asked.extend(exports)
        report_progress("choose", 0, len(asked))
        return True

    monkeypatch.setattr(background_compile, "compile_exports", compile_exports)
    return asked


@pytest.mark.parametrize(
    ("parts", "there", "missing"),
    [
        (["rules"], "lastcard.rules.exports", "lastcard.ai.decision"),
        (["bots", "envs"], "lastcard.envs.compiled.vector", "lastcard.rules.exports"),
        ([], "lastcard.training.compiled.duel", "lastcard.terminal"),
    ],
)
def test_what_is_compiled(
    parts: list[str], there: str, missing: str, asked: list[Export], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["precompile", *parts]) == 0
    modules = [export.function.__module__ for export in asked]
    assert there in modules
    assert missing not in modules
    assert f"native code of {len(asked)} exports is in " in capsys.readouterr().out


def test_every_export_has_its_part(asked: list[Export]) -> None:
    """All exports of the module are available as native code."""
    from tools.wasm.exports import all_exports

    assert main(["precompile"]) == 0
    assert sorted(export.name for export in asked) == sorted(export.name for export in all_exports())


def test_what_cannot_be_compiled(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["precompile", "rule"]) == 2
    assert "did you mean 'rules'?" in capsys.readouterr().err
    monkeypatch.setattr(background_compile, "compile_exports", lambda exports, report_progress: False)
    assert main(["precompile", "rules"]) == 2
    assert "LASTCARD_CACHE" in capsys.readouterr().err
