"""The picture that chat programs show for the link of a table, if Pillow is there: what everybody may see of it."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from html import escape
from importlib.util import find_spec
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.envs.table_picture import SIZE_PX, SeatPicture, TablePicture, draw_table
from lastcard.server.http.replays import ByteCache
from lastcard.server.http.requests import RequestError, guess_table, run_limited, texts_for
from lastcard.server.security.security import clean_code
from lastcard.server.table.live_table import LiveTable
from lastcard.text.locale import Catalog

CACHE_S: Final = 30
"""Seconds for which the picture of a table is not drawn again."""
_WORKER: Final = ThreadPoolExecutor(1, "previews")
_PICTURES: Final = ByteCache(limit_bytes=1 << 21)
"""Pictures by table, language and time."""


@cache
def can_draw() -> bool:
    """Return whether Pillow is installed."""
    return find_spec("PIL") is not None


def preview_tags(request: Request, code: str) -> str:
    """Return the tags of the Open Graph protocol for the page of a table; empty without Pillow or for no code.

    Whether there is such a table is not looked up: that would let anybody guess codes.
    """
    clean = clean_code(code)
    if clean is None or not can_draw():
        return ""
    width, height = SIZE_PX
    url = request.app.state.registry.url(f"/t/{clean}")
    values = {
        "og:title": "Last Card",
        "og:type": "website",
        "og:url": url,
        "og:description": texts_for(request).text("web.share.invite"),
        "og:image": f"{url}/preview.png",
        "og:image:width": str(width),
        "og:image:height": str(height),
        "twitter:card": "summary_large_image",
    }
    return "".join(f'    <meta property="{name}" content="{escape(value)}">\n' for name, value in values.items())


async def show_preview(request: Request) -> Response:
    """``GET /t/CODE/preview.png``: return the picture of a table, without any hand."""
    if not can_draw() or clean_code(request.path_params["code"]) is None:
        raise RequestError(404, "not-found")
    table, texts = await guess_table(request), texts_for(request)
    key = (table.code, texts.language, time.monotonic() // CACHE_S)
    picture = _PICTURES.get(key)
    if picture is None:
        shown = _picture_of(table, texts)
        picture = await run_limited(request, _WORKER, lambda: draw_table(shown))
        _PICTURES.put(key, picture)
    return Response(picture, headers={"cache-control": f"public, max-age={CACHE_S}"}, media_type="image/png")


def _picture_of(table: LiveTable, texts: Catalog) -> TablePicture:
    """Return what strangers may see of a table: the match only if they may watch it."""
    info, play = table.describe(), table.play
    title = texts.text(f"game.{table.state.rules.game}")
    public = play.public_state if play is not None and info.settings.spectators and table.state.in_match else None
    seats = tuple(
        SeatPicture(
            "–" if seat is None else seat.name,
            None if public is None else public.counts[number],
            public is not None and public.turn == number and public.winner is None,
        )
        for number, seat in enumerate(info.seats)
    )
    return TablePicture(title, seats, None if public is None else public.top, -1 if public is None else public.color)


routes: Final = [Route("/t/{code}/preview.png", show_preview)]
