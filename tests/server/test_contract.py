"""The contract files match the protocol."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from lastcard.server.wire import protocol
from lastcard.session import table_settings
from tools import contract


def test_files_are_up_to_date() -> None:
    for path, text in contract.contract_files().items():
        assert path.read_text(encoding="utf-8") == text, f"run {contract.CONTRACT_COMMAND}"


def test_check_names_an_outdated_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "protocol.d.ts"
    monkeypatch.setattr(contract, "TYPES_FILE", path)
    monkeypatch.setattr(contract, "ASYNCAPI_FILE", tmp_path / "asyncapi.json")
    assert contract.main(["--check"]) == 1
    assert contract.main([]) == 0
    assert contract.main(["--check"]) == 0
    path.write_text(path.read_text(encoding="utf-8") + "x", encoding="utf-8")
    assert contract.main(["--check"]) == 1


def test_every_message_and_field_is_declared() -> None:
    text = contract.type_declarations()
    for message in (*get_args(protocol.ClientUnion), *get_args(protocol.ServerUnion)):
        declared = re.search(rf"^export interface {message.__name__} \{{\n(.*?)^\}}", text, re.MULTILINE | re.DOTALL)
        assert declared is not None, message
        fields = set(re.findall(r"^  (\w+)\??:", declared[1], re.MULTILINE))
        assert fields == {"type", *message.__struct_fields__}
        assert f"  | {message.__name__}" in text


@pytest.mark.parametrize(
    "line",
    [
        'type: "hello";',
        "match?: string | null;",  # a client may leave out fields with a default
        "seats: (SeatInfo | null)[];",
        "hands: string[][] | null;",
        "wins: Record<string, number>;",
        "events: Happening[];",
        "/** Milliseconds until the next round (`between`) or match (`writing`, open `lobby`) comes by itself. */",
        "cards?: string[] | null;",  # an event leaves out fields it does not have
    ],
)
def test_types_are_those_of_the_fields(line: str) -> None:
    assert f"  {line}\n" in contract.type_declarations()


def test_asyncapi_refers_only_to_what_it_has() -> None:
    document = contract.asyncapi()

    def references(part: object) -> set[str]:
        if isinstance(part, dict):
            own = {part["$ref"]} if "$ref" in part else set()
            return own.union(*map(references, part.values()))
        return set().union(*map(references, part)) if isinstance(part, list) else set()

    found = references(document)
    assert len(found) > 60
    for reference in found:
        place: object = document
        for name in reference.removeprefix("#/").split("/"):
            assert isinstance(place, dict)
            place = place[name]
    assert document["asyncapi"] == "3.0.0"
    assert document["info"]["version"] == str(protocol.VERSION)
    received_names = {m["$ref"].rpartition("/")[2] for m in document["operations"]["receive"]["messages"]}
    assert received_names == {message.__name__ for message in get_args(protocol.ClientUnion)}


def test_only_clients_ignore_unknown_fields() -> None:
    """This holds in every part of a message: a new field of the settings does not make a table unreadable."""
    schemas = contract.asyncapi()["components"]["schemas"]

    def closed(*messages: type) -> set[bool]:
        """Whether messages, with all their parts, forbid other fields than these."""
        found, left = set(), [message.__name__ for message in messages]
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += re.findall(r'"#/components/schemas/(\w+)"', json.dumps(schemas[name]))
        return {schemas[name].get("additionalProperties", True) is False for name in found}

    assert closed(*get_args(protocol.ServerUnion)) == {False}
    assert closed(*get_args(protocol.ClientUnion)) == {True}
    with pytest.raises(msgspec.ValidationError, match="unknown field `music`"):
        protocol.decode('{"type": "configure", "settings": {"music": "loud"}}')
    assert msgspec.json.decode('{"music": "loud"}', type=table_settings.Settings) == table_settings.Settings()
