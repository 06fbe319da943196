"""The check of the built site finds wrong links, missing anchors and requests; versions are listed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.docs_site.built_site import CONTENT_SECURITY_POLICY, find_problems
from tools.docs_site.versions import add_version, find_versions

POLICY = f'<meta http-equiv="Content-Security-Policy" content="{CONTENT_SECURITY_POLICY}">'


def make_site(folder: Path, body: str, head: str = POLICY) -> Path:
    """Two pages, one with the text, in a new folder."""
    site = folder / "site"
    (site / "other").mkdir(parents=True)
    (site / "index.html").write_text(f"<head>{head}</head>{body}", encoding="utf-8")
    (site / "other" / "index.html").write_text(f'<head>{POLICY}</head><h2 id="there">x</h2>', encoding="utf-8")
    return site


@pytest.mark.parametrize(
    "body",
    [
        '<a href="other/#there">x</a><a href="#">y</a><p id="a&amp;b"></p><a href="#a%26b">z</a>',
        '<a href="https://example.org/">links to other hosts request nothing</a>',
        '<img src="data:image/png;base64,">',
        "<style>a { background: url(data:,) }</style>",
    ],
)
def test_good_pages_pass(tmp_path: Path, body: str) -> None:
    assert find_problems(make_site(tmp_path, body)) == []


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ('<a href="missing/">x</a>', "index.html: missing/ leads nowhere"),
        ('<a href="other/#here">x</a>', "index.html: other/#here has no such anchor"),
        ('<a href="#here">x</a>', "index.html: #here has no such anchor"),
        ('<a href="../x">x</a>', "index.html: ../x leaves the site"),
        ('<a href="/other/">x</a>', "index.html: /other/ leaves the site"),
        ('<script src="//example.org/x.js"></script>', "index.html: requests //example.org/x.js"),
        ('<img srcset="https://example.org/x.png 2x">', "index.html: requests https://example.org/x.png"),
        ('<link rel="stylesheet" href="https://example.org/x.css">', "index.html: requests https://example.org/x.css"),
        ('<p style="background: url(https://example.org/x.png)">', "index.html: requests https://example.org/x.png"),
        ("<style>@import '//example.org/x.css'</style>", "index.html: requests //example.org/x.css"),
        ('<iframe src="lost.html"></iframe>', "index.html: lost.html leads nowhere"),
    ],
)
def test_bad_pages_are_found(tmp_path: Path, body: str, problem: str) -> None:
    assert find_problems(make_site(tmp_path, body)) == [problem]


def test_a_page_without_policy_is_found(tmp_path: Path) -> None:
    assert find_problems(make_site(tmp_path, "", head="")) == ["index.html: has no content security policy"]


def test_style_sheets_are_read(tmp_path: Path) -> None:
    site = make_site(tmp_path, "")
    (site / "x.css").write_text("@font-face { src: url(https://example.org/x.woff2) }", encoding="utf-8")
    assert find_problems(site) == ["x.css: requests https://example.org/x.woff2"]


def test_a_site_by_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = make_site(tmp_path, '<a href="other/#there">x</a><a href="#here">y</a><p id="here"></p>')
    monkeypatch.chdir(tmp_path)
    assert find_problems(site.relative_to(tmp_path)) == []


def test_versions_are_listed(tmp_path: Path) -> None:
    """The newest comes first and is the start page; a version that is built again replaces itself."""
    site = tmp_path / "site"
    for version in ("0.9.0", "0.10.0rc1", "0.10.0", "0.2.0", "0.10.0"):
        pages = tmp_path / "pages"
        pages.mkdir()
        (pages / f"{version}.html").touch()
        add_version(site, version, pages, CONTENT_SECURITY_POLICY)
    (site / "play").mkdir()
    assert find_versions(site) == ["0.10.0", "0.10.0rc1", "0.9.0", "0.2.0"]
    listed = json.loads((site / "versions.json").read_text(encoding="utf-8"))
    assert [each["version"] for each in listed] == find_versions(site)
    assert [each["aliases"] for each in listed] == [["latest"], [], [], []]
    assert "url=0.10.0/" in (site / "index.html").read_text(encoding="utf-8")
    assert [path.name for path in (site / "0.10.0").iterdir()] == ["0.10.0.html"]
