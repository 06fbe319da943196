"""Pages for other sites (docs/server.md, "On other pages"): who may show them, and that they know nobody."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lastcard.errors import UsageError
from lastcard.server.setup.server_options import ServerOptions
from support.threaded_server import ThreadedServer, error_of, run_threaded_server

SITES = ("https://club.example", "http://localhost:8099")


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    """A server whose pages two sites may show."""
    with run_threaded_server(tmp_path_factory.mktemp("embed"), embed_origins=SITES) as running:
        yield running


def test_nobody_may_embed_by_default(served: ThreadedServer) -> None:
    browser = served.new_client(None)
    for path in ("/embed/", "/embed/web/x.js", "/embed/api/matches/x/replay"):
        assert error_of(browser.get(path)) == (404, "not-found")
    page = browser.get("/")
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    assert page.headers["x-frame-options"] == "DENY" and "data-embed" not in page.text


def test_the_sites_of_the_option_may(embedded: ThreadedServer) -> None:
    """Only pages below /embed/, which may send requests to nothing else."""
    browser = embedded.new_client(None)
    page = browser.get("/embed/")
    policy = page.headers["content-security-policy"]
    assert f"frame-ancestors {' '.join(SITES)};" in policy and "x-frame-options" not in page.headers
    assert f"connect-src {embedded.host}/embed/;" in policy and "ws:" not in policy
    assert page.headers["cross-origin-resource-policy"] == "cross-origin"
    assert "data-static-site data-embedded" in page.text and "/embed/web/" in page.text
    own = browser.get("/")
    assert "frame-ancestors 'none'" in own.headers["content-security-policy"] and " data-embed" in own.text
    version = page.text.split("/embed/web/")[1].split("/")[0]
    assert browser.get(f"/embed/web/{version}/packs/home.js").status_code == 200
    assert browser.get(f"/embed/web/{version}/options/classic-en.json").json()["game"] == "classic"


def test_an_embedded_page_knows_nobody(embedded: ThreadedServer) -> None:
    """A match without spectators is shown to its players alone: below /embed/ the cookie does not count."""
    ann = embedded.new_client("Ann")
    code = ann.create_table(quick=True, settings={"rules": "classic", "spectators": False})
    ann.join(code).receive("dealt")
    match = embedded.table(code).play.id
    assert ann.get(f"/api/matches/{match}/replay").status_code == 200
    assert error_of(ann.get(f"/embed/api/matches/{match}/replay")) == (404, "not-found")
    for path in ("/embed/api/me", "/embed/api/tables", "/embed/api/matches", "/embed/ws/AAAAAA", "/embed/api/me/data"):
        assert ann.get(path).status_code == 404 and ann.post(path, {}).status_code in (404, 405)


def test_a_replay_is_the_same_as_for_a_stranger(embedded: ThreadedServer) -> None:
    ann = embedded.new_client("Ann")
    code = ann.create_table(quick=True, settings={"rules": "classic"})
    ann.join(code).receive("dealt")
    match = embedded.table(code).play.id
    replay = ann.get(f"/embed/api/matches/{match}/replay")
    assert replay.json()["id"] == match and "set-cookie" not in replay.headers


@pytest.mark.parametrize("origin", ["club.example", "https://club.example/", "https://a b", "*;", "'self'"])
def test_an_origin_is_an_origin(origin: str) -> None:
    """Nothing else gets into the policy."""
    with pytest.raises(UsageError, match="--embed-origin"):
        ServerOptions(embed_origin=[origin]).embed_origins()
    assert ServerOptions(embed_origin=["*"]).embed_origins() == ("*",)
    assert ServerOptions(embed_origin=["https://*.club.example:8443"]).embed_origins()
