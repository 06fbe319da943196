"""Match records: round trips over random matches, replay, and detection of every change."""

from __future__ import annotations

import os
import random
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastcard.errors import RecordError, RecordFormatError
from lastcard.formats.record_files import FORMAT, Record, RoundRecord, read_record, write_record
from lastcard.formats.replay import replay, verify_record
from lastcard.game.cards import COLORS
from lastcard.game.moves import Move, seat_move_text
from lastcard.game.rulesets import ruleset
from lastcard.match.match import Match
from support.clauses import proves
from support.record_samples import GAME_CONFIGS, random_record

matches = st.builds(random_record, st.sampled_from(range(len(GAME_CONFIGS))), st.integers(0, 7))


@pytest.fixture
def record() -> Record:
    """A record of a short match."""
    return random_record(0, 1)[1]


@given(matches)
@settings(max_examples=20, deadline=None)
def test_text_round_trips_and_replays(match: tuple[Match, Record]) -> None:
    ended, record = match
    text = record.text()
    again = Record.parse(text)
    assert again == record
    assert again.text() == text
    verify_record(again)
    (replayed,) = {id(match): match for match, _seat, _move, _events in replay(again)}.values()
    assert (replayed.scores, replayed.winners) == (ended.scores, ended.winners)


@given(matches, st.integers(0, 2**32))
@settings(max_examples=80, deadline=None)
def test_a_changed_character_is_refused_with_its_place(match: tuple[Match, Record], seed: int) -> None:
    _, record = match
    text = record.text()
    rng = random.Random(seed)
    at = rng.randrange(len(text))
    new = rng.choice([rng.choice("0123456789RYGBWrs+x!>=:,. \"'[]{}#\nab"), ""])
    changed = text[:at] + new + text[at + 1 :]
    refused = ""
    try:
        again = Record.parse(changed)
    except RecordError as error:
        refused = str(error)
    places = ("head", "round ", "result", "view", "line ", "end of document")
    assert any(place in refused for place in places) if refused else again == record, (seed, changed, refused)


@given(matches, st.data())
@settings(max_examples=40, deadline=None)
def test_a_changed_move_is_refused_in_its_round(match: tuple[Match, Record], data: st.DataObject) -> None:
    _, record = match
    number = data.draw(st.integers(1, len(record.rounds)))
    moves = list(record.rounds[number - 1].moves)
    at = data.draw(st.integers(0, len(moves) - 1))
    changes = {
        "dropped": moves[:at] + moves[at + 1 :],
        "doubled": moves[: at + 1] + moves[at:],
        "other": [
            *moves[:at],
            seat_move_text(0, Move("color", color=data.draw(st.sampled_from(COLORS)))),
            *moves[at + 1 :],
        ],
    }
    changed = changes[data.draw(st.sampled_from(sorted(changes)))]
    if changed == moves:
        return
    rounds = list(record.rounds)
    text = record.text()
    rounds[number - 1] = replace(rounds[number - 1], moves=tuple(changed))
    forged = replace(record, rounds=tuple(rounds))
    # With the old checks the text is refused at that round ...
    old = [line for line in text.splitlines() if line.startswith("check")]
    new = [line for line in forged.text().splitlines() if line.startswith("check")]
    edited = forged.text()
    for wrong, right in zip(new, old, strict=True):
        edited = edited.replace(wrong, right)
    with pytest.raises(RecordError, match=f"^round {number}: the check does not match"):
        Record.parse(edited)
    assert Record.parse(edited, unchecked=True) == forged
    # ... and with forged ones, the moves reveal it, calls and passes aside.
    if not {moves[at].partition(":")[2], changed[min(at, len(changed) - 1)].partition(":")[2]} & {"uno", "pass"}:
        refused = "round "
        try:
            verify_record(Record.parse(forged.text()))
        except RecordError as error:
            refused = str(error)
        assert refused.startswith(("round ", "result"))


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("1:Wx>0", "CO-3"),
        ("x:R5", "expected a seat"),
        ("R5", "no seat"),
        ("0:Q", "expected a card"),
        (5, "a move is a text, such as 0:R5!"),
    ],
)
def test_an_invalid_move_is_refused_with_its_place(move: Any, words: str) -> None:
    """An illegal move is named with its clause; the others are for a record that a program has made."""
    _, record = random_record(3, 1)
    first = record.rounds[0]
    rounds = (replace(first, moves=(*first.moves[:3], move, *first.moves[4:])), *record.rounds[1:])
    with pytest.raises(RecordError, match=f"^round 1, move 4 {move!r}: .*{words}"):
        verify_record(replace(record, rounds=rounds))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"dealer": 1}, "round 1: seat 0 deals, not seat 1"),
        ({"scores": (9, 9)}, r"round 1: scores differs: the moves give \[\d+, \d+\], the record says \[9, 9\]$"),
        ({"held": (9, 9)}, "round 1: held differs"),
        ({"scores": None}, "round 1: scores differs: .*, the record says nothing$"),
        ({"winner": None, "void": True}, r"round 1: winner differs: the moves give \d, the record says nothing$"),
    ],
)
def test_wrong_totals_are_refused(change: dict[str, Any], words: str) -> None:
    record = next(r for s in range(8) for _, r in [random_record(3, s)] if r.rounds[0].dealer == 0)
    rounds = (replace(record.rounds[0], **change), *record.rounds[1:])
    with pytest.raises(RecordError, match=words):
        verify_record(replace(record, rounds=rounds))


def test_a_round_cut_short_is_refused() -> None:
    _, record = random_record(3, 1)
    last = record.rounds[-1]
    cut = replace(record, rounds=(*record.rounds[:-1], replace(last, moves=last.moves[:-1])))
    with pytest.raises(RecordError, match="still going on after its last move"):
        verify_record(cut)
    open_end = RoundRecord(dealer=last.dealer, moves=last.moves)
    with pytest.raises(RecordError, match="it is over after its last move"):
        verify_record(replace(record, rounds=(*record.rounds[:-1], open_end), winners=None))


def test_result_and_seed_are_verified(record: Record) -> None:
    assert record.winners is not None
    other = tuple(1 - seat for seat in record.winners)
    with pytest.raises(RecordError, match=r"result: the winners differ: .* \[\d\], the record says \[\d\]$"):
        verify_record(replace(record, winners=other))
    with pytest.raises(RecordError, match=r"result: the winners differ: .*, the record says nothing$"):
        verify_record(replace(record, winners=None))
    with pytest.raises(RecordError, match="head: the commitment does not match the seed"):
        verify_record(replace(record, seed=bytes(32)))
    with pytest.raises(RecordError, match="head: the commitment does not match the seed"):
        Record.parse(replace(record, seed=bytes(32)).text())
    with pytest.raises(RecordError, match="the match is over"):
        verify_record(replace(record, rounds=record.rounds * 2))


# --- layout, files ------------------------------------------------------------------------------------


def test_private_keys_are_preserved() -> None:
    _, record = random_record(0, 2)
    note = {"_note": "für “uns”\n\t\x7f", "_list": [1, 2.5, True, [], {"a b": {}}], "_inf": float("inf")}
    day = tomllib.loads("_when = 2024-02-29T12:00:00Z\n_day = 2024-02-29\n_hour = 07:32:00.5")
    with_private_keys = replace(
        record,
        extra=note | day,
        rounds=(replace(record.rounds[0], extra=note), *record.rounds[1:]),
        result_extra={"_praise": "well played"},
    )
    assert Record.parse(with_private_keys.text()) == with_private_keys
    assert with_private_keys.checks() == record.checks()


def test_long_lists_of_moves_are_wrapped() -> None:
    _, record = random_record(3, 1)
    assert max(map(len, record.text().splitlines())) <= 120
    assert 'moves = [\n  "' in record.text()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("format = 1", "format = 2"), f"head: format: 2 is newer than this lastcard reads; it reads up to {FORMAT}"),
        (("format = 1", 'format = "1"'), "head: format: expected the version"),
        (("format = 1", ""), "head: format: expected the version"),
        (("host = 1", "host = 2"), "head: host: there is no seat 2"),
        (("host = 1", "guest = 1"), "head: guest: unknown key"),
        (('rules = "all-wild"', 'rules = "mild"'), "head: rules: there is no ruleset"),
        (('rules = "all-wild"', ""), "head: rules: missing"),
        (('rules = "all-wild"', 'rules = "classic"'), "head: the check does not match"),
        (("players = [", 'players = ["", '), r"head: players\[0\]: '' is not a name"),
        (('commitment = "', 'commitment = "f'), "head: commitment: .* is not 64 hex digits"),
        (('seed = "', 'seed = "g'), "head: seed: .* is not 64 hex digits"),
        (("number = 1", "number = 2"), "round 1: number: .*expected 1"),
        (("dealer = ", "dealer = 1"), "round 1: dealer: there is no seat 1"),
        (("moves = [", 'moves = ["0:Q", '), r"round 1: moves\[0\]: "),
        (("moves = [", 'moves = ["2:R5", '), r"round 1: moves\[0\]: there is no seat 2"),
        (("moves = [", 'moves = ["0:draw", '), "round 1: the check does not match"),
        (("held = [", "held = [0, "), "round 1: held: expected 2 numbers, one for each player, not 3"),
        (("winner = ", "void = true\nwinner = "), "round 1: void: a void round has no winner"),
        (("winner = ", "_winner = "), "round 1: winner: missing"),
        (("winners = [", "winners = [2, "), r"result: winners\[0\]: there is no seat 2"),
        (("[result]", "[[result]]"), "result: expected a table"),
        (("[[round]]", "[round]"), "round: expected an array"),
        (("[result]", "[end]"), "head: end: unknown key"),
    ],
)
def test_an_invalid_record_is_refused_with_line_and_column(record: Record, change: tuple[str, str], words: str) -> None:
    text = record.text()
    assert change[0] in text
    with pytest.raises(RecordError, match=words):
        Record.parse(text.replace(change[0], change[1], 1))


@pytest.mark.parametrize(
    ("players", "said"),
    [
        ("[]", "head: players: 0 players; a table has 2 to 10 (CO-47)"),
        ('["Ann", ""]', "head: players[1]: '' is not a name; a name is one line of text"),
        ("2", "head: players: 2 is a number; expected a list"),
        (str(["x"] * 11), "head: players: 11 players; a table has 2 to 10 (CO-47)"),
    ],
)
def test_an_unknown_table_causes_no_further_errors(record: Record, players: str, said: str) -> None:
    """A wrong number of players causes no further errors about seats and points."""
    text, count = re.subn(r"(?m)^players = .*$", f"players = {players}", record.text())
    assert count == 1
    with pytest.raises(RecordError) as caught:
        Record.parse(text)
    assert str(caught.value) == said


def test_files(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "match.toml"
    write_record(path, record)
    write_record(path, record)
    assert read_record(path) == record
    assert [file.name for file in tmp_path.iterdir()] == ["match.toml"]
    path.write_text(record.text(), encoding="utf-8-sig")
    assert read_record(path) == record, "editors of Windows put a mark before the text"
    path.write_bytes(b"\xff")
    for bad in (path, tmp_path, tmp_path / "missing.toml"):
        with pytest.raises(RecordError, match=str(bad)):
            read_record(bad)
    with pytest.raises(OSError, match="missing"):
        write_record(tmp_path / "missing" / "match.toml", record)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_or_a_device_is_written_to_and_not_replaced(record: Record, tmp_path: Path) -> None:
    """Root would replace /dev/null by a file."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_record(pipe, record)
        assert pipe.is_fifo()
        assert os.read(reader, 1 << 16).decode() == record.text()
    finally:
        os.close(reader)
    with pytest.raises(OSError, match=re.escape(str(tmp_path))):
        write_record(tmp_path, record)
    assert [file.name for file in tmp_path.iterdir()] == ["pipe"]


def test_a_record_is_read_from_text_and_can_be_a_key(record: Record) -> None:
    with pytest.raises(RecordFormatError, match=r"not from .* is bytes; read_record reads a file"):
        Record.parse(record.text().encode())  # type: ignore[arg-type]
    assert len({record, Record.parse(record.text())}) == 1


@pytest.mark.parametrize(("mask", "mode"), [(0o077, 0o600), (0o022, 0o644), (0o002, 0o664)])
def test_a_file_has_the_mode_of_the_umask(record: Record, mask: int, mode: int, tmp_path: Path) -> None:
    """A record contains the seed, and so every hand; a mode that somebody changed later stays."""
    path = tmp_path / "match.toml"
    before = os.umask(mask)
    try:
        write_record(path, record)
        assert path.stat().st_mode & 0o777 == mode
        path.chmod(0o640)
        write_record(path, record)
        assert path.stat().st_mode & 0o777 == 0o640
    finally:
        os.umask(before)


def test_a_link_is_written_through(record: Record, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    target, link = tmp_path / "kept" / "match.toml", tmp_path / "link.toml"
    link.symlink_to(target)
    for _ in range(2):
        write_record(link, record)
        assert link.is_symlink() and read_record(target) == record
    assert [file.name for file in (tmp_path / "kept").iterdir()] == ["match.toml"]


BEFORE_JUMP_IN_STACK = """\
format = 1
rules = "classic+stacking=same+winning_score=100+jump_in"
players = ["Player 1", "Player 2", "Player 3", "Player 4"]
host = 0
commitment = "5aa24a80b9a992549113fc7f3e1d8cfa9e2db52d2147d9bba7c18643e2dab0ee"
seed = "8b8c67256f59e6246adde70fd71aae90e7f52fec89a1da6d31fd1ea36a1d5c44"
check = "78c47382d384257b"

[[round]]
number = 1
dealer = 3
moves = [
  "0:G9", "1:W=Y", "2:Ys", "0:Gs", "0:Gs", "2:Rs", "0:R8", "1:G8", "2:B8", "3:W=G", "0:G+2", "0:G+2",
  "1:accept", "2:draw", "2:W+4=B", "3:accept", "0:B3",
]
winner = 0
held = [0, 71, 26, 70]
scores = [167, 0, 0, 0]
check = "417d7e1df5f438e5"

[result]
winners = [0]
check = "c3d188ae14cd2597"
"""
"""From before ``jump_in_stack`` existed; seat 0 jumps in on a pending Draw Two."""


@proves("LC-41", "jump_in_stack=replace")
def test_a_record_from_before_jump_in_stack_goes_on_as_it_did() -> None:
    record = Record.parse(BEFORE_JUMP_IN_STACK)
    assert record.rules.options.jump_in_stack == "replace"
    assert str(record.rules) == "classic+stacking=same+winning_score=100+jump_in+jump_in_stack=replace"
    verify_record(record)
    assert record.text() == BEFORE_JUMP_IN_STACK
    now = replace(record, rules=ruleset(str(record.rules).replace("replace", "add")))
    assert Record.parse(now.text()) == now
    with pytest.raises(RecordError, match="do not hold"):
        verify_record(now)
