"""docs/record-format.md is what the reader and the writer of records do."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from lastcard.errors import RecordError, RecordFormatError
from lastcard.formats.record_files import FORMAT, Record
from lastcard.game.position import KEYS as POSITION_KEYS
from lastcard.game.text_files import TEXT_LIMIT_BYTES
from lastcard.game.toml import toml_lines
from lastcard.match.record import HEAD_KEYS, RESULT_KEYS, ROUND_KEYS
from support.record_samples import GAME_CONFIGS, SERVER_CONFIG, random_record

PAGE: Final = (Path(__file__).parents[2] / "docs" / "record-format.md").read_text(encoding="utf-8")
WRITTEN_CARDS: Final = GAME_CONFIGS.index(("wild-jackpot+wj_rules=written+winning_score=100", 5))
WRONG: Final = {
    "integer": "1",
    "string": 1,
    "boolean": "true",
    "array of strings": [1],
    "array of integers": ["1"],
}
"""By type, a value of another one."""
PLACES: Final = {"Head": "head", "Rounds": "round 1", "Result": "result", "View": "view"}
"""By section, the place that errors name."""


class Row(NamedTuple):
    """A key as the page describes it."""

    type: str
    is_required: bool
    is_checked: bool


def read_section(title: str) -> dict[str, Row]:
    """The keys of a table of the page."""
    section = PAGE[PAGE.index(f"## {title}\n") :].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| [^|]+ \| (yes|no) \| (yes|no) \|$", section, re.MULTILINE)
    return {key: Row(kind, required == "yes", checked == "yes") for key, kind, required, checked in rows}


SECTIONS: Final = {title: read_section(title) for title in PLACES}


def read_parts(record: Record) -> list[tuple[str, dict[str, Any]]]:
    """The parts of a record's text by the section of the page that describes them."""
    document = tomllib.loads(record.text())
    head = {key: value for key, value in document.items() if key not in ("round", "result", "view")}
    parts = [("Head", head), *(("Rounds", played) for played in document["round"])]
    return parts + [(title, document[title.lower()]) for title in ("Result", "View") if title.lower() in document]


def text_with(record: Record, title: str, change: Mapping[str, Any]) -> str:
    """The text of a record with changes in the first part of a section; None removes a key."""
    parts, text, is_changed = read_parts(record), "", False
    for name, part in parts:
        if name == title and not is_changed:
            part, is_changed = {key: value for key, value in {**part, **change}.items() if value is not None}, True
        block = {"Head": "", "Rounds": "[[round]]\n", "Result": "[result]\n", "View": "[view]\n"}[name]
        text += block + toml_lines(part)
    assert is_changed
    return text


def sample(title: str, key: str = "") -> Record:
    """A record that has a section, and a key in its first part."""
    if title == "View":
        match, record = random_record(1, 1, max_moves=12)
        return record.public(match.round.view(1))
    record = random_record(WRITTEN_CARDS if key == "rule_cards" else SERVER_CONFIG, 1)[1]
    assert title != "Rounds" or record.rounds[0].winner is not None
    return record


def test_all_keys_and_the_version_are_on_the_page() -> None:
    assert f"**Version {FORMAT}.**" in PAGE and f"the version of this page: {FORMAT} |" in PAGE
    assert f"{TEXT_LIMIT_BYTES // 2**20} MiB" in PAGE
    view_keys = {"seat", "decision", "top", *POSITION_KEYS} - {"rules", "options"}
    readable = {"Head": HEAD_KEYS, "Rounds": ROUND_KEYS, "Result": RESULT_KEYS, "View": view_keys}
    assert {title: set(rows) for title, rows in SECTIONS.items()} == {
        title: set(rows) for title, rows in readable.items()
    }
    for config in range(len(GAME_CONFIGS)):
        match, record = random_record(config, 1, max_moves=40)
        for shown in (random_record(config, 2)[1], record.public(None if match.over else match.round.view(0))):
            for title, part in read_parts(shown):
                required = {key for key, row in SECTIONS[title].items() if row.is_required}
                assert required <= part.keys() <= SECTIONS[title].keys()


KEYS: Final = [(title, key) for title, rows in SECTIONS.items() for key in rows]


@pytest.mark.parametrize(("title", "key"), KEYS, ids=[f"{title}-{key}" for title, key in KEYS])
def test_a_key_has_the_type_of_the_page_and_is_required_as_it_says(title: str, key: str) -> None:
    record, row = sample(title, key), SECTIONS[title][key]
    names_it = re.escape(key)
    with pytest.raises((RecordError, RecordFormatError), match=names_it):
        Record.parse(text_with(record, title, {key: WRONG[row.type]}), unchecked=True)
    without = text_with(record, title, {key: None})
    if row.is_required:
        with pytest.raises((RecordError, RecordFormatError), match=names_it):
            Record.parse(without, unchecked=True)
    elif key not in ("promise", "numbers", "secret", "winner"):  # they come together, or are needed in this place
        Record.parse(without, unchecked=True)


@pytest.mark.parametrize("title", PLACES)
def test_unknown_keys_are_refused_and_own_keys_preserved(title: str) -> None:
    record = sample(title)
    with pytest.raises(RecordError, match=rf"{PLACES[title]}: .*novelty"):
        Record.parse(text_with(record, title, {"novelty": 1}), unchecked=True)
    own = text_with(record, title, {"_own": [1, "two"]})
    if title == "View":
        with pytest.raises(RecordError, match="_own"):
            Record.parse(own)
    else:
        assert '_own = [1, "two"]' in Record.parse(own).text()


def test_a_newer_version_is_refused() -> None:
    with pytest.raises(RecordFormatError, match="newer"):
        Record.parse(text_with(sample("Head"), "Head", {"format": FORMAT + 1}))


def check_by_the_page(before: str, title: str, part: Mapping[str, Any]) -> str:
    """The check of a part, made as the page describes it."""
    keys = sorted(key for key in part if SECTIONS[title][key].is_checked)
    lines = [f"{key} = {json.dumps(part[key], ensure_ascii=False)}\n" for key in keys]
    return hashlib.sha256(f"{before}\n{''.join(lines)}".encode()).hexdigest()[:16]


@pytest.mark.parametrize("config", range(len(GAME_CONFIGS)))
def test_checks_are_those_of_the_page(config: int) -> None:
    check = ""
    for title, part in read_parts(random_record(config, 1)[1]):
        if title != "View":
            check = check_by_the_page(check, title, part)
            assert part["check"] == check
