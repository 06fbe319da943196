"""The picture of a table for the link in a chat program (docs/server.md, "On other pages")."""

from __future__ import annotations

import io

import pytest

from lastcard.envs.table_picture import SIZE_PX, SeatPicture, TablePicture, draw_table
from lastcard.server.http import link_previews
from lastcard.server.http.replays import ByteCache
from lastcard.server.security.security import Limit
from lastcard.text.locale import catalog
from support.threaded_server import Client, ThreadedServer, error_of

PIL_Image = pytest.importorskip("PIL.Image")

LIMIT_BYTES = 60_000
"""Chat programs ignore large pictures; 300 KB is the smallest limit known."""


def test_the_page_of_a_table_names_its_picture(ann: Client, code: str) -> None:
    """The same tags for every code, so that nobody guesses by them; none on other pages."""
    for path in (f"/t/{code}", "/t/AAAAAA"):
        page = ann.get(path).text
        assert f'<meta property="og:image" content="{ann.server.url}/t/{path[3:]}/preview.png">' in page
    for path in ("/", "/t/nonsense", "/t/%22%3E%3Cscript"):
        assert "og:image" not in ann.get(path).text
    assert 'content="Zagraj z nami w karty!"' in ann.get(f"/t/{code}", **{"accept-language": "pl"}).text


def test_the_picture_is_public_and_small(ann: Client, code: str, stranger: Client) -> None:
    answer = stranger.get(f"/t/{code}/preview.png")
    assert answer.headers["content-type"] == "image/png" and "max-age=30" in answer.headers["cache-control"]
    assert answer.content.startswith(b"\x89PNG") and len(answer.content) < LIMIT_BYTES
    assert error_of(stranger.get("/t/AAAAAA/preview.png")) == (404, "no-table")
    assert error_of(stranger.get("/t/nonsense/preview.png")) == (404, "not-found")


def test_nobody_sees_a_match_that_nobody_may_watch(ann: Client) -> None:
    """And of any other no hand: two tables that differ in hands alone have the same picture."""
    for spectators in (True, False):
        code = ann.create_table(quick=True, settings={"rules": "classic", "spectators": spectators})
        ann.join(code).receive("dealt")
        table = ann.server.table(code)
        shown = link_previews._picture_of(table, catalog("en"))
        assert (shown.top is not None) == spectators and len(shown.seats) == len(table.state.seats)
        counts = [seat.cards for seat in shown.seats]
        assert counts == ([*table.play.public_state.counts] if spectators else [None] * len(counts))


def test_work_and_guesses_are_limited(ann: Client, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was drawn once costs nothing."""
    path, limits = f"/t/{code}/preview.png", ann.server.app.state.limits
    assert ann.get(path).status_code == 200
    monkeypatch.setattr(limits, "work", Limit(rate=0.0, burst=-1.0, shared_factor=1))
    assert ann.get(path).status_code == 200
    monkeypatch.setattr(link_previews, "_PICTURES", ByteCache())
    assert error_of(ann.get(path)) == (429, "too-fast")
    monkeypatch.setattr(limits, "misses", Limit(rate=0.0, burst=0.0, shared_factor=1))
    assert error_of(ann.get(path)) == (429, "too-fast")


def test_without_pillow_there_is_no_tag(ann: Client, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_previews, "can_draw", lambda: False)
    assert "og:image" not in ann.get(f"/t/{code}").text
    assert error_of(ann.get(f"/t/{code}/preview.png")) == (404, "not-found")


def test_every_table_fits(served: ThreadedServer) -> None:
    """Ten seats, long names and other scripts."""
    names = ("Bartholomew the Long", "Żółw", "Анна", "李", "–", "🃏", "a", "b", "c", "d")
    seats = tuple(SeatPicture(name, 108, place == 9) for place, name in enumerate(names))
    picture = draw_table(TablePicture("UNO Wild Jackpot", seats, 5, 2))
    assert PIL_Image.open(io.BytesIO(picture)).size == SIZE_PX and len(picture) < LIMIT_BYTES
