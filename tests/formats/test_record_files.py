"""Files of many records, and their moves as rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastcard.errors import RecordError, RecordFormatError
from lastcard.formats.move_rows import tabulate_moves
from lastcard.formats.record_files import read_record, read_records, write_record, write_records
from lastcard.match.record import Record
from support.record_samples import GAME_CONFIGS, random_record


@pytest.fixture
def records() -> list[Record]:
    return [random_record(number, 1)[1] for number in range(len(GAME_CONFIGS))]


def test_many_records_in_one_file_are_read_back_in_order(records: list[Record], tmp_path: Path) -> None:
    file = tmp_path / "all.toml"
    write_records(file, records)
    assert list(read_records(file)) == records
    file.write_text("\n\n" + "".join(record.text() for record in records).replace("\n", "\r\n"))
    assert list(read_records(file)) == records
    assert next(read_records(file)) == records[0]
    file.write_text("".join("\ufeff" + record.text() for record in records), encoding="utf-8")
    assert list(read_records(file)) == records


def test_a_folder_is_read_by_name_and_may_hold_files_of_one_and_of_many(records: list[Record], tmp_path: Path) -> None:
    write_record(tmp_path / "b.toml", records[0])
    write_records(tmp_path / "a.toml", records[1:])
    (tmp_path / "note.txt").write_text("no record")
    assert list(read_records(tmp_path)) == [*records[1:], records[0]]


def test_a_single_record_is_read_in_both_ways(records: list[Record], tmp_path: Path) -> None:
    file = tmp_path / "one.toml"
    write_records(file, records[:1])
    assert read_record(file) == records[0]
    assert list(read_records(file)) == records[:1]


def test_a_damaged_record_is_named_and_those_before_it_are_read(records: list[Record], tmp_path: Path) -> None:
    file = tmp_path / "all.toml"
    write_records(file, records[:3])
    text = file.read_text()
    middle = records[1].text()
    file.write_text(text.replace(middle, middle.replace('check = "', 'check = "0', 1)))
    found = read_records(file)
    assert next(found) == records[0]
    with pytest.raises(RecordError, match=r"all\.toml, record 2: head"):
        next(found)


@pytest.mark.parametrize("content", ["", "\n\n", "hello", "rules = 5\n"])
def test_a_file_without_records_is_an_error(content: str, tmp_path: Path) -> None:
    file = tmp_path / "none.toml"
    file.write_text(content)
    with pytest.raises(RecordFormatError, match=r"none\.toml, record 1"):
        list(read_records(file))


def test_unreadable_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(RecordFormatError, match="nowhere"):
        list(read_records(tmp_path / "nowhere"))
    (tmp_path / "bytes.toml").write_bytes(b"format = 1\n\xff\n")
    with pytest.raises(RecordFormatError, match=r"bytes\.toml: is not text"):
        list(read_records(tmp_path / "bytes.toml"))
    (tmp_path / "long.toml").write_bytes(b"format = 1\n" + b"# long\n" * 3_000_000)
    with pytest.raises(RecordFormatError, match="at most 16,777,216 bytes"):
        list(read_records(tmp_path / "long.toml"))


def test_rows_have_every_move_with_its_parts(records: list[Record]) -> None:
    rows = list(tabulate_moves(records))
    moves = [move for record in records for played in record.rounds for move in played.moves]
    assert [f"{row['seat']}:{row['move']}" for row in rows] == moves
    assert {len(row) for row in rows} == {15}
    assert {row["match"] for row in rows} == set(range(len(records)))
    last = rows[-1]
    assert last["player"] == records[-1].players[int(str(last["seat"]))]
    assert last["ply"] == len(records[-1].rounds[-1].moves)
    assert [row["ply"] for row in rows if row["match"] == 0 and row["round"] == 1] == [
        *range(1, len(records[0].rounds[0].moves) + 1)
    ]
    cards = {row["card"] for row in rows if row["verb"] == "play"}
    assert None not in cards
    assert all(row["card"] is None for row in rows if row["verb"] == "draw")
