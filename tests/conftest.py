"""Configuration of all tests. They run on the WebAssembly backend; LASTCARD_KERNEL selects another one."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from lastcard.errors import LastcardError
from lastcard.kernel import jit

if TYPE_CHECKING:
    from support.node import Node

_SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)

os.environ.setdefault(jit.ENV_VARIABLE, "module")  # for child processes, too
# Tests start hundreds of processes; with this variable, each would compile all its imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# The first call of a native function takes seconds, so no test has a deadline.
settings.register_profile(
    "default", max_examples=60, derandomize=True, deadline=None, print_blob=True, suppress_health_check=_SLOW
)
settings.register_profile(
    "differential", max_examples=3000, deadline=None, print_blob=True, suppress_health_check=_SLOW
)
settings.load_profile(os.environ.get("LASTCARD_HYPOTHESIS", "default"))


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark of tests/support/clauses.py; make sure that child processes can be interrupted."""
    config.addinivalue_line("markers", "proves(*names): the clauses and option values that a test proves")
    # A shell that starts tests in the background ignores the signal, and every child process would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionstart() -> None:
    """Stop at once if the backend is missing, as after a change of its sources, and name the fix."""
    try:
        jit.backend()
    except LastcardError as error:
        pytest.exit(f"{error}", returncode=pytest.ExitCode.USAGE_ERROR)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without the garbage collector: what is imported stays, and searching it takes a seventh of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    """Node.js with the module loaded, one process for all tests of a file."""
    from support.node import Node

    node = Node()
    yield node
    node.close()
