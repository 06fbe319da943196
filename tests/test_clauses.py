"""All of docs/rules.md is tested: every clause, every option value, every interaction."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lastcard.game.options import OPTIONS, choice_name
from support.clauses import conformance_cases, proven_by_tests
from tools.check_rule import find_gaps

HOW = "add a case with this in its `clauses` or options to tests/conformance, or a test with the mark proves(...)"
RULES = (Path(__file__).parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")


def section(start: str, end: str) -> str:
    """The text of docs/rules.md from one heading to another."""
    return RULES[RULES.index(start) : RULES.index(end) if end else len(RULES)]


def clause_ids() -> set[str]:
    """The clauses of sections 2-4b and 10, and the house rules of section 6."""
    text = section("\n## 2. ", "\n## 5. ") + section("\n## 10. ", "")
    ids: set[str] = set()
    for name in re.findall(r"^\| ([A-Z]+-?\d+[a-z]?(?:-R\d+)?) \|", text, re.MULTILINE):
        row = re.fullmatch(r"R(\d+)-R(\d+)", name)  # one row may contain several: R6-R8
        ids |= {f"R{n}" for n in range(int(row[1]), int(row[2]) + 1)} if row else {name}
    return ids | set(re.findall(r"^\*\*(6\.\d+) ", section("\n## 6. ", "\n## 7. "), re.MULTILINE))


def cells(row: str) -> list[str]:
    """The cells of one line of a table."""
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def slug(text: str) -> str:
    """A heading as part of a name: ``Swap / 7-0`` is ``swap-7-0``."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def interactions() -> set[str]:
    """The filled cells of section 7, as ``7:stacking/challenge``."""
    head, _, *rows = [line for line in section("\n## 7. ", "\n## 8. ").splitlines() if line.startswith("|")]
    columns = [slug(name) for name in cells(head)[1:]]
    table = {slug(cells(row)[0]): cells(row)[1:] for row in rows}
    return {
        f"7:{name}/{column}"
        for name, row in table.items()
        for column, text in zip(columns, row, strict=True)
        if text != "-"
    }


@pytest.mark.parametrize(
    ("find_ids", "least", "where"),
    [(clause_ids, 210, ""), (interactions, 25, "section 7 of ")],
    ids=["clauses", "cells"],
)
def test_every_clause_and_interaction_is_proved(find_ids: Callable[[], set[str]], least: int, where: str) -> None:
    """Each clause id, and each filled cell of the interaction matrix, has a conformance case or a test."""
    proved = {name for _, case in conformance_cases() for name in case["clauses"]} | proven_by_tests()
    assert len(find_ids()) > least
    gaps = sorted(find_ids() - proved)
    assert not gaps, f"{where}docs/rules.md says {', '.join(gaps)}, and nothing proves it: {HOW}"


@pytest.mark.parametrize("option", OPTIONS)
def test_no_part_of_a_rule_is_missing(option: str) -> None:
    """Clause, branch, referee, cases, words: the output of ``make check-rule``."""
    gaps = find_gaps(option)
    assert not gaps, "\n".join(["still missing:", *gaps])


def test_nothing_unknown_is_proved() -> None:
    """Cases and marks name only existing things, so that a typing error does not hide a gap."""
    values = {choice_name(name, value) for name, option in OPTIONS.items() for value in option.choices}
    known = clause_ids() | interactions() | values
    assert not {(case["id"], name) for _, case in conformance_cases() for name in case["clauses"] if name not in known}
    unknown = {name for name in proven_by_tests() - known if not name.startswith("wj_lever_weights=")}
    assert not unknown


def test_cases_have_their_own_names() -> None:
    """No id is given twice, and every case says what it proves and why."""
    ids = [case["id"] for _, case in conformance_cases()]
    assert len(ids) == len(set(ids))
    assert all(case["clauses"] and case["why"] for _, case in conformance_cases())
