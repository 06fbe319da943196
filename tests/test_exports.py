"""The exports of the package, and that its import is cheap."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import lastcard

EXPORTED = {
    "ALL_WILD",
    "CLASSIC",
    "WILD_JACKPOT",
    "Bot",
    "Card",
    "Cards",
    "Color",
    "Event",
    "IllegalMove",
    "LastcardError",
    "Match",
    "Move",
    "NotationError",
    "Position",
    "Record",
    "RecordError",
    "Round",
    "Rounds",
    "RuleCard",
    "RuleOptions",
    "RulesError",
    "Ruleset",
    "UsageError",
    "View",
    "__version__",
    "explain",
    "make_bot",
    "parse_cards",
    "parse_move",
    "parse_position",
    "play",
    "read_record",
    "read_records",
    "replay",
    "report",
    "ruleset",
    "run_arena",
    "simulate",
    "tabulate_moves",
    "verify",
    "write_record",
    "write_records",
}


def test_all_that_is_promised_is_there() -> None:
    assert set(lastcard.__all__) == EXPORTED
    assert list(lastcard.__all__) == sorted(
        lastcard.__all__, key=lambda name: (not name.isupper(), not name[0].isupper(), name)
    )
    for name in lastcard.__all__:
        assert getattr(lastcard, name) is not None
        assert name in dir(lastcard)


def test_every_exported_class_and_function_is_documented() -> None:
    for name in EXPORTED - {"__version__", "ALL_WILD", "CLASSIC", "WILD_JACKPOT"}:
        assert getattr(lastcard, name).__doc__


def test_other_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="'lastcard' has no attribute 'nothing'"):
        lastcard.nothing  # noqa: B018


def output_of(code: str, **variables: str) -> str:
    """What a new process prints, without the variables of OpenBLAS but those given."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS_")} | variables
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env).stdout


def test_importing_loads_nothing_heavy() -> None:
    code = "import sys, lastcard; print([m for m in ('numpy', 'numba', 'rich') if m in sys.modules])"
    assert output_of(code).strip() == "[]"


def test_idle_threads_of_openblas_sleep_early_unless_the_user_decides() -> None:
    """The variable is set before NumPy is imported, and neither replaces a user's value nor comes too late."""
    code = "import {}lastcard, os; print(os.environ.get('OPENBLAS_THREAD_TIMEOUT'))"
    assert output_of(code.format("")).strip() == "20"
    assert output_of(code.format(""), OPENBLAS_THREAD_TIMEOUT="26").strip() == "26"
    assert output_of(code.format("numpy, ")).strip() == "None"
