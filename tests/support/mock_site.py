"""The browser's files without a server: pages and modules of the package, with answers of the test.

The address is plain HTTP and not localhost, so nothing works here that needs a secure context.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import msgspec
from playwright.sync_api import Page, Route

import lastcard
from lastcard.server.http.assets import WebFolder
from lastcard.server.http.requests import CachedResponse
from support.page_readiness import FOLLOW_LINK, wait_until_ready

ORIGIN: Final = "http://lastcard.test"
WEB: Final = Path(lastcard.__file__).with_name("web")
ASSETS: Final = WebFolder(WEB).current()
"""The files as the server makes them; checking each time whether they have changed took longer than to send them."""


class MockSite:
    """A browser page that gets the package's files and the given answers."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.answers: dict[str, Any] = {}
        """JSON answers by path; None for one that is not found."""
        self.calls: list[tuple[str, str]] = []
        """Method and path of every API call."""
        self.errors: list[str] = []
        """Errors of the page."""
        page.route(f"{ORIGIN}/**", self._serve)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)

    def reset(self) -> None:
        """Reset it for another test: nothing is answered or stored, and the page is empty."""
        self.page.unroute_all()
        self.page.route(f"{ORIGIN}/**", self._serve)
        self.page.emulate_media(forced_colors="none", reduced_motion="no-preference")
        self.open_blank()
        self.page.evaluate("localStorage.clear(); sessionStorage.clear()")
        self.answers, self.calls = {}, []
        self.errors.clear()

    def set_prefs(self, **prefs: object) -> None:
        """Set the preferences in the browser for the pages to come; the page is one of the site."""
        self.page.evaluate("prefs => { localStorage.lastcard = JSON.stringify({ format: 1, ...prefs }); }", prefs)

    def open(self, path: str) -> None:
        """Load the page of an address and wait until all is loaded."""
        self.page.goto(ORIGIN + path)
        self.page.locator("h1").first.wait_for(state="attached")
        wait_until_ready(self.page)

    def follow_link(self, path: str) -> None:
        """Go to another page as a link does, and wait until all is loaded."""
        self.page.evaluate(FOLLOW_LINK, path)
        wait_until_ready(self.page)

    def open_blank(self) -> None:
        """Go to an empty page, to run modules in."""
        self.page.goto(f"{ORIGIN}/blank")

    def _serve(self, route: Route) -> None:
        path = unquote(urlsplit(route.request.url).path)
        if path == "/blank":
            route.fulfill(body="<!doctype html><title>blank</title>", content_type="text/html")
        elif (WEB.parent / path[1:]).is_file():
            route.fulfill(path=WEB.parent / path[1:])
        elif path.startswith("/web/"):
            _fulfill(route, ASSETS.find(path.removeprefix("/web/").removeprefix(f"{ASSETS.version}/")))
        elif path.startswith("/api/"):
            self._answer(route, path)
        else:
            _fulfill(route, ASSETS.page(path, "en"))

    def _answer(self, route: Route, path: str) -> None:
        self.calls.append((route.request.method, path))
        found = self.answers.get(path)
        body = found if found is not None else {"error": "not-found", "text": "not found"}
        route.fulfill(
            status=404 if found is None else 200, body=msgspec.json.encode(body), content_type="application/json"
        )


def _fulfill(route: Route, asset: CachedResponse | None) -> None:
    if asset is None:
        route.fulfill(status=404)
    else:
        route.fulfill(body=asset.body, content_type=asset.media_type)
