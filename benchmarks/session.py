"""Benchmarks the table without I/O: the time of a command at a table of ten, without that of rules and store.

    python benchmarks/session.py [--rounds 20] [--save]

Ten people play random moves in virtual time, with a store in memory. The time of the rules, of the store, and of alarms
and effects, which are the caller's, is measured in the same calls and subtracted.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from statistics import median
from typing import Any, Final
from unittest.mock import patch

from machine import HERE, describe_machine, publish

from lastcard.match.match import Match
from lastcard.match.round import Round
from lastcard.session import commands
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import Person

sys.path.insert(0, str(HERE.parent / "tests"))

from support import simulated_table
from support.simulated_table import ADA, SimulatedStore, SimulatedTable

SEATS: Final = 10
OTHERS: Final = (
    (Match, "do"),
    (Match, "next_round"),
    (Round, "verify"),
    (Round, "public_state"),
    (simulated_table, "write_table_state"),
    (simulated_table, "read_table_state"),
    (SimulatedTable, "_set_alarms"),
)
"""The work of the rules, of the store, and of the simulated table that sets alarms and collects effects."""


class Stopwatch:
    """Adds up the seconds of some calls."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def timed(self, work: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that also adds its time."""

        def call(*args: Any) -> Any:
            began = time.perf_counter()
            try:
                return work(*args)
            finally:
                self.seconds += time.perf_counter() - began

        return call


@contextmanager
def timed_others() -> Iterator[Stopwatch]:
    """Measure the time of rules and store."""
    stopwatch = Stopwatch()
    with ExitStack() as stack:
        for owner, name in OTHERS:
            stack.enter_context(patch.object(owner, name, stopwatch.timed(getattr(owner, name))))
        yield stopwatch


def measure(rounds: int) -> dict[str, list[float]]:
    """Return the microseconds of each command by its kind, without the time of rules and store."""
    people = [ADA, *(Person(f"player-{number}", f"Player {number}") for number in range(1, SEATS))]
    table = SimulatedTable(SimulatedStore(Settings(rules="classic", seats=SEATS, pace="untimed")), *people)
    times: dict[str, list[float]] = {"move": [], "avatar": [], "ready": []}
    rng = Random(1)

    def apply(kind: str, person: Person, command: commands.Command) -> None:
        others.seconds, began = 0.0, time.perf_counter()
        table.run(table.session.apply(person, command, table.now))
        times[kind].append(1e6 * (time.perf_counter() - began - others.seconds))

    with timed_others() as others:
        for seat, person in enumerate(people):
            table.send(person, commands.Sit(seat))
        table.send(ADA, commands.Start())
        dealt = 1
        while dealt <= rounds:
            play = table.session.play
            assert play is not None
            if table.session.state.phase != "playing":
                for person in people:
                    apply("ready", person, commands.Ready())
                dealt += 1
            else:
                seat = play.match.round.turn
                move = str(rng.choice([move for move in play.match.round.legal(seat) if move.verb != "catch"]))
                apply("move", people[seat], commands.MakeMove(f"command-{play.log.ply}", play.id, move))
                apply("avatar", people[seat], commands.SetAvatar(f"{play.log.ply:05}"))
            table.wait(2.0)
            table.run(table.session.advance(table.now))
    return times


def main() -> None:
    """Measure and print; with --save, write a page into results/."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20, help="rounds to play (default %(default)s)")
    parser.add_argument("--save", action="store_true", help="write a page into results/")
    asked = parser.parse_args()
    machine = describe_machine()
    lines = [
        f"# A command at a table of ten, {machine['date']}",
        "",
        f"`python benchmarks/session.py --rounds {asked.rounds}`, {machine['processor']}, commit {machine['commit']},",
        "default install. Microseconds of a command, without those of the rules and of the store.",
        "",
        "| command | number | median | 95 % |",
        "|---|--:|--:|--:|",
    ]
    for kind, times in measure(asked.rounds).items():
        ordered = sorted(times)
        lines.append(f"| {kind} | {len(times)} | {median(times):.1f} | {ordered[int(0.95 * len(times))]:.1f} |")
    publish("session", "\n".join(lines) + "\n", save=asked.save)


if __name__ == "__main__":
    main()
