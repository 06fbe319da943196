"""Data sets of decisions (docs/datasets.md)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from pyarrow import parquet

from lastcard.arena.deals import Plan
from lastcard.cli.main import main
from lastcard.envs.action_space import action_space
from lastcard.envs.features import features
from lastcard.errors import UsageError
from lastcard.match.round import Round
from lastcard.training.data_card import make_card
from lastcard.training.dataset_files import METADATA_KEY, Dataset, split_of, write_dataset
from lastcard.training.decision_rows import DecisionRow, record_decisions

SPLITS: Final = ("train", "validation", "test")
RULES: Final = "classic+jump_in"
PLAYERS: Final = 3


def make_plan(seed: int = 1) -> Plan:
    return Plan.make(RULES, PLAYERS, ["sharp", "casual"], seed)


def write(folder: Path, dataset: Dataset, **settings: Any) -> dict[str, bytes]:
    """The files of a data set, by name."""
    write_dataset(dataset, folder, lambda size: make_card(dataset, size, "CC0-1.0"), **{"workers": 1, **settings})
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def follow(rows: list[DecisionRow], table: Round, check: Callable[[DecisionRow, Round], None]) -> None:
    """Make the moves of rows in a round, and check each row before its move."""
    actions = action_space(RULES)
    for i, row in enumerate(rows):
        check(row, table)
        move = actions.decode(row.action, row.seat, PLAYERS)
        if move is not None:
            table.do(row.seat, f"{move}!" if row.with_call else move)
        assert move is not None or rows[i + 1].ply == row.ply, "only who waits lets others decide"


def test_rows_are_what_the_seat_knew_and_what_it_did() -> None:
    layout, seen = features(RULES, PLAYERS), set()

    def check(row: DecisionRow, table: Round) -> None:
        view = table.view(row.seat)
        assert np.array_equal(row.observation, layout.observe(view, is_reaction=row.is_reaction))
        assert np.array_equal(row.action_mask, layout.action_mask(view, is_reaction=row.is_reaction))
        assert row.action_mask[row.action] and row.action_mask.sum() > row.is_reaction
        hidden = row.hidden_hands.reshape(PLAYERS - 1, -1)
        assert hidden.sum(axis=1).tolist() == [table.counts[(row.seat + i) % PLAYERS] for i in (1, 2)]
        kind = layout.kinds[table.hand((row.seat + 2) % PLAYERS)[0]]
        assert hidden[1, kind] > 0
        seen.add((row.is_reaction, row.with_call, row.action == layout.action_space.wait))

    plan = make_plan()
    for number in range(12):
        rows, table = record_decisions(plan, number), plan.deal_round(number)
        follow(rows, table, check)
        assert table.over
        assert {row.seat for row in rows if row.won} == {table.winner}
        assert sum(row.points for row in rows if row.is_last) > 0
        assert len({row.seat for row in rows}) == sum(row.is_last for row in rows)
    assert {(False, False, False), (False, True, False), (True, False, True), (True, False, False)} <= seen


def test_the_same_bytes_with_any_number_of_workers(tmp_path: Path) -> None:
    dataset = Dataset(make_plan(), 41)
    one, two = (write(tmp_path / str(workers), dataset, workers=workers) for workers in (1, 2))
    assert one == two
    assert sorted(one) == ["README.md", "test.parquet", "train.parquet", "validation.parquet"]
    tables = {name: parquet.read_table(tmp_path / "1" / f"{name}.parquet") for name in SPLITS}
    rounds = {name: set(table["round"].to_pylist()) for name, table in tables.items()}
    assert set.union(*rounds.values()) == set(range(41)) and sum(map(len, rounds.values())) == 41
    assert all(split_of(dataset.plan.seed, number) == name for name in SPLITS for number in rounds[name])
    described = json.loads(tables["train"].schema.metadata[METADATA_KEY.encode()])
    assert described["actions"][tables["train"]["action"][0].as_py()]
    card = one["README.md"].decode()
    assert all(f"| {name} | {len(rounds[name])} | {len(tables[name])} |" in card for name in SPLITS)
    assert "license: cc0-1.0" in card and f"--seed {dataset.plan.seed.hex()}" in card


def test_a_stopped_data_set_goes_on(tmp_path: Path) -> None:
    dataset, folder, stored = Dataset(make_plan(), 60), tmp_path / "stopped", []

    def stop(rounds: int) -> None:
        stored.append(rounds)
        if sum(stored) >= 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(folder, dataset, progress=stop)
    assert not list(folder.glob("*.parquet")), "no file of a split is half written"
    with pytest.raises(UsageError, match="another seed"):
        write(folder, Dataset(make_plan(2), 60))
    counts: list[int] = []
    assert write(folder, dataset, progress=counts.append) == write(tmp_path / "whole", dataset)
    assert counts == [20, 20, 20]
    with pytest.raises(UsageError, match="has a data set already"):
        write(folder, dataset)


def test_chances_on_request(tmp_path: Path) -> None:
    write(tmp_path / "data", Dataset(make_plan(), 3, measures_chances=True))
    tables = [parquet.read_table(tmp_path / "data" / f"{name}.parquet") for name in SPLITS]
    rows = [row for table in tables for row in table.to_pylist()]
    for row in rows:
        assert len(row["chances"]) == PLAYERS and sum(row["chances"]) <= 1 + 1e-6
        assert (row["chance_lost"] is None) <= row["is_reaction"]
    lost = [row["chance_lost"] for row in rows if row["chance_lost"] is not None]
    assert max(lost) > 0.05 and min(lost) > -0.1 and 0 in lost
    assert any(row["won"] and row["is_last"] and row["chances"][0] > 0.9 for row in rows)


def test_at_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "data"
    words = ["dataset", "all-wild", "--rounds", "5", "--seed", "1", "--workers", "1", "--out", str(folder)]
    assert main([*words, "--license", "CC-BY-4.0"]) == 0
    shown = capsys.readouterr().out
    assert f"{folder / 'train.parquet'}: " in shown and "license: cc-by-4.0" in (folder / "README.md").read_text()
    assert main(words) == 2
    assert "has a data set already; name another folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["chess"], "chess"),
        (["classic", "--players", "11"], "10"),
        (["classic", "--bots", "genius"], "genius"),
        (["classic", "--rounds", "0"], "the number of rounds is a whole number from 1"),
        (["classic", "--license", "my own"], "SPDX"),
        (["classic", "--workers", "0"], "the number of workers is a whole number from 1"),
    ],
)
def test_bad_input_is_explained(
    words: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["dataset", *words, "--out", str(tmp_path / "data")]) == 2
    assert reason in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.parquet"))
