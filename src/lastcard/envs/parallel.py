"""Tables stepped by several threads: each has a part of them, and its own scratch."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Protocol, TypeVar

from lastcard.bots.thread_pool import ThreadPool
from lastcard.envs.compiled import vector as kernel
from lastcard.errors import UsageError
from lastcard.kernel.arrays import copy
from lastcard.kernel.jit import bind, native_state

Arrays = TypeVar("Arrays", kernel.BatchArrays, kernel.StepOutputs)


class BoundStep(Protocol):
    """A step bound to one array of actions; ``jit.bind_step`` gives one."""

    @property
    def call(self) -> Any:
        """Does the step, given the other arguments of ``kernel.step``."""


class ThreadedStepper:
    """Two or more threads that step the same tables, with the same results for any number of threads.

    Only native code works on the arrays of another thread: until it is compiled, one thread does all.

    Raises:
        UsageError: if there is no native code.
    """

    def __init__(
        self, batch: kernel.BatchArrays, shared: kernel.SharedArrays, outputs: kernel.StepOutputs, threads: int
    ) -> None:
        if native_state() == "absent":
            raise UsageError("several threads need native code: install lastcard[native]")
        count = len(batch.episode_states)
        threads = min(threads, count)
        edges = [count * i // threads for i in range(threads + 1)]
        self.episode_states, self.action_mask = batch.episode_states, outputs.action_mask
        self.slices = [slice(*pair) for pair in pairwise(edges)]
        """The tables of each thread: contiguous parts as equal as possible."""
        self.parts = [
            (_slice_arrays(batch, part), _copy_scratch(shared), _slice_arrays(outputs, part)) for part in self.slices
        ]
        """The arrays of each thread."""
        self.pool = ThreadPool(max(threads - 1, 1), "tables")
        """All threads but the caller's, which has a part too."""

    def bind_step(self, actions: Any, *masked: bool) -> BoundStep:
        """A step of all tables; see ``Batch.bind_step``."""
        return _ThreadedStep(self, actions, masked)


class _ThreadedStep:
    """A step by several threads; ``masked``: whether some tables may be left out, if fixed for all steps."""

    def __init__(self, stepper: ThreadedStepper, actions: Any, masked: tuple[bool, ...]) -> None:
        rest = () if masked else (False,)
        self._pool = stepper.pool
        # An illegal action at one table must prevent the step at all others, those of other threads too.
        self._check = bind(kernel.find_illegal, (stepper.episode_states, stepper.action_mask, actions, *masked), rest)
        pairs = zip(stepper.parts, stepper.slices, strict=True)
        self._own, *self._others = (bind(kernel.step, (*part, actions[where], *masked), rest) for part, where in pairs)

    def call(self, *masked: bool) -> int:
        """Do the step; returns -1, or the first table whose action is illegal."""
        illegal: int = self._check.call(*masked)
        if illegal >= 0:
            return illegal
        if not all(step.can_run_parallel for step in self._others):
            for step in (self._own, *self._others):
                step.call(*masked)
            return illegal
        pool = self._pool.executor
        begun = [pool.submit(step.call, *masked) for step in self._others]
        try:
            self._own.call(*masked)
        finally:  # after Ctrl-C too no thread is still at work
            for other in begun:
                other.result()
        return illegal


def _slice_arrays(arrays: Arrays, part: slice) -> Arrays:
    """A part of the tables in arrays that have a row for each table, or no rows."""
    cut: Any = (array[part] for array in arrays)
    return type(arrays)(*cut)


def _copy_scratch(shared: kernel.SharedArrays) -> kernel.SharedArrays:
    """The shared arrays, with separate scratch."""
    rater = shared.rater._replace(x=copy(shared.rater.x), values=copy(shared.rater.values))
    return shared._replace(rater=rater, out=copy(shared.out))
