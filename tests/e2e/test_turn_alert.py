"""A tab in the background shows that it is the person's turn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from support.mock_screen import MockScreen
from support.situations import decides, reach

_HIDE = """hidden => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
_ICON = "document.querySelector('link[rel=icon]').href"
_FAKE_NOTIFICATIONS = """permission => {
    window.notes = [];
    window.Notification = class extends EventTarget {
        static permission = "default";
        static async requestPermission() { return (Notification.permission = permission); }
        constructor(title, { body }) { super(); this.text = `${title}: ${body}`; notes.push(this.text); }
        close() { notes.splice(notes.indexOf(this.text), 1); }
    };
}"""


def show_turn(stage: MockScreen, *, own: bool = True) -> None:
    """A match in which it is the person's turn, or (not ``own``) another's."""
    now = reach("classic", 4, decides("play"))
    stage.show_match(now, seat=(now.match.round.turn + (not own)) % 4)
    stage.page.wait_for_function("!document.documentElement.hasAttribute('data-loading')")


def test_title_and_icon_of_a_hidden_page(stage: MockScreen) -> None:
    """They are as before once the page is looked at again; a page that is looked at has no mark."""
    show_turn(stage)
    title, icon = stage.page.title(), stage.page.evaluate(_ICON)
    assert "●" not in title
    stage.page.evaluate(_HIDE, True)
    expect(stage.page).to_have_title(f"● {stage.text('web.notice.turn')} – {title}")
    assert stage.page.evaluate(_ICON).startswith("data:image/svg+xml,")
    stage.page.evaluate(_HIDE, False)
    expect(stage.page).to_have_title(title)
    assert stage.page.evaluate(_ICON) == icon


def test_another_players_turn_is_no_alert(stage: MockScreen) -> None:
    show_turn(stage, own=False)
    title = stage.page.title()
    stage.page.evaluate(_HIDE, True)
    expect(stage.page).to_have_title(title)
    stage.page.evaluate(_HIDE, False)


@pytest.fixture
def shown(stage: MockScreen) -> Iterator[MockScreen]:
    """One's turn at a page that is visible at the end, and has its own notifications again."""
    show_turn(stage)
    stage.page.evaluate("() => { window.realNotification = Notification; }")
    yield stage
    stage.page.evaluate(_HIDE, False)
    stage.page.evaluate("() => { window.Notification = realNotification; }")


def allow(stage: MockScreen, permission: str) -> Page:
    """Open the menu, and switch notifications on in a browser that answers so."""
    stage.page.evaluate(_FAKE_NOTIFICATIONS, permission)
    stage.press("web.table.menu")
    switch = stage.page.get_by_role("switch", name=stage.text("web.menu.notify"))
    expect(switch).not_to_be_checked()
    switch.click()
    return stage.page


def test_a_notification_needs_a_tap_and_permission(shown: MockScreen) -> None:
    page = allow(shown, "granted")
    expect(page.get_by_role("switch", name=shown.text("web.menu.notify"))).to_be_checked()
    assert page.evaluate("notes") == []
    page.evaluate(_HIDE, True)
    page.wait_for_function("window.notes.length === 1")
    assert page.evaluate("notes[0]").startswith(shown.text("web.notice.turn"))
    page.evaluate(_HIDE, False)
    page.wait_for_function("window.notes.length === 0")


def test_a_browser_that_refuses(shown: MockScreen) -> None:
    page = allow(shown, "denied")
    expect(page.locator(".toast")).to_have_text(shown.text("web.menu.notify.denied"))
    expect(page.get_by_role("switch", name=shown.text("web.menu.notify"))).not_to_be_checked()
    page.evaluate(_HIDE, True)
    assert page.evaluate("notes") == []
