"""Tables stepped by several threads: each has a part of them, and room of its own to work in."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Protocol, TypeVar

from lastcard.bots.helpers import Helpers
from lastcard.envs.compiled import vector as kernel
from lastcard.errors import UsageError
from lastcard.kernel.arrays import copy
from lastcard.kernel.jit import bind, native_state

Arrays = TypeVar("Arrays", kernel.Batch, kernel.Shown)


class Step(Protocol):
    """A step made ready for one array of acts; what ``jit.bind`` gives is one."""

    @property
    def call(self) -> Any:
        """Does it, given whatever else ``kernel.step`` takes."""


class Crew:
    """Threads that step the same tables. What comes of it is the same with any number of them.

    Only native code works on the arrays of another thread: until it is there, one thread does all.

    Args:
        batch, common, shown: as ``kernel.step`` takes them.
        threads: how many, at least 2.

    Raises:
        UsageError: where there is no native code.
    """

    def __init__(self, batch: kernel.Batch, common: kernel.Common, shown: kernel.Shown, threads: int) -> None:
        if native_state() == "absent":
            raise UsageError("several threads need native code: pip install 'lastcard[native]'")
        count = len(batch.desks)
        threads = min(threads, count)
        edges = [count * i // threads for i in range(threads + 1)]
        self.desks, self.masks = batch.desks, shown.masks
        self.stretches = [slice(*pair) for pair in pairwise(edges)]
        """Which tables each thread has: parts as equal as can be, one behind the other."""
        self.parts = [(_cut(batch, part), _own_room(common), _cut(shown, part)) for part in self.stretches]
        """What each thread works on."""
        self.helpers = Helpers(max(threads - 1, 1), "tables")
        """All threads but the one that asks, which has a part too."""

    def bind(self, chosen: Any, *partly: bool) -> Step:
        """A step of all tables; see ``Tables.bind``."""
        return _Abreast(self, chosen, partly)


class _Abreast:
    """A step of a crew.

    Args:
        crew: whose.
        chosen: the acts.
        partly: whether some tables may be left, where that is said once for all.
    """

    def __init__(self, crew: Crew, chosen: Any, partly: tuple[bool, ...]) -> None:
        rest = () if partly else (False,)
        self._helpers = crew.helpers
        # What is wrong at one table must keep all others from their step, those of other threads too.
        self._check = bind(kernel.find_illegal, (crew.desks, crew.masks, chosen, *partly), rest)
        pairs = zip(crew.parts, crew.stretches, strict=True)
        self._own, *self._others = (bind(kernel.step, (*part, chosen[where], *partly), rest) for part, where in pairs)

    def call(self, *partly: bool) -> int:
        """Do it; -1, or the first table whose act is illegal."""
        wrong: int = self._check.call(*partly)
        if wrong >= 0:
            return wrong
        if not all(step.shares for step in self._others):
            for step in (self._own, *self._others):
                step.call(*partly)
            return wrong
        pool = self._helpers.pool
        begun = [pool.submit(step.call, *partly) for step in self._others]
        try:
            self._own.call(*partly)
        finally:  # Ctrl-C too leaves no thread behind that is still at it
            for other in begun:
                other.result()
        return wrong


def _cut(arrays: Arrays, part: slice) -> Arrays:
    """A part of the tables in arrays that have a row for each, or none at all."""
    cut: Any = (array[part] for array in arrays)
    return type(arrays)(*cut)


def _own_room(common: kernel.Common) -> kernel.Common:
    """What all tables have in common, with scratch that nobody else writes."""
    rater = common.rater._replace(x=copy(common.rater.x), worth=copy(common.rater.worth))
    return common._replace(rater=rater, out=copy(common.out))
