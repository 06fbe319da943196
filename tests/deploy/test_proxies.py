"""The proxies of ``deploy/`` let everything through: HTTP/2, WebSockets, a path, a socket, client addresses."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import httpx
import pytest

from support.proxies import DEPLOY, PROXIES, Proxy, Upstream, nginx, run_upstream
from support.threaded_server import TIMEOUT_S


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Upstream]]:
    """The server below a path, started with its first proxy."""
    with ExitStack() as started:

        @cache
        def find(path: str) -> Upstream:
            return started.enter_context(run_upstream(tmp_path_factory.mktemp("server"), path, "--chat", "on"))

        yield find


@pytest.fixture(scope="module", params=PROXIES)
def proxy(
    request: pytest.FixtureRequest, servers: Callable[[str], Upstream], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Proxy]:
    """Each proxy in front of its server."""
    proxy, path = PROXIES[request.param]
    with proxy(tmp_path_factory.mktemp("proxy"), request.param, servers(path)) as running:
        yield running


@pytest.fixture
def ann(proxy: Proxy) -> Iterator[httpx.Client]:
    """A signed-in person, at a browser that trusts the certificate."""
    origin = proxy.url.removesuffix("/cards")
    with httpx.Client(
        base_url=proxy.url, verify=proxy.ssl_context(), headers={"origin": origin}, timeout=30
    ) as browser:
        browser.post("/api/me", json={"name": "Ann"}).raise_for_status()
        yield browser


def test_every_file_is_tried() -> None:
    assert {file.name for kind in ("caddy", "nginx") for file in (DEPLOY / kind).iterdir()} == {*PROXIES}


def test_pages_by_http_2(proxy: Proxy, tmp_path: Path) -> None:
    """Pages arrive with everything that they load, and with the server's security headers."""
    head = proxy.curl("/rules/classic", "--head", "--header", "accept: text/html", "--write-out", "%{http_version}")
    assert head.startswith("HTTP/2 200") and head.endswith("\n2")
    assert "content-security-policy: " in head
    below = proxy.url.partition("localhost")[2].partition("/")[2]
    assert ("strict-transport-security: " in head) == (not below), "a path does not speak for the whole name"
    page = proxy.curl("/rules/classic", "--header", "accept: text/html")
    loads = re.findall(r'(?:href|src)="(/[^"]+)"', page)
    assert loads and all(each.startswith(f"/{below}/web/" if below else "/web/") for each in loads)
    places = [each.removeprefix(f"/{below}") if below else each for each in loads]
    for place in places:
        said = proxy.curl(place, "--output", str(tmp_path / "loaded"), "--write-out", "%{http_code} %{http_version}")
        assert said == "200 2"


def test_people_at_a_table(proxy: Proxy, ann: httpx.Client) -> None:
    """Link, QR code, and two WebSockets, each of which receives the other's messages."""
    code = ann.post("/api/tables", json={}).raise_for_status().json()["code"]
    assert ann.get(f"/qr/{code}.svg").status_code == 200

    async def talk() -> None:
        async with (
            proxy.connect_to_table(code, dict(ann.cookies)) as first,
            proxy.connect_to_table(code, tv=True) as second,
        ):
            assert (await first.receive("welcome"))["table"]["join_url"] == f"{proxy.url}/t/{code}"
            await second.receive("welcome")
            await first.send(type="say", text="through and through")
            assert (await second.receive("heard"))["note"]["text"] == "through and through"
            await first.send(type="ping", t=7)
            assert (await first.receive("pong"))["t"] == 7

    asyncio.run(talk())


def test_the_client_address_comes_from_the_proxy(proxy: Proxy, ann: httpx.Client) -> None:
    """The address comes from the proxy; headers of the client are ignored.

    A stranger makes twenty names at once, this machine many more.
    """
    ann.cookies.clear()
    assert "; Secure" in ann.post("/api/me", json={"name": "Ann"}).headers["set-cookie"]
    forged = {"x-forwarded-for": "203.0.113.5", "forwarded": "for=203.0.113.5", "x-real-ip": "203.0.113.5"}
    for _ in range(24):
        ann.cookies.clear()
        assert ann.post("/api/me", json={"name": "Ben"}, headers=forged).status_code == 200
    assert ann.get("/metrics").status_code == 404, "figures are not for the world"


def test_without_https_people_are_sent_on(servers: Callable[[str], Upstream], tmp_path: Path) -> None:
    """Caddy redirects by itself."""
    with nginx(tmp_path, "site.conf", servers("")) as front:
        answer = httpx.get(
            f"http://127.0.0.1:{front.http_port}/t/ABCDEF?x=1", headers={"host": "localhost"}, timeout=TIMEOUT_S
        )
        assert (answer.status_code, answer.headers["location"]) == (308, "https://localhost/t/ABCDEF?x=1")
