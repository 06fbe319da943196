"""The public names: each has a type, and says what it is, its arguments and errors, with an example that runs."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path
from typing import Any, Final

import pytest

import lastcard
from lastcard import agents
from lastcard.game.options import OPTIONS, Option

PUBLIC: Final = {name: getattr(lastcard, name) for name in lastcard.__all__ if not name.startswith("__")}
FOR_AGENTS: Final = {name: getattr(agents, name) for name in agents.__all__}
DESCRIBED: Final = [name for name, value in PUBLIC.items() if inspect.isclass(value) or inspect.isfunction(value)]
NAMED_BY_THE_FIRST_SENTENCE: Final = {"path", "players", "record", "rules", "unchecked"}
"""Parameters that need no further description."""
MAX_REPR_CHARS: Final = 160
DOCTEST_FLAGS: Final = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


@pytest.mark.parametrize("name", DESCRIBED)
def test_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    [example] = doctest.DocTestFinder(recurse=False).find(PUBLIC[name], name, globs=dict(PUBLIC))
    assert example.examples, "an example is missing"
    runner = doctest.DocTestRunner(optionflags=DOCTEST_FLAGS)
    shown: list[str] = []
    runner.run(example, out=shown.append)
    assert not shown


def test_examples_for_agents_run() -> None:
    values = PUBLIC | FOR_AGENTS
    found = [
        each
        for value in FOR_AGENTS.values()
        for each in doctest.DocTestFinder(recurse=False).find(value, "agents", globs=values)
    ]
    runner = doctest.DocTestRunner(optionflags=DOCTEST_FLAGS)
    assert [runner.run(each).failed for each in found if each.examples] == [0, 0, 0, 0]


@pytest.mark.parametrize("name", [name for name in DESCRIBED if inspect.isfunction(PUBLIC[name])])
def test_functions_describe_arguments_and_errors(name: str) -> None:
    about: Any = inspect.getdoc(PUBLIC[name])
    assert "Raises:" in about
    described = about.partition("Args:")[2]
    undescribed = set(inspect.signature(PUBLIC[name]).parameters) - NAMED_BY_THE_FIRST_SENTENCE
    assert not {parameter for parameter in undescribed if not re.search(rf"\b{parameter}\b", described)}


@pytest.mark.parametrize("name", ["Rounds", "RuleOptions", "View"])
def test_classes_describe_their_attributes(name: str) -> None:
    """In their order; ``help`` shows no other text for them."""
    described = _described_attributes(name)
    assert list(described)[: len(inspect.signature(PUBLIC[name]).parameters)] == list(
        inspect.signature(PUBLIC[name]).parameters
    )
    assert all(described.values())


def _described_attributes(name: str) -> dict[str, str]:
    """The attributes under ``Attributes:``, with their descriptions on one line."""
    section = str(inspect.getdoc(PUBLIC[name])).partition("Attributes:\n")[2].partition("\n\n")[0]
    joined = re.sub(r"\n {8,}", " ", section)
    return dict(re.findall(r"^ {4}(\w+): (.+)$", joined, re.M))


@pytest.mark.parametrize("option", OPTIONS.values(), ids=lambda option: option.name)
def test_rule_options_describe_their_choices(option: Option) -> None:
    described = _described_attributes("RuleOptions")[option.name]
    if not isinstance(option.choices[0], bool):
        listed = described.rpartition(": ")[2].removesuffix(".").replace("``", "")
        listed = listed.removesuffix(" or six integers from 0 to 99, not all 0")
        assert re.split(", | or ", listed) == list(map(str, option.choices))


def test_the_page_describes_the_attributes_of_a_view_in_the_same_words() -> None:
    page = (Path(__file__).parents[1] / "docs" / "python.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", page.partition("## What a view has")[2].partition("\n## ")[0], re.M)
    described = _described_attributes("View")
    assert rows == [(name, text.removesuffix(".").replace("``", "`")) for name, text in described.items()]


def test_values_print_on_one_short_line() -> None:
    match = lastcard.play(lastcard.Match("classic+jump_in", ["Ann", "Bo"], seed=1), "sharp", rounds=1)
    values = [match, match.round, match.round.view(0), match.rules, match.rules.options, match.record()]
    values += [lastcard.Move("draw"), lastcard.report(match, rollouts=2, threads=1)]
    values += [lastcard.run_arena("classic", 2, ["sharp", "random"], 2, 1, workers=1), *match.round.events()]
    for value in values:
        assert len(repr(value)) <= MAX_REPR_CHARS
        assert "\n" not in repr(value)
