"""The screen stays on without a wake lock: over plain HTTP a small picture plays as a video."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from support.mock_site import MockSite


def test_a_video_plays_until_it_is_let_go(own_site: MockSite, page: Page) -> None:
    """The video is visible, silent, inline and looping, as browsers require to keep a screen on; then it is removed."""
    own_site.answers["/api/me"] = {"id": "p1", "name": "Ada", "language": "en"}
    own_site.answers["/api/matches"] = []
    own_site.open("/about")
    assert page.evaluate("[isSecureContext, 'wakeLock' in navigator]") == [False, False]
    page.evaluate("""async () => { window.sleep = (await import("/web/ui/wakelock.js")).preventSleep(); }""")
    page.wait_for_function("() => document.querySelector('video')?.currentTime > 0.5")
    assert page.evaluate("""() => {
        const video = document.querySelector("video");
        const { top, left, width, height } = video.getBoundingClientRect();
        return [video.paused, video.muted, video.srcObject.active, top, left, width > 0 && height > 0];
    }""") == [False, True, True, 0, 0, True]
    page.evaluate("sleep()")
    expect(page.locator("video")).to_have_count(0)
    assert own_site.errors == []


def test_a_lock_is_better(own_site: MockSite, page: Page) -> None:
    """With a lock, it is held while the page is open, and no video plays."""
    page.add_init_script("""Object.defineProperty(Navigator.prototype, "wakeLock", { value: {
        request: async () => { window.held = true; return { release: () => { window.held = false; } }; },
    } })""")
    own_site.answers["/api/matches"] = []
    own_site.open("/about")
    page.evaluate("""async () => { window.sleep = (await import("/web/ui/wakelock.js")).preventSleep(); }""")
    page.wait_for_function("() => window.held === true")
    assert page.locator("video").count() == 0
    page.evaluate("sleep()")
    page.wait_for_function("() => window.held === false")
