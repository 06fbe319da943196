"""What all tests share. They run on the module; another form of the kernel is asked for with LASTCARD_KERNEL."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from lastcard.errors import LastcardError
from lastcard.kernel import jit

if TYPE_CHECKING:
    from support.node import Node

_SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)

os.environ.setdefault(jit.ENV_VARIABLE, "module")  # for what tests start, too
# Tests start hundreds of processes, each of which would compile all it imports where the environment says so.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# The first call of a function of native code takes seconds, so nothing has a deadline.
settings.register_profile(
    "default", max_examples=60, derandomize=True, deadline=None, print_blob=True, suppress_health_check=_SLOW
)
settings.register_profile(
    "differential", max_examples=3000, deadline=None, print_blob=True, suppress_health_check=_SLOW
)
settings.load_profile(os.environ.get("LASTCARD_HYPOTHESIS", "default"))


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark of tests/support/clauses.py; make sure that what tests start can be interrupted."""
    config.addinivalue_line("markers", "proves(*names): the clauses and option values that a test proves")
    # A shell that starts tests in the background has it ignored, which every process that they start would inherit.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionstart() -> None:
    """Stop at once where there is no such kernel, as after a change of its sources, and say what mends it."""
    try:
        jit.backend()
    except LastcardError as error:
        pytest.exit(f"{error}", returncode=pytest.ExitCode.USAGE_ERROR)


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    """Node with the module loaded, one process for all tests of a file."""
    from support.node import Node

    node = Node()
    yield node
    node.close()
