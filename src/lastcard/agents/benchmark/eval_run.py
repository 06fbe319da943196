"""A run of the suite: deal by deal, resumed from a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from lastcard.agents.benchmark.eval_agents import Agent
from lastcard.agents.benchmark.eval_rounds import RECORDS, DealFigures, play_deal
from lastcard.agents.benchmark.eval_suite import CELLS, SUITE
from lastcard.arena.code_key import read_code_key
from lastcard.arena.line_file import LineFile, encode_values
from lastcard.errors import wrap_os_errors

DEALS_FILE: Final = "deals.jsonl"
_CODE: Final = ("agents/*.py", "agents/benchmark/eval_rounds.py", "agents/benchmark/eval_suite.py")
"""The files, besides those of every arena, that decide what a deal's figures are."""


def describe_run(agent: Agent) -> dict[str, Any]:
    """Returns what the figures depend on, as plain values: it identifies a run."""
    return {"suite": SUITE, **agent.as_dict(), "code": read_code_key(*_CODE)}


def make_folder(folder: Path) -> None:
    """Make the folder of a run; raises a UsageError if it cannot be made."""
    with wrap_os_errors(folder, "cannot be written"):
        (folder / RECORDS).mkdir(parents=True, exist_ok=True)


def run_suite(agent: Agent, deals: int, folder: Path) -> Iterator[DealFigures]:
    """Yield the figures of every deal at every table, in order; those in the folder are not played again.

    Args:
        deals: number of deals at each kind of table.
        folder: the folder of the run, made by ``make_folder``.

    Raises:
        PlayerError: if the agent cannot be asked; what was played is stored.
        UsageError: for the folder of another run.
    """
    file = LineFile(folder / DEALS_FILE, "eval", describe_run(agent), msgspec.json.Decoder(DealFigures).decode)
    try:
        stored = {(each.deal, each.cell): each for each in file.items}
        for deal in range(deals):
            for number, cell in enumerate(CELLS):
                found = stored.get((deal, number))
                if found is None:
                    found = DealFigures(number, deal, play_deal(agent, cell, deal, folder))
                    file.add(encode_values(msgspec.to_builtins(found)))
                yield found
    finally:
        file.close()
