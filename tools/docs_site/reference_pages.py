"""Pages of the site that are made from the code: commands, the Python library, rules and options."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from importlib import import_module
from typing import Final

import lastcard
from lastcard.cli.main import COMMANDS, command_name, make_parser
from lastcard.game.options import OPTIONS, Option, value_text
from lastcard.game.rulesets import GAMES, ruleset
from lastcard.text.explanation import make_rules_page
from lastcard.text.locale import catalog
from lastcard.text.wording import Line, choice_text, choices_in_game, option_text
from tools.docs_site.markdown_pages import DOCS, ROOT

_LIBRARY: Final = "lastcard"
_AGENTS: Final = "lastcard.agents"
_ENVIRONMENTS: Final = (
    *("lastcard.envs.vector", "lastcard.envs.batch.Batch", "lastcard.envs.batch.EnvConfig"),
    *("lastcard.envs.gymnasium.BatchVectorEnv", "lastcard.envs.single.SingleTableEnv"),
    *("lastcard.envs.batch_policies.PolicyPool", "lastcard.envs.batch_policies.NetworkPolicy"),
    *("lastcard.envs.features.Features", "lastcard.envs.action_space.ActionSpace"),
    *("lastcard.envs.pettingzoo.raw_env", "lastcard.envs.rlcard.environment.RlcardEnv"),
    *("lastcard.envs.openspiel.games.Game", "lastcard.envs.openspiel.policies.BotPolicy", "lastcard.envs.gpu.GpuBatch"),
)
"""What the pages on environments use."""


def reference_pages() -> Iterator[tuple[str, str]]:
    """Yields the path of every page in the sources of the site, and its text."""
    yield "reference/commands.md", _commands()
    yield "reference/options.md", _options()
    for game in GAMES:
        yield f"reference/{game}.md", _rules(game)
    for group, objects in library_groups().items():
        yield f"reference/api-{group}.md", _library_page(group, objects)


def library_groups() -> dict[str, dict[str, str]]:
    """Returns the public names of each page on the library, with the full names of their objects."""
    places = _definitions(_LIBRARY)
    groups = {group: {name: places[name] for name in names} for group, names in public_names().items()}
    environments = {name.rpartition(".")[2]: name for name in _ENVIRONMENTS}
    return groups | {"agents": _definitions(_AGENTS), "environments": environments}


def public_names() -> dict[str, list[str]]:
    """Returns the public names by the groups of docs/python.md; each is in exactly one of them."""
    rows = re.findall(r"^\| (\w+) \| (`.*) \|$", (DOCS / "python.md").read_text(encoding="utf-8"), re.M)
    found = {group: re.findall(r"`(\w+)`", names) for group, names in rows}
    return {group: names for group, names in found.items() if names and set(names) <= set(lastcard.__all__)}


def _definitions(package: str) -> dict[str, str]:
    """Returns the full name of the object behind every public name of a package, from its imports."""
    tree = ast.parse((ROOT / "src" / package.replace(".", "/") / "__init__.py").read_text(encoding="utf-8"))
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module != "__future__")
    found = {alias.asname or alias.name: f"{node.module}.{alias.name}" for node in imports for alias in node.names}
    return {name: found[name] for name in import_module(package).__all__ if name in found}


def _library_page(group: str, objects: dict[str, str]) -> str:
    head = (
        f"# Python: {group}\n\nFor programmers. After this page you know the public names for {group}, from their "
        "docstrings. [The Python library](../python.md) says where to import them from.\n\n"
    )
    parts = (
        f"::: {place}\n    options:\n      heading: {name}\n      toc_label: {name}" for name, place in objects.items()
    )
    return head + "\n\n".join(parts) + "\n"


def _commands() -> str:
    parts = [
        "# Commands",
        "For everybody who uses the command line. After this page you know every command and its options; the text is "
        "that of `lastcard COMMAND --help`.",
    ]
    parts += [f"## lastcard {name}\n\n```text\n{_help_of(name)}```" for name in map(command_name, COMMANDS)]
    return "\n\n".join(parts) + "\n"


def _help_of(command: str) -> str:
    with redirect_stdout(io.StringIO()) as printed, suppress(SystemExit):
        make_parser().parse_args([command, "--help"])
    return printed.getvalue()


def _options() -> str:
    texts = catalog("en")
    parts = [
        "# Options",
        "For hosts of a table and for programmers. After this page you know every option of the rules, its values by "
        "game, and its clauses. Write an option into the name of a ruleset: `classic+stacking=same`. "
        "[The explorer](../explorer.md) shows what a choice of options changes.",
    ]
    for option in OPTIONS.values():
        clauses = " ".join(map(_clause_link, option.clauses))
        kind = "A house rule. " if option.is_house_rule else ""
        rows = ["| value | meaning | official in |", "|---|---|---|", *_choice_rows(option)]
        head = f"## {option.text_name}\n\n{option_text(texts, option.name)}. {kind}{clauses}"
        parts.append(f"{head}\n\nFor {', '.join(option.games)}.\n\n" + "\n".join(rows))
    return "\n\n".join(parts) + "\n"


def _choice_rows(option: Option) -> Iterator[str]:
    """Yields a row for every value: its meaning in the first game that has it, and the games whose sheets have it."""
    for value in option.choices:
        games = [game for game in option.games if value in choices_in_game(option, game)]
        official = [game for game in games if getattr(ruleset(game).options, option.name) == value]
        meaning = choice_text(catalog("en"), option.name, value, games[0])
        yield f"| `{value_text(value)}` | {meaning} | {', '.join(official)} |"


def _rules(game: str) -> str:
    page = make_rules_page(ruleset(game), catalog("en"))
    parts = [
        f"# {page.title}",
        f"For players. After this page you know the official rules of `{game}`; `lastcard rules {game}` prints the "
        "same. Each line links to its clauses in [the rules of record](../rules.md).",
    ]
    for section in page.sections:
        lines = "\n".join(_rule_line(line) for line in section.lines)
        parts.append(f"## {section.head}\n\n{section.note}\n\n{lines}".replace("\n\n\n\n", "\n\n"))
    return "\n\n".join(parts) + "\n"


def _rule_line(line: Line) -> str:
    return f"- {line.text} {' '.join(map(_clause_link, line.clauses))}" + (f" *{line.sub}*" if line.sub else "")


def _clause_link(clause: str) -> str:
    return f"[{clause}](../rules.md#{clause})"
