"""Faults of connections, workers, clocks, the database and the bus. Each ends by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from tools.simulate.clock import OUTSIDE, Loop
from tools.simulate.network import BusNetwork, Link
from tools.simulate.scenario import Step
from tools.simulate.storage import Disk
from tools.simulate.workers import Worker

_DAY_S: Final = 86_400.0


class Faults:
    """Everything in a world that can fail.

    Args:
        find_link: returns the connection of a person by number.
    """

    def __init__(
        self,
        loop: Loop,
        workers: Sequence[Worker],
        disk: Disk,
        bus: BusNetwork,
        find_link: Callable[[int], Link | None],
    ) -> None:
        self.counts: Counter[str] = Counter()
        self.over_since = 0.0
        """Since when all faults are over, or a time to come."""
        self._loop = loop
        self._workers = workers
        self._disk = disk
        self._bus = bus
        self._find_link = find_link

    def inject(self, step: Step) -> None:
        """Begin a fault."""
        self.counts[step.what] += 1
        self.over_since = max(self.over_since, self._loop.time() + FAULTS[step.what](self, step))

    def _with_link(self, step: Step, do: Callable[[Link], object]) -> None:
        link = self._find_link(step.who)
        if link is not None:
            do(link)

    def _drop(self, step: Step) -> float:
        self._with_link(step, Link.abort)
        return 0.0

    def _darken(self, step: Step) -> float:
        self._with_link(step, lambda link: setattr(link, "is_dark", True))
        return 0.0

    def _stall(self, step: Step) -> float:
        self._with_link(step, lambda link: link.stall(20 * step.dice))
        return 20 * step.dice

    def _worker(self, step: Step) -> Worker:
        return self._workers[step.who % len(self._workers)]

    def _crash(self, step: Step) -> float:
        worker = self._worker(step)
        if worker.is_up:
            worker.crash()
            self._loop.call_later(8 * step.dice, worker.start, context=OUTSIDE)
        return 8 * step.dice

    def _stop(self, step: Step) -> float:
        worker = self._worker(step)
        if worker.is_up and not worker.process.is_frozen:
            worker.run(worker.stop())
            self._loop.call_later(5 + 8 * step.dice, worker.start, context=OUTSIDE)
        return 15.0

    def _freeze(self, step: Step) -> float:
        worker = self._worker(step)
        if worker.is_up:
            worker.process.is_frozen = True
            self._loop.call_later(40 * step.dice, self._loop.thaw, worker.process, context=OUTSIDE)
        return 40 * step.dice

    def _set_clock(self, step: Step) -> float:
        self._worker(step).process.clock_error_s += _DAY_S * (2 * step.dice - 1)
        return 0.0

    def _stop_database(self, step: Step) -> float:
        self._disk.refuses_until = self._loop.time() + 12 * step.dice
        return 12 * step.dice

    def _slow_database(self, step: Step) -> float:
        self._disk.slow_until = self._loop.time() + 15 * step.dice
        return 15 * step.dice

    def _lose_answers(self, step: Step) -> float:
        self._disk.loses_until = self._loop.time() + 10 * step.dice
        return 10 * step.dice

    def _stop_bus(self, step: Step) -> float:
        self._bus.down_until = self._loop.time() + 20 * step.dice
        return 20 * step.dice

    def _disturb_bus(self, step: Step) -> float:
        self._bus.wild_until = self._loop.time() + 30 * step.dice
        return 30 * step.dice


FAULTS: Final[dict[str, Callable[[Faults, Step], float]]] = {
    "connection dropped": Faults._drop,
    "connection dark": Faults._darken,
    "connection stalled": Faults._stall,
    "worker crashed": Faults._crash,
    "worker stopped": Faults._stop,
    "worker frozen": Faults._freeze,
    "clock wrong": Faults._set_clock,
    "database away": Faults._stop_database,
    "database slow": Faults._slow_database,
    "answers of the database lost": Faults._lose_answers,
    "bus down": Faults._stop_bus,
    "bus wild": Faults._disturb_bus,
}
"""Each kind of fault; it returns how long it lasts in seconds."""
