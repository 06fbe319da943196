"""The phases of a table and their transitions."""

from __future__ import annotations

import ast
from typing import get_args

import pytest

from lastcard.session.hosting import new_table
from lastcard.session.lifecycle import TRANSITIONS, Phase, TransitionName, change_phase, is_possible
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import CommandError, Person, replace
from support.source_files import syntax_tree
from test_architecture import MODULES, PACKAGE
from tools.contract import draw_diagram

TABLE = new_table(Person("ada", "Ada"), Settings(), "a5" * 32)


@pytest.mark.parametrize("phase", get_args(Phase))
@pytest.mark.parametrize("name", get_args(TransitionName))
def test_a_transition_begins_in_its_phases_only(phase: Phase, name: TransitionName) -> None:
    transition, table = TRANSITIONS[name], replace(TABLE, phase=phase, round=3)
    if phase in transition.before:
        assert is_possible(table, name)
        assert change_phase(table, name, round=4) == replace(table, phase=transition.after, round=4)
    else:
        assert not is_possible(table, name)
        with pytest.raises(CommandError, match="not-now"):
            change_phase(table, name, round=4)


def test_every_phase_leads_to_every_other() -> None:
    """No table is stuck, and the diagram has every step."""
    phases = get_args(Phase)
    reached = {phase: {phase} for phase in phases}
    steps = [(before, step.after) for step in TRANSITIONS.values() for before in step.before]
    for _ in phases:
        for before, after in steps:
            for seen in reached.values():
                seen |= {after} if before in seen else set()
    assert all(seen == set(phases) for seen in reached.values())
    assert all(f"{before} --> {after}: " in draw_diagram() for before, after in steps)


def test_no_other_module_changes_the_phase() -> None:
    """The field is set by ``change_phase`` alone."""
    for path in MODULES.values():
        if path == PACKAGE / "session" / "lifecycle.py" or not path.is_relative_to(PACKAGE / "session"):
            continue
        calls = [node for node in ast.walk(syntax_tree(path)) if isinstance(node, ast.Call)]
        assert not [key.arg for call in calls for key in call.keywords if key.arg == "phase"], path
