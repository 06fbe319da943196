"""The commands of each page work, in their order; test_tutorial.py runs those of the tutorial."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from lastcard.cli.main import main
from lastcard.envs.batch_policies import NetworkPolicy
from lastcard.envs.features import features
from support.doc_pages import ROOT, inline_commands, name, pages, shell

RELEASE: Final = max((ROOT / "tests" / "releases").iterdir())
TIMEOUT_S: Final = 60
PLACEHOLDER: Final = re.compile(r"\b[A-Z]{3,}\b|…|\.\.\.")
WITH_ARGUMENTS: Final = re.compile(r"lastcard [a-z-]+ .*(--|[+.])")
"""A command in a sentence is run if it has arguments; others are names."""

NOT_RUN: Final = {
    r"make ": "test_docs.py checks that the target exists",
    r"pip install ": "downloads packages; test_docs.py checks the extras",
    r"(alias|printf) ": "downloads the names and hashes of packages",
    r".*\bsudo |git |sh deploy/|SITE=": "changes a machine; tests/deploy has its files",
    r"lastcard serve (?!--check)": "is a server, which does not end",
    r"lastcard mcp ": "is a server, which does not end",
    r"python3 -m http\.server ": "is a server, which does not end",
    r"lastcard bot --table ": "needs a table of a server",
    r"lastcard eval ": "needs the server of a language model; tests/agents has a substitute",
    r"lastcard train ": "takes hours",
    r"lastcard puzzles make ": "takes hours; tests/arena searches with little effort",
    r".* --cluster auto": "needs a cluster of Ray",
    r".*attacker\.py": "test_tutorial.py has the file",
    r".* postgresql:": "needs a server of PostgreSQL",
    r"lastcard restore \S+\.schema-1 ": "needs a database of a schema before the first",
    r"(mkdir|gcc|build/yardstick) ": "`make bench` compiles and runs it",
    r"Cache-Control:": "is a header",
}
"""Patterns of commands that are not run, with the reason."""

REPLACED: Final = {
    "--rounds 100000": "--rounds 100",
    "--rounds 20000": "--rounds 3",
    "--rounds 5000": "--rounds 3",
    "--rounds 1000": "--rounds 3",
    "--rounds 500": "--rounds 3",
    "--rounds 200": "--rounds 2",
    "--rounds 100": "--rounds 3",
    "--until 95%": "--until 95% --rounds 50",
    "restore cards.backup": "restore cards.backup --overwrite",
    "--player Ann": "--player Ada",
    "--config cards.toml": "--config cards.toml --database-url sqlite:///checked.sqlite",
}
"""What makes commands short, or possible in a folder where others have run; each occurs on a page."""


def commands(page: Path) -> list[str]:
    """The commands of a page: those in its sentences, then those of its blocks, without comments."""
    spans = [span for span in inline_commands(page) if WITH_ARGUMENTS.match(span) and not PLACEHOLDER.search(span)]
    lines = [line.strip() for line in shell(page).splitlines()]
    return list(dict.fromkeys([*spans, *(re.sub(r" +# .*", "", line) for line in lines if line)]))


def is_run(command: str) -> bool:
    """Whether this test runs a command."""
    return not any(re.match(pattern, command) for pattern in NOT_RUN)


def shorten(command: str) -> str:
    """A command with less to do."""
    for long, short in REPLACED.items():
        if re.search(rf"{re.escape(long)}(?!\d)", command):
            return command.replace(long, short)
    return f"{command} --rounds 3" if command.startswith("lastcard arena ") else command


SHOWN: Final = {
    page: commands(page) for page in pages() if page.name not in ("CHANGELOG.md", "tutorial.md") and commands(page)
}
RUN: Final = {name(page): found for page, shown in SHOWN.items() if (found := [each for each in shown if is_run(each)])}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with what the pages speak of: examples, a record, a database, a policy, a configuration."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    shutil.copy(RELEASE / "match.toml", tmp_path)
    (tmp_path / "lastcard").mkdir()
    database = shutil.copy(RELEASE / "tables.sqlite", tmp_path / "lastcard")
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE match SET finished = NULL WHERE id = 'brought'")  # a row that no match left
    (tmp_path / "cards.toml").write_text('host = "127.0.0.1"\n', encoding="utf-8")
    layout = features("classic", 2)
    weights = np.zeros((len(layout.action_space), layout.size))
    NetworkPolicy("classic", 2, [(weights, np.zeros(len(weights)))]).save(tmp_path / "policy.npz")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("doc", RUN)
def test_commands_work(
    doc: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each succeeds; what asks questions gets ``quit``. Those of lastcard run in this process, which is faster."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    monkeypatch.setenv("PATH", path)
    for command in map(shorten, RUN[doc]):
        assert command.startswith(("lastcard ", "python3 ")), f"{command}: run it here, or say in NOT_RUN why not"
        if " node " in command and not shutil.which("node"):
            continue
        monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
        if command.startswith("lastcard "):
            status = main(shlex.split(command)[1:])
        else:
            status = subprocess.run(command, shell=True, cwd=folder, timeout=TIMEOUT_S).returncode
        assert status == 0, f"{command}: {capsys.readouterr().err}"


def test_exceptions_are_needed() -> None:
    """Every command that is not run, and every replacement, is on a page."""
    shown = [command for found in SHOWN.values() for command in found]
    assert not [pattern for pattern in NOT_RUN if not any(re.match(pattern, command) for command in shown)]
    run = [command for found in RUN.values() for command in found]
    assert not [long for long in REPLACED if not any(re.search(rf"{re.escape(long)}(?!\d)", each) for each in run)]
    assert len(run) >= 36
