"""The profile: which matches count, and which devices are signed in."""

from __future__ import annotations

from playwright.sync_api import expect
from pytest_playwright import CreateContextCallback

from lastcard.text.locale import catalog
from support.live_server import LiveServer
from support.mock_screen import MockScreen
from support.player import PHONE, Invite
from support.screens import SCREENS


def test_matches_that_do_not_count_say_so(stage: MockScreen) -> None:
    """A match with moves taken back is in the list like any other, with a label."""
    SCREENS["matches"](stage)
    matches = stage.page.locator(".played-match")
    expect(matches).to_have_count(4)
    expect(matches.filter(has_text=stage.text("web.matches.practice"))).to_have_count(1)


def test_other_devices_are_signed_out(stage: MockScreen, new_context: CreateContextCallback) -> None:
    """The page asks first; this browser stays signed in."""
    other = new_context(storage_state=stage.page.context.storage_state())
    me = f"{stage.url}/api/me"
    expect(other.request.get(me)).to_be_ok()
    SCREENS["matches"](stage)
    stage.press("web.me.out")
    dialog = stage.page.get_by_role("dialog", name=stage.text("web.me.out.ask"))
    dialog.get_by_role("button", name=stage.text("web.me.out")).click()
    expect(stage.page.get_by_text(stage.text("web.me.out.done"))).to_be_visible()
    assert other.request.get(me).json() is None
    expect(stage.page.context.request.get(me)).to_be_ok()


def test_a_file_that_is_no_record_is_refused_in_words(live_server: LiveServer, invite: Invite) -> None:
    """The message is in the person's language, with a remedy; the check's own result is below, smaller."""
    ann = invite(live_server.url, "Ann", locale="pl-PL", **PHONE)
    me = {"name": "Ann", "language": "pl"}
    expect(
        ann.page.context.request.post(f"{live_server.url}/api/me", data=me, headers={"origin": live_server.url})
    ).to_be_ok()
    ann.page.goto(f"{ann.url}/me")
    ann.expect_failure(422, "/api/matches")
    said, technical = catalog("pl").text("web.refused.bad-record", why="head: format").split("\n")
    empty = {"name": "match.toml", "mimeType": "text/plain", "buffer": b""}
    ann.page.get_by_label(catalog("pl").text("web.matches.bring.choose")).set_input_files(empty)  # type: ignore[arg-type]
    alert = ann.page.get_by_role("alert")
    expect(alert).to_contain_text(said)
    expect(alert.locator("small[lang=en]")).to_contain_text(technical)
    assert "head" not in said
    large = {"name": "match.toml", "mimeType": "text/plain", "buffer": b"#" * 4_000_001}
    ann.page.get_by_label(catalog("pl").text("web.matches.bring.choose")).set_input_files(large)  # type: ignore[arg-type]
    expect(alert).to_contain_text(catalog("pl").text("web.matches.bring.large", limit="4\u00a0000\u00a0000"))
    ann.page.get_by_label(catalog("pl").text("web.matches.bring.choose")).set_input_files(empty)  # type: ignore[arg-type]
    expect(alert).to_contain_text(said)
    sizes = [
        float(part.evaluate("node => parseFloat(getComputedStyle(node).fontSize)"))
        for part in (alert, alert.locator("small"))
    ]
    assert sizes[1] < sizes[0]
