"""The docs are true: examples run, commands exist, excerpts match the sources, links work."""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shlex
import socket
import subprocess
import sys
import tomllib
from functools import cache, partial
from pathlib import Path
from typing import Final

import pytest

from lastcard.analysis import report as reports
from lastcard.bots.search import SearchConfig
from lastcard.cli import main as cli
from lastcard.game.moves import parse_move
from lastcard.game.options import OPTIONS
from lastcard.game.position import parse_position
from lastcard.game.rulecards import parse_rule_card
from lastcard.game.rulesets import GAMES, PRESETS, ruleset
from lastcard.match.match import Match
from support.doc_pages import DOCS, ROOT, blocks, inline_commands, name, pages, prose, shell, text

NOTEBOOKS: Final = DOCS / "notebooks"
README: Final = ROOT / "README.md"
MAX_README_LINES: Final = 120
MINIMAL_EFFORT: Final = SearchConfig(rollouts=16, deals=2, burn=4, thin=2)


def each_block(language: str) -> list[tuple[Path, str]]:
    """All blocks of a language with their page, without those of notebooks, which ``make docs`` runs."""
    return [(page, body) for page in pages() if page.parent != NOTEBOOKS for body in blocks(page, language)]


def ids(pairs: list[tuple[Path, str]]) -> list[str]:
    """Names for the tests of blocks."""
    return [f"{name(page)}-{i}" for i, (page, _) in enumerate(pairs)]


# --- examples ---------------------------------------------------------------------------------------


@cache
def record_text() -> str:
    """The record of a finished match, with written rule cards: a short one, of two rounds."""
    dice = random.Random(1)
    cards = [parse_rule_card("draw 2; reverse"), parse_rule_card("dare: sing a song")]
    match = Match("wild-jackpot+wj_rules=written+winning_score=100", ["Ann", "Bo"], seed=1, rule_cards=cards)
    while not match.over:
        if match.round.over:
            match.next_round()
        moves = [move for move in match.round.legal() if move.verb not in ("uno", "catch")]
        match.do(match.round.turn, dice.choice([move for move in moves if move.verb == "play"] or moves))
    return match.record().text()


@pytest.mark.parametrize(("doc", "code"), each_block("python"), ids=ids(each_block("python")))
def test_python_runs(doc: Path, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every Python block of a doc runs unchanged, beside a finished record called match.toml.

    A report is made with little work.
    """
    (tmp_path / "match.toml").write_text(record_text(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        reports,
        "make_report",
        partial(reports.make_report, search_config=MINIMAL_EFFORT, measure_config=MINIMAL_EFFORT, threads=1),
    )
    exec(compile(code, name(doc), "exec"), {"__name__": "doc"})


def test_pages_use_public_names() -> None:
    """What a page imports, or calls by its whole name, is public; docs/python.md lists names of other modules."""
    codes = [body for page in pages() for body in blocks(page, "python")]
    imports = [line for body in codes for line in re.findall(r"^from (lastcard\.\S+) import ([\w, ]+)$", body, re.M)]
    imported = {f"{module}.{each}" for module, names in imports for each in names.split(", ")}
    calls = re.compile(r"`[^`]*=(lastcard\.[\w.]+)|takes `(lastcard\.[\w.]+)\(")
    called = {"".join(found) for page in pages() for found in calls.findall(prose(page))}
    assert len(imported | called) > 10
    listed = set(re.findall(r"`(lastcard\.[\w.]+)`", text(DOCS / "python.md")))
    public = ("lastcard.agents.", "lastcard.envs.", "lastcard.server.asgi")
    assert not {each for each in imported | called if not each.startswith(public)} - listed


def test_the_readme_shows_the_real_refusal(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = blocks(README, "python")
    exec(compile(code, "README", "exec"), {"__name__": "page"})
    (comment,) = re.findall(r"print\(refused\)  # (.*)", code)
    assert comment in capsys.readouterr().out.splitlines()


def test_transcript_is_true(tmp_path: Path) -> None:
    """The game in docs/terminal.md is the command's output: play it again with the same keys."""
    page = text(DOCS / "terminal.md")
    ((command, shown),) = re.findall(r"<!-- transcript: (.*?) -->\n```text\n(.*?)```", page, re.DOTALL)
    typed = [line[2:] for line in shown.splitlines() if line.startswith("> ")]
    path = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(command), "--save", str(tmp_path / "match.toml")],
        input="\n".join([*typed, "quit", ""]),
        env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    assert shown in done.stdout


def test_every_block_is_checked() -> None:
    """Each language of a block has a test, here or in test_embedding.py (js), test_rlcard.py (py) and test_contract.py
    (mermaid); text is output, and only a GPU runs the rest.
    """
    languages = {tag for page in pages() for tag in re.findall(r"^```(.*)\n(?:(?!```).*\n)*```$", text(page), re.M)}
    assert languages == {"python", "py", "js", "json", "toml", "yaml", "sh", "text", "mermaid", "python skip"}


@pytest.mark.parametrize(("doc", "body"), each_block("json"), ids=ids(each_block("json")))
def test_json_can_be_read(doc: Path, body: str) -> None:
    """The messages of the protocols are JSON, each with its type, or the id that it answers."""
    message = json.loads(body)
    assert doc.name != "bot-protocol.md" or "type" in message or "id" in message


@pytest.mark.parametrize(("doc", "body"), each_block("toml"), ids=ids(each_block("toml")))
def test_toml_can_be_read(doc: Path, body: str) -> None:
    """Files in TOML are valid; those of the server have options of the server."""
    found = tomllib.loads(body)
    if doc.name == "server.md":
        cli.make_parser().parse_args(["serve", *(word for key in found for word in (f"--{key}", "1"))])


def test_yaml_can_be_read() -> None:
    yaml = pytest.importorskip("yaml")
    assert all(yaml.safe_load(body) for _, body in each_block("yaml"))


def test_notation_examples() -> None:
    """The moves of the tables in docs/notation.md can be read, and its position and the record's head, too."""
    page = DOCS / "notation.md"
    section = text(page)[text(page).index("\n## Moves\n") : text(page).index("\n## What a table waits for\n")]
    for row in re.findall(r"^\| (`[^|]+`) \|", section, re.MULTILINE):
        for move in re.findall(r"`([^`]+)`", row):
            parse_move(move)
    position = next(body for body in blocks(page, "toml") if body.startswith("rules"))
    assert 2 in parse_position(tomllib.loads(position)).called


# --- commands ---------------------------------------------------------------------------------------


def commands() -> list[tuple[Path, str]]:
    """Every ``lastcard …`` that a page or a transcript shows as a whole command."""
    found: list[tuple[Path, str]] = []
    for page in pages():
        if page.name == "CHANGELOG.md":  # it also describes removed commands
            continue
        spans = [
            *inline_commands(page),
            *re.findall(r"transcript: (lastcard .*?) -->", text(page)),
            *(re.split(r" +[>|#] ", line)[0] for line in re.findall(r"^(?:    )?(lastcard .+)$", shell(page), re.M)),
        ]
        found += [(page, span) for span in dict.fromkeys(spans)]
    return found


@cache
def command_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    return cli.make_parser()


@pytest.mark.parametrize(("doc", "command"), [pytest.param(*each, id=each[1]) for each in commands()])
def test_command_exists(doc: Path, command: str) -> None:
    """The command line accepts the commands of the pages."""
    args = command_parser().parse_args(shlex.split(command.replace("…", "").replace("...", ""))[1:])
    rules = getattr(args, "rules", None) or getattr(args, "name", None)
    if rules and rules != "NAME":
        ruleset(rules)


def test_commands_are_found() -> None:
    """The README shows the commands people need."""
    shown = " ".join(command for page, command in commands() if page == README)
    for command in ("play", "rules", "simulate", "replay"):
        assert f"lastcard {command}" in shown


def test_make_targets_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", text(ROOT / "Makefile"), re.MULTILINE))
    shown = {word for page in pages() for word in re.findall(r"(?:`|^    )make ([a-z-]+)", text(page), re.MULTILINE)}
    assert {"play", "test"} <= shown <= targets


# --- rules and options ------------------------------------------------------------------------------


@pytest.mark.parametrize("option", OPTIONS)
def test_option_is_in_the_rules(option: str) -> None:
    """Every option is explained by name, and the clauses it points to exist."""
    page = text(DOCS / "rules.md")
    assert re.search(rf"`{OPTIONS[option].text_name}\b", page)
    for clause in OPTIONS[option].clauses:
        assert f"| {clause} |" in page


def test_readme_names_rulesets_that_exist() -> None:
    page = prose(README)
    section = page[page.index("\n## Rulesets\n") : page.index("\n## As a library\n")]
    for word in re.findall(r"`([a-z_]+(?:=[a-z_]+)?)`", section):
        assert word in (*PRESETS, *GAMES) or ruleset(f"classic+{word}")
    for preset in PRESETS:
        assert f"`{preset}`" in section
    for whole in re.findall(r"`((?:all-wild|classic|wild-jackpot)[+\w=-]*)`", section):
        ruleset(whole)


# --- pages and links --------------------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page, as the usual viewers make them."""
    heads = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("doc", pages(), ids=name)
def test_links_lead_somewhere(doc: Path) -> None:
    """Links between pages lead to a file that exists, and to a heading of it."""
    for target in re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", prose(doc)):
        if target.startswith(("https://", "http://")):
            continue
        path, _, anchor = target.partition("#")
        there = (doc.parent / path).resolve() if path else doc
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), target


def test_index_is_complete() -> None:
    """docs/README.md links to every page under docs."""
    linked = {(DOCS / target).resolve() for target in re.findall(r"\]\(([^)#]+)\)", text(DOCS / "README.md"))}
    assert set(DOCS.rglob("*.md")) - {DOCS / "README.md"} <= linked


def test_decisions_are_numbered() -> None:
    """Decisions count from 1 without a gap, and each names the rejected alternatives."""
    found = sorted((DOCS / "decisions").glob("*.md"))
    assert [page.name[:4] for page in found] == [f"{i + 1:04}" for i in range(len(found))]
    for i, page in enumerate(found):
        assert text(page).startswith(f"# {i + 1}. ")
        assert all(word in text(page) for word in ("**What.**", "**Why.**", "**Turned down.**"))


def excerpts() -> list[tuple[str, str]]:
    """The excerpts of CONTRIBUTING.md with their source."""
    return re.findall(r"<!-- excerpt: (\S+) -->\n```\w*\n(.*?)```", text(ROOT / "CONTRIBUTING.md"), re.DOTALL)


@pytest.mark.parametrize(("source", "lines"), excerpts(), ids=[f"{s}-{i}" for i, (s, _) in enumerate(excerpts())])
def test_excerpts_are_true(source: str, lines: str) -> None:
    """The excerpts of CONTRIBUTING.md are in the sources."""
    assert lines in text(ROOT / source)


def test_readme_is_short() -> None:
    """Details are in docs."""
    assert len(text(README).splitlines()) < MAX_README_LINES
    assert "trademark of Mattel" in text(README)


def test_changelog_has_unreleased() -> None:
    """There is a section for the next change, with an entry or a release below it."""
    page = text(ROOT / "CHANGELOG.md")
    assert "\n## [Unreleased]\n" in page
    assert re.search(r"^- ", page, re.MULTILINE)


def tracked() -> list[Path]:
    """The files under version control; all text files of the tree if git is missing."""
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
        return [path for part in listed.split("\0") if part and (path := ROOT / part).is_file()]
    except (OSError, subprocess.CalledProcessError):
        return [path for folder in ("src", "tests", "docs", "benchmarks") for path in (ROOT / folder).rglob("*.*")]


INSTALLATION: Final = re.compile(r"\b(?:pip install|pipx (?:run|install)|uvx|uv (?:pip|tool) install)\s[^`\n]*")
EXTRAS: Final = re.compile(r"'\.\[([a-z0-9,]+)\]'")


def test_installation_works_from_a_checkout() -> None:
    """lastcard is on no package index yet: an index would have nothing, or a stranger's package of that name."""
    shown = [path for path in tracked() if path.suffix in (".md", ".txt", ".py", ".js") and "tests" not in path.parts]
    lines = {line for path in shown if "decisions" not in path.parts for line in INSTALLATION.findall(text(path))}
    unpublished = re.compile(r"(?:install|run|uvx) (?:[^.\n]* )?['\"]?lastcard\b")
    assert not [line for line in lines if unpublished.match(line)]
    extras = {extra for line in lines for found in EXTRAS.findall(line) for extra in found.split(",")}
    assert len(extras) > 10
    project = tomllib.loads(text(ROOT / "pyproject.toml"))["project"]
    assert extras <= project["optional-dependencies"].keys()


def test_no_trace_of_a_machine() -> None:
    """No file names a folder or the host name of the machine it was written on."""
    places = ["/" + folder + "/" for folder in ("work", "root", "home")] + ["/" + "tmp/"]
    host = socket.gethostname()
    # A host name that is a plain word may occur by chance.
    traces = [*places, host] if len(host) > 5 and re.search(r"\d", host) else places
    for path in tracked():
        try:
            content = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found = [trace for trace in traces if trace in content]
        assert not [trace for trace in found if re.search(rf"(?<![\w.~]){re.escape(trace)}", content)], path
