"""Match records: the shuffle of the table, and secrets of a running match (docs/fairness.md)."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lastcard.cli.main import main
from lastcard.errors import RecordError
from lastcard.formats.record_files import Record, write_record
from lastcard.formats.replay import replay, verify_record
from lastcard.game.position import UNKNOWN_CARD
from lastcard.game.seeds import Shuffle
from support.record_samples import GAME_CONFIGS, SERVER_CONFIG, WRITTEN, random_record


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("format = " + "9" * 5000, "not TOML: a number in it has too many digits"),
        ("format = 0x" + "9" * 5000, "not TOML: a number in it has too many digits"),
        ("a" + ".a" * 10_000 + " = 1", "not TOML: line 1 has too many dots"),
        ("x = 1\n[" + "a." * 10_000 + "a]", "not TOML: line 2 has too many dots"),
        ("x = {" + "a." * 10_000 + "a = 1}", "not TOML: line 1 has too many dots"),
    ],
    ids=["digits", "hex digits", "key", "table", "inline"],
)
def test_an_expensive_record_is_refused_at_once(text: str, words: str) -> None:
    """There is no traceback, and no minute of work for a few kilobytes."""
    with pytest.raises(RecordError, match=words):
        Record.parse(text)


@pytest.mark.parametrize(("numbers", "proved"), [("as they are", True), ("none", False), ("no shuffle", False)])
def test_an_unproved_shuffle_is_reported(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    numbers: str,
    proved: bool,
) -> None:
    """In a record without any player's number, or with the shuffle removed, the seed may have been chosen."""
    if numbers == "none":
        monkeypatch.setattr("support.record_samples.shuffle", lambda seed: Shuffle.of(bytes(32), ("", "", "")))
    _, record = random_record(SERVER_CONFIG, 77 if numbers == "none" else 1)  # played once for each seed
    if numbers == "no shuffle":
        record = replace(record, shuffle=None)
    write_record(tmp_path / "m.toml", record)
    assert main(["verify", str(tmp_path / "m.toml"), "--language", "en"]) == 0
    said = capsys.readouterr().out
    assert ("All of it is true." in said) is proved
    assert ("is not proved" in said) is not proved


def test_control_characters_are_escaped(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A name that reverses the text direction, and an error that quotes it, are escaped."""
    _, record = random_record(SERVER_CONFIG, 1)
    names = ("A\u202egnp.exe", *record.players[1:])
    write_record(tmp_path / "m.toml", replace(record, players=names))
    main(["verify", str(tmp_path / "m.toml"), "--language", "en"])
    (tmp_path / "m.toml").write_text('format = "\u202e"\nrules = "\x9b"', encoding="utf-8")
    main(["verify", str(tmp_path / "m.toml"), "--language", "en"])
    said = "".join(capsys.readouterr())
    assert "A\\u202egnp.exe" in said and not {"\u202e", "\x1b", "\x9b"} & set(said)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"promise": "0" * 64}, "head: the promise does not match the secret"),
        ({"secret": bytes(32)}, "head: the promise does not match the secret"),
        ({"secret": None}, "head: secret: left out, though the seed is there"),
        ({"numbers": ("", "0123456789abcdef" * 2, "")}, "head: the secret and the numbers do not give the seed"),
    ],
)
def test_a_false_shuffle_is_refused(change: dict[str, Any], words: str) -> None:
    """The proof detects a forger who also writes new checks."""
    _, record = random_record(SERVER_CONFIG, 1)
    assert record.shuffle is not None
    forged = replace(record, shuffle=replace(record.shuffle, **change))
    with pytest.raises(RecordError, match=words):
        verify_record(forged)
    with pytest.raises(RecordError, match=words):
        Record.parse(forged.text())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('promise = "', 'promise = "f'), "head: promise: .* is not 64 hex digits"),
        (('secret = "', 'secret = "f'), "head: secret: .* is not 64 hex digits"),
        (('numbers = ["', 'numbers = ["", "'), "head: numbers: expected 3 numbers, one for each player, not 4"),
        (('numbers = ["', 'numbers = ["0'), r"head: numbers\[0\]: .* is neither empty nor 32 hex digits"),
        (("89abcdef", "89ABCDEF"), r"head: numbers\[1\]: .* is neither empty nor 32 hex digits"),
        (("promise = ", "_promise = "), "head: promise: missing"),
        (("numbers = ", "_numbers = "), "head: numbers: missing"),
    ],
)
def test_an_invalid_shuffle_is_refused_with_its_place(change: tuple[str, str], words: str) -> None:
    text = random_record(SERVER_CONFIG, 1)[1].text()
    assert change[0] in text
    with pytest.raises(RecordError, match=words):
        Record.parse(text.replace(change[0], change[1], 1), unchecked=True)


def test_the_check_of_the_head_covers_promise_and_numbers_not_the_secret() -> None:
    """docs/record-format.md, checks."""
    _, record = random_record(SERVER_CONFIG, 1)
    assert record.shuffle is not None
    secretless = replace(record.shuffle, secret=None)
    assert replace(record, shuffle=secretless).checks() == record.checks()
    changes: tuple[dict[str, Any] | None, ...] = ({"promise": "0" * 64}, {"numbers": ("", "", "")}, None)
    for change in changes:
        shuffled = None if change is None else replace(record.shuffle, **change)
        assert replace(record, shuffle=shuffled).checks()[0] != record.checks()[0]


# --- a running match -----------------------------------------------------------------------------------


def test_a_match_going_on_hides_its_seed_and_the_cards_of_others() -> None:
    match, record = random_record(3, 2, max_moves=12)
    assert not match.over
    verify_record(record)
    shown = record.public(match.round.view(1))
    assert shown.view is not None
    assert shown.view.position.hands[1] == match.round.hand(1)
    assert set(shown.view.position.hands[0]) == {UNKNOWN_CARD}
    text = shown.text()
    assert match.seed.hex() not in text
    assert Record.parse(text) == shown
    assert tomllib.loads(text)["view"]["hands"][0].startswith("??")
    with pytest.raises(RecordError, match="seed is left out"):
        verify_record(shown)
    spectator = record.public(match.round.view(None))
    assert spectator.view is not None
    assert all(set(hand) == {UNKNOWN_CARD} for hand in spectator.view.position.hands)
    assert Record.parse(spectator.text()) == spectator
    assert Record.parse(record.public().text()) == replace(record, seed=None)


def test_a_running_match_does_not_reveal_its_secret() -> None:
    _, record = random_record(SERVER_CONFIG, 1, max_moves=9)
    assert record.shuffle is not None and record.shuffle.secret is not None and record.seed is not None
    shown = record.public()
    assert shown.shuffle == replace(record.shuffle, secret=None)
    assert record.shuffle.secret.hex() not in shown.text() and record.seed.hex() not in shown.text()
    assert record.shuffle.promise in shown.text()
    assert Record.parse(shown.text()) == shown


@pytest.mark.parametrize("table", range(len(GAME_CONFIGS)))
def test_every_moment_of_a_match_can_be_shown(table: int) -> None:
    _, record = random_record(table, 3, max_moves=400)
    head = replace(record, rounds=(), winners=None)
    for match, seat, _move, _events in replay(record):
        public = head.public(match.round.view(seat))
        assert Record.parse(public.text()) == public


def test_a_match_going_on_hides_the_rule_cards_others_wrote() -> None:
    """A view shows a written card when the lever deals it (WJ-4, WJ-46); its record must not be earlier."""
    match, record = random_record(len(GAME_CONFIGS) - 2, 3, max_moves=1)
    assert record.rule_cards == WRITTEN
    shown = record.public(match.round.view(0))
    assert shown.rule_cards is None
    assert not [card for card in WRITTEN if card.text in shown.text()]
