"""A server below a path of a shared host name: a match by link, from the first page to a move."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from support.player import PHONE, Invite
from support.threaded_server import run_threaded_server


def test_two_people_below_a_path(tmp_path: Path, invite: Invite) -> None:
    """The lobby's link, its QR code, the WebSocket, and the way back to the first page."""
    with run_threaded_server(tmp_path, "http://127.0.0.1:{port}/club/cards") as served:
        url = f"{served.url}/club/cards"
        ann, ben = invite(url, "Ann"), invite(url, "Ben", **PHONE)
        code = ann.new_table("UNO")
        assert ann.page.url == f"{url}/t/{code}"
        picture = ann.page.get_by_role("img", name="QR code")
        assert picture.first.evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
        ben.open_home()
        ben.page.get_by_label("Table code").fill(code)
        ben.page.get_by_role("button", name="Join").click()
        ben.page.wait_for_url(f"{url}/t/{code}")
        ann.wait_until_seated("Ben")
        ben.page.goto(f"{url}/rules")
        expect(ben.page.get_by_role("heading", level=1)).to_be_visible()
        ben.page.get_by_role("link", name="Home").click()
        ben.page.wait_for_url(f"{url}/")
        ben.page.go_back()
        ben.page.wait_for_url(f"{url}/rules")
