"""Bots with a style, from the lobby to the match (docs/bots.md)."""

from __future__ import annotations

from playwright.sync_api import expect

from support.live_server import LiveServer
from support.mock_screen import MockScreen
from support.player import PHONE, Invite
from support.pointers import box_of
from support.screens import SCREENS
from support.situations import NAMES


def test_the_host_seats_a_bot_with_a_style(live_server: LiveServer, invite: Invite) -> None:
    """Everybody reads it; the focus stays on the field; a level that searches has no style."""
    ann, ben = invite(live_server.url, "Ann", **PHONE), invite(live_server.url, "Ben")
    code = ann.make_table("classic", 3)
    ben.follow_link(code)
    seats, seen = (each.page.get_by_role("region", name="At the table") for each in (ann, ben))
    seats.get_by_role("listitem").last.get_by_role("button", name="Add bot").click()
    level, style = (seats.get_by_role("combobox", name=name) for name in ("How well", "Style of"))
    expect(seen.get_by_text("Casual", exact=True)).to_be_visible()
    expect(style).to_have_value("")
    assert box_of(style)["y"] + box_of(style)["height"] <= box_of(level)["y"], "apart for a finger"
    style.focus()
    style.select_option(label="Hoarder")
    expect(seen.get_by_text("Casual · Hoarder", exact=True)).to_be_visible()
    expect(style).to_have_value("hoarder")
    expect(style).to_be_focused()
    level.select_option(label="Expert")
    expect(seen.get_by_text("Expert", exact=True)).to_be_visible()
    expect(style).to_have_count(0)


def test_the_menu_says_how_well_bots_play(stage: MockScreen) -> None:
    """During a match everybody at the table can read it."""
    SCREENS["menu"](stage)
    bots = stage.page.get_by_role("region", name="Bots", exact=True)
    expect(bots.get_by_role("listitem")).to_have_text([f"{NAMES[3]} · Casual"])
