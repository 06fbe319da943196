"""One profile on several devices: a code of one, typed on another."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from support.axe import find_violations
from support.live_server import LiveServer
from support.player import ON_BOTH, BrowserPlayer, Invite


def name_person(player: BrowserPlayer) -> None:
    """Give a browser its person, and open the profile."""
    headers = {"origin": player.url}
    me = {"name": player.name, "language": "en"}
    expect(player.page.context.request.post(f"{player.url}/api/me", data=me, headers=headers)).to_be_ok()
    player.page.goto(f"{player.url}/me")


@ON_BOTH
def test_a_code_joins_a_phone_and_a_laptop(live_server: LiveServer, invite: Invite, screen: dict[str, Any]) -> None:
    """The page says what happens before it does; a wrong code is refused in words."""
    laptop, phone = invite(live_server.url, "Ann"), invite(live_server.url, "Annie", **screen)
    name_person(laptop)
    laptop.page.get_by_role("button", name="Show a code").click()
    shown = laptop.page.get_by_role("dialog", name="Code for your other device")
    code = shown.get_by_role("status").inner_text()
    expect(shown).to_contain_text("for 10 minutes")
    assert find_violations(laptop.page) == []

    name_person(phone)
    phone.page.get_by_role("button", name="Type a code").click()
    typed = phone.page.get_by_role("dialog", name="Type a code")
    field = typed.get_by_label("Code of the other device")
    phone.expect_failure(404, "/api/join/check")
    field.fill("AAAAA AAAAA")
    field.press("Enter")
    expect(typed.get_by_role("alert")).to_contain_text("That code is not valid")
    field.fill(code.lower())
    typed.get_by_role("button", name="Next").click()
    expect(typed).to_contain_text("This device becomes Ann, with 0 matches.")
    expect(typed).to_contain_text("All that it has now as Annie goes to Ann")
    assert find_violations(phone.page) == []
    typed.get_by_role("button", name="Join Ann").click()
    expect(phone.page.get_by_text("This device is now Ann.")).to_be_visible()
    ids = [player.page.context.request.get(f"{player.url}/api/me").json()["id"] for player in (laptop, phone)]
    assert ids[0] == ids[1]
    phone.page.goto(phone.url)
    expect(phone.page.get_by_label("Your name")).to_have_value("Ann")


def test_a_device_without_a_name_types_a_code(live_server: LiveServer, invite: Invite) -> None:
    """It has nothing of its own, and shows no code."""
    laptop, tablet = invite(live_server.url, "Ann"), invite(live_server.url, "")
    name_person(laptop)
    laptop.page.get_by_role("button", name="Show a code").click()
    code = laptop.page.get_by_role("dialog").get_by_role("status").inner_text()
    tablet.page.goto(f"{tablet.url}/me")
    expect(tablet.page.get_by_role("button", name="Show a code")).to_have_count(0)
    tablet.page.get_by_role("button", name="Type a code").click()
    tablet.page.keyboard.type(code)
    tablet.page.keyboard.press("Enter")
    dialog = tablet.page.get_by_role("dialog")
    expect(dialog).to_contain_text("This device becomes Ann")
    expect(dialog).not_to_contain_text("All that it has now")
    dialog.get_by_role("button", name="Join Ann").click()
    expect(tablet.page.get_by_text("This device is now Ann.")).to_be_visible()
