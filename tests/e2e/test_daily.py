"""The deal of the day in the page: one try, the result beside everybody's and a master's, a line to share."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from support.axe import find_violations
from support.live_server import LiveServer
from support.player import DESKTOP, PHONE, Invite, play_round, wait_for_cards

MASTER_TIMEOUT_MS = 60_000


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_try_and_its_result(live_server: LiveServer, invite: Invite, screen: dict[str, Any]) -> None:
    ann = invite(live_server.url, "Ann", **screen)
    page = ann.page
    ann.open_home()
    page.get_by_role("button", name="Deal of the day").click()
    expect(page.get_by_role("listitem").filter(has_text="not played")).to_have_count(35)
    page.get_by_role("button", name="Play: UNO All Wild").click()
    page.wait_for_url("**/t/*")
    wait_for_cards(ann)
    play_round([ann])
    assert not ann.refusals()
    page.get_by_role("link", name="Deal of the day").click()
    panel = page.get_by_role("region", name="UNO All Wild")
    expect(panel).to_contain_text(re.compile(r"(You won in \d+ moves?|You had \d+ points? left)\. Place \d of \d\."))
    expect(panel.get_by_role("button", name="Play")).to_have_count(0)
    master = panel.get_by_role("status")
    expect(master).to_contain_text(re.compile(r"The master (won|had)"), timeout=MASTER_TIMEOUT_MS)
    expect(master).to_contain_text(re.compile(r"Luck aside, your play was worth \d+% of a win, the master’s \d+%\."))
    panel.get_by_text("Everybody’s results").click()
    expect(panel.get_by_role("listitem").last).to_have_text(re.compile("Ann.*(won in|left)"))
    expect(page.get_by_role("listitem").filter(has_text=re.compile(": (won|played)$"))).to_have_count(1)
    signs = panel.locator(".daily-signs").text_content() or ""
    assert signs and not re.search(r"[0-9A-Z]", signs), "it shows no card"
    assert not find_violations(page)
    ann.open_home()
    state = re.compile(r"Deal of the day.*1 of 3 played · \d+ hr?")
    expect(page.get_by_role("button", name="Deal of the day")).to_have_text(state)
    assert not find_violations(page)
