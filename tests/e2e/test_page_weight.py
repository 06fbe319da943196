"""The first playable screen is light, quick, and asks nobody else for anything."""

from __future__ import annotations

import re
from math import inf
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response, Route, expect
from starlette.types import Receive, Scope, Send

from lastcard.server.http.app import Guard
from support.house import House
from support.settling import settle

LIMIT = 217_000
"""Bytes before compression."""
WIRE = 80_000
"""Bytes over the wire, heads of answers included."""
AHEAD = ("favicon.svg", "packs/table.js", "packs/table.css")
"""What the first page fetches when it has nothing else to do."""
CONNECTIONS = 6
"""That a browser opens to a server of HTTP/1.1."""
SOON = 3000
"""Milliseconds to the first card that a person may wait for, on a warm server; benchmarks/loading.py measures."""
TRIES = 10

_WATCH = """
    const watch = new MutationObserver(() => {
        if (!document.querySelector("lc-game .hand [data-card]")) return;
        watch.disconnect();
        window.playable = performance.now();
    });
    watch.observe(document, { childList: true, subtree: true });
"""
_TOLD = "(urls) => urls.every((url) => performance.getEntriesByName(url).length)"
"""Whether the page knows when it asked for each; for its icon the browser asks by itself."""
_LATER = """() => performance.getEntriesByType("resource")
    .filter(({ startTime }) => startTime >= playable).map(({ name }) => name)"""


@pytest.mark.parametrize("language", ["en", "pl"])
def test_first_playable_screen(house: House, browser: Browser, language: str) -> None:
    """All that is loaded from the first page through Play now until the hand is there; Polish has the longest words."""
    context = browser.new_context(locale=language, viewport={"width": 390, "height": 844}, service_workers="block")
    page = context.new_page()
    page.add_init_script(_WATCH)
    carried = Carried(page)
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    frames: list[int] = []
    page.on("websocket", lambda line: line.on("framereceived", lambda text: frames.append(len(text))))
    page.goto(house.url)
    page.locator("form button").first.click()
    expect(page.locator("lc-game .hand [data-card]").first).to_be_visible()
    whole = {answer.url: len(answer.body()) for answer in [*answers]}
    page.wait_for_function(_TOLD, arg=[url for url in whole if not url.endswith(".svg")])

    later = set(page.evaluate(_LATER))
    sizes = {url: size for url, size in whole.items() if url not in later}
    assert {url.rpartition("/")[2] for url in sizes} >= {"home.js", "home.css", "table.js", "table.css"}
    assert frames
    assert sum(sizes.values()) + frames[0] <= LIMIT, sorted((size, url) for url, size in sizes.items())
    for _ in range(100):
        if carried.sizes.keys() >= sizes.keys():
            break
        page.wait_for_timeout(100)  # what the connection tells comes on its own
    wire = {url: size for url, size in carried.sizes.items() if url not in later}
    assert wire.keys() >= sizes.keys()
    assert sum(wire.values()) + frames[0] <= WIRE, sorted((size, url) for url, size in wire.items())
    assert not [url for url in asked if not url.startswith(f"{house.url}/")], "only this server is asked"
    context.close()


class Carried:
    """What a page has been sent, in bytes with the heads of answers, by address.

    Args:
        page: that asks.
    """

    def __init__(self, page: Page) -> None:
        self.sizes: dict[str, int] = {}
        self._urls: dict[str, str] = {}
        cdp = page.context.new_cdp_session(page)
        cdp.on("Network.requestWillBeSent", lambda told: self._urls.update({told["requestId"]: told["request"]["url"]}))
        cdp.on("Network.loadingFinished", self._add)
        cdp.send("Network.enable")

    def _add(self, told: dict[str, Any]) -> None:
        url = self._urls[told["requestId"]]
        self.sizes[url] = self.sizes.get(url, 0) + int(told["encodedDataLength"])


class Wave:
    """Requests whose answers wait until all of them have been asked for: what asks one after the other stands still.

    Args:
        page: that asks.
        names: of the files, at most six: a browser has no more connections.
    """

    def __init__(self, page: Page, *names: str) -> None:
        assert len(names) <= CONNECTIONS
        self._names = names
        self._held: dict[str, Route] = {}
        page.route(re.compile("|".join(rf"/{re.escape(name)}$" for name in names)), self._hold)

    def _hold(self, route: Route) -> None:
        self._held[route.request.url.partition("/web/")[2].partition("/")[2]] = route
        if self._held.keys() >= set(self._names):
            for held in self._held.values():
                held.continue_()


def test_waves(house: House, browser: Browser) -> None:
    """The page, then all it needs at once; then who one is, a table and its line, and the first card is there."""
    context = browser.new_context(locale="en-US", viewport={"width": 390, "height": 844}, service_workers="block")
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(house.url)))
    page.on("websocket", lambda line: asked.append("a line"))
    Wave(page, "packs/home.js", "packs/home.css", "texts/en.json")
    page.goto(house.url, wait_until="commit")
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    first = [name for name in asked if not name.endswith(AHEAD)]
    assert len(first) == 4, first

    del asked[:]
    # Whatever else is asked for gets no answer; the card comes all the same.
    page.unroute_all()
    page.route(re.compile("/web/"), lambda route: route.continue_() if route.request.url.endswith(AHEAD) else None)
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("lc-game .hand [data-card]").first).to_be_visible()
    assert [name for name in asked if not name.startswith("/web/")] == ["/api/me", "/api/tables", "a line"]
    context.close()


def test_a_table_in_one_wave(house: House, browser: Browser) -> None:
    """Whoever follows a link needs two packs at once."""
    context = browser.new_context(locale="en-US")
    page = context.new_page()
    Wave(page, "packs/home.js", "packs/home.css", "packs/table.js", "packs/table.css", "texts/en.json")
    page.goto(f"{house.url}/t/ABCDEF", wait_until="commit")
    expect(page.get_by_role("heading", name="There is no table ABCDEF")).to_be_visible()
    context.close()


def test_loaded_again(house: House, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is asked for the page, for who one is, and for the line; for all else the browser need not ask."""
    asked: list[str] = []
    guarded = Guard.__call__

    async def count(self: Guard, scope: Scope, receive: Receive, send: Send) -> None:
        asked.append(scope["path"])
        await guarded(self, scope, receive, send)

    monkeypatch.setattr(Guard, "__call__", count)
    context = browser.new_context(locale="en-US", viewport={"width": 390, "height": 844}, service_workers="block")
    page = context.new_page()
    with page.expect_request_finished(lambda request: request.url.endswith("/packs/table.css")):
        page.goto(house.url)
    page.reload()
    page.locator("h1").wait_for()
    before = {*asked}
    del asked[:]
    page.reload()
    page.locator("h1").wait_for()
    assert asked == ["/"]

    page.get_by_role("button", name="Play now").click()
    card = page.locator("lc-game .hand [data-card]").first
    card.wait_for()
    settle(page)
    before |= {*asked}
    del asked[:]
    page.reload()
    card.wait_for()
    code = page.url.rpartition("/")[2]
    again = [path for path in asked if path in before or not path.startswith("/web/")]
    assert again == [f"/t/{code}", "/api/me", f"/ws/{code}"]
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
