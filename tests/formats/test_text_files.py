"""Texts from other systems: every reader treats byte order marks, line ends and sizes alike."""

from __future__ import annotations

import argparse
import io
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from lastcard.arena import journal as journals
from lastcard.arena import line_file
from lastcard.arena.arena import run_arena
from lastcard.arena.deals import Plan
from lastcard.arena.journal import Journal
from lastcard.cli import server_settings
from lastcard.cli.main import main
from lastcard.errors import LastcardError, NotationError
from lastcard.formats.cases import read_cases
from lastcard.formats.record_files import Record, read_record
from lastcard.game import text_files, toml
from lastcard.game.position import parse_position
from lastcard.game.text_files import normalize_text, read_text
from lastcard.server.setup.server_options import read_secret
from lastcard.terminal.line_io import LineTerminal
from lastcard.terminal.saves import load_match
from support.texts import CASES, CR_INSIDE, ENCODED_FORMS, FINISHED_RECORD, POSITION, RECORD_WITH_NOTES, RUNNING_RECORD
from support.threaded_server import run_threaded_server


class Files:
    """Readers of texts, in a folder of their own."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._folder, self._capsys = folder, capsys

    def write(self, text: str, name: str = "text.toml") -> Path:
        """A file with a text."""
        path = self._folder / name
        path.write_bytes(text.encode())
        path.chmod(0o600)
        return path

    def command(self, *args: str) -> str:
        """The output of a command that must succeed, without the names of files."""
        status = main([*args])
        said = self._capsys.readouterr()
        if status:
            raise LastcardError(said.err)
        return said.out.replace(str(self._folder), "")

    def on_record(self, command: str, *more: str) -> Callable[[str], str]:
        """A reader that runs a command on a record."""
        return lambda text: self.command(command, str(self.write(text)), *more)

    def on_database(self, text: str) -> str:
        """The output of importing a record into a database."""
        database = f"sqlite:///{self._folder / 'tables.db'}"
        return self.command("import", str(self.write(text)), "--database-url", database)

    def journal(self, text: str) -> tuple[Any, str]:
        """The deals in the file of an arena, and the file's content after it was opened."""
        journal = Journal(path := self.write(text, "deals.jsonl"), deals()[0])
        journal.close()
        assert len(journal.deals) == 2
        return dict(journal.deals), normalize_text(path.read_bytes().decode())

    def talk(self, text: str) -> list[str]:
        """The lines of a script."""
        source = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
        talk = LineTerminal(source, io.StringIO())
        return [talk.ask() for _ in range(3)]


@cache
def deals() -> tuple[Plan, str]:
    """The plan of an arena, and its file with two deals."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "deals.jsonl")
        plan = run_arena("classic", 2, ("random", "heuristic"), 2, "1", workers=1, resume=path).plan
        return plan, path.read_text(encoding="utf-8")


def config(path: Path) -> dict[str, Any]:
    """The options in a file."""
    return server_settings.resolve_settings(argparse.Namespace(config=path, database_url=None, redis_url=None), {})


@pytest.fixture
def reading(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Files:
    """A folder for files."""
    return Files(tmp_path, capsys)


READERS: dict[str, tuple[str | Callable[[], str], Callable[[Files], Callable[[str], Any]]]] = {
    "Record.parse": (RECORD_WITH_NOTES, lambda at: Record.parse),
    "read_record": (RECORD_WITH_NOTES, lambda at: lambda text: read_record(at.write(text))),
    "replay": (FINISHED_RECORD.text(), lambda at: at.on_record("replay")),
    "replay --check": (FINISHED_RECORD.text(), lambda at: at.on_record("replay", "--check")),
    "verify": (FINISHED_RECORD.text(), lambda at: at.on_record("verify")),
    "import": (FINISHED_RECORD.text(), lambda at: at.on_database),
    "play --resume": (RUNNING_RECORD.text(), lambda at: lambda text: load_match(at.write(text))[0].moves),
    "parse_position": (POSITION, lambda at: parse_position),
    "test-cases": (CASES, lambda at: at.on_record("test-cases")),
    "read_cases": (CASES, lambda at: lambda text: read_cases(at.write(text))),
    "--config": ('# mine\nport = 9000\nchat = "off"\n', lambda at: lambda text: config(at.write(text))),
    "--database-url-file": ("sqlite:///a.db\n", lambda at: lambda text: read_secret(at.write(text))),
    "arena --resume": (lambda: deals()[1], lambda at: at.journal),
    "typed lines": ("first\nsecond\nthird\n", lambda at: at.talk),
}
"""Every reader of a text that a person may have edited or moved, with such a text."""


@pytest.mark.parametrize("form", ENCODED_FORMS)
@pytest.mark.parametrize("reader", READERS)
def test_every_reader_takes_marks_and_line_ends_of_every_system(reader: str, form: str, reading: Files) -> None:
    given, make = READERS[reader]
    text = given if isinstance(given, str) else given()
    read = make(reading)
    expected = read(text)
    assert read(ENCODED_FORMS[form](text)) == expected


Upload = Callable[[str], str]


@pytest.fixture(scope="module")
def upload(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Upload]:
    """Upload a record to a server; returns the id of its match."""
    with run_threaded_server(tmp_path_factory.mktemp("records")) as served:
        ann = served.new_client("Ann")

        def send(record: str) -> str:
            answer = ann.post("/api/matches", {"record": record})
            if answer.status_code == 201:
                return str(answer.json()["id"])
            raise LastcardError(answer.text)

        yield send


@pytest.mark.parametrize("form", ENCODED_FORMS)
def test_the_server_takes_records_with_marks_and_line_ends_of_every_system(form: str, upload: Upload) -> None:
    assert upload(ENCODED_FORMS[form](RECORD_WITH_NOTES)) == upload(RECORD_WITH_NOTES)


TOML_READERS = ("Record.parse", "read_record", "verify", "parse_position", "test-cases", "--config")


@pytest.mark.parametrize("place", CR_INSIDE)
@pytest.mark.parametrize("reader", TOML_READERS)
def test_a_carriage_return_ends_a_line_wherever_it_is(reader: str, place: str, reading: Files) -> None:
    """A carriage return is refused wherever a line feed is."""
    text, make = READERS[reader]
    read = make(reading)
    assert isinstance(text, str)
    for end in ("\r", "\n"):
        with pytest.raises(LastcardError, match="TOML"):
            read(CR_INSIDE[place].replace("\r", end) + text)


def test_a_carriage_return_in_a_long_text_is_a_line_feed() -> None:
    """An escaped one does not change."""
    head = '_note = """\r\nfirst\rsecond\r\nthird\\r"""\r'
    assert Record.parse(head + FINISHED_RECORD.text()).extra == {"_note": "first\nsecond\nthird\r"}


# --- sizes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reader", ["read_record", "replay", "verify", "import", "play --resume", "test-cases", "--config"]
)
def test_every_reader_refuses_a_file_that_is_too_large_before_reading_it(
    reader: str, reading: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, make = READERS[reader]
    assert isinstance(text, str)
    monkeypatch.setattr(text_files, "TEXT_LIMIT_BYTES", 100)
    monkeypatch.setattr(text_files, "normalize_text", None)  # nothing is computed from the text
    with pytest.raises(LastcardError, match=r"text\.toml: is too large; such a file has at most 100 bytes"):
        make(reading)(text + "#" * 101)


def test_a_text_that_is_too_long_is_refused_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toml, "TEXT_LIMIT_BYTES", 100)
    for parse in (Record.parse, parse_position):
        with pytest.raises(LastcardError, match="it has 101 characters; at most 100 are read"):
            parse("#" * 101)


def test_no_more_of_a_pipe_is_read_than_a_text_may_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The size of a pipe or a device is not known in advance, and it may never end."""
    asked: list[int] = []

    class Endless(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            assert size is not None and size > 0
            asked.append(size)
            return b"#" * size

    monkeypatch.setattr(Path, "open", lambda self, mode: Endless())
    with pytest.raises(NotationError, match="is too large"):
        read_text(tmp_path / "endless", NotationError)
    assert asked == [text_files.TEXT_LIMIT_BYTES + 1]


def test_a_large_file_that_is_no_arena_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "deals.jsonl"
    path.write_bytes(b"x" * (2 * line_file._HEAD_BYTES))
    assert len(line_file._read(path)) == line_file._HEAD_BYTES
    with pytest.raises(LastcardError, match="is not the file of an arena"):
        journals.find_seed(path)
