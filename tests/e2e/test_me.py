"""What is mine: which of my matches count, and which devices are signed in as me."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from support.screens import SCREENS
from support.stage import SetStage


def test_matches_that_do_not_count_say_so(set_stage: SetStage) -> None:
    """One in which moves were taken back stands in the list like any other, with a word on it."""
    stage = set_stage(390, 844)
    SCREENS["matches"](stage)
    matches = stage.page.locator(".match")
    expect(matches).to_have_count(4)
    expect(matches.filter(has_text=stage.t("web.matches.practice"))).to_have_count(1)


def test_other_devices_are_signed_out(set_stage: SetStage, browser: Browser) -> None:
    """After a question; this browser stays signed in."""
    stage = set_stage(390, 844)
    other = browser.new_context(storage_state=stage.page.context.storage_state())
    try:
        me = f"{stage.url}/api/me"
        expect(other.request.get(me)).to_be_ok()
        SCREENS["matches"](stage)
        stage.press("web.me.out")
        dialog = stage.page.get_by_role("dialog", name=stage.t("web.me.out.ask"))
        dialog.get_by_role("button", name=stage.t("web.me.out")).click()
        expect(stage.page.get_by_text(stage.t("web.me.out.done"))).to_be_visible()
        assert other.request.get(me).status == 404
        expect(stage.page.context.request.get(me)).to_be_ok()
    finally:
        other.close()
