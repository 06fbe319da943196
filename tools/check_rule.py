"""Lists the gaps of a house rule or another rule option: ``python -m tools.check_rule draw_keeps_turn``.

``make check-rule RULE=draw_keeps_turn`` calls it. Every line names a place and what to add there; no output means that
the rule is complete. ``tests/test_clauses.py`` checks every option in the same way.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from lastcard.game.options import OPTIONS, Option, RuleOptions, choice_name, value_text
from lastcard.game.rulesets import ruleset
from support.clauses import conformance_cases, proven_by_tests

ROOT: Final = Path(__file__).parents[1]
WORDS: Final = "src/lastcard/text/catalog/rules.json"

NOT_FOR_BOTS: Final = {
    "draw_mode": "a draw is a last resort either way",
    "jump_in": "bots do jump in: it is a legal move, weighed as a play",
    "jump_in_stack": "as jump_in",
    "force_play": "bots choose among legal moves",
}
"""House rules that need no heuristic, and the reasons."""


@cache
def file_text(path: str) -> str:
    """Returns the text of a file of the project, or of all Python files of a folder."""
    place = ROOT / path
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def find_gaps(name: str) -> list[str]:
    """Returns a line for every gap of an option of ``RuleOptions``: the place, and what to add."""
    option = OPTIONS.get(name)
    if option is None:
        return [f"src/lastcard/game/options.py: a field {name} of RuleOptions, with choices, games and clauses"]
    return [*_in_rules(option), *_in_code(option), *_in_cases(option), *_in_words(option)]


def _in_rules(option: Option) -> Iterator[str]:
    """Yields gaps of the description and of the clauses in docs/rules.md."""
    rules = file_text("docs/rules.md")
    if f" {option.name}: " not in str(RuleOptions.__doc__):
        yield f"src/lastcard/game/options.py: a line {option.name} under Attributes of RuleOptions"
    if not option.clauses:
        yield f"src/lastcard/game/options.py: the clauses of {option.name}"
    for clause in option.clauses:
        if f"| {clause} |" not in rules:
            yield f"docs/rules.md, section 10: a row | {clause} | that says exactly what {option.name} does"
    if f"`{option.text_name}" not in rules:
        where = "section 6: a paragraph **6.N Title** (`{0}`)" if option.is_house_rule else "section 5: a row for `{0}`"
        yield f"docs/rules.md, {where.format(option.text_name)}"


def _in_code(option: Option) -> Iterator[str]:
    """Yields gaps in kernel, referee and bots."""
    kernel_branch = re.search(rf"\bt\.{option.name}\b", file_text("src/lastcard/rules"))
    if option.is_house_rule and not (kernel_branch or f"options.{option.name}" in file_text("src/lastcard/match")):
        yield f"src/lastcard/rules: a branch on t.{option.name}"
    if f"options.{option.name}" not in file_text("tests/referee") and option.is_house_rule:
        yield f"tests/referee: the same clause, read anew, on options.{option.name}"
    is_known_to_bots = re.search(rf"\bt\.{option.name}\b", file_text("src/lastcard/ai")) or option.name in NOT_FOR_BOTS
    if not is_known_to_bots and option.is_house_rule:
        yield (
            f"src/lastcard/ai: what bots should know of t.{option.name} (gets_next_turn and card_value in "
            "heuristic_eval.py, guesses in heuristic_policy.py), or a reason in NOT_FOR_BOTS of tools/check_rule.py"
        )


@cache
def _proved() -> frozenset[str]:
    """Returns the ids that cases and tests prove."""
    cases = {clause for _, case in conformance_cases() for clause in case["clauses"]}
    return frozenset(cases | proven_by_tests())


def _in_cases(option: Option) -> Iterator[str]:
    for clause in option.clauses:
        if clause not in _proved():
            yield f'tests/conformance: a case with clauses = ["{clause}"]'
    for value in option.choices[1:]:
        if choice_name(option.name, value) not in _played() | _proved():
            yield f"tests/conformance: a case with options = {{ {option.name} = {json.dumps(value)} }}"


@cache
def _played() -> frozenset[str]:
    """Returns the option values that conformance cases use."""
    played: set[str] = set()
    for _, case in conformance_cases():
        rules = ruleset(case["rules"], case.get("options"))
        played |= {
            choice_name(name, getattr(rules.options, name))
            for name, option in OPTIONS.items()
            if rules.game in option.games
        }
    return frozenset(played)


def _in_words(option: Option) -> Iterator[str]:
    """The texts in English; ``make translations`` lists the other languages."""
    wanted = [
        f"option.{option.text_name}",
        *(f"option.{option.text_name}.{value_text(value)}" for value in option.choices),
    ]
    entries = json.loads(file_text(WORDS))
    for key in wanted:
        if key not in entries:
            yield f'{WORDS}: "{key}", in English at least'
    for key in wanted[2:] if option.is_house_rule else ():
        if f'"{key}"' not in file_text("tests/text/test_claims.py"):
            yield f'tests/text/test_claims.py: a small play that proves "{key}"'


def main() -> int:
    """Print the gaps; returns 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m tools.check_rule", description=__doc__)
    parser.add_argument("names", nargs="+", metavar="RULE", help="an option of RuleOptions, such as deflect")
    names = parser.parse_args().names
    gaps = [gap for name in names for gap in find_gaps(name)]
    print(
        "\n".join(f"- {gap}" for gap in gaps)
        or f"{', '.join(names)}: nothing is missing. Then a line in CHANGELOG.md, make test and make differential"
    )
    return bool(gaps)


if __name__ == "__main__":
    sys.exit(main())
