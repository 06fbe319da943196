"""The sources of the documentation site: copied pages, pages made from the code, and the navigation."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

import pytest

import lastcard
from lastcard.cli.main import COMMANDS, command_name
from lastcard.game.options import OPTIONS
from tools.docs_site.__main__ import write_sources
from tools.docs_site.markdown_pages import DOCS, ROOT, linked_files, site_path
from tools.docs_site.navigation import nav_toml
from tools.docs_site.reference_pages import library_groups

CODE: Final = re.compile(r"^ *```.*?^ *```|`[^`\n]+`", re.M | re.S)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs") / "sources"
    write_sources(folder)
    return folder


def test_links_lead_to_copies(sources: Path) -> None:
    """No link leaves the sources, also from pages outside docs and from lists of files."""
    text = (sources / "python.md").read_text(encoding="utf-8")
    for outside in (ROOT / "examples" / "python" / "own_bot.py", ROOT / "CHANGELOG.md"):
        assert f"]({site_path(outside).as_posix()})" in text
    for page in sources.rglob("*.md"):
        for target in re.findall(r"\]\(([^)\s#]+)", CODE.sub("", page.read_text(encoding="utf-8"))):
            assert "://" in target or (page.parent / target).is_file(), f"{page}: {target}"


def test_places_of_files() -> None:
    assert site_path(DOCS / "envs" / "gpu.md") == Path("envs/gpu.md")
    assert site_path(DOCS / "README.md") == Path("overview.md")
    assert site_path(ROOT / "README.md") == Path("project/README.md")
    assert site_path(ROOT / "examples" / "agents" / ".mcp.json") == Path("project/examples/agents/mcp.json.md")
    assert site_path(ROOT / "deploy") == Path("project/deploy/index.md")


def test_links_in_code_are_no_links() -> None:
    page = "[a](x.md#b) `[c](y.md)`\n```js\n[d](z.md)\n```\n[e](https://example.org/f) ![g](h/../i.svg)"
    assert list(linked_files(DOCS / "python.md", page)) == [DOCS / "x.md", DOCS / "i.svg"]


def test_every_page_of_docs_is_in_the_navigation(sources: Path) -> None:
    nav = nav_toml(sources)
    assert list(tomllib.loads(f"nav = {nav}")["nav"][0]) == ["Play"]
    listed = re.findall(r'= "([^"]+\.md)"', nav)
    assert len(listed) == len(set(listed))
    assert {site_path(page).as_posix() for page in DOCS.rglob("*.md")} <= set(listed)


def test_pages_from_the_code(sources: Path) -> None:
    """Every command, option and public name has a heading, and every clause an anchor."""
    commands = (sources / "reference" / "commands.md").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"\n## lastcard {command_name(command)}\n\n```text\nusage: lastcard {command_name(command)} " in commands
    options = (sources / "reference" / "options.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", options, re.M) == [option.text_name for option in OPTIONS.values()]
    assert "| `same` | " in options
    assert '| <a id="CL-30"></a>CL-30 |' in (sources / "rules.md").read_text(encoding="utf-8")
    assert "(../rules.md#CL-30)" in (sources / "reference" / "classic.md").read_text(encoding="utf-8")
    names = [name for objects in library_groups().values() for name in objects]
    assert set(lastcard.__all__) - {"__version__"} <= set(names)


def test_a_diagram_is_a_table(sources: Path) -> None:
    page = (sources / "session.md").read_text(encoding="utf-8")
    assert "mermaid" not in page
    assert "| playing | over | the match is won |" in page
