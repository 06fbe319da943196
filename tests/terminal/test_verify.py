"""``lastcard verify``: proven facts about a record, in words of five languages (docs/records.md)."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from lastcard.cli.main import main
from lastcard.formats.record_files import write_record
from lastcard.game.seeds import SEED_BYTES, Shuffle, mix_seed
from lastcard.text.locale import LANGUAGES, catalog
from support.record_samples import SERVER_CONFIG, random_record

SECRET = bytes(range(SEED_BYTES))
NUMBERS = ("00112233445566778899aabbccddeeff", "", "f" * 32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of a finished match."""
    write_record(tmp_path / "match.toml", random_record(SERVER_CONFIG, 1)[1])
    return tmp_path / "match.toml"


def test_the_seed_is_mixed_as_the_page_says() -> None:
    """docs/fairness.md, the table's shuffle: the SHA-256 of lines of text."""
    text = f"lastcard shuffle\n{SECRET.hex()}\n{NUMBERS[0]}\n\n{NUMBERS[2]}"
    assert mix_seed(SECRET, NUMBERS) == hashlib.sha256(text.encode()).digest()
    assert Shuffle.of(SECRET, NUMBERS).promise == hashlib.sha256(SECRET).hexdigest()


def test_every_number_and_its_seat_counts() -> None:
    seeds = {mix_seed(SECRET, numbers) for numbers in (NUMBERS, NUMBERS[::-1], ("", *NUMBERS[1:]), NUMBERS[:2])}
    assert len({*seeds, mix_seed(bytes(SEED_BYTES), NUMBERS)}) == 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_verify_prints_its_proofs(language: str, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(path), "--language", language]) == 0
    said = capsys.readouterr().out
    texts = catalog(language)
    _, record = random_record(SERVER_CONFIG, 1)
    assert record.shuffle is not None
    assert texts.text("play.verify.promise", promise=record.shuffle.promise) in said
    assert texts.text("play.verify.seal", commitment=record.commitment) in said
    numbers = zip(record.players, record.shuffle.numbers, strict=True)
    assert "".join(f"  {name}: {number or '–'}\n" for name, number in numbers) in said
    for key in ("numbers", "seed", "scores", "true", "limits"):
        assert texts.text(f"play.verify.{key}") in said
    assert texts.text("replay.going_on") not in said


def test_a_match_from_the_terminal_has_no_promise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_record(tmp_path / "match.toml", replace(random_record(SERVER_CONFIG, 1, max_moves=5)[1], shuffle=None))
    assert main(["verify", str(tmp_path / "match.toml"), "--language", "en"]) == 0
    said = capsys.readouterr().out
    assert "does not say how the seed was chosen" in said
    assert "or that part was cut out" in said and "was not over" in said
    assert "promise" not in said and "Dealers" not in said


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('promise = "', 'promise = "0', "head: promise: "),
        ('secret = "01', 'secret = "ff', "head: the promise does not match the secret"),
        (f"{1:032x}", "0" * 32, "head: the secret and the numbers do not give the seed"),
        ('seed = "', '_seed = "', "head: the seed is left out"),
        ('"0:', '"1:', "round 1: the check does not match"),
        ("winners = [", "winners = [0, 1, 2]  # ", "result: the check does not match"),
    ],
)
def test_a_false_statement_is_named_and_exits_1(
    old: str, new: str, place: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert main(["verify", str(path)]) == 1
    shown = capsys.readouterr()
    assert place in shown.err
    assert not shown.out


@pytest.mark.parametrize("command", [["verify"], ["replay", "--check"], ["report"]])
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "none.toml: cannot be read"),
        ("milk and bread", "none.toml: the record is not TOML"),
        ("", "from 1; what has none is no match record"),
        ('[[case]]\nid = "a"\n', "from 1; what has none is no match record"),
        ("[tool]\nname = 1", "head: format: expected the version"),
        ("format = 99", "newer than this lastcard reads"),
    ],
)
def test_a_file_without_a_record_is_bad_input(
    command: list[str], content: str | None, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing was checked, so no check has failed."""
    if content is not None:
        (tmp_path / "none.toml").write_text(content)
    assert main([*command, str(tmp_path / "none.toml")]) == 2
    assert says in capsys.readouterr().err
    assert main([*command, str(tmp_path)]) == 2
    assert "cannot be read" in capsys.readouterr().err
