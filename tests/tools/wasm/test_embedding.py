"""The module in other programs: the examples work, and the code of docs/everywhere.md runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from lastcard.formats.replay import verify_record
from lastcard.kernel.wasm_backend import MODULE_FILE as MODULE
from lastcard.match.match import Match
from lastcard.match.record import Record
from support.node import WEB, find_node
from tools.differential.javascript import play_match

ROOT: Final = Path(__file__).parents[3]
EXAMPLES: Final = ROOT / "examples" / "everywhere"


def run(program: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run an example, or another file."""
    runner = sys.executable if program.endswith(".py") else find_node()
    command = [runner, str(EXAMPLES / program), *map(str, words)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match that bots have played in Node.js."""
    done = run("round.js", "classic+living-room+winning_score=100", "porch", "casual", "learner")
    assert done.returncode == 0, done.stderr
    assert "round_over" in done.stderr
    path = tmp_path_factory.mktemp("records") / "match.toml"
    path.write_text(done.stdout, encoding="utf-8")
    return path


def test_a_record_made_in_node_is_true(record: Path) -> None:
    found = Record.parse(record.read_text(encoding="utf-8"))
    assert found.winners is not None
    verify_record(found)


def test_node_proves_a_record(record: Path, tmp_path: Path) -> None:
    assert run("check_record.js", record).stdout.startswith("true: ")
    changed = tmp_path / "changed.toml"
    changed.write_text(re.sub(r'"0:(\w+)', r'"0:B0', record.read_text(encoding="utf-8"), count=1), encoding="utf-8")
    done = run("check_record.js", changed)
    assert (done.returncode, done.stdout[:10]) == (1, "not true: ")


def test_the_description_is_enough(record: Path, tmp_path: Path) -> None:
    """A program with only the description replays the record, and so it does matches by random rules."""
    texts = [match.expected["record"] for match in map(play_match, range(1, 60)) if match.expected["record"]]
    whole = [text for text in texts if Record.parse(text).rounds[-1].over][:5]
    paths = [tmp_path / f"{i}.toml" for i in range(len(whole))]
    for path, text in zip(paths, whole, strict=True):
        path.write_text(text, encoding="utf-8")
    done = run("by_description.py", record, *paths)
    assert done.stdout.count("true: ") == 6, done.stderr


def test_node_reports_an_invalid_record(record: Path, tmp_path: Path) -> None:
    """Any invalid file gives one line, and the next file is read."""
    text = record.read_text(encoding="utf-8")
    files = {
        "missing.toml": (None, "cannot be read: "),
        "bytes.toml": (b"\xff\xfe", "cannot be read: "),
        "page.toml": (b"<html>", "cannot be read: "),
        "other.toml": (b"a = 1", "not true: "),
        "players.toml": (re.sub(r"^players = .*$", "players = []", text, flags=re.M).encode(), "not true: "),
        "rules.toml": (re.sub(r"^rules = .*$", 'rules = "chess"', text, flags=re.M).encode(), "not a record: "),
        "seed.toml": (re.sub(r"^seed = .*$", "seed = 7", text, flags=re.M).encode(), "not a record: "),
        "move.toml": (re.sub(r'"0:\w+', '"0:B77', text, count=1).encode(), "not a record: "),
        "sign.toml": (re.sub(r'"0:\w+', '"0:=', text, count=1).encode(), "not true: "),
        "illegal.toml": (re.sub(r'"0:\w+', '"0:B0', text, count=1).encode(), "not true: "),
    }
    for name, (data, _) in files.items():
        if data is not None:
            (tmp_path / name).write_bytes(data)
    done = run("by_description.py", *(tmp_path / name for name in files), record)
    assert (done.returncode, done.stderr) == (1, "")
    begins = [answer for _, answer in files.values()]
    said = done.stdout.splitlines()
    assert [line.startswith(begin) for line, begin in zip(said, [*begins, "true: "], strict=True)] == [True] * 11, said


def test_node_plays_the_same_moves() -> None:
    """The library accepts the moves of a round that the example has played from the same seed."""
    moves = run("by_description.py").stdout.split("\n")[:-1]
    match = Match("classic", 3, seed="porch")
    for text in moves:
        seat, _, move = text.partition(":")
        match.do(int(seat), move)
    assert match.round.over


def test_the_page_shows_what_works(tmp_path: Path) -> None:
    """The page's JavaScript runs in Node.js unchanged, except for the locations of files."""
    (shown,) = re.findall(
        r"^```js\n(.*?)^```$", (ROOT / "docs" / "everywhere.md").read_text(encoding="utf-8"), re.M | re.S
    )
    here = shown.replace('"./lastcard.js"', f'"{(WEB / "bindings" / "lastcard.js").as_uri()}"')
    here = here.replace('new URL("lastcard.wasm", import.meta.url)', f'new URL("{MODULE.as_uri()}")')
    assert here.count("file:") == 2
    path = tmp_path / "page.mjs"
    path.write_text(here, encoding="utf-8")
    done = run(str(path))
    assert done.returncode == 0, done.stderr
    assert "not-held CO-3" in done.stdout
