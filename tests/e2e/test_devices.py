"""One profile on several devices: a code of one, typed on another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import CDPSession, expect

from support.axe import find_violations
from support.live_server import LiveServer
from support.player import ON_BOTH, BrowserPlayer, Invite
from support.threaded_server import ThreadedServer, run_threaded_server


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    """A server with passkeys: browsers take localhost without HTTPS."""
    pytest.importorskip("fido2")
    with run_threaded_server(tmp_path_factory.mktemp("keyed"), "http://localhost:{port}") as served:
        served.url = served.url.replace("127.0.0.1", "localhost")
        yield served


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


def add_authenticator(player: BrowserPlayer) -> tuple[CDPSession, str]:
    """Give a browser a virtual device for passkeys."""
    session = player.page.context.new_cdp_session(player.page)
    session.send("WebAuthn.enable")
    features = {"hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
    options = {"protocol": "ctap2", "transport": "internal", **features}
    return session, session.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]


@ON_BOTH
def test_a_passkey_signs_in_on_any_device(keyed: ThreadedServer, invite: Invite, screen: dict[str, Any]) -> None:
    """It is added and named on one, and used on another with and without a name of its own."""
    laptop, phone = invite(keyed.url, "Ann"), invite(keyed.url, "Annie", **screen)
    session, authenticator = add_authenticator(laptop)
    name_person(laptop)
    laptop.page.get_by_role("button", name="Add a passkey").click()
    naming = laptop.page.get_by_role("dialog", name="Name of the passkey")
    naming.get_by_label("Name of the passkey", exact=True).fill("Laptop")
    naming.get_by_role("button", name="Save").click()
    laptop.page.get_by_role("button", name="Rename: Laptop").click()
    naming.get_by_label("Name of the passkey", exact=True).fill("Work")
    naming.get_by_role("button", name="Save").click()
    expect(laptop.page.get_by_role("listitem").filter(has_text="Work")).to_contain_text("Added")
    assert find_violations(laptop.page) == []

    (credential,) = session.send("WebAuthn.getCredentials", {"authenticatorId": authenticator})["credentials"]
    others, other = add_authenticator(phone)
    others.send("WebAuthn.addCredential", {"authenticatorId": other, "credential": credential})
    phone.page.goto(f"{phone.url}/me")
    phone.page.get_by_role("button", name="Sign in with a passkey").click()
    expect(phone.page.get_by_text("This device is now Ann.")).to_be_visible()
    expect(phone.page.get_by_role("listitem").filter(has_text="Work")).to_contain_text("Last used")

    phone.page.context.clear_cookies()
    name_person(phone)
    phone.page.get_by_role("button", name="Sign in with a passkey").click()
    dialog = phone.page.get_by_role("dialog", name="Sign in with a passkey")
    expect(dialog).to_contain_text("All that it has now as Annie goes to Ann")
    dialog.get_by_role("button", name="Join Ann").click()
    expect(phone.page.get_by_role("button", name="Remove: Work")).to_be_visible()
    phone.page.get_by_role("button", name="Remove: Work").click()
    asked = phone.page.get_by_role("dialog", name="Remove the passkey Work?")
    asked.get_by_role("button", name="Remove").click()
    expect(phone.page.get_by_role("button", name="Remove: Work")).to_have_count(0)


def test_without_passkeys_the_page_offers_only_the_code(live_server: LiveServer, invite: Invite) -> None:
    """A server in the living room has neither HTTPS nor a name of its own."""
    ann = invite(live_server.url, "Ann")
    name_person(ann)
    expect(ann.page.get_by_role("button", name="Show a code")).to_be_visible()
    expect(ann.page.get_by_role("button", name="Add a passkey")).to_have_count(0)
