"""A page that is reloaded while its server is unreachable: it says so, and continues once the server is back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from lastcard.text.locale import catalog
from support.live_server import VERSION, LiveServer, serve_another_version
from support.page_readiness import wait_until_ready
from support.player import PHONE, BrowserPlayer, Invite, wait_for_cards
from support.websocket_players import SERVE_ARGUMENTS, ServerProcess

RULES: Final = "classic+first_dealer=host"
_COVERED: Final = """async () => {
    const found = await navigator.serviceWorker.getRegistration();
    return found?.active?.state === "activated" && found.active.scriptURL;
}"""
"""The service worker's file between the page and the network."""


def await_cover(player: BrowserPlayer) -> None:
    """Wait until the browser has cached the outage page."""
    wanted = f"{player.url}/service.js"
    player.wait_until(lambda: player.page.evaluate(_COVERED) == wanted, "the service worker is there")


def says_away(page: Page, language: str = "en") -> None:
    """Wait until the page says that the server is unreachable."""
    texts = catalog(language)
    expect(page.get_by_role("heading")).to_have_text(texts.text("web.away.title"))
    expect(page.get_by_role("button")).to_have_text(texts.text("web.away.again"))
    assert page.locator("html").get_attribute("lang") == language


@contextmanager
def answering(port: int, status: int) -> Iterator[None]:
    """A proxy without a server behind it."""

    class Proxy(BaseHTTPRequestHandler):
        def handle_one_request(self) -> None:
            if self.rfile.readline():
                self.request_version, self.requestline, self.command = "HTTP/1.1", "", "GET"
                self.send_error(status)
            self.close_connection = True

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", port), Proxy) as proxy:
        thread = Thread(target=proxy.serve_forever)
        thread.start()
        try:
            yield
        finally:
            proxy.shutdown()
            thread.join()


def test_loaded_while_the_server_is_away(server: ServerProcess, invite: Invite) -> None:
    """The person has the same seat with the same cards, without pressing anything."""
    ann, ben = invite(server.url, "Ann", **PHONE), invite(server.url, "Ben")
    code = ann.play_with(ben, rules=RULES)
    wait_for_cards(ann, ben)
    for player in (ann, ben):
        wait_until_ready(player.page)
    before = [player.screen_state() for player in (ann, ben)]
    for player in (ann, ben):
        await_cover(player)
    server.kill()
    for player in (ann, ben):
        player.expect_failure(503, f"/t/{code}")
        player.page.reload()
        says_away(player.page)
        expect(player.page.get_by_role("button")).to_be_in_viewport(ratio=1)
    server.start()
    for player, seen in zip((ann, ben), before, strict=True):
        expect(player.hand).to_be_visible(timeout=30_000)
        player.wait_for_state(seen)
        assert player.page.url == f"{server.url}/t/{code}"


def test_a_proxy_error_page_is_replaced(server: ServerProcess, invite: Invite) -> None:
    """With HTTPS, a proxy answers for the server; an address with a place in the match is preserved."""
    ann = invite(server.url, "Ann", **PHONE)
    ann.page.goto(f"{server.url}/rules/classic#CL-1")
    await_cover(ann)
    server.kill()
    for status in (502, 503, 504):
        ann.expect_failure(status, "/rules/classic")
        with answering(server.port, status):
            ann.page.reload()
            says_away(ann.page)
    server.start()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text(catalog("en").text("web.rules.title"), timeout=30_000)
    assert ann.page.url == f"{server.url}/rules/classic#CL-1"


def test_the_outage_page_has_the_screens_language(server: ServerProcess, invite: Invite) -> None:
    """Below a path it works, too. A language that was just chosen counts, else that of the browser."""
    path = "/club/cards"
    server.kill()
    server.start([*SERVE_ARGUMENTS, "--public-url", f"{server.url}{path}"])
    ann = invite(f"{server.url}{path}", "Ann", locale="fr", **PHONE)
    ann.page.goto(f"{ann.url}/")
    await_cover(ann)
    ann.page.get_by_label(catalog("fr").text("web.home.language")).select_option("pl")
    expect(ann.page.get_by_role("button", name=catalog("pl").text("web.home.play"))).to_be_visible()
    assert ann.page.evaluate("navigator.serviceWorker.getRegistration().then(found => found.scope)") == f"{ann.url}/"
    server.kill()
    ann.expect_failure(503, "/")
    ann.page.reload()
    says_away(ann.page, "pl")
    ann.page.evaluate("localStorage.clear()")
    ann.page.reload()
    says_away(ann.page, "fr")
    server.start([*SERVE_ARGUMENTS, "--public-url", f"{server.url}{path}"])
    expect(ann.page.get_by_role("button", name=catalog("fr").text("web.home.play"))).to_be_visible(timeout=30_000)


def test_a_server_that_answers_is_never_covered(
    ann: BrowserPlayer, live_server: LiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new version comes with the next page; other files are fetched as usual, and missing ones are missing."""
    ann.page.goto(f"{live_server.url}/about")
    await_cover(ann)
    old = ann.page.evaluate(VERSION)
    serve_another_version(tmp_path, monkeypatch)
    ann.page.reload()
    expect(ann.page.get_by_role("heading", name=catalog("en").text("web.about.title"))).to_be_visible()
    assert ann.page.evaluate(VERSION) != old
    for path, status in (("/healthz", 200), ("/nowhere", 404)):
        answer = ann.page.goto(f"{live_server.url}{path}")
        assert answer is not None and answer.status == status
    ann.expect_failure(404, "/nowhere")
