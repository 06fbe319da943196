"""Reporting a player, the admin page, and its effects on people (docs/server.md)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_playwright import CreateContextCallback

from support.axe import find_violations
from support.player import DESKTOP, PHONE, Invite
from support.threaded_server import ThreadedServer, run_threaded_server

TOKEN = "correct horse battery staple"


@pytest.fixture
def public(tmp_path: Path) -> Iterator[ThreadedServer]:
    """A server with an admin page, for one test: settings and bans apply to all its tables."""
    with run_threaded_server(tmp_path, admin_token=TOKEN) as served:
        yield served


@pytest.fixture
def admin(public: ThreadedServer, new_context: CreateContextCallback) -> Iterator[Page]:
    """The admin page, signed in."""
    page = new_context(locale="en-US", reduced_motion="reduce", **DESKTOP).new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{public.url}/admin")
    page.get_by_label("Token").fill(TOKEN)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Server settings")).to_be_visible()
    assert TOKEN not in page.url
    yield page
    assert not errors


def test_a_person_is_reported_and_banned(public: ThreadedServer, admin: Page, invite: Invite) -> None:
    """The report goes from a phone to the admin page, with the chat; the ban disconnects with a reason."""
    ann = invite(public.url, "Ann", **PHONE)
    code = ann.make_table("classic")
    bob = invite(public.url, "Bob")
    bob.follow_link(code)
    ann.wait_until_seated("Bob")
    bob.page.get_by_role("button", name="Chat", exact=True).click()
    bob.page.get_by_label("Message", exact=True).fill("You clod")
    bob.page.keyboard.press("Enter")
    expect(bob.page.get_by_role("list", name="Chat messages").get_by_text("You clod")).to_be_visible()

    ann.page.get_by_role("button", name="Menu", exact=True).click()
    menu = ann.page.get_by_role("dialog", name="Menu")
    menu.get_by_text("Bob", exact=True).click()
    menu.get_by_role("button", name="Report").click()
    dialog = ann.page.get_by_role("dialog", name="Report Bob")
    dialog.get_by_role("radio", name="The name").check()
    dialog.get_by_label("Anything to add (optional)").fill("and rude")
    dialog.get_by_role("button", name="Send").click()
    expect(ann.page.get_by_text("Thank you. The person who runs this server will read it.")).to_be_visible()

    admin.reload()
    reports = admin.locator("section", has=admin.get_by_role("heading", name="Reports"))
    expect(reports.get_by_role("heading", name="Ann about Bob: The name")).to_be_visible()
    expect(reports.get_by_text("and rude")).to_be_visible()
    reports.get_by_text("Chat before the report").click()
    expect(reports.get_by_text("Bob You clod")).to_be_visible()
    assert find_violations(admin) == []
    reports.get_by_role("button", name="Ban Bob").click()
    ban = admin.get_by_role("dialog", name="Ban Bob")
    ban.get_by_label("For how long").select_option(label="30 days")
    ban.get_by_role("button", name="Ban", exact=True).click()
    expect(bob.page.get_by_text("You cannot play on this server.")).to_be_visible()
    reports.get_by_role("button", name="Resolve").click()
    expect(reports.get_by_text("Nobody has reported anybody.")).to_be_visible()

    bans = admin.locator("section", has=admin.get_by_role("heading", name="Bans"))
    expect(bans.get_by_text("Bob", exact=False).first).to_be_visible()
    bans.get_by_role("button", name="Lift: Bob").click()
    expect(bans.get_by_text("Nobody is banned.")).to_be_visible()


def test_server_settings_reach_every_table(public: ThreadedServer, admin: Page, invite: Invite) -> None:
    """A message and a stop of new matches before an update; a wrong network is reported; signing out works."""
    ann = invite(public.url, "Ann")
    code = ann.make_table("classic")
    admin.get_by_label("Message to all tables").fill("Back at eight")
    admin.get_by_label("Blocked words, one per line").fill("clod\n\nnumbsk*")
    admin.get_by_role("button", name="Save").click()
    expect(ann.page.get_by_text("Message from the server: Back at eight")).to_be_visible()
    admin.get_by_text("Maintenance mode", exact=True).click()
    expect(ann.page.get_by_text("The server is about to be updated")).to_be_visible()
    admin.reload()
    expect(admin.get_by_label("Blocked words, one per line")).to_have_value("clod\nnumbsk*")
    expect(admin.get_by_role("switch", name="Maintenance mode")).to_be_checked()
    tables = admin.locator("section", has=admin.get_by_role("heading", name="Tables"))
    expect(tables.locator(f'[data-table="{code}"]').get_by_text("Ann", exact=True)).to_be_visible()
    admin.get_by_label("Address or network").fill("127.0.0.1")
    admin.locator("form", has=admin.get_by_label("Address or network")).get_by_role("button", name="Ban").click()
    expect(admin.get_by_text("All connections come from there")).to_be_visible()
    admin.get_by_text("Maintenance mode", exact=True).click()
    expect(ann.page.get_by_text("The server is about to be updated")).to_have_count(0)
    admin.get_by_role("button", name="Sign out").click()
    expect(admin.get_by_label("Token")).to_be_visible()
    admin.get_by_label("Token").fill("wrong")
    admin.get_by_role("button", name="Sign in").click()
    expect(admin.get_by_text("That is not the token.")).to_be_visible()


def test_data_retention_is_stated_from_the_settings(public: ThreadedServer, new_context: CreateContextCallback) -> None:
    """The first page links to it; it is in the reader's language and states this server's settings."""
    public.app.state.registry.match_retention_s = 90 * 24 * 3600.0
    page = new_context(locale="pl", **PHONE).new_page()
    page.goto(public.url)
    page.get_by_role("link", name="Prywatność").click()
    expect(page.get_by_role("heading", name="Twoje dane")).to_be_visible()
    expect(page.get_by_text("90 dni po zakończeniu")).to_be_visible()
    expect(page.get_by_text("trzyma je 30 dni")).to_be_visible()
    expect(page.get_by_text("pozostali gracze ją zachowują, bez twojego imienia")).to_be_visible()
    assert find_violations(page) == []
    public.app.state.registry.match_retention_s = None
    page.reload()
    expect(page.get_by_text("imiona grających, dopóki ich nie usuniesz.")).to_be_visible()
