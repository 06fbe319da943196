"""The built documentation site in a browser: the game, live parts, search, modes and versions: ``make docs``."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_playwright import CreateContextCallback

from support.player import DESKTOP, PHONE
from support.web_host import run_web_host
from tools.docs_site.built_site import CONTENT_SECURITY_POLICY, GAME
from tools.docs_site.versions import add_version, find_versions

SITE = Path(os.environ.get("LASTCARD_DOCS_SITE", ""))
INLINE = ("data:", "blob:")
pytestmark = pytest.mark.skipif(not os.environ.get("LASTCARD_DOCS_SITE"), reason="make docs builds the site first")


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    with run_web_host(SITE) as running:
        yield running.url


@pytest.fixture(scope="module")
def site(host: str) -> str:
    """The address of the newest version."""
    return f"{host}{find_versions(SITE)[0]}/"


@pytest.fixture
def problems() -> list[str]:
    """Errors of the page, and requests to other hosts."""
    return []


@pytest.fixture(params=[PHONE, DESKTOP], ids=["phone", "desktop"])
def page(
    request: pytest.FixtureRequest, new_context: CreateContextCallback, host: str, problems: list[str]
) -> Iterator[Page]:
    page = new_context(**request.param).new_page()
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda sent: None if sent.url.startswith((host, *INLINE)) else problems.append(sent.url))
    yield page
    assert problems == []


def test_the_first_page_plays_the_game(page: Page, host: str) -> None:
    page.goto(host)
    game = page.frame_locator("iframe.game")
    game.get_by_role("button", name="Play now").click()
    expect(game.locator("[data-card]").first).to_be_visible()


def test_explorer(page: Page, site: str) -> None:
    """A changed option shows its sentences and clauses, and values that contradict each other are refused."""
    page.goto(f"{site}explorer/")
    page.locator("select[name=stacking]").select_option("same")
    changes = page.locator(".changes")
    expect(changes.locator("code")).to_have_text("classic+stacking=same")
    expect(changes.locator("ins").first).to_contain_text("Stacking is on")
    changes.get_by_text("Clauses: CL-27").click()
    changes.get_by_role("link", name="LC-40", exact=True).click()
    expect(page).to_have_url(f"{site}rules/#LC-40")
    page.goto(f"{site}explorer/")
    page.get_by_label("Game").select_option("all-wild")
    expect(changes.locator("code")).to_have_text("all-wild")
    page.get_by_text("Other options").click()
    page.locator("select[name=match_mode]").select_option("to_target")
    expect(changes.locator("code")).to_have_text("all-wild+match_mode=to_target")


def test_replay(page: Page, site: str, tmp_path: Path) -> None:
    """A record is played back move by move, and a false one is refused."""
    page.goto(f"{site}replay/")
    expect(page.locator(".board")).to_contain_text("step 0 of")
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".words")).to_contain_text(re.compile("plays|draws"))
    record = next(SITE.glob("*/widgets/files/classic.toml")).read_text(encoding="utf-8")
    false = tmp_path / "false.toml"
    false.write_text(re.sub(r'seed = "..', 'seed = "00', record), encoding="utf-8")
    page.get_by_label("or a file of yours").set_input_files(false)
    expect(page.locator(".refused")).to_contain_text("commitment")
    page.get_by_label("Record", exact=True).select_option("wild-jackpot")
    expect(page.locator(".board .cards svg").first).to_be_visible()


def test_a_page_leads_to_another_version(page: Page, tmp_path: Path, problems: list[str]) -> None:
    """An older version is offered, and the start page leads to the newest one."""
    newest = find_versions(SITE)[0]
    for version in ("0.0.9", newest):
        shutil.copytree(SITE / newest, tmp_path / "pages")
        add_version(tmp_path / "site", version, tmp_path / "pages", CONTENT_SECURITY_POLICY)
    with run_web_host(tmp_path / "site") as host:
        page.goto(f"{host.url}{newest}/rules/")
        page.get_by_role("button", name="Select version").focus()
        page.get_by_role("link", name="0.0.9").click()
        expect(page).to_have_url(re.compile(rf"^{host.url}0\.0\.9/"))
        page.goto(host.url)
        expect(page).to_have_url(f"{host.url}{newest}/")
    problems.clear()  # another host than that of the other tests, and no game beside the versions


def test_search_and_modes(page: Page, site: str) -> None:
    page.goto(f"{site}rules/")
    scheme = page.locator("body").get_attribute("data-md-color-scheme")
    for _ in range(2):
        page.locator("label[for^=__palette]:visible").click()
    assert page.locator("body").get_attribute("data-md-color-scheme") != scheme
    page.locator("label[for=__search]:visible, .md-search__button:visible").first.click()
    page.get_by_role("combobox", name="Search").fill("jump-in")
    expect(page.get_by_role("option").filter(has_text=re.compile("jump-in", re.IGNORECASE)).first).to_be_visible()


def test_every_page_fits(page: Page, site: str) -> None:
    """No page asks another host for anything, logs an error, or is wider than the screen."""
    version = SITE / find_versions(SITE)[0]
    pages = sorted(path.relative_to(version).parent.as_posix() for path in version.rglob("index.html"))
    wide = []
    for name in (name for name in pages if not name.startswith(("project/", "decisions/"))):
        page.goto(f"{site}{name}/")
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(name)
    assert not wide
    assert (SITE / GAME / "index.html").is_file()
