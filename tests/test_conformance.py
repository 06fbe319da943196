"""Every conformance case of this project, played by the library."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lastcard.errors import RulesError
from lastcard.formats.cases import Case, read_cases, run_case
from lastcard.game.options import OPTIONS, choice_name, value_text
from lastcard.game.rulesets import GAME_DEFAULTS, Ruleset, ruleset
from support.clauses import conformance_files

CASES = [case for path in conformance_files() for case in read_cases(path)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case(case: Case) -> None:
    """The position and the moves give the expected result."""
    assert not run_case(case)


def differs_without(case: Case, name: str) -> bool:
    """Whether the result of a case changes when one option gets the default of its game."""
    rules = case.position.rules
    options = replace(rules.options, **{name: getattr(GAME_DEFAULTS[rules.game], name)})
    try:
        default = Ruleset(rules.game, options)
    except RulesError:
        return False
    return bool(run_case(replace(case, position=replace(case.position, rules=default))))


ELSEWHERE = {
    # Proved in test_setup.py: they are about the deal, the dealer or chance.
    "first_card_action", "first_card_wild", "first_card_wd4", "first_card_reverse", "first_dealer", "dealer_tie",
    "hand_size", "wj_number_distribution", "wj_lever_weights", "wj_first_jackpot", "wj_rules",
    "next_dealer=redraw",
}  # fmt: skip
CHANGES = [
    (name, value)
    for name, option in OPTIONS.items()
    for value in option.choices
    if name not in ELSEWHERE and choice_name(name, value) not in ELSEWHERE
]


@pytest.mark.parametrize(("name", "value"), CHANGES, ids=lambda part: value_text(part))
def test_option_matters(name: str, value: object) -> None:
    """Each value that is not the default changes the result of some case about it."""
    games = [game for game in OPTIONS[name].games if getattr(GAME_DEFAULTS[game], name) != value]
    for game in games:
        about = [c for c in CASES if c.position.rules.game == game and getattr(c.position.rules.options, name) == value]
        if any(differs_without(case, name) for case in about):
            return
    assert not games, f"no case needs {choice_name(name, value)}"


def test_cases_name_rulesets_that_exist() -> None:
    """The ruleset of a case can be written and read back."""
    assert all(ruleset(str(case.position.rules)) == case.position.rules for case in CASES)
