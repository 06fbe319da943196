"""Exceptions pass between processes: every class of the package, with all its fields."""

from __future__ import annotations

import copy
import pickle
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any, Final

import cloudpickle  # type: ignore[import-untyped]  # Gymnasium brings it
import pytest

import lastcard
from lastcard.agents.benchmark.model_client import ServerBusy
from lastcard.bots.external import Fault
from lastcard.bots.external_process import LineTooLong
from lastcard.errors import (
    IllegalMove,
    LastcardError,
    NotationError,
    PlayerError,
    RecordError,
    RecordFormatError,
    RulesError,
    StoreError,
    UsageError,
)
from lastcard.kernel.wasm_backend import KernelFault, StaleModule
from lastcard.server.http.requests import RequestError
from lastcard.server.http.table_socket import ProtocolError
from lastcard.server.store.schema_version import UnreleasedSchemaError
from lastcard.server.wire.checked_client import RefusedAddressError
from lastcard.session.table_state import CommandError
from lastcard.terminal.input_parser import UnclearInput
from lastcard.terminal.line_client import MatchLeft
from lastcard.terminal.line_io import InputEnded

SCRIPTS: Final = ("lastcard.__main__", "tools.wasm.__main__", "lastcard.server.store.migrations.env")
"""Modules that do something when they are imported."""
MADE: Final[list[BaseException]] = [
    ProtocolError("c1", "unreadable", why="binary"),
    CommandError("seat-taken", seat=3, name="Ada"),
    Fault("late", "no answer to 7 within 2 s"),
    InputEnded(),
    KernelFault("out of bounds"),
    LastcardError("wrong"),
    MatchLeft(),
    RecordFormatError("match.txt: no record"),
    NotationError("no card", "R11", 1),
    PlayerError("it has ended"),
    RecordError("line 3 is damaged"),
    RefusedAddressError("private"),
    IllegalMove("bad-color", "CL-30", "no red: CL-30", "held"),
    RequestError(404, "no-code"),
    RequestError(404, "no-table", table="ABCD"),
    ServerBusy("status 429", 7.0),
    RulesError("none", (("jump_in", True),), "classic", word="x", option="y"),
    StaleModule(),
    StoreError("gone", outcome_unknown=True),
    LineTooLong(),
    UnclearInput("what?"),
    UnreleasedSchemaError("move it away"),
    UsageError("none", (("team_play", True),)),
]
"""One of each class, as most constructors take more than the message."""


def repickle(protocol: int, error: Any) -> Any:
    """An exception after pickling with a protocol."""
    return pickle.loads(pickle.dumps(error, protocol))


WAYS: Final[dict[str, Callable[[Any], Any]]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "cloudpickle": lambda error: pickle.loads(cloudpickle.dumps(error)),
    **{f"pickle {protocol}": partial(repickle, protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)},
}


with suppress(UsageError):  # PettingZoo is not installed
    MADE.append(import_module("lastcard.envs.pettingzoo").NotResetError("agents: call reset() first"))


def find_classes(kind: type[BaseException] = BaseException) -> Iterator[type[BaseException]]:
    """The exception classes of lastcard, wherever they are defined."""
    for each in kind.__subclasses__():
        if each.__module__.split(".")[0] == "lastcard":
            yield each
        yield from find_classes(each)


def fields_of(error: BaseException) -> dict[str, Any]:
    """All public attributes of an exception, by name."""
    names = {name.lstrip("_") for name in vars(error)} | {"code", "args"}
    return {name: getattr(error, name) for name in sorted(names) if hasattr(error, name)}


def test_every_exception_class_is_tested() -> None:
    for module in pkgutil.walk_packages(lastcard.__path__, "lastcard."):
        if module.name not in SCRIPTS:
            with suppress(UsageError):  # an extra is not installed
                import_module(module.name)
    tested = {type(error) for error in MADE}
    bases = {base for kind in tested for base in kind.__mro__}
    assert set(find_classes()) <= tested | bases


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("error", MADE, ids=lambda error: type(error).__name__)
def test_every_exception_survives_pickle_and_copy(error: BaseException, way: str) -> None:
    """A pool of ``multiprocessing`` waits forever for one that cannot be unpickled there."""
    again = WAYS[way](error)
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
    assert fields_of(again) == fields_of(error)
    twice = WAYS[way](again)
    assert (type(twice), fields_of(twice)) == (type(error), fields_of(error))


class TaskError(Exception):
    """Ray's ``RayTaskError``, as far as it matters here."""


def raise_as_ray(error: BaseException) -> BaseException:
    """The exception that Ray 2.60.0 raises in the driver for one of a task.

    Its class is derived from the cause's class and never calls that constructor. Attributes that are not in the classes
    come from the cause (``RayTaskError.make_dual_exception_instance``).
    """
    cause = pickle.loads(cloudpickle.dumps(error))
    base: Any = type(cause)

    class Dual(TaskError, base):  # type: ignore[misc]
        def __init__(self, cause: BaseException) -> None:
            self.cause = cause
            self._ray_task_error_args = (cause,)

        @property
        def args(self) -> Any:
            return self._ray_task_error_args

        @args.setter
        def args(self, value: Any) -> None:
            self._ray_task_error_args = value

        def __reduce__(self) -> Any:
            return Dual, self._ray_task_error_args

        def __getattr__(self, name: str) -> Any:
            return getattr(self.cause, name)

    return Dual(cause)


@pytest.mark.parametrize("error", MADE, ids=lambda error: type(error).__name__)
def test_every_exception_has_its_fields_in_a_subclass_that_asks_its_cause(error: BaseException) -> None:
    """Ray wraps exceptions so: a class attribute must not hide a field of the same name."""
    raised = raise_as_ray(error)
    for seen in (raised, pickle.loads(cloudpickle.dumps(raised))):
        assert isinstance(seen, type(error))
        fields = {name: value for name, value in fields_of(error).items() if name != "args"}
        assert {name: getattr(seen, name) for name in fields} == fields


def test_a_subclass_with_a_constructor_of_its_own_survives_pickle_and_copy() -> None:
    for way in WAYS.values():
        again = way(Twice("R5", seats=(1, 2)))
        assert (again.card, again.seats, again.code, str(again)) == ("R5", (1, 2), "usage", "R5 twice")


class Twice(UsageError):
    """An error of a program that uses lastcard."""

    def __init__(self, card: str, *, seats: tuple[int, ...]) -> None:
        super().__init__(f"{card} twice")
        self.card, self.seats = card, seats
