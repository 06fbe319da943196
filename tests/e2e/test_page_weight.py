"""The first playable screen is light, quick, and asks nobody else for anything."""

from __future__ import annotations

from math import inf

import pytest
from playwright.sync_api import Browser, Response, expect

from support.house import House

LIMIT = 240_000
"""Bytes before compression: 240 KB, of which faces, fans and the light on the table take a tenth."""
SOON = 1000
"""Milliseconds to the first card, with a warm server on loopback."""
TRIES = 10

_WATCH = """
    const watch = new MutationObserver(() => {
        if (!document.querySelector("lc-game .hand [data-card]")) return;
        watch.disconnect();
        window.playable = performance.now();
    });
    watch.observe(document, { childList: true, subtree: true });
"""
_LATER = """() => performance.getEntriesByType("resource")
    .filter(({ startTime }) => startTime >= playable).map(({ name }) => name)"""


@pytest.mark.parametrize("language", ["en", "pl"])
def test_first_playable_screen(house: House, browser: Browser, language: str) -> None:
    """All that is loaded from the first page through Play now until the hand is there; Polish has the longest words."""
    context = browser.new_context(locale=language, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.add_init_script(_WATCH)
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    frames: list[int] = []
    page.on("websocket", lambda line: line.on("framereceived", lambda text: frames.append(len(text))))
    page.goto(house.url)
    page.locator("form button").first.click()
    expect(page.locator("lc-game .hand [data-card]").first).to_be_visible()
    page.wait_for_load_state("networkidle")

    later = set(page.evaluate(_LATER))
    sizes = {answer.url: len(answer.body()) for answer in answers if answer.url not in later}
    assert len(sizes) > 20 and frames
    assert sum(sizes.values()) + frames[0] <= LIMIT, sorted((size, url) for url, size in sizes.items())
    assert not [url for url in asked if not url.startswith(f"{house.url}/")], "only this server is asked"
    context.close()


def test_first_card_comes_soon(house: House, browser: Browser) -> None:
    """From the press on Play now to the first card; the best of some, as other tests run beside it."""
    took = [inf]
    while min(took) > SOON and len(took) <= TRIES:
        context = browser.new_context(locale="en", viewport={"width": 390, "height": 844})
        page = context.new_page()
        page.add_init_script(_WATCH)
        page.goto(house.url)
        page.evaluate(
            "addEventListener('click', () => window.pressed = performance.now(), { capture: true, once: true })"
        )
        page.get_by_role("button", name="Play now").click()
        expect(page.locator("lc-game .hand [data-card]").first).to_be_visible()
        took.append(page.evaluate("playable - pressed"))
        context.close()
    assert min(took) <= SOON, took
