"""A table in the page answers as the server's does, message by message, in the same words and at the same moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from support.device import Told, differences, play
from support.javascript import Node

TABLES = 14


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    """One process for all."""
    node = Node()
    yield node
    node.close()


@pytest.fixture(scope="module")
def tables(node: Node) -> list[tuple[Told, dict[str, Any]]]:
    """Tables of all kinds, on both sides; ``make hunt-js`` goes on from here."""
    told = [play(seed) for seed in range(1, TABLES + 1)]
    return [(each, node.ask("table", **each.task)) for each in told]


def test_every_message_is_the_same(tables: list[tuple[Told, dict[str, Any]]]) -> None:
    for seed, (told, answer) in enumerate(tables, 1):
        wrong = differences(told, answer)
        assert not wrong, "\n".join([f"table {seed}", *wrong])


def test_much_is_said(tables: list[tuple[Told, dict[str, Any]]]) -> None:
    """Whole matches of all games, by one person and by several, with refusals of many kinds and hints."""
    heard = [message for told, _ in tables for message in told.heard]
    kinds = Counter(message["type"] for message in heard)
    assert min(kinds[kind] for kind in ("welcome", "table", "dealt", "moved", "done", "refused", "advice", "heard")) > 0
    assert len({message["code"] for message in heard if message["type"] == "refused"}) > 15
    assert {told.task["setup"]["settings"]["rules"].partition("+")[0] for told, _ in tables} == {
        "all-wild",
        "classic",
        "wild-jackpot",
    }
    assert {len(told.task["setup"]["people"]) for told, _ in tables} >= {1, 2, 3}
    assert sum(len(told.finished) for told, _ in tables) >= 3
    acts = Counter(step["act"] for told, _ in tables for step in told.task["steps"])
    assert min(acts[act] for act in ("look", "again", "hello", "hangUp", "add", "rename")) > 0


@pytest.mark.parametrize("path", [("text",), ("public", "top"), ("ply",)])
def test_a_difference_is_found(tables: list[tuple[Told, dict[str, Any]]], path: tuple[str, ...]) -> None:
    told, answer = tables[0]
    changed = [dict(message) for message in answer["told"]]
    place = next(message for message in changed if path[0] in message)
    if len(path) == 2:
        place[path[0]] = {**place[path[0]], path[1]: "?"}
    else:
        place[path[0]] = "?"
    assert differences(told, {**answer, "told": changed})


def test_silence_is_found(tables: list[tuple[Told, dict[str, Any]]]) -> None:
    told, answer = tables[0]
    last = max(i for i, message in enumerate(answer["told"]) if message["type"] != "step")
    assert differences(told, {**answer, "told": answer["told"][:last] + answer["told"][last + 1 :]})
