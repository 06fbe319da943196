"""Files of commands: errors name the file, no file is lost, no option is ignored."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from lastcard.analysis import report as making
from lastcard.bots.search import SearchConfig
from lastcard.cli.main import main
from lastcard.formats.record_files import read_record, write_record
from lastcard.match.match import Match
from lastcard.match.record import Record
from support.record_samples import SERVER_CONFIG, random_record
from support.services import free_port

FINISHED_RECORD = random_record(SERVER_CONFIG, 0)[1]
MINIMAL_SETTINGS: dict[str, Any] = {
    "rollouts": 2,
    "search_config": SearchConfig(rollouts=2, deals=2, burn=1, thin=1),
    "measure_config": SearchConfig(deals=2, burn=1, thin=1),
}
"""The smallest settings for a report: here only its file matters."""
GREEDY = (sys.executable, str(Path(__file__).parents[2] / "examples" / "bots" / "greedy.py"))


@pytest.fixture(autouse=True)
def quick_reports(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Reports with the least work, in a folder of the test's own."""
    monkeypatch.setattr(making, "make_report", partial(making.make_report, **MINIMAL_SETTINGS))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


# --- invalid files ----------------------------------------------------------------------------------------------


def falsified(record: Record) -> Record:
    """A record with the right checks and a wrong first dealer."""
    first = record.rounds[0]
    return replace(record, rounds=(replace(first, dealer=(first.dealer + 1) % len(record.players)), *record.rounds[1:]))


READERS: dict[str, Callable[[str], list[str]]] = {
    "replay": lambda file: ["replay", file],
    "replay --check": lambda file: ["replay", file, "--check"],
    "verify": lambda file: ["verify", file],
    "report": lambda file: ["report", file],
    "import": lambda file: ["import", file, "--database-url", "sqlite:///tables.db"],
    "play --resume": lambda file: ["play", "--resume", file],
}
WRONG: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: None,
    "no text": lambda path: path.write_bytes(b"\xff\xfe"),
    "no TOML": lambda path: path.write_text("format", encoding="utf-8"),
    "changed": lambda path: path.write_text(FINISHED_RECORD.text().replace("host = 2", "host = 1"), encoding="utf-8"),
    "untrue": lambda path: write_record(path, falsified(FINISHED_RECORD)),
    "without its seed": lambda path: write_record(path, FINISHED_RECORD.public()),
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("reader", READERS)
def test_every_error_of_a_record_names_its_file(
    reader: str, wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The name comes once, in front, whether the file is unreadable or untrue."""
    WRONG[wrong](tmp_path / "match.toml")
    assert main(READERS[reader]("match.toml")) in (1, 2)
    said = capsys.readouterr().err
    assert said.startswith("lastcard: match.toml: ") and said.count("match.toml") == 1


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["report", "new.toml"], "new.toml: no round of this match is over yet"),
        (["replay", "new.toml", "--seat", "9"], "new.toml: there is no seat 9; seats are 0 to 1"),
        (["test-cases", "new.toml"], "new.toml: no cases in it"),
        (["serve", "--check", "--config", "words.txt"], "words.txt: this is no TOML"),
        (
            ["import", "match.toml", "--database-url-file", "words.txt"],
            "words.txt: this is not the address of a database",
        ),
        (["import", "match.toml", "--database-url-file", "empty.txt"], "empty.txt: it is empty"),
        (["restore", "words.txt", "--database-url", "sqlite:///t.db"], "words.txt: this is no backup of lastcard"),
        (["arena", "--rounds", "1", "--resume", "words.txt"], "words.txt: is not the file of an arena"),
    ],
)
def test_every_error_of_another_file_names_it_too(
    args: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_record(tmp_path / "new.toml", Match("classic", 2, seed=1).record())
    write_record(tmp_path / "match.toml", FINISHED_RECORD)
    (tmp_path / "words.txt").write_text("Dear diary", encoding="utf-8")
    (tmp_path / "words.txt").chmod(0o600)
    (tmp_path / "empty.txt").touch(0o600)
    assert main(args) == 2
    assert capsys.readouterr().err.startswith(f"lastcard: {said}")


@pytest.mark.parametrize("option", ["--admin-token-file", "--database-url-file", "--redis-url-file"])
def test_every_invalid_secret_names_its_file(option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "secret").write_text("abc", encoding="utf-8")
    address = [] if option == "--database-url-file" else ["--database-url", "sqlite:///tables.db"]
    assert main(["serve", "--host", "127.0.0.1", "--port", str(free_port()), option, "secret", *address]) == 2
    assert capsys.readouterr().err.startswith("lastcard: secret: ")


# --- existing files ---------------------------------------------------------------------------------------------

WRITERS: dict[str, Callable[[str], list[str]]] = {
    "report --out": lambda file: ["report", "match.toml", "--out", file],
    "arena --out": lambda file: ["arena", "--rounds", "1", "--workers", "1", "--bots", "random", "--out", file],
    "bot --log": lambda file: ["bot", "--rounds", "1", "--players", "2", "--log", file],
    "play --save": lambda file: ["play", "--seed", "1", "--save", file],
    "backup": lambda file: ["backup", file, "--database-url", "sqlite:///tables.db"],
    "export": lambda file: ["export", file, "--database-url", "sqlite:///tables.db"],
}
"""Every command that writes one file."""


def run_writer(writer: str, *more: str) -> int:
    """The exit status of a command that writes ``out.json``."""
    program = GREEDY if writer == "bot --log" else ()
    return main([*WRITERS[writer]("out.json"), *more, *program])


@pytest.fixture
def output_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record and a database to write from, and the output folder as the working directory."""
    write_record(tmp_path / "match.toml", FINISHED_RECORD)
    assert main(["import", "match.toml", "--database-url", "sqlite:///tables.db"]) == 0
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    return tmp_path / "out.json"


@pytest.mark.parametrize("writer", WRITERS)
def test_every_command_replaces_a_file_only_with_overwrite(
    writer: str, output_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output_folder.write_text("Dear diary", encoding="utf-8")
    capsys.readouterr()
    assert run_writer(writer) == 2
    shown = capsys.readouterr()
    assert shown.err == "lastcard: out.json: there is a file already; --overwrite replaces it\n" and not shown.out
    assert output_folder.read_text(encoding="utf-8") == "Dear diary"
    assert run_writer(writer, "--overwrite") == 0
    assert output_folder.stat().st_size and b"Dear diary" not in output_folder.read_bytes()
    output_folder.unlink()
    assert run_writer(writer) == 0
    assert output_folder.stat().st_size


@pytest.mark.parametrize("writer", ["report --out", "arena --out", "play --save"])
def test_a_file_is_left_as_it_was_where_the_new_one_cannot_be_written(
    writer: str, output_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A partial result is worthless, and the old file may be the only one."""

    def fill_up(path: Path, text: str, **more: object) -> int:
        with path.open("w", encoding="utf-8") as file:
            file.write(text[:20])
        raise OSError(28, "No space left on device")

    output_folder.write_text("Dear diary", encoding="utf-8")
    before = sorted(path.name for path in output_folder.parent.iterdir())
    with monkeypatch.context() as full:
        full.setattr(Path, "write_text", fill_up)
        assert run_writer(writer, "--overwrite") == 2
    assert "out.json: cannot be " in capsys.readouterr().err
    assert output_folder.read_text(encoding="utf-8") == "Dear diary"
    assert sorted(path.name for path in output_folder.parent.iterdir()) == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
@pytest.mark.parametrize("writer", ["report --out", "arena --out", "bot --log"])
def test_a_pipe_is_written_to_and_nothing_is_put_beside_it(writer: str, output_folder: Path) -> None:
    """A pipe is like a device: it holds no data to lose, and root would replace it by a file."""
    os.mkfifo(output_folder)
    before = sorted(path.name for path in output_folder.parent.iterdir())
    came: list[bytes] = []
    reader = Thread(target=lambda: came.append(output_folder.read_bytes()), daemon=True)
    reader.start()
    assert run_writer(writer) == 0
    reader.join(60)
    assert came and came[0] and output_folder.is_fifo()
    assert sorted(path.name for path in output_folder.parent.iterdir()) == before


@pytest.mark.parametrize("mode", [0o444, 0o600, 0o640])
def test_a_replaced_file_has_the_mode_of_the_one_before(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "match.toml"
    write_record(path, FINISHED_RECORD)
    path.chmod(mode)
    write_record(path, FINISHED_RECORD)
    assert path.stat().st_mode & 0o777 == mode and read_record(path) == FINISHED_RECORD


# --- full disks -------------------------------------------------------------------------------------------------


def test_a_disk_that_takes_no_more_lines_of_a_program_is_named(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "lastcard", "bot", "--rounds", "9", "--log", "lines.txt", *GREEDY]
    line = ["bash", "-c", 'ulimit -f 2; exec "$@"', "bash", *command]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stderr) == (2, "lastcard: lines.txt: the log cannot be written: File too large\n")


# --- options without effect -------------------------------------------------------------------------------------

TABLE = ["bot", "--table", "http://127.0.0.1:9/t/K7WQ2M"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["replay", "match.toml", "--check", "--seat", "9"], "--check shows nothing, so --seat has no meaning with it"),
        (["rules", "--clauses"], "--clauses needs the name of a ruleset"),
        ([*TABLE, "--rules", "all-wild", "true"], "leave out --rules: the table of the server decides that"),
        ([*TABLE, "--players", "4", "--json", "true"], "leave out --json, --players: the table of the server"),
        ([*TABLE, "--against", "random", "true"], "leave out --against: "),
        ([*TABLE, "--rounds", "1", "true"], "leave out --rounds: "),
        ([*TABLE, "--seed", "1", "true"], "leave out --seed: "),
        ([*TABLE, "--kernel", "module", "true"], "leave out --kernel: "),
        (["bot", "--token", "x", "true"], "leave out --token: only --table needs it"),
        (["play", "--resume", "match.toml", "--seed", "1"], "leave out --seed"),
    ],
)
def test_every_option_that_another_one_makes_idle_is_refused(
    args: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_record(tmp_path / "match.toml", FINISHED_RECORD)
    monkeypatch.delenv("LASTCARD_TOKEN", raising=False)
    assert main(args) == 2
    assert said in capsys.readouterr().err


def test_a_token_in_the_environment_is_no_option(monkeypatch: pytest.MonkeyPatch) -> None:
    """The token may be meant for the next table."""
    monkeypatch.setenv("LASTCARD_TOKEN", "x")
    assert main(["bot", "--rounds", "1", "--players", "2", *GREEDY]) == 0
