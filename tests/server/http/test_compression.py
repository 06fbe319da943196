"""Answers that are the same for everybody are compressed once, and never on the event loop."""

from __future__ import annotations

import asyncio
import gzip
import threading
from pathlib import Path

import pytest
from starlette.requests import Request

from lastcard.server.http import pages, rules
from lastcard.server.http.assets import WebFolder
from lastcard.server.http.requests import CachedResponse
from support.threaded_server import run_threaded_server

BODY = b"card " * 100_000


@pytest.fixture
def packed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bytes]]:
    """Compressed data, with the name of the compressing thread."""
    done: list[tuple[str, bytes]] = []
    compress = gzip.compress

    def note(body: bytes, *, mtime: int) -> bytes:
        done.append((threading.current_thread().name, body))
        return compress(body, mtime=mtime)

    monkeypatch.setattr(gzip, "compress", note)
    return done


def asked(encoding: str = "gzip") -> Request:
    """A request that accepts an encoding."""
    return Request({"type": "http", "headers": [(b"accept-encoding", encoding.encode())]})


@pytest.mark.real_time
async def test_a_body_is_compressed_once(packed: list[tuple[str, bytes]]) -> None:
    body = CachedResponse(BODY, "text/css")
    answers = await asyncio.gather(*(body.send(asked()) for _ in range(8)))
    assert {gzip.decompress(answer.body) for answer in answers} == {BODY}
    assert (await body.send(asked("identity"))).body == BODY
    assert [body for _, body in packed] == [BODY]
    assert packed[0][0].startswith("gzip")


@pytest.mark.parametrize(
    "body", [CachedResponse(b"short", "text/css"), CachedResponse(BODY, "image/png")], ids=["short", "a picture"]
)
def test_short_bodies_are_not_compressed(body: CachedResponse, packed: list[tuple[str, bytes]]) -> None:
    answer = asyncio.run(body.send(asked()))
    assert answer.body == body.body and "vary" not in answer.headers and not packed


def test_no_route_compresses_on_the_event_loop(
    tmp_path: Path, packed: list[tuple[str, bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page, its bundles, the kernel and its networks, texts, options and rules."""
    web = WebFolder(Path(pages.__file__).parents[2] / "web")
    monkeypatch.setattr(pages, "_WEB", web)
    for found in (rules._texts, rules._options, rules._rules):
        found.cache_clear()
    at = f"/web/{web.current().version}"
    places = ["/", f"{at}/packs/home.js", f"{at}/packs/home.css", f"{at}/kernel/lastcard.wasm"]
    places += [f"{at}/kernel/prior-classic.npy", "/api/locale/en", "/api/options/classic", "/api/rules/classic"]
    with run_threaded_server(tmp_path) as served:
        browser = served.new_client(None)
        for place in places:
            answer = browser.http.get(f"{served.url}{place}", headers={"accept": "text/html"})
            assert answer.status_code == 200 and answer.headers["content-encoding"] == "gzip", place
    assert len(packed) == len(places)
    assert all(name.startswith("gzip") for name, _ in packed), packed
