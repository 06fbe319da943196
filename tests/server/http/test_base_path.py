"""A server below a path, and one at a Unix socket, as proxies use them (docs/server.md)."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from lastcard.server.client import _ADDRESS
from support.threaded_server import run_threaded_server

HERE = "http://127.0.0.1:{port}/club/cards"


@pytest.mark.parametrize("before", ["/club/cards", ""])
def test_below_a_path(tmp_path: Path, before: str) -> None:
    """Whether the proxy preserves the path or cuts its part off, everything is found, and addresses are complete."""
    with run_threaded_server(tmp_path, HERE) as served:
        ann = served.new_client(None)
        page = ann.get(f"{before}/rules/classic", accept="text/html").text
        names = re.findall(r'(?:href|src)="(/[^"]+)"', page)
        assert names and all(name.startswith("/club/cards/web/") for name in names)
        for name in names:
            assert ann.get(before + name.removeprefix("/club/cards")).status_code == 200
        cookie = ann.post(f"{before}/api/me", {"name": "Ann"}).headers["set-cookie"]
        assert "; Path=/club/cards;" in cookie
        ann.http.cookies.set("lastcard", cookie.partition("=")[2].partition(";")[0])
        code = ann.post(f"{before}/api/tables", {}).json()["code"]
        assert ann.get(f"{before}/qr/{code}.svg").status_code == 200
        assert ann.get(f"{before}/healthz").text == "ok\n"
        assert ann.get(f"{before}/nothing", accept="text/html").status_code == 404
        gone = ann.http.delete(f"{before}/api/me").headers["set-cookie"]
        assert "; Path=/club/cards;" in gone


def test_the_slash_is_added(tmp_path: Path) -> None:
    """Pages need it for relative addresses."""
    with run_threaded_server(tmp_path, HERE) as served:
        answer = served.new_client(None).get("/club/cards")
        assert (answer.status_code, answer.headers["location"]) == (308, "/club/cards/")
        assert "content-security-policy" in answer.headers


def test_invitations_and_web_sockets_below_a_path(tmp_path: Path) -> None:
    """The link has the path, and a program finds the WebSocket by it."""
    with run_threaded_server(tmp_path, HERE) as served:
        ann = served.new_client()
        ann.http.cookies = httpx.Cookies({"lastcard": ann.http.cookies["lastcard"]})
        code = ann.create_table()
        welcome = ann.join(code).welcome["table"]["join_url"].removeprefix(served.url)
        assert welcome == f"/club/cards/t/{code}"
        found = _ADDRESS.fullmatch(f"{served.url}{welcome}")
        assert found is not None and found[2] == f"{served.host}/club/cards"


def test_headers_for_the_whole_host_are_sent_at_the_root_only(tmp_path: Path) -> None:
    """Below a path the server shares its host name."""
    for place, strict in (("https://club.example/cards", False), ("https://club.example", True)):
        folder = tmp_path / str(strict)
        folder.mkdir()
        with run_threaded_server(folder, place) as served:
            assert ("strict-transport-security" in served.new_client(None).get("/healthz").headers) == strict


def test_the_manifest_names_places_beside_it(tmp_path: Path) -> None:
    """At any address, the icon on a home screen leads there."""
    with run_threaded_server(tmp_path, HERE) as served:
        ann = served.new_client(None)
        (place,) = re.findall(r'rel="manifest" href="([^"]+)"', ann.get("/club/cards/").text)
        manifest = ann.get(place)
        named = [manifest.json()["start_url"], *(icon["src"] for icon in manifest.json()["icons"])]
        found = [manifest.url.join(name) for name in named]
        assert found[0].path == "/club/cards/"
        assert [ann.http.get(url).status_code for url in found] == [200] * len(found)


def test_a_unix_socket(tmp_path: Path) -> None:
    """The proxy at the other end is trusted for client addresses; the socket is removed when the server ends."""
    path = tmp_path / "web.sock"
    options = ["--language", "en", "--socket", str(path), "--public-url", "https://club.example", "--no-open"]
    options += ["--database-url", f"sqlite:///{tmp_path}/tables.sqlite"]
    with (tmp_path / "out").open("w") as out:
        server = subprocess.Popen([sys.executable, "-m", "lastcard", "serve", *options], stdout=out, stderr=out)
    try:
        until = time.monotonic() + 60
        while "stops the server" not in (tmp_path / "out").read_text():
            assert server.poll() is None and time.monotonic() < until
            time.sleep(0.1)
        through = {"origin": "https://club.example", "x-forwarded-for": "1.2.3.4", "x-forwarded-proto": "https"}
        line = httpx.HTTPTransport(uds=str(path))
        with httpx.Client(transport=line, base_url="http://club.example", headers=through) as ann:
            assert ann.get("/readyz").status_code == 200
            found = [ann.post("/api/me", json={"name": "Ann"}).status_code for _ in range(22)]
            assert (found[0], found[-1]) == (200, 429), "the caller's own address is counted, and not the proxy's"
            assert ann.get("/metrics").status_code == 404
        server.send_signal(signal.SIGTERM)
        assert server.wait(20) == 0
        assert not path.exists()
    finally:
        server.kill()
        server.wait()
